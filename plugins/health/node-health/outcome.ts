// Reads the response to `GET /healthz` of a node.

import { FailedChecks, type FailedPart } from '../../../core/contract/index.js';
import { describeResponse, type HttpResponse, parseForeignJson, quote } from '../../../core/kit/index.js';

/** Most failed checks of a node that are reported one by one. */
export const MAX_PARTS = 50;
/** Longest name of a component of a node, in UTF-16 units. */
export const MAX_NAME_LENGTH = 128;
/** Longest reason of a node, in UTF-16 units: Docker clients write the cause at the end of a long sentence. */
const MAX_REASON_LENGTH = 500;

/**
 * The failure of the node.
 *
 * @returns the failed checks of the node, a reason, or undefined when it is healthy
 */
export function failureIn(response: HttpResponse): FailedChecks | string | undefined {
  const { status, body } = response;
  const text = body.toString();
  if (status === 408) return 'HTTP status 408: the health checks of the node took too long';
  const { status: found, failed_checks: failed } = parseObject(text);
  const parts = status === 503 ? partsOf(failed) : undefined;
  if (parts !== undefined) return new FailedChecks(parts);
  if (status !== 200) return describeResponse(response, 'error');
  return found === 'OK'
    ? undefined
    : `unexpected response: expected the status 'OK', found ${quote(text) || 'an empty body'}`;
}

function parseObject(text: string): { readonly status?: unknown; readonly failed_checks?: unknown } {
  try {
    const value = parseForeignJson(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The first failed checks; undefined if one of them is not valid. */
function partsOf(failed: unknown): FailedPart[] | undefined {
  if (!Array.isArray(failed) || failed.length === 0) return undefined;
  const parts = new Map<string, FailedPart>();
  for (const each of failed as unknown[]) {
    if (parts.size === MAX_PARTS) break;
    const { component, reason } = (each ?? {}) as Partial<Record<keyof FailedPart, unknown>>;
    if (typeof component !== 'string' || typeof reason !== 'string') return undefined;
    const name = quote(component).slice(0, MAX_NAME_LENGTH);
    if (name === '') return undefined;
    if (!parts.has(name))
      parts.set(name, { component: name, reason: quote(reason, MAX_REASON_LENGTH) || 'no reason given' });
  }
  return [...parts.values()];
}
