// Gains of control by single persons: policies that an update changes, or that decide about other elements, and listed admins.

import { keyOf, parentPath, sameContent } from '../channel/index.js';
import type { LongCall } from '../long-call.js';
import type { Principal } from '../msp/index.js';
import {
  needOf,
  minimalSignerSets,
  namedMsps,
  oneSignerSet,
  type CanSatisfy,
  type MemberSet,
  type PolicyNode,
} from '../policy/index.js';
import type { ControlModel } from './model.js';
import type { Spot } from './reach.js';

/** The maximum number of sets of persons of one policy. */
const MAX_PERSON_SETS = 1000;

/** Sets of persons whose control may differ from their control before an update. */
interface ComparablePersons {
  readonly sets: readonly MemberSet[];
  /** The policies with too many sets. */
  readonly notCompared: readonly Candidate[];
}

/** The smallest sets of persons of the candidates, and persons whom an MSP lists as admins only now. Each set once. */
export async function comparablePersons(
  before: ControlModel,
  after: ControlModel,
  candidates: readonly Candidate[],
  canSatisfy: CanSatisfy,
  call: LongCall,
): Promise<ComparablePersons> {
  const sets = new Map<string, MemberSet>();
  const notCompared: Candidate[] = [];
  const add = (set: MemberSet): unknown => sets.set(set.map(({ key }) => key).join('\0'), set);
  for (const candidate of candidates) {
    const { to, from, isNew } = candidate;
    const need = needOf(to, canSatisfy);
    // Policies that nobody or anybody satisfies are separate findings.
    if (need.kind === 'nothing' || need.kind === 'impossible') continue;
    const all = minimalSignerSets(need, MAX_PERSON_SETS);
    const one = all === undefined ? oneSignerSet(need) : undefined;
    for (const set of all ?? (one === undefined ? [] : [one])) {
      await call.pause();
      add(set);
    }
    if (all === undefined && !isNew && !isAtLeastAsStrong(from, to)) notCompared.push(candidate);
  }
  for (const [mspid, { listed }] of after.msps) {
    await call.pause();
    const known = before.msps.get(mspid)?.admins;
    for (const [key, identity] of known === undefined ? [] : listed)
      if (known?.has(key) === false) add([{ key, principal: { kind: 'identity', identity } }]);
  }
  // Sets with new organisations are compared as organisations.
  const isKnown = ({ principal }: { readonly principal: Principal }): boolean =>
    namedMsps(principal).every((mspid) => before.msps.has(mspid));
  return { sets: [...sets.values()].filter((set) => set.every(isKnown)), notCompared };
}

/** An element before the update, or the nearest group that it was put into. */
export function placeBefore({ elementAt }: ControlModel, key: string, path: string): Spot | undefined {
  let at = elementAt.get(key);
  for (let up = parentPath(path); at === undefined && up !== ''; up = parentPath(up))
    at = elementAt.get(keyOf('group', up));
  return at === undefined ? undefined : { kind: 'element', at };
}

function changedPolicies(before: ControlModel, after: ControlModel, ignored: ReadonlySet<string>): string[] {
  return after.elements.flatMap(({ kind, key, path, element }) => {
    const indexBefore = before.elementAt.get(key);
    if (kind !== 'policy' || indexBefore === undefined || ignored.has(path)) return [];
    return sameContent(kind, before.elements[indexBefore]!.element, element) ? [] : [path];
  });
}

/** A policy that the update changes, or that decides about an element only after it: its smallest sets of persons are compared. */
export interface Candidate {
  readonly of: 'element' | 'mod-policy';
  /** The policy that changed, or the element that it decides about now. */
  readonly path: string;
  readonly isNew: boolean;
  readonly from: PolicyNode | undefined;
  readonly to: PolicyNode;
}

/** The policies that change, and policies that decide about new elements or elements with another mod_policy. */
export function candidatesOf(
  before: ControlModel,
  after: ControlModel,
  ignored: ReadonlySet<string>,
): Candidate[] {
  const policyOf = (model: ControlModel, at: number | undefined): PolicyNode | undefined =>
    at === undefined ? undefined : model.policies[at];
  const changed = changedPolicies(before, after, ignored).flatMap((path): Candidate[] => {
    const to = policyOf(after, after.policyAt.get(path));
    const from = policyOf(before, before.policyAt.get(path));
    return to === undefined ? [] : [{ of: 'element', path, isNew: false, from, to }];
  });
  const moved = after.elements.flatMap(({ key, path, decidedBy, element }): Candidate[] => {
    const placeInOld = placeBefore(before, key, path);
    const old = placeInOld && before.elements[placeInOld.at];
    const isNew = old?.key !== key;
    const to = policyOf(after, decidedBy);
    const from = policyOf(before, old?.decidedBy);
    if (to === undefined || (!isNew && old?.element.modPolicy === element.modPolicy)) return [];
    return to.path === from?.path ? [] : [{ of: 'mod-policy', path, isNew, from, to }];
  });
  // The policies of a new organisation decide about much of it.
  const seen = new Set<string>();
  return [
    ...changed,
    ...moved.filter(({ isNew, from, to }) => {
      const key = `${from?.path ?? ''} ${to.path}`;
      if (isNew && seen.has(key)) return false;
      seen.add(key);
      return true;
    }),
  ];
}

/** The same groups with a threshold that is not lower. */
export function isAtLeastAsStrong(from: PolicyNode | undefined, to: PolicyNode): boolean {
  if (from?.kind !== 'implicitMeta' || to.kind !== 'implicitMeta' || from.subPolicy !== to.subPolicy)
    return false;
  return to.threshold >= from.threshold && from.groups.length === to.groups.length;
}
