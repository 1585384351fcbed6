// Reads what a check threw.

import { errorCodeOf } from '../contract/errors.js';
import { reasonOf, type FailedPart } from '../contract/index.js';

/** The most parts of a component that are reported by name. */
export const MAX_PARTS = 100;
/** Longest name of a part, in UTF-16 units; a longer one is truncated. */
export const MAX_PART_NAME = 256;

/** Why a check failed. */
export interface Failure {
  /** Why the component itself failed; undefined when only parts of it failed. */
  readonly reason: string | undefined;
  /** The failed parts, with different names; undefined when the check did not examine the parts. */
  readonly parts: readonly FailedPart[] | undefined;
  /** How many further parts failed. */
  readonly others: number;
}

/** The failure of a component as a whole. */
export function wholeFailure(reason: string): Failure {
  return { reason, parts: undefined, others: 0 };
}

/** The failure that a check reports by throwing. Parts that cannot be used are a failure of the component as a whole. */
export function failureOf(thrown: unknown): Failure {
  return partialFailureOf(thrown) ?? wholeFailure(reasonOf(thrown));
}

/** Matches the code: a plugin may use another copy of the package. */
function partialFailureOf(thrown: unknown): Failure | undefined {
  if (errorCodeOf(thrown) !== 'CHECKS_FAILED') return undefined;
  try {
    const { parts: given } = thrown as { readonly parts: unknown };
    if (!Array.isArray(given) || given.length === 0) return undefined;
    const parts = new Map<string, FailedPart>();
    for (const part of given.slice(0, MAX_PARTS) as unknown[]) {
      const { component, reason } = part as { readonly component: unknown; readonly reason: unknown };
      if (typeof component !== 'string' || component === '') return undefined;
      const name = component.slice(0, MAX_PART_NAME).toWellFormed();
      if (!parts.has(name)) parts.set(name, { component: name, reason: reasonOf(reason) });
    }
    return { reason: undefined, parts: [...parts.values()], others: Math.max(0, given.length - MAX_PARTS) };
  } catch {
    // Reading the parts ran code of the check, which threw.
    return undefined;
  }
}
