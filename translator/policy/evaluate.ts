// Evaluates signature policies as Fabric does (common/cauthdsl/cauthdsl.go, compile).

import { appendTo } from '../../core/common/group-by.js';
import type { Principal } from '../msp/index.js';
import type { PolicyIdentity, SignatureRule, SignaturePolicy } from './signature-policy.js';
import type { Signer } from './signer.js';

/**
 * The signers of a config update, in their order, on which the result depends. A later signer with the identity of an earlier one is
 * ignored (Fabric: `SignatureSetToValidIdentities`).
 */
export class SignerList {
  /** The signers without duplicates. */
  readonly signers: readonly Signer[];
  readonly #byMsp = new Map<string, number[]>();
  readonly #all: number[] = [];
  readonly #satisfying = new Map<PolicyIdentity, readonly number[]>();
  /** The list from which this one was reordered, and the new position of each of its signers. */
  readonly #base: { readonly list: SignerList; readonly positions: readonly number[] } | undefined;

  /** @param signers only signers with a valid signature and a readable identity */
  constructor(signers: Iterable<Signer>, base?: { list: SignerList; positions: readonly number[] }) {
    this.#base = base;
    const distinct = new Map<string, Signer>();
    for (const signer of signers) {
      // Fabric concatenates without a separator.
      const key = signer.mspid + signer.id;
      if (!distinct.has(key)) distinct.set(key, signer);
    }
    this.signers = [...distinct.values()];
    for (const [at, { mspid }] of this.signers.entries()) {
      this.#all.push(at);
      appendTo(this.#byMsp, mspid, at);
    }
  }

  /** The positions of the signers that satisfy a principal, in order. */
  satisfying(identity: PolicyIdentity): readonly number[] {
    let found = this.#satisfying.get(identity);
    if (found === undefined) {
      found = this.#find(identity);
      this.#satisfying.set(identity, found);
    }
    return found;
  }

  /** The same signers, reordered. @param order the positions in this list */
  reordered(order: readonly number[]): SignerList {
    const positions = Array.from<number>({ length: order.length });
    for (const [to, from] of order.entries()) positions[from] = to;
    return new SignerList(
      order.map((at) => this.signers[at]!),
      { list: this, positions },
    );
  }

  #find(identity: PolicyIdentity): readonly number[] {
    if (this.#base !== undefined) {
      const { list, positions } = this.#base;
      return list
        .satisfying(identity)
        .map((at) => positions[at]!)
        .sort((a, b) => a - b);
    }
    const { principal } = identity;
    return this.#candidates(principal).filter((at) => this.signers[at]!.satisfies(principal));
  }

  /** Candidates for a principal: only identities of its MSP satisfy a role or an OU. */
  #candidates(principal: Principal): readonly number[] {
    if (principal.kind !== 'role' && principal.kind !== 'ou') return this.#all;
    return this.#byMsp.get(principal.mspid) ?? [];
  }
}

/** The signers that a policy has used so far. */
export interface Use {
  readonly used: Uint8Array;
  /** The used signers in the order of use. */
  readonly trail: number[];
  /** For each principal, a position in {@link SignerList.satisfying} before which all signers are used. */
  readonly firstUnused: Map<PolicyIdentity, number>;
}

/** Whether the signers satisfy a compiled signature policy. */
export function evaluateSignaturePolicy(policy: SignaturePolicy, list: SignerList): boolean {
  return policy.rule !== undefined && evaluateRule(policy.rule, policy, list, newUse(list));
}

/** A state in which no signer is used. */
export const newUse = (list: SignerList): Use => ({
  used: new Uint8Array(list.signers.length),
  trail: [],
  firstUnused: new Map(),
});

/**
 * Whether unused signers satisfy a rule. Each principal uses the first signer that satisfies it. A gate tries all of its rules; failed
 * rules release their signers.
 */
export function evaluateRule(
  rule: SignatureRule,
  policy: SignaturePolicy,
  list: SignerList,
  use: Use,
): boolean {
  if (rule.kind === 'signedBy') return evaluateSignedBy(rule.index, policy, list, use);
  if (rule.kind === 'empty') return false;
  let verified = 0;
  for (const nested of rule.rules) {
    const before = use.trail.length;
    if (evaluateRule(nested, policy, list, use)) verified++;
    else undo(use, before);
  }
  return verified >= rule.n;
}

function evaluateSignedBy(
  index: number,
  { identities }: SignaturePolicy,
  list: SignerList,
  { used, trail, firstUnused }: Use,
): boolean {
  const identity = identities[index];
  if (identity === undefined) return false;
  const satisfying = list.satisfying(identity);
  let first = firstUnused.get(identity) ?? 0;
  while (first < satisfying.length && used[satisfying[first]!] === 1) first++;
  firstUnused.set(identity, first);
  const at = satisfying[first];
  if (at === undefined) return false;
  used[at] = 1;
  trail.push(at);
  return true;
}

/** Releases the signers that were used after a position in the trail. */
export function undo({ used, trail, firstUnused }: Use, length: number): void {
  if (trail.length > length) firstUnused.clear();
  while (trail.length > length) used[trail.pop()!] = 0;
}
