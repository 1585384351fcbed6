// Reads what a check threw.

import { errorCodeOf, isLate } from '../contract/errors.js';
import { onOneLine } from '../common/text/one-line.js';
import { reasonOf, type FailedPart, type Severity, type SharedCause } from '../contract/index.js';

/** The most parts of a component that are reported by name; further ones are counted. */
export const MAX_PARTS = 100;
/** Longest name of a part, in UTF-16 units; a longer one is truncated. */
export const MAX_PART_NAME = 256;

/** Longest reason in the log, in UTF-16 units. */
export const MAX_LOGGED_REASON = 65_536;
/** Longest reason in a response, in bytes as a JSON string without its quotes. */
export const MAX_REASON_SIZE = 4096;

/** Why a check failed. */
export interface Failure {
  /** Why the component itself failed; undefined when only parts of it failed. */
  readonly reason: string | undefined;
  /** The severity of `reason`. */
  readonly severity: Severity;
  /** The failed parts, with different names; undefined when the check did not examine the parts. */
  readonly parts: readonly FailedPart[] | undefined;
  /** The component that explains `reason`. */
  readonly follows?: string;
  /** When the look began that found it, as `performance.now()`; omitted: when the check began. */
  readonly lookedAt?: number;
  /** Whether `reason` only says that something did not respond in time. */
  readonly isLate?: boolean;
}

/** The failure of a component as a whole. */
function wholeFailure(reason: string, severity: Severity, follows?: string): Failure {
  return { reason, severity, parts: undefined, ...(follows !== undefined && { follows }) };
}

/** The failure that a check reports by throwing. Parts that cannot be used are a failure of the component as a whole. */
export function failureOf(thrown: unknown): Failure {
  const lookedAt = lookedAtOf(thrown);
  return { ...failureIn(thrown), ...(lookedAt !== undefined && { lookedAt }) };
}

function failureIn(thrown: unknown): Failure {
  const parts = partialFailureOf(thrown);
  if (parts !== undefined) return parts;
  const reason = reasonOf(thrown, MAX_LOGGED_REASON);
  if (errorCodeOf(thrown) !== 'CHECK_WARNING')
    return { ...wholeFailure(reason, 'critical'), ...(isLate(thrown) && { isLate: true }) };
  const { follows } = thrown as { readonly follows?: unknown };
  return wholeFailure(reason, 'warning', typeof follows === 'string' ? follows : undefined);
}

/** Matches the code: a plugin may use another copy of the package. */
function partialFailureOf(thrown: unknown): Failure | undefined {
  if (errorCodeOf(thrown) !== 'CHECKS_FAILED') return undefined;
  try {
    const { parts: given } = thrown as { readonly parts: unknown };
    if (!Array.isArray(given) || given.length === 0) return undefined;
    const parts = new Map<string, FailedPart>();
    for (const part of given as unknown[]) {
      const {
        component,
        reason,
        severity,
        follows,
        causes,
        isLate: late,
      } = part as Readonly<Record<keyof FailedPart, unknown>>;
      if (typeof component !== 'string' || component === '') return undefined;
      const name = component.slice(0, MAX_PART_NAME).toWellFormed();
      if (!parts.has(name))
        parts.set(name, {
          component: name,
          reason: reasonOf(reason, MAX_LOGGED_REASON),
          ...(severity === 'warning' && { severity }),
          ...(typeof follows === 'string' && { follows }),
          ...(Array.isArray(causes) && { causes: causes.flatMap(causeOf) }),
          ...(late === true && { isLate: true }),
        });
    }
    return { reason: undefined, severity: 'critical', parts: [...parts.values()] };
  } catch {
    // Reading the parts ran code of the check, which threw.
    return undefined;
  }
}

/** The most UTF-16 units of a member of a shared cause, except its reason. */
const MAX_CAUSE_MEMBER = 256;

/** A shared cause; none if it is not one. */
function causeOf(value: unknown): SharedCause[] {
  const { id, reason, place, use, isMain } = value as Readonly<Record<keyof SharedCause, unknown>>;
  if (typeof id !== 'string' || typeof place !== 'string' || typeof use !== 'string') return [];
  const limited = (text: string): string => onOneLine(text.slice(0, MAX_CAUSE_MEMBER).toWellFormed());
  const texts = { id: limited(id), place: limited(place), use: limited(use) };
  return [{ ...texts, reason: reasonOf(reason), isMain: isMain === true }];
}

/** When the look began that found a failure; undefined: the error does not say it. */
function lookedAtOf(thrown: unknown): number | undefined {
  try {
    const { lookedAt } = thrown as { readonly lookedAt?: unknown };
    return typeof lookedAt === 'number' && lookedAt <= performance.now() ? lookedAt : undefined;
  } catch {
    return undefined;
  }
}

/** A reason as responses have it, at most {@link MAX_REASON_SIZE} long; a longer one ends in `…`. */
export function shortened(reason: string): string {
  // No character has more than 6 bytes in JSON, as an escape.
  if (reason.length * MAX_ESCAPE <= MAX_REASON_SIZE) return reason;
  let size = Buffer.byteLength(ELLIPSIS);
  let end = 0;
  let whole = 0;
  for (const character of reason) {
    whole += sizeInJson(character);
    size += sizeInJson(character);
    if (size <= MAX_REASON_SIZE) end += character.length;
    else if (whole > MAX_REASON_SIZE) return reason.slice(0, end) + ELLIPSIS;
  }
  return reason;
}

const MAX_ESCAPE = 6;
const ELLIPSIS = '…';
/** What JSON, or its form in Go, writes as an escape. */
const ESCAPED = /[\u0000-\u001f"\\<>&\u2028\u2029\ud800-\udfff]/;

function sizeInJson(character: string): number {
  if (character.length === 1 && ESCAPED.test(character))
    return character === '"' || character === '\\' ? 2 : MAX_ESCAPE;
  return Buffer.byteLength(character);
}
