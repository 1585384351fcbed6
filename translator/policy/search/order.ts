// Searches for an order of the signatures that satisfies policies: each principal uses the first unused signature that satisfies it, so
// the order matters.

import type { Steps } from '../../long-call.js';
import type { SignerList } from '../evaluate.js';
import { Evaluation } from '../evaluation.js';
import type { PolicyNode } from '../policies.js';
import { identitiesBelow } from '../principals.js';

/** An order of signers: their positions in the list. */
type Order = readonly number[];

/**
 * Searches for an order of the signers that satisfies all policies: the existing one, the one that begins with the signers who satisfy the
 * fewest principals and can least be used elsewhere, or its reverse. One step for each.
 *
 * @returns undefined if none of them does; another order may satisfy the policies
 */
export function* findOrder(policies: readonly PolicyNode[], list: SignerList): Steps<Order | undefined> {
  const present = [...list.signers.keys()];
  const counts = present.map(() => 0);
  for (const identity of identitiesBelow(policies))
    for (const at of list.satisfying(identity)) counts[at]! += 1;
  const fewestFirst = present.toSorted((one, other) => counts[one]! - counts[other]!);
  for (const order of [present, fewestFirst, fewestFirst.toReversed()]) {
    const evaluation = new Evaluation(list.reordered(order));
    if (policies.every((policy) => evaluation.satisfied(policy))) return order;
    yield;
  }
  return undefined;
}
