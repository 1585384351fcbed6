// Converts the value that a check threw into a failure.

import { errorCodeOf, isLate } from '../contract/errors.js';
import { onOneLine } from '../common/text/one-line.js';
import { reasonOf, type Step } from '../contract/index.js';
import type { Severity } from '../contract/errors.js';
import type { DetailedPart, SharedCause } from '../contract/internal/index.js';

/** Maximum number of parts of a component that are reported by name; the others are counted. */
export const MAX_PARTS = 100;
/** Longest name of a part, in UTF-16 units; longer names are truncated. */
const MAX_PART_NAME = 256;

/** Longest reason in the log, in UTF-16 units. */
const MAX_LOGGED_REASON = 65_536;
/** Longest reason in a response, in bytes as a JSON string without its quotes. */
export const MAX_REASON_SIZE = 4096;

/** Why a check failed. */
export interface Failure {
  /** Why the component itself failed; undefined if only parts of it failed. */
  readonly reason: string | undefined;
  /** The severity of `reason`. */
  readonly severity: Severity;
  /** The failed parts, with unique names; undefined if the check did not examine the parts. */
  readonly parts: readonly DetailedPart[] | undefined;
  /** The component that explains `reason`. */
  readonly follows?: string;
  /** When the check run that found it began, as `performance.now()`; omitted: the current run. */
  readonly observedAt?: number;
  /** Whether `reason` is only a timeout. */
  readonly isLate?: boolean;
}

/** The failure of a component as a whole. */
function wholeFailure(reason: string, severity: Severity, follows?: string): Failure {
  return { reason, severity, parts: undefined, ...(follows !== undefined && { follows }) };
}

/** The failure that a check reports by throwing. Invalid parts become a failure of the component as a whole. */
export function failureOf(thrown: unknown): Failure {
  const observedAt = observedAtOf(thrown);
  return { ...failureIn(thrown), ...(observedAt !== undefined && { observedAt }) };
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

/** The failure of parts; undefined for other values. Matches the code, because a plugin may use another copy of the package. */
function partialFailureOf(thrown: unknown): Failure | undefined {
  if (errorCodeOf(thrown) !== 'CHECKS_FAILED') return undefined;
  try {
    const { parts: given } = thrown as { readonly parts: unknown };
    if (!Array.isArray(given) || given.length === 0) return undefined;
    const parts = new Map<string, DetailedPart>();
    for (const part of given as unknown[]) {
      const {
        component,
        reason,
        severity,
        follows,
        causes,
        steps,
        headline,
        isLate: late,
      } = part as Readonly<Record<keyof DetailedPart, unknown>>;
      if (typeof component !== 'string' || component === '') return undefined;
      const name = component.slice(0, MAX_PART_NAME).toWellFormed();
      if (!parts.has(name))
        parts.set(name, {
          component: name,
          reason: reasonOf(reason, MAX_LOGGED_REASON),
          ...(severity === 'warning' && { severity }),
          ...(typeof follows === 'string' && { follows }),
          ...(Array.isArray(causes) && { causes: causes.flatMap(causeOf) }),
          ...(Array.isArray(steps) && { steps: steps.slice(0, MAX_STEPS).flatMap(stepOf) }),
          ...(typeof headline === 'string' && { headline: onOneLine(headline.slice(0, MAX_HEADLINE)) }),
          ...(late === true && { isLate: true }),
        });
    }
    return { reason: undefined, severity: 'critical', parts: [...parts.values()] };
  } catch {
    // A getter of the error threw.
    return undefined;
  }
}

/** Longest member of a shared cause except its reason, in UTF-16 units. */
const MAX_CAUSE_MEMBER = 256;

/** The shared cause in a value; empty if it is invalid. */
function causeOf(value: unknown): SharedCause[] {
  const { id, reason, place, use, isMain } = value as Readonly<Record<keyof SharedCause, unknown>>;
  if (typeof id !== 'string' || typeof place !== 'string' || typeof use !== 'string') return [];
  const limited = (text: string): string => onOneLine(text.slice(0, MAX_CAUSE_MEMBER).toWellFormed());
  const texts = { id: limited(id), place: limited(place), use: limited(use) };
  return [{ ...texts, reason: reasonOf(reason), isMain: isMain === true }];
}

/** Longest headline of a part, in UTF-16 units. */
const MAX_HEADLINE = 200;
/** Most steps of a part. */
const MAX_STEPS = 5;
/** Longest text and command of a step, in UTF-16 units. */
const MAX_STEP = 500;

/** The step in a value; empty if it is invalid. */
function stepOf(value: unknown): Step[] {
  const { text, command } = value as Readonly<Record<keyof Step, unknown>>;
  if (typeof text !== 'string' || text === '') return [];
  const limited = (given: string): string => onOneLine(given.slice(0, MAX_STEP).toWellFormed());
  return [{ text: limited(text), ...(typeof command === 'string' && { command: limited(command) }) }];
}

/** When the check run that found a failure began; undefined: the error does not contain it. */
function observedAtOf(thrown: unknown): number | undefined {
  try {
    const { observedAt } = thrown as { readonly observedAt?: unknown };
    return typeof observedAt === 'number' && observedAt <= performance.now() ? observedAt : undefined;
  } catch {
    return undefined;
  }
}

/** A reason for responses, truncated to {@link MAX_REASON_SIZE} with `…` at its end. */
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
/** Characters that JSON, or Go's JSON encoder, escapes. */
const ESCAPED = /[\u0000-\u001f"\\<>&\u2028\u2029\ud800-\udfff]/;

function sizeInJson(character: string): number {
  if (character.length === 1 && ESCAPED.test(character))
    return character === '"' || character === '\\' ? 2 : MAX_ESCAPE;
  return Buffer.byteLength(character);
}
