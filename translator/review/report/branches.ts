// The groups of an implicit meta policy, each with who has signed for it.

import { describePolicy } from '../../describe/policy.js';
import { identityWords } from '../../describe/certificate.js';
import type { PolicyNode } from '../../policy/policies.js';
import type { Facts } from '../facts/gather.js';
import { nameOf } from '../facts/signers.js';
import type { ReviewedBranch } from './result.js';

/** The groups whose policies count, in the order of the policy; none for a signature policy. */
export function branchesOf(policy: PolicyNode, facts: Facts): readonly ReviewedBranch[] {
  if (policy.kind !== 'implicitMeta') return [];
  return policy.groups.map(({ name, policy: inner }) => ({
    group: name,
    policy: inner?.path ?? null,
    text: inner === undefined ? '' : describePolicy(inner, identityWords),
    satisfied: inner !== undefined && facts.evaluation.satisfied(inner),
    signers: inner === undefined ? [] : signersFor(inner, facts),
    branches: inner === undefined ? [] : branchesOf(inner, facts),
  }));
}

/** The names of the signers that count for a policy. */
export function signersFor(policy: PolicyNode, { signatures, signersOf }: Facts): readonly string[] {
  const counting = signersOf.get(policy);
  if (counting === undefined || counting.size === 0) return [];
  return signatures.flatMap((signature, index) =>
    signature.identity !== undefined && counting.has(signature.identity) ? [nameOf(signature, index)] : [],
  );
}
