// The requirements of a policy, as a simplified tree of principals and counts.

import { toLatin1 } from '../../../proto/bytes.js';
import type { PolicyIdentity, SignatureRule, SignaturePolicy } from '../signature-policy.js';
import type { MetaNode, PolicyNode } from '../policies.js';
import { mspidOf } from '../principal-bytes.js';
import { everyPart, namedMsps } from '../principals.js';
import type { Principal } from '../../msp/index.js';

/** The signatures that are still needed. */
export type Need =
  /** No signature is required. */
  | { readonly kind: 'nothing' }
  /** It cannot be satisfied. */
  | { readonly kind: 'impossible' }
  | { readonly kind: 'principal'; readonly principal: Principal; readonly key: string }
  | {
      readonly kind: 'some';
      /** The number of required needs: at least 1, at most all. */
      readonly n: number;
      readonly of: readonly Need[];
      /**
       * Whether one signature may count for several needs: true between policies; false within a signature policy, where each signature
       * counts once.
       */
      readonly shared: boolean;
    };

/** Whether an identity of the current MSPs can satisfy a principal. */
export type CanSatisfy = (principal: Principal) => boolean;

/**
 * Whether any identity of the MSPs can satisfy a principal. No identity has an empty certifiers identifier (msp/mspimpl.go,
 * `satisfiesPrincipalInternalPreV13`), and each identity belongs to one MSP.
 */
export const isSatisfiable = (principal: Principal, hasMsp: (mspid: string) => boolean): boolean =>
  (principal.kind !== 'combined' || new Set(namedMsps(principal)).size <= 1) &&
  everyPart(principal, (part) => {
    if (part.kind === 'identity') return hasMsp(mspidOf(part.identity));
    return hasMsp(part.mspid) && (part.kind === 'role' || part.certifiersIdentifier.length > 0);
  });

export const NOTHING: Need = { kind: 'nothing' };
export const IMPOSSIBLE: Need = { kind: 'impossible' };

/** A simplified need for n of several needs: without unnecessary and impossible needs, and with nested lists joined. */
export function some(n: number, needs: readonly Need[], shared: boolean): Need {
  const of: Need[] = [];
  let required = n;
  for (const need of needs) {
    if (need.kind === 'nothing') required--;
    else if (need.kind !== 'impossible') of.push(need);
  }
  if (required <= 0) return NOTHING;
  if (required > of.length) return IMPOSSIBLE;
  if (of.length === 1) return of[0]!;
  return flatten(required, of, shared);
}

/** Joins nested lists if all of them, or one of them, is needed. */
function flatten(n: number, needs: readonly Need[], shared: boolean): Need {
  const all = n === needs.length;
  if (!all && n !== 1) return { kind: 'some', n, of: needs, shared };
  const of = needs.flatMap((need) => {
    if (need.kind !== 'some') return [need];
    const same = all ? need.n === need.of.length && need.shared === shared : need.n === 1;
    return same ? need.of : [need];
  });
  return { kind: 'some', n: all ? of.length : 1, of, shared };
}

/** The need of a policy before anyone has signed. */
export function needOf(node: PolicyNode, canSatisfy: CanSatisfy): Need {
  return node.kind === 'signature'
    ? needOfSignaturePolicy(node.policy, canSatisfy)
    : needOfMeta(node, (policy) => needOf(policy, canSatisfy));
}

/** The need of a meta policy, from the needs of its groups. */
export function needOfMeta({ groups, threshold }: MetaNode, of: (policy: PolicyNode) => Need): Need {
  // An unknown rule is satisfied only while no group satisfies its policy.
  if (threshold === 0) return NOTHING;
  return some(
    threshold,
    groups.map(({ policy }) => (policy === undefined ? IMPOSSIBLE : of(policy))),
    true,
  );
}

/** The need of a signature policy. */
export function needOfSignaturePolicy(policy: SignaturePolicy, canSatisfy: CanSatisfy): Need {
  const needs = new Map<PolicyIdentity, Need>();
  const ofRule = (rule: SignatureRule): Need => {
    if (rule.kind === 'outOf') return some(rule.n, rule.rules.map(ofRule), false);
    const identity = rule.kind === 'signedBy' ? policy.identities[rule.index] : undefined;
    return identity === undefined ? IMPOSSIBLE : needOfIdentity(identity, needs, canSatisfy);
  };
  return policy.rule === undefined ? IMPOSSIBLE : ofRule(policy.rule);
}

/** The need of a principal. */
export function needOfIdentity(
  identity: PolicyIdentity,
  known: Map<PolicyIdentity, Need>,
  canSatisfy: CanSatisfy,
): Need {
  let need = known.get(identity);
  if (need === undefined) {
    const { principal, bytes } = identity;
    need = canSatisfy(principal) ? { kind: 'principal', principal, key: toLatin1(bytes) } : IMPOSSIBLE;
    known.set(identity, need);
  }
  return need;
}
