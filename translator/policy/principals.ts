// The principals in policies, and their parts.

import type { Principal } from '../msp/index.js';
import type { PolicyNode } from './policies.js';
import { mspidOf } from './principal-bytes.js';
import type { PolicyIdentity } from './signature-policy.js';

/** A principal about the identities of one MSP. */
export type PrincipalOfMsp = Extract<Principal, { readonly kind: 'role' | 'ou' | 'identity' }>;

/** The principals that a policy names; an implicit meta policy names none. */
export const principalsOf = (policy: PolicyNode): readonly Principal[] =>
  policy.kind === 'signature' ? policy.policy.identities.map(({ principal }) => principal) : [];

/** The MSP ids in a principal. */
export function namedMsps(principal: Principal): string[] {
  if (principal.kind === 'role' || principal.kind === 'ou') return [principal.mspid];
  if (principal.kind === 'identity') return [mspidOf(principal.identity)];
  return principal.kind === 'combined' ? principal.principals.flatMap(namedMsps) : [];
}

/**
 * Whether a principal is satisfied if its parts are: a combined principal needs all its parts, and at least one; each identity is nominal;
 * nobody satisfies an unknown principal (msp/mspimpl.go, `satisfiesPrincipalInternalV13`).
 */
export function everyPart(principal: Principal, isSatisfied: (part: PrincipalOfMsp) => boolean): boolean {
  switch (principal.kind) {
    case 'combined':
      return (
        principal.principals.length > 0 && principal.principals.every((each) => everyPart(each, isSatisfied))
      );
    case 'anonymity':
      return principal.type === 'nominal';
    case 'unknown':
      return false;
    case 'role':
    case 'ou':
    case 'identity':
      break;
  }
  return isSatisfied(principal);
}

/** The identities in policies and in the policies that these count, each once. */
export function identitiesBelow(policies: readonly (PolicyNode | undefined)[]): ReadonlySet<PolicyIdentity> {
  const known = new Set<PolicyNode>();
  const found = new Set<PolicyIdentity>();
  const visit = (policy: PolicyNode | undefined): void => {
    if (policy === undefined || known.has(policy)) return;
    known.add(policy);
    if (policy.kind === 'signature') for (const identity of policy.policy.identities) found.add(identity);
    else for (const counted of policy.groups) visit(counted.policy);
  };
  for (const policy of policies) visit(policy);
  return found;
}
