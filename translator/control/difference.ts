// The difference of control between two configs: sets of organisations, or of single persons, that can change elements afterwards, at
// once or in steps, that they could not change before.

import { needOf, namedMsps, type CanSatisfy, type MemberSet, type PolicyNode } from '../policy/index.js';
import type { LongCall } from '../long-call.js';
import { organizationNames, type ChannelState } from '../state/index.js';
import { createControlModel, type ControlModel } from './model.js';
import { caHolders, isGivenOut } from './msps.js';
import { isReached, ownerOf, partsOf, searchControl, total, type ControlSet } from './control.js';
import { decisionChanges, PARTS, type DecisionChange } from './decisions.js';
import { candidatesOf, comparablePersons, placeBefore, type Candidate } from './persons.js';
import { chosen, partyClasses, Reaches, type Counts, type PartyClass } from './search.js';
import { Substitutes } from './substitutes.js';
import { reach, type Party, type ControlStep, type Reached, type Spot, type Work } from './reach.js';

/** The gainers of control: single persons that satisfy principals, or organisations. */
export type Gainers =
  | { readonly kind: 'persons'; readonly set: MemberSet }
  | { readonly kind: 'organizations'; readonly set: ControlSet };

/** A gain of control: the gainers and the elements and policies that they gain. */
export interface ControlGain {
  /** The smallest sets; each of them gains the same. */
  readonly by: readonly Gainers[];
  /** The elements that they can change now: paths. */
  readonly elements: readonly string[];
  /** The changed policies that they can satisfy now, or LifecycleEndorsement if they gain nothing else: paths. */
  readonly policies: readonly string[];
  /** The subject: the first of the policies, an element with another mod_policy, or else the first of the elements. */
  readonly about: { readonly of: 'element' | 'mod-policy' | 'control'; readonly path: string };
  /** The updates of the first of them that lead there. */
  readonly steps: readonly ControlStep[];
}

/** All gains of an update. */
export interface Gains {
  readonly gains: readonly ControlGain[];
  /** Changed policies, and elements whose mod_policy changed, with too many combinations of persons to compare them. */
  readonly notCompared: readonly { readonly of: 'element' | 'mod-policy'; readonly path: string }[];
  /** The number of sets of organisations that were not compared. */
  readonly unsearched: number;
  /** Changes of who decides about the parts of the channel. */
  readonly decisions: readonly DecisionChange[];
}

const MAX_WORK = 10_000_000;

/**
 * Compares the control of a config before and after an update. Consequences of new organisations under the same rules are no gains: a new
 * organisation may replace an existing one; a set of two or more may do without organisations that are removed, and so may one
 * organisation if it is the only one left.
 *
 * @param ignored the paths of policies that follow from something else
 */
export async function findGains(
  before: ChannelState,
  after: ChannelState,
  ignored: ReadonlySet<string>,
): Promise<Gains> {
  const holders = await caHolders(before);
  const modelBefore = await createControlModel(before, holders);
  const modelAfter = await createControlModel(after, holders);
  return new Difference(modelBefore, modelAfter, ignored, after.call).run(staying(before, after));
}

/** The names of the organisations of the channel after an update, by MSP id. */
function staying(before: ChannelState, after: ChannelState): ReadonlyMap<string, string> {
  const names = organizationNames([before.channel, after.channel]);
  const stay = new Map<string, string>();
  for (const { mspId = '', path } of after.channel.organizations)
    if (mspId !== '' && !stay.has(mspId)) stay.set(mspId, names.get(path)!);
  return stay;
}

/** The policy that decides about chaincode definitions: a gain of it is always reported, although no element names it. */
const LIFECYCLE = '/Channel/Application/LifecycleEndorsement';

/** An element or a policy that users may gain. */
interface Target {
  readonly path: string;
  readonly now: Spot;
  /** The same before; for a new element the group that it was added to. */
  readonly spotBefore: Spot | undefined;
  readonly isNew: boolean;
  /** The MSP id of the organisation that it belongs to. */
  readonly owner: string | undefined;
  /** The same, if it is new. */
  readonly newOwner: string | undefined;
}

/** All elements, the policies that change, and LifecycleEndorsement. */
function targetsOf(
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
      spotBefore: placeBefore(before, key, path),
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
    const [policyBefore, policyNow] = [before.policyAt.get(path), after.policyAt.get(path)];
    if (
      policyBefore === undefined ||
      policyNow === undefined ||
      !isSatisfiableBySome(after.policies[policyNow]!, canSatisfy)
    )
      continue;
    const owner = ownerOf(after, after.elementOfPolicy[policyNow]!);
    targets.push({
      path,
      now: { kind: 'policy', at: policyNow },
      spotBefore: { kind: 'policy', at: policyBefore },
      isNew: false,
      owner,
      newOwner: undefined,
    });
  }
  return targets;
}

