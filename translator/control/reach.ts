// The elements that users control, at once or in steps: each element with a mod_policy that they satisfy, and the elements that follow
// from its change. After they change a policy, they satisfy it; after they change an MSP, they can make any identity of it; if they can
// change a group, they can remove its members and add other ones (in several updates that need only the policy of the group).

import { readSerializedIdentity, certificateIn, type Principal } from '../msp/index.js';
import { attempt } from '../../proto/errors.js';
import { sameBytes, toHex } from '../../proto/bytes.js';
import {
  everyPart,
  mspidOf,
  namedMsps,
  type PrincipalOfMsp,
  type SignatureRule,
  type SignaturePolicy,
} from '../policy/index.js';
import type { ControlModel } from './model.js';

/** A party in the search for control. */
export type Party =
  /** An organisation with its CA: any number of identities of any role. */
  | { readonly kind: 'organization'; readonly mspid: string }
  /** One person: a single identity that satisfies a principal. */
  | { readonly kind: 'person'; readonly principal: Principal };

/** An update of a chain of updates. */
export interface ControlStep {
  /** The element that it changes: its path. */
  readonly element: string;
  /** The policy that has to be satisfied: its path. */
  readonly policy: string;
}

/** Whether one person satisfies a principal. */
type Satisfies = (principal: Principal) => boolean;

/** The reason that a policy is satisfied. */
type Reason = 'signatures' | 'count' | 'changed';

/** An element or a policy of a config, by its position. */
export interface Spot {
  readonly kind: 'element' | 'policy';
  readonly at: number;
}

/** The elements and policies that some users control. */
export interface Reached {
  /** 1 for each element that they can change. */
  readonly elements: Uint8Array;
  /** 1 for each policy that they can satisfy. */
  readonly policies: Uint8Array;
  /** The updates that lead to an element, or to a policy, in their order; the last one changes the element. */
  readonly stepsTo: (element: number) => ControlStep[];
  readonly stepsToPolicy: (policy: number) => ControlStep[];
}

/** Bounds the work of a search: the number of rules and policies to evaluate. */
export interface Work {
  left: number;
}

/** The maximum number of updates in a chain. */
const MAX_STEPS = 1000;

/**
 * Returns the elements and policies that some users control together.
 *
 * @param work decreases during the search; below 0 the result is not complete
 * @param granted elements that they can change anyway, and policies that they can satisfy
 */
export function reach(
  model: ControlModel,
  actors: readonly Party[],
  work: Work,
  granted: readonly Spot[] = [],
): Reached {
  return new Reach(model, actors, work, granted);
}

class Reach implements Reached {
  readonly elements: Uint8Array;
  readonly policies: Uint8Array;
  readonly #model: ControlModel;
  readonly #organizations: ReadonlySet<string>;
  readonly #counts: Uint32Array;
  /** The order in which the policies were satisfied, from 1, and the reasons. */
  readonly #order: Uint32Array;
  readonly #reasons = new Map<number, Reason>();
  /** The elements that are controlled because their group is, by the group: they can be removed from it. */
  readonly #byGroup = new Map<number, number>();
  /** The MSPs that they can change: the elements that allow it, and the order. */
  readonly #gained = new Map<string, { readonly by: readonly number[]; readonly order: number }>();
  /** The number of values MSP of an id that are not controlled yet. */
  readonly #left = new Map<string, number>();
  readonly #waiting: number[] = [];
  readonly #work: Work;
  readonly #persons: readonly Satisfies[];
  #next = 1;

  constructor(model: ControlModel, actors: readonly Party[], work: Work, granted: readonly Spot[]) {
    this.#model = model;
    this.#work = work;
    this.#organizations = new Set(actors.flatMap((each) => (each.kind === 'organization' ? each.mspid : [])));
    this.#persons = actors.flatMap((actor) =>
      actor.kind === 'person' ? [(principal: Principal) => implies(actor.principal, principal, model)] : [],
    );
    work.left -= (model.elements.length + model.policies.length) >> 4;
    this.elements = new Uint8Array(model.elements.length);
    this.policies = new Uint8Array(model.policies.length);
    this.#counts = new Uint32Array(model.policies.length);
    this.#order = new Uint32Array(model.policies.length);
    for (const { kind, at } of granted)
      if (kind === 'element') this.#control(at);
      else this.#satisfy(at, 'signatures');
    for (const policy of this.#first(actors)) this.#trySignatures(policy);
    for (
      let policy = this.#waiting.pop();
      policy !== undefined && work.left >= 0;
      policy = this.#waiting.pop()
    )
      this.#spread(policy);
  }

