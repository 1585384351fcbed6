// Dangers: policies that fewer or other people satisfy after the update than before it.

import { describeSet } from '../../describe/policy.js';
import { identityWords } from '../../describe/certificate.js';
import { Evaluation } from '../../policy/evaluation.js';
import { SignerList } from '../../policy/evaluate.js';
import { resolvePolicy } from '../../policy/judge.js';
import { isSatisfiable, needOf } from '../../policy/search/need.js';
import { findOrder } from '../../policy/search/order.js';
import { findPolicy, type PolicyNode } from '../../policy/policies.js';
import { readSerializedIdentity } from '../../msp/identity.js';
import { certificateIn } from '../../msp/certificate.js';
import { TranslateError } from '../../../proto/errors.js';
import type { Principal } from '../../policy/principal.js';
import type { Member } from '../../policy/search/member-sets.js';
import { minimalSignerSets } from '../../policy/search/sets.js';
import type { Signer } from '../../policy/signer.js';
import type { Facts } from '../facts/gather.js';
import type { Finding } from '../../describe/findings/index.js';
import { finding } from '../finding.js';
import { decidingPolicies } from './policies.js';

/** Policies that decide about the channel, besides those that a mod_policy names. */
const CONTROL = new Set(['Admins', 'BlockValidation', 'Writers']);
const BLOCK_VALIDATION = '/Channel/Orderer/BlockValidation';
/** Sets that are compared; a policy with more of them is only reported as not compared. */
const MAX_SETS = 1000;

export function weakenedPolicyFindings({ before, after, proposal: { applied } }: Facts): Finding[] {
  const deciding = [decidingPolicies(before), decidingPolicies(after)];
  const hasMsp = (mspid: string): boolean => after.msps.msps.has(mspid);
  return applied.changes.flatMap((change) => {
    const { kind, path, before: old, element } = change;
    if (old === undefined) return [];
    const findings: Finding[] = [];
    // What BlockValidation of a BFT channel must be follows from its consenters; a stage checks it.
    const isFixed = path === BLOCK_VALIDATION && after.channel.orderer.isBft;
    if (kind === 'policy' && !isFixed) {
      const [from, to] = [before, after].map(({ policies }) => findPolicy(policies.root, path));
      const name = path.slice(path.lastIndexOf('/') + 1);
      const isControl = CONTROL.has(name) || deciding.some((set) => set.has(from!) || set.has(to!));
      findings.push(...weakening(from, to, { path, of: 'element' as const, isControl, hasMsp }));
    }
    if (old.modPolicy !== element.modPolicy) {
      const [from, to] = [
        resolvePolicy(before.policies, change),
        resolvePolicy(after.policies, { ...change, before: element }),
      ].map((resolution) => (resolution.kind === 'found' ? resolution.policy : undefined));
      findings.push(...weakening(from, to, { path, of: 'mod-policy' as const, isControl: true, hasMsp }));
    }
    return findings;
  });
}

interface Compared {
  readonly path: string;
  readonly of: 'element' | 'mod-policy';
  readonly isControl: boolean;
  readonly hasMsp: (mspid: string) => boolean;
}

function weakening(
  from: PolicyNode | undefined,
  to: PolicyNode | undefined,
  { path, of, isControl, hasMsp }: Compared,
): Finding[] {
  if (from === undefined || to === undefined) return [];
  const need = needOf(to, (principal) => isSatisfiable(principal, hasMsp));
  // Nobody and anybody are findings of their own.
  if (need.kind === 'nothing' || need.kind === 'impossible') return [];
  const severity = isControl ? 'danger' : 'warning';
  const sets = minimalSignerSets(need, MAX_SETS);
  if (sets === undefined) {
    if (isAtLeastAsStrong(from, to)) return [];
    return [finding(severity, 'policy-not-compared', path, { of })];
  }
  const set = sets.find((members) => !isEnough(from, members));
  if (set === undefined) return [];
  return [finding(severity, 'policy-weakened', path, { of, signers: describeSet(set, identityWords) })];
}

/** The same groups with a threshold that is not lower. */
function isAtLeastAsStrong(from: PolicyNode, to: PolicyNode): boolean {
  if (from.kind !== 'implicitMeta' || to.kind !== 'implicitMeta' || from.subPolicy !== to.subPolicy)
    return false;
  return to.threshold >= from.threshold && from.groups.length === to.groups.length;
}

function isEnough(policy: PolicyNode, members: readonly Member[]): boolean {
  const list = new SignerList(members.map(signerOf));
  return new Evaluation(list).satisfied(policy) || findOrder([policy], list).order !== undefined;
}

/** A signer of whom only the principal is known. */
function signerOf({ principal, key }: Member, index: number): Signer {
  return { mspid: mspOf(principal), id: `${index} ${key}`, satisfies: (other) => implies(principal, other) };
}

function mspOf(principal: Principal): string {
  if (principal.kind === 'role' || principal.kind === 'ou') return principal.mspid;
  if (principal.kind === 'identity') return read(principal.identity)?.mspid ?? '';
  return principal.kind === 'combined'
    ? (principal.principals.map(mspOf).find((mspid) => mspid !== '') ?? '')
    : '';
}

/** Whether everybody who satisfies one principal satisfies another one. */
function implies(one: Principal, other: Principal): boolean {
  if (other.kind === 'anonymity') return other.type === 'nominal';
  if (other.kind === 'combined')
    return other.principals.length > 0 && other.principals.every((each) => implies(one, each));
  if (one.kind === 'combined') return one.principals.some((each) => implies(each, other));
  if (other.kind === 'role' && other.role === 'member') return mspOf(one) === other.mspid;
  if (one.kind === 'role' && other.kind === 'role')
    return one.mspid === other.mspid && one.role === other.role;
  if (one.kind === 'ou' && other.kind === 'ou')
    return (
      one.mspid === other.mspid &&
      one.unit === other.unit &&
      same(one.certifiersIdentifier, other.certifiersIdentifier)
    );
  if (one.kind !== 'identity') return false;
  if (other.kind === 'identity') return same(one.identity, other.identity);
  const identity = read(one.identity);
  const units = other.kind === 'role' ? other.role : other.kind === 'ou' ? other.unit : undefined;
  return identity?.mspid === mspOf(other) && units !== undefined && identity.units.includes(units);
}

const same = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

/** The MSP and the units of a serialized identity; its role is that of a unit. */
function read(
  identity: Uint8Array,
): { readonly mspid: string; readonly units: readonly string[] } | undefined {
  try {
    const { mspid, certificate } = readSerializedIdentity(identity);
    return { mspid, units: certificateIn(certificate)?.subject.units ?? [] };
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
