// Reads the response to a request: https://opentelemetry.io/docs/specs/otlp/#otlphttp-response

import { describeResponse, type HttpResponse, parseForeignJson, quote } from '../../../core/kit/index.js';
import { withoutSecrets } from '../../../core/kit/internal/index.js';

/** The only statuses after which the same request may be sent again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** The statuses of a request that was refused because of its content. */
const BAD_CONTENT: ReadonlySet<number> = new Set([400, 413, 422]);

/** The longest `Retry-After` that is followed, in milliseconds. */
const MAX_RETRY_AFTER = 5 * 60_000;

/** The request was accepted. */
export interface Accepted {
  readonly isAccepted: true;
  /** The number of rejected data points. */
  readonly rejected: number;
  /** The message of the receiver: the reason, or a warning; empty: none. */
  readonly message: string;
}

/** The request was not accepted. */
export interface Refused {
  readonly isAccepted: false;
  readonly reason: string;
  readonly isRetryable: boolean;
  /** Whether the receiver refuses the content, so that other requests may be accepted. */
  readonly isBadContent: boolean;
  /** `Retry-After`, in milliseconds. */
  readonly retryAfter?: number;
}

/**
 * Reads a response.
 *
 * @param points the number of data points in the request
 */
export function outcomeOf(response: HttpResponse, points: number): Accepted | Refused {
  const { status } = response;
  if (status >= 200 && status < 300) return { isAccepted: true, ...partialSuccess(response, points) };
  const isRetryable = RETRYABLE.has(status);
  const retryAfter = isRetryable ? waitOf(response.headers['retry-after']) : undefined;
  return {
    isAccepted: false,
    reason: describeResponse(response, 'message'),
    isRetryable,
    isBadContent: BAD_CONTENT.has(status),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** The member `partialSuccess` of a response; the body may be empty or have another format. */
function partialSuccess({ body, sent }: HttpResponse, points: number): Omit<Accepted, 'isAccepted'> {
  const none = { rejected: 0, message: '' };
  let parsed: unknown;
  try {
    parsed = parseForeignJson(body.toString());
  } catch {
    return none;
  }
  const { partialSuccess: partial } = (parsed ?? {}) as { partialSuccess?: unknown };
  if (typeof partial !== 'object' || partial === null) return none;
  const { rejectedDataPoints, errorMessage } = partial as Record<string, unknown>;
  const rejected = Number(rejectedDataPoints ?? 0);
  return {
    rejected: Number.isSafeInteger(rejected) ? Math.min(Math.max(rejected, 0), points) : 0,
    message: typeof errorMessage === 'string' ? quote(withoutSecrets(errorMessage, sent)) : '',
  };
}

/** `Retry-After` in milliseconds: seconds, or a date. Undefined when it is neither. */
function waitOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER);
}