  /** The policies to evaluate first: the ones that name an actor. */
  #first(actors: readonly Party[]): Set<number> {
    const { naming, msps } = this.#model;
    const first = new Set(openPolicies(this.#model));
    const named = new Set(this.#organizations);
    for (const actor of actors)
      if (actor.kind === 'person') for (const mspid of namedMsps(actor.principal)) named.add(mspid);
    for (const { mspid, foreigners } of msps.values())
      if (foreigners.some((each) => this.#organizations.has(each.mspid))) named.add(mspid);
    for (const mspid of named) for (const policy of naming.get(mspid) ?? []) first.add(policy);
    return first;
  }

  #trySignatures(policy: number): void {
    const node = this.#model.policies[policy]!;
    if (this.policies[policy] === 1) return;
    if (node.kind === 'implicitMeta') {
      if (node.threshold === 0) this.#satisfy(policy, 'signatures');
      return;
    }
    const isUnlimited = (principal: Principal): boolean => this.#isUnlimited(principal);
    if (isSatisfied(node.policy, isUnlimited, this.#persons, this.#work)) this.#satisfy(policy, 'signatures');
  }

  /** Whether they have any number of identities that satisfy a principal. */
  #isUnlimited(principal: Principal): boolean {
    return everyPart(principal, (part) => {
      if (part.kind === 'identity') return this.#organizations.has(mspidOf(part.identity));
      const { mspid } = part;
      // Their own CA has another identifier, and nobody else has the key of a certificate.
      if (part.kind === 'ou') return this.#organizations.has(mspid);
      if (this.#gained.has(mspid)) return true;
      if (this.#organizations.has(mspid)) return this.#model.msps.get(mspid)?.roles?.has(part.role) !== false;
      const foreigners = this.#model.msps.get(mspid)?.foreigners ?? [];
      return foreigners.some((each) => this.#organizations.has(each.mspid) && each.roles.has(part.role));
    });
  }

  #satisfy(policy: number, reason: Reason): void {
    if (this.policies[policy] === 1) return;
    this.policies[policy] = 1;
    this.#order[policy] = this.#next++;
    this.#reasons.set(policy, reason);
    this.#waiting.push(policy);
  }

  /** Adds the consequences of a satisfied policy. */
  #spread(policy: number): void {
    const { decides, countedBy, policies } = this.#model;
    this.#work.left -= decides[policy]!.length + countedBy[policy]!.length + 1;
    for (const meta of countedBy[policy]!) {
      const node = policies[meta]!;
      const count = ++this.#counts[meta]!;
      if (node.kind === 'implicitMeta' && count === node.threshold) this.#satisfy(meta, 'count');
    }
    for (const element of decides[policy]!) this.#control(element);
  }

  #control(at: number): void {
    if (this.elements[at] === 1) return;
    this.elements[at] = 1;
    const { kind, policy, mspid, path } = this.#model.elements[at]!;
    if (policy !== undefined) this.#satisfy(policy, 'changed');
    if (mspid !== undefined && mspid !== '') this.#changeMsp(mspid);
    if (kind === 'group') this.#changeGroup(at, path);
  }

  /** An MSP that several groups define is changed in all of them. */
  #changeMsp(mspid: string): void {
    const { elements } = this.#model.msps.get(mspid)!;
    const left = (this.#left.get(mspid) ?? elements.length) - 1;
    this.#left.set(mspid, left);
    if (left === 0) this.#gain(mspid, elements);
  }

  #gain(mspid: string, by: readonly number[]): void {
    if (this.#gained.has(mspid)) return;
    this.#gained.set(mspid, { by, order: this.#next++ });
    for (const policy of this.#model.naming.get(mspid) ?? []) this.#trySignatures(policy);
  }

  #changeGroup(at: number, path: string): void {
    const { membersOf, elements, naming, msps } = this.#model;
    const isChannel = elements[at]!.group === undefined;
    for (const member of membersOf.get(at) ?? []) {
      const { kind, names } = elements[member]!;
      if (kind === 'value' && REQUIRED.has(names.at(-1) ?? '')) continue;
      // The sections of a channel cannot be removed (common/channelconfig/bundle.go, `ValidateNew`).
      if (isChannel && kind === 'group') continue;
      this.#replace(member, at);
      // A group that is removed and added again has other values, including required values.
      if (kind === 'group') for (const nested of membersOf.get(member) ?? []) this.#replace(nested, at);
    }
    // They add an organisation with an MSP id that is not taken.
    if (SECTIONS.has(path)) for (const mspid of naming.keys()) if (!msps.has(mspid)) this.#gain(mspid, [at]);
  }

  /** An element that is removed from a group and added again. */
  #replace(at: number, group: number): void {
    if (this.elements[at] === 1) return;
    this.#byGroup.set(at, group);
    this.#control(at);
  }

  stepsTo(element: number): ControlStep[] {
    const steps = new Map<number, ControlStep>();
    this.#collect(element, steps, new Set());
    return [...steps.values()];
  }

  stepsToPolicy(policy: number): ControlStep[] {
    const steps = new Map<number, ControlStep>();
    this.#collectPolicy(policy, steps, new Set());
    return [...steps.values()];
  }

  #collect(element: number, steps: Map<number, ControlStep>, seen: Set<number>): void {
    const { elements, policies } = this.#model;
    const { decidedBy, path } = elements[element]!;
    if (steps.has(element)) return;
    const group = this.#byGroup.get(element);
    if (group !== undefined) {
      this.#collect(group, steps, seen);
      return;
    }
    if (decidedBy === undefined) return;
    this.#collectPolicy(decidedBy, steps, seen);
    steps.set(element, { element: path, policy: policies[decidedBy]!.path });
  }

  #collectPolicy(policy: number, steps: Map<number, ControlStep>, seen: Set<number>): void {
    if (seen.has(policy) || seen.size >= MAX_STEPS) return;
    seen.add(policy);
    const node = this.#model.policies[policy]!;
    const reason = this.#reasons.get(policy);
    if (reason === 'changed') this.#collect(this.#model.elementOfPolicy[policy]!, steps, seen);
    else if (node.kind === 'signature') {
      for (const mspid of this.#model.namedIn.get(policy) ?? []) {
        const gained = this.#gained.get(mspid);
        if (gained === undefined || gained.order > this.#order[policy]!) continue;
        if (!this.#organizations.has(mspid))
          for (const element of gained.by) this.#collect(element, steps, seen);
      }
    } else {
      const earlier = this.#order[policy]!;
      const counted = node.groups
        .map((each) => (each.policy === undefined ? -1 : (this.#model.policyAt.get(each.policy.path) ?? -1)))
        .filter((each) => each !== -1 && this.policies[each] === 1 && this.#order[each]! < earlier)
        .toSorted((one, other) => this.#order[one]! - this.#order[other]!);
      for (const each of counted.slice(0, node.threshold)) this.#collectPolicy(each, steps, seen);
    }
  }
}

/** Required values: without them, orderers refuse the group (common/channelconfig). */
const REQUIRED: ReadonlySet<string> = new Set([
  'MSP',
  'ConsensusType',
  'BatchSize',
  'BatchTimeout',
  'Orderers',
  'HashingAlgorithm',
  'BlockDataHashingStructure',
]);

/** The groups that get organisations. */
const SECTIONS: ReadonlySet<string> = new Set(['/Channel/Application', '/Channel/Orderer']);

/** The maximum total number of rules of the signature policies to evaluate. */
const MAX_OPEN_WORK = 1_000_000;

const isNominal = (principal: Principal): boolean =>
  principal.kind === 'anonymity' && principal.type === 'nominal';

const openOf = new WeakMap<ControlModel, ReadonlySet<number>>();

/** The policies that are satisfied without any organisation; found once. */
function openPolicies(model: ControlModel): ReadonlySet<number> {
  const known = openOf.get(model);
  if (known !== undefined) return known;
  const work = { left: MAX_OPEN_WORK };
  const found = new Set(
    model.open.filter((policy) => {
      const node = model.policies[policy]!;
      return node.kind === 'implicitMeta' || isSatisfied(node.policy, isNominal, [], work);
    }),
  );
  openOf.set(model, found);
  return found;
}

/**
 * Whether users satisfy a signature policy. Each person counts once (common/cauthdsl/cauthdsl.go, `compile`).
 *
 * @param isUnlimited whether they have any number of identities that satisfy a principal
 * @param persons single identities
 */
function isSatisfied(
  { rule, identities }: SignaturePolicy,
  isUnlimited: (principal: Principal) => boolean,
  persons: readonly Satisfies[],
  work: Work,
): boolean {
  const used: boolean[] = [];
  const trail: number[] = [];
  const unlimited = new Map<number, boolean>();
  const has = (index: number): boolean => {
    let known = unlimited.get(index);
    if (known === undefined) {
      const identity = identities[index];
      known = identity !== undefined && isUnlimited(identity.principal);
      unlimited.set(index, known);
    }
    return known;
  };
  const satisfied = (one: SignatureRule): boolean => {
    if (one.kind === 'empty' || work.left-- < 0) return false;
    if (one.kind === 'signedBy') {
      const principal = identities[one.index]?.principal;
      if (principal === undefined || has(one.index)) return principal !== undefined;
      const at = persons.findIndex((person, index) => used[index] !== true && person(principal));
      if (at === -1) return false;
      used[at] = true;
      trail.push(at);
      return true;
    }
    let count = 0;
    for (const nested of one.rules) {
      const before = trail.length;
      if (satisfied(nested)) count++;
      else while (trail.length > before) used[trail.pop()!] = false;
    }
    return count >= one.n;
  };
  return rule !== undefined && satisfied(rule);
}

/** Whether everybody who satisfies one principal satisfies another one. */
const implies = (one: Principal, other: Principal, model: ControlModel): boolean =>
  everyPart(other, (part) => impliesPart(one, part, model));

function impliesPart(one: Principal, other: PrincipalOfMsp, model: ControlModel): boolean {
  if (one.kind === 'combined') return one.principals.some((each) => impliesPart(each, other, model));
  if (one.kind === 'identity') return identityImplies(one.identity, other, model);
  if (other.kind === 'role' && other.role === 'member') return namedMsps(one)[0] === other.mspid;
  if (one.kind === 'role' && other.kind === 'role')
    return one.mspid === other.mspid && one.role === other.role;
  return (
    one.kind === 'ou' &&
    other.kind === 'ou' &&
    one.mspid === other.mspid &&
    one.unit === other.unit &&
    sameBytes(one.certifiersIdentifier, other.certifiersIdentifier)
  );
}

/** Whether one certificate satisfies a principal, by its units and the admins that the MSP lists. */
function identityImplies(identity: Uint8Array, other: Principal, model: ControlModel): boolean {
  if (other.kind === 'identity') return sameBytes(identity, other.identity);
  if (other.kind !== 'role' && other.kind !== 'ou') return false;
  const read = attempt(
    () => readSerializedIdentity(identity),
    () => undefined,
  );
  if (read === undefined || read.mspid !== other.mspid) return false;
  const certificate = certificateIn(read.certificate);
  const units = certificate?.subject.units ?? [];
  if (other.kind === 'ou') return units.includes(other.unit);
  if (other.role === 'member' || units.includes(other.role)) return true;
  return (
    other.role === 'admin' &&
    certificate !== undefined &&
    model.msps.get(other.mspid)?.listed.has(toHex(certificate.raw)) === true
  );
}