/** Whether some users satisfy it, but not anybody: the other cases are separate findings. */
function isSatisfiableBySome(policy: PolicyNode, canSatisfy: CanSatisfy): boolean {
  const { kind } = needOf(policy, canSatisfy);
  return kind !== 'nothing' && kind !== 'impossible';
}

/** A set with the elements that it can change and the policies that it can satisfy now, but not before. */
interface FoundSet {
  readonly mspids: readonly string[];
  readonly actors: readonly Party[];
  readonly by: Gainers;
  readonly reached: Reached;
  /** Elements, and above their number policies. */
  readonly targets: readonly number[];
}

/** A gain that is reported, and other sets that have it. */
interface ReportedGain {
  /** The sets that gain the same, or most of it. */
  readonly sets: FoundSet[];
  readonly targets: number[];
  /** What the first set gains, also what follows from the gains of others. */
  readonly all: readonly number[];
}

class Difference {
  readonly #work: Work = { left: MAX_WORK };
  readonly #before: Reaches;
  readonly #after: Reaches;
  readonly #targets: readonly Target[];
  readonly #canSatisfy: CanSatisfy;
  readonly #candidates: readonly Candidate[];
  readonly #call: LongCall;
  readonly #found: FoundSet[] = [];

  constructor(old: ControlModel, now: ControlModel, ignored: ReadonlySet<string>, call: LongCall) {
    this.#call = call;
    this.#before = new Reaches(old, this.#work);
    this.#after = new Reaches(now, this.#work);
    this.#canSatisfy = (principal) => isGivenOut(principal, now.msps);
    this.#candidates = candidatesOf(old, now, ignored);
    this.#targets = targetsOf(old, now, this.#candidates, this.#canSatisfy);
  }

