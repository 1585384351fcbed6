// Possible gains by an update: elements and policies with their places before it; and policies with sets of persons that may gain.

import { keyOf, sameContent, parentPath } from '../channel/index.js';
import { needOf, type CanSatisfy, type PolicyNode } from '../policy/index.js';
import type { ControlModel } from './model.js';
import { ownerOf } from './control.js';
import type { Reached, Spot } from './reach.js';

/** The policy that decides about chaincode definitions: a gain of it is always reported, although no element names it. */
const LIFECYCLE = '/Channel/Application/LifecycleEndorsement';

/** An element or a policy that people may gain. */
export interface Target {
  readonly path: string;
  readonly now: Spot;
  /** The same before; for a new element the group that it was added to. */
  readonly was: Spot | undefined;
  readonly isNew: boolean;
  /** The MSP id of the organisation that it belongs to. */
  readonly owner: string | undefined;
  /** The same, if it is new. */
  readonly newOwner: string | undefined;
}

/** Whether an element can be changed, or a policy satisfied. */
export const isReached = (reached: Reached, spot: Spot | undefined): boolean =>
  spot !== undefined && (spot.kind === 'element' ? reached.elements : reached.policies)[spot.at] === 1;

/** All elements, the policies that change, and LifecycleEndorsement. */
export function targetsOf(
  before: ControlModel,
  after: ControlModel,
  candidates: readonly Candidate[],
  canSatisfy: CanSatisfy,
): Target[] {
  const targets = after.elements.map(({ path, key }, at): Target => {
    const owner = ownerOf(after, at);
    const isNew = !before.elementAt.has(key);
    return {
      path,
      now: { kind: 'element', at },
      was: placeBefore(before, key, path),
      isNew,
      owner,
      newOwner: isNew ? owner : undefined,
    };
  });
  const policies = new Set([
    LIFECYCLE,
    ...candidates.flatMap(({ of, path }) => (of === 'element' ? [path] : [])),
  ]);
  for (const path of policies) {
    const [was, now] = [before.policyAt.get(path), after.policyAt.get(path)];
    if (was === undefined || now === undefined || !isSatisfiableBySome(after.policies[now]!, canSatisfy))
      continue;
    const owner = ownerOf(after, after.elementOfPolicy[now]!);
    targets.push({
      path,
      now: { kind: 'policy', at: now },
      was: { kind: 'policy', at: was },
      isNew: false,
      owner,
      newOwner: undefined,
    });
  }
  return targets;
}

/** Whether some people satisfy it, but not anybody: the other cases are separate findings. */
function isSatisfiableBySome(policy: PolicyNode, canSatisfy: CanSatisfy): boolean {
  const { kind } = needOf(policy, canSatisfy);
  return kind !== 'nothing' && kind !== 'impossible';
}

/** An element before the update, or the nearest group that it was put into. */
function placeBefore({ elementAt }: ControlModel, key: string, path: string): Spot | undefined {
  let at = elementAt.get(key);
  for (let up = parentPath(path); at === undefined && up !== ''; up = parentPath(up))
    at = elementAt.get(keyOf('group', up));
  return at === undefined ? undefined : { kind: 'element', at };
}

function changedPolicies(before: ControlModel, after: ControlModel, ignored: ReadonlySet<string>): string[] {
  return after.elements.flatMap(({ kind, key, path, element }) => {
    const was = before.elementAt.get(key);
    if (kind !== 'policy' || was === undefined || ignored.has(path)) return [];
    return sameContent(kind, before.elements[was]!.element, element) ? [] : [path];
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
    const was = placeBefore(before, key, path);
    const old = was && before.elements[was.at];
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
