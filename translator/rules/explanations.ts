// One cause, one finding: findings that follow from another one name it as their cause.

import type { FindingId } from './all.js';
import type { InvalidIdentities } from './bft.js';
import { parentPath } from '../channel/index.js';
import { bySameMsps } from './organizations.js';
import type { Unsatisfiable } from './policies.js';
import type { WeakenedData } from './control.js';
import type { RawFinding, Severity } from './rule.js';

/** Whether a finding follows from another one: both are about the same subject. */
type Follows = (other: RawFinding, cause: RawFinding) => boolean;

const sameElement: Follows = ({ path }, cause) => path === cause.path;

/** The TLS CA of an orderer organisation, by which peers or the other orderers verify its nodes. */
const ofOrderers: Follows = ({ path }) => path.startsWith('/Channel/Orderer/');

/** The MSP of identities that do not count. */
const ofMsp: Follows = ({ data }, { path }) => (data as InvalidIdentities).msps.includes(path);

/** An element, a service or an ACL whose policy is the one that nobody or anybody satisfies. */
const byPolicy: Follows = ({ data }, { path }) => 'policy' in data && data.policy === path;

/** A policy that counts another one, or lacks the same policies. */
const byOtherPolicy: Follows = ({ data }, { path }) => (data as Unsatisfiable).because.includes(path);

/** A policy of an organisation whose MSP changes. */
const byOwnMsp: Follows = ({ path }, cause) => `${parentPath(path)}/MSP` === cause.path;

/** An element whose mod_policy names a policy of its own group. */
const byModPolicy: Follows = ({ path, data }, cause) => {
  const { modPolicy } = data as { readonly modPolicy: string };
  const of = modPolicy.startsWith('/') ? '' : `${path}/`;
  return [`${of}${modPolicy}`, `${of === '' ? '' : `${parentPath(path)}/`}${modPolicy}`].includes(cause.path);
};

/** A change of who decides about a part that others gain. */
const ofPart: Follows = ({ data }, cause) => {
  const { parts } = data as { readonly parts: readonly string[] };
  return parts.some((part) => (cause.data as WeakenedData).elements.includes(part));
};

/** The organisations that have the CA gain control of an element of the organisation whose MSP gets it. */
const byOwners: Follows = ({ path, data }, cause) => {
  const { owners } = data as { readonly owners: readonly string[] };
  const { mspids, elements } = cause.data as WeakenedData;
  const group = `${path.slice(0, path.lastIndexOf('/'))}/`;
  return (
    owners.length > 0 &&
    mspids.some((mspid) => owners.includes(mspid)) &&
    elements.some((element) => element.startsWith(group))
  );
};

/** Everything is removed: no other reason is needed. */
const always: Follows = () => true;

/** The causes of the findings of a rule. */
const CAUSES: { readonly [Id in FindingId]?: { readonly [Cause in FindingId]?: Follows } } = {
  'signer-cut-off': {
    'msp-ca-removed': sameElement,
    'msp-intermediate-ca-added': sameElement,
    'msp-ca-foreign': sameElement,
    'msp-node-ous-enabled': sameElement,
    'msp-node-ou-changed': sameElement,
    'msp-unit-required': sameElement,
    'msp-revocation-list': sameElement,
    'msp-revoked': sameElement,
  },
  'bft-identity-invalid': {
    'msp-ca-removed': ofMsp,
    'msp-intermediate-ca-added': ofMsp,
    'msp-node-ou-changed': ofMsp,
    'msp-unit-required': ofMsp,
    'msp-revocation-list': ofMsp,
    'msp-revoked': ofMsp,
  },
  'msp-tls-ca-removed': { 'orderer-addresses-replaced': ofOrderers, 'consenter-unreachable': ofOrderers },
  'msp-ca-without-roles': { 'msp-invalid': sameElement, 'msp-not-judged': sameElement },
  'msp-ca-foreign': { 'policy-weakened': byOwners },
  'policy-unsatisfiable': {
    'policy-unsatisfiable': byOtherPolicy,
    'msp-node-ou-changed': byOwnMsp,
    'msp-unit-required': byOwnMsp,
    'msp-invalid': byOwnMsp,
    'msp-not-judged': byOwnMsp,
  },
  'policy-foreign-msp': { 'policy-foreign-msp': bySameMsps },
  'block-validation': { 'policy-unsatisfiable': sameElement },
  'mod-policy-missing': { 'policy-invalid': byModPolicy, 'policy-missing': byModPolicy },
  'mod-policy-open': { 'policy-always-satisfied': byPolicy },
  'mod-policy-frozen': { 'policy-unsatisfiable': byPolicy },
  'hashing-algorithm': { 'update-to-empty-config': always },
  'hashing-width': { 'update-to-empty-config': always },
  'orderer-addresses-missing': { 'update-to-empty-config': always },
  'group-removed': { 'update-to-empty-config': always },
  'veto-lost': { 'policy-weakened': ofPart },
  'sole-control-gained': { 'policy-weakened': ofPart },
  'service-lost': { 'policy-invalid': sameElement },
  'acl-policy-open': { 'policy-always-satisfied': byPolicy },
};

const RANK: Readonly<Record<Severity, number>> = { refused: 3, danger: 2, unsigned: 1, warning: 0 };

/**
 * Adds the first cause to each finding that follows from another one. The cause is at least as severe, and follows from nothing itself.
 *
 * @param others further findings that can be causes
 */
export function withCauses(found: readonly RawFinding[], others: readonly RawFinding[]): RawFinding[] {
  const all = [...others, ...found];
  const known = new Map<RawFinding, RawFinding | undefined>();
  const causeOf = (each: RawFinding): RawFinding | undefined => {
    if (known.has(each)) return known.get(each);
    known.set(each, undefined);
    const causes = CAUSES[each.rule.id as FindingId] ?? {};
    const cause = all.find(
      (other) =>
        causes[other.rule.id as FindingId]?.(each, other) === true &&
        RANK[other.severity] >= RANK[each.severity] &&
        causeOf(other) !== each,
    );
    const first = cause && (causeOf(cause) ?? cause);
    known.set(each, first);
    return first;
  };
  return found.map((each) => {
    const cause = causeOf(each);
    return cause === undefined ? each : { ...each, explainedBy: cause.rule.id };
  });
}