  /** @param names of the organisations after the update, by MSP id */
  async run(names: ReadonlyMap<string, string>): Promise<Gains> {
    const [old, now] = [this.#before.model, this.#after.model];
    const mspids = new Set([...old.msps.keys(), ...now.msps.keys()]);
    const classes = await partyClasses([this.#before, this.#after], mspids, this.#call);
    const substitutes = new Substitutes(old, now, classes);
    const notCompared = await this.#persons(substitutes);
    const { unsearched, decisions } = await this.#organizations(names, classes, substitutes);
    return {
      decisions,
      gains: await this.#summary(),
      notCompared: notCompared.map(({ of, path }) => ({ of, path })),
      unsearched: this.#work.left < 0 ? Math.max(unsearched, 1) : unsearched,
    };
  }

  /** @returns the policies that were not compared */
  async #persons(substitutes: Substitutes): Promise<readonly Candidate[]> {
    const [old, now] = [this.#before.model, this.#after.model];
    const { sets, notCompared } = await comparablePersons(
      old,
      now,
      this.#candidates,
      this.#canSatisfy,
      this.#call,
    );
    for (const set of sets) {
      await this.#call.pause();
      const actors = set.map(({ principal }): Party => ({ kind: 'person', principal }));
      const mspids = [...new Set(set.flatMap(({ principal }) => namedMsps(principal)))];
      const left = substitutes
        .notNeeded(new Set(mspids))
        .map((mspid): Party => ({ kind: 'organization', mspid }));
      const reachedBefore = reach(old, [...actors, ...left], this.#work);
      const reached = reach(now, actors, this.#work);
      this.#add(
        { mspids, actors, by: { kind: 'persons', set }, reached },
        reachedBefore,
        this.#targets.keys(),
      );
    }
    return notCompared;
  }

  async #organizations(
    names: ReadonlyMap<string, string>,
    classes: readonly PartyClass[],
    substitutes: Substitutes,
  ): Promise<Pick<Gains, 'decisions' | 'unsearched'>> {
    const bounds = { classes, work: this.#work, call: this.#call };
    const [decisionsBefore, decisionsAfter] = [
      await searchControl(
        this.#before,
        this.#targets.map((target) => target.spotBefore),
        bounds,
      ),
      await searchControl(
        this.#after,
        this.#targets.map((target) => target.now),
        bounds,
      ),
    ];
    const found = new Map<string, { readonly counts: Counts; readonly targets: number[] }>();
    for (const at of this.#targets.keys()) {
      await this.#call.pause();
      for (const counts of decisionsAfter.setsOf[at]!) {
        if (substitutes.isCovered(counts, decisionsBefore.setsOf[at]!)) continue;
        const key = counts.join();
        const set = found.get(key) ?? { counts, targets: [] };
        found.set(key, set);
        set.targets.push(at);
      }
    }
    for (const { counts, targets } of found.values()) {
      await this.#call.pause();
      for (const [organizations, set] of setsIn(classes, counts))
        this.#addOrganizations(organizations, set, targets, substitutes);
    }
    // The elements of organisations of a class of several: others control them only with the whole section.
    const own = new Set(classes.flatMap((members) => (members.length > 1 ? members : [])));
    const owned = [...this.#targets.keys()].filter((at) => own.has(this.#targets[at]!.owner ?? ''));
    for (const mspid of own) {
      await this.#call.pause();
      this.#addOrganizations([mspid], [{ count: 1, of: [mspid] }], owned, substitutes);
    }
    const decisions = PARTS.flatMap((path) => {
      const at = this.#targets.findIndex(({ path: each, isNew }) => each === path && !isNew);
      return at === -1
        ? []
        : decisionChanges(path, decisionsBefore.setsOf[at]!, decisionsAfter.setsOf[at]!, classes, names);
    });
    return { unsearched: Math.max(decisionsBefore.unsearched, decisionsAfter.unsearched), decisions };
  }

  #addOrganizations(
    mspids: readonly string[],
    set: ControlSet,
    positions: readonly number[],
    substitutes: Substitutes,
  ): void {
    const actors = mspids.map((mspid): Party => ({ kind: 'organization', mspid }));
    const reachedBefore = this.#before.of([...mspids, ...substitutes.notNeeded(new Set(mspids))]);
    this.#add(
      { mspids, actors, by: { kind: 'organizations', set }, reached: this.#after.of(mspids) },
      reachedBefore,
      positions,
    );
  }

  /** Adds what a set gains of some targets. A new organisation controls itself and new elements in its group. */
  #add(set: Omit<FoundSet, 'targets'>, before: Reached, positions: Iterable<number>): void {
    const targets = [...positions].filter((at) => {
      const { now, spotBefore, newOwner } = this.#targets[at]!;
      return (
        isReached(set.reached, now) &&
        !isReached(before, spotBefore) &&
        (newOwner === undefined || !set.mspids.includes(newOwner))
      );
    });
    if (targets.length > 0) this.#found.push({ ...set, targets });
  }

  /** Each gain once, for the smallest sets that have it. */
  async #summary(): Promise<ControlGain[]> {
    const byAnybody = new Set<number>();
    // Policies that somebody satisfies now: whoever can take the place of these users, in further updates, follows from it.
    const satisfied = new Set<number>();
    const gains: ReportedGain[] = [];
    const rank = ({ actors, by }: FoundSet): number => actors.length * 2 + (by.kind === 'persons' ? 0 : 1);
    for (const found of this.#found.toSorted((one, other) => rank(one) - rank(other))) {
      await this.#call.pause();
      const targets = this.#unexplained(
        found,
        found.targets.filter(
          (at) => !byAnybody.has(at) && !(satisfied.has(at) && this.#isInSteps(found, at)),
        ),
        gains,
      );
      if (targets.length === 0) continue;
      if (found.actors.length > 0)
        for (const at of targets) if (this.#targets[at]!.now.kind === 'policy') satisfied.add(at);
      const same = gains.find(
        ({ sets: [first], targets: known, all }) =>
          first!.actors.length > 0 && (sharesMost(known, targets) || sharesMost(all, found.targets)),
      );
      if (same === undefined)
        gains.push({ sets: [{ ...found, targets }], targets: [...targets], all: found.targets });
      else {
        same.sets.push({ ...found, targets });
        same.targets.push(...targets.filter((target) => !same.targets.includes(target)));
      }
      // If anybody satisfies one policy, the weakening of another one is still reported.
      if (found.actors.length === 0)
        for (const target of targets) if (!this.#isChangedPolicy(target)) byAnybody.add(target);
    }
    return gains.flatMap(({ sets, targets }) => {
      const told = sets[0]!.actors.length > 0 ? targets : this.#inSteps(sets[0]!, targets);
      return told.length === 0 ? [] : [this.#gain(sets, told)];
    });
  }

  #isInSteps({ reached }: FoundSet, at: number): boolean {
    return reached.stepsToPolicy(this.#targets[at]!.now.at).length > 0;
  }

  /** The elements that anybody gains in steps, outside of the elements that anybody can change at once: those are findings by themselves. */
  #inSteps({ reached }: FoundSet, targets: readonly number[]): readonly number[] {
    const elements = targets.filter((at) => this.#targets[at]!.now.kind === 'element');
    const isOpen = (at: number): boolean => reached.stepsTo(this.#targets[at]!.now.at).length < 2;
    const open = elements.filter(isOpen).map((at) => this.#targets[at]!.path);
    return elements.filter((at) => {
      const { path } = this.#targets[at]!;
      return !open.some((each) => path === each || path.startsWith(`${each}/`));
    });
  }

  /** One cause, one finding: without the targets that follow from the gains of a smaller set. A gain of anybody hides nothing. */
  #unexplained(
    found: FoundSet,
    targets: readonly number[],
    gains: readonly ReportedGain[],
  ): readonly number[] {
    const smaller = gains
      .flatMap(({ sets }) => sets)
      .filter((other) => other.actors.length > 0 && isPartOf(other, found));
    if (smaller.length === 0 || targets.length === 0) return targets;
    const { model } = this.#before;
    const granted = smaller.flatMap((each) =>
      each.targets.flatMap((at) => {
        const { spotBefore, isNew } = this.#targets[at]!;
        return spotBefore === undefined || isNew ? [] : [spotBefore];
      }),
    );
    const told = new Set(smaller.flatMap((each) => each.targets));
    const old = found.actors.filter((actor) => actor.kind === 'person' || model.msps.has(actor.mspid));
    const explained = reach(model, old, this.#work, granted);
    return targets.filter((at) => !told.has(at) && !isReached(explained, this.#targets[at]!.spotBefore));
  }

  #isChangedPolicy(at: number): boolean {
    const { now, path } = this.#targets[at]!;
    return (
      now.kind === 'policy' && this.#candidates.some((each) => each.of === 'element' && each.path === path)
    );
  }

  #gain(sets: readonly FoundSet[], positions: readonly number[]): ControlGain {
    const { reached } = sets[0]!;
    const targets = positions.map((at) => this.#targets[at]!);
    const elements = targets.filter(({ now }) => now.kind === 'element').map(({ path }) => path);
    const satisfied = targets.filter(({ now }) => now.kind === 'policy').map(({ path }) => path);
    const changed = this.#candidates.flatMap(({ of, path }) =>
      of === 'element' && satisfied.includes(path) ? [path] : [],
    );
    // Control of all application elements includes chaincode definitions.
    const policies = changed.length === 0 && elements.length === 0 ? satisfied : changed;
    const moved = this.#candidates.find(
      ({ of, path, isNew }) => of === 'mod-policy' && !isNew && elements.includes(path),
    );
    const first = targets.toSorted((one, other) => depth(one.path) - depth(other.path))[0]!;
    const about =
      policies.length > 0
        ? { of: 'element' as const, path: policies[0]! }
        : (moved ?? { of: 'control' as const, path: first.path });
    const wanted = about.of === 'element' ? 'policy' : 'element';
    const target = targets.find(({ path, now }) => path === about.path && now.kind === wanted) ?? first;
    const steps =
      target.now.kind === 'element' ? reached.stepsTo(target.now.at) : reached.stepsToPolicy(target.now.at);
    return {
      by: sets.map(({ by }) => by),
      elements,
      policies,
      about: { of: about.of, path: about.path },
      steps,
    };
  }
}

/** Whether a set has all members of another one. Members are enough for what their organisation gains. */
function isPartOf(one: FoundSet, whole: FoundSet): boolean {
  if (one.by.kind === 'organizations' || whole.by.kind === 'organizations')
    return one.mspids.every((mspid) => whole.mspids.includes(mspid));
  const keys = new Set(whole.by.set.map(({ key }) => key));
  return one.by.set.every(({ key }) => keys.has(key));
}

/** Whether most of the targets of two gains are the same. */
function sharesMost(one: readonly number[], other: readonly number[]): boolean {
  const known = new Set(other);
  return one.filter((target) => known.has(target)).length * 2 > Math.max(one.length, other.length);
}

const depth = (path: string): number => path.split('/').length;

/** A set of organisations; of a single one out of a class each of them. */
function setsIn(classes: readonly PartyClass[], counts: Counts): [mspids: readonly string[], ControlSet][] {
  const set = partsOf(classes, counts);
  const [part] = set;
  if (total(counts) !== 1) return [[chosen(classes, counts), set]];
  return part!.of.map((mspid) => [[mspid], [{ count: 1, of: [mspid] }]]);
}
