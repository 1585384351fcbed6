// Where signatures count: the policies with a principal that a signer satisfies.

import type { SignerList } from '../../policy/evaluate.js';
import type { Judgement } from '../../policy/judge.js';
import type { PolicyNode } from '../../policy/policies.js';
import type { Signer } from '../../policy/signer.js';
import type { CheckedSignature } from './signers.js';

/** The signers that count for each of the policies that decide about changed elements. */
export function signersByPolicy(
  judgements: readonly Judgement[],
  list: SignerList,
): Map<PolicyNode, ReadonlySet<Signer>> {
  const found = new Map<PolicyNode, ReadonlySet<Signer>>();
  for (const { resolution } of judgements)
    if (resolution.kind === 'found') signersOf(resolution.policy, list, found);
  return found;
}

function signersOf(
  node: PolicyNode,
  list: SignerList,
  found: Map<PolicyNode, ReadonlySet<Signer>>,
): ReadonlySet<Signer> {
  const known = found.get(node);
  if (known !== undefined) return known;
  const signers = new Set<Signer>();
  if (node.kind === 'signature')
    for (const identity of node.policy.identities)
      for (const at of list.satisfying(identity)) signers.add(list.signers[at]!);
  else
    for (const { policy } of node.groups)
      for (const signer of policy === undefined ? [] : signersOf(policy, list, found)) signers.add(signer);
  found.set(node, signers);
  return signers;
}

/** The paths of the policies that each signature counts for. */
export function countsFor(
  signatures: readonly CheckedSignature[],
  byPolicy: ReadonlyMap<PolicyNode, ReadonlySet<Signer>>,
): string[][] {
  return signatures.map(({ identity }) =>
    identity === undefined
      ? []
      : [...byPolicy].filter(([, signers]) => signers.has(identity)).map(([{ path }]) => path),
  );
}
