// Gains of control by an update: sets of organisations, or of single persons, that can change elements afterwards, at once or in steps,
// that they could not change before.

import {
  needOf,
  minimalSignerSets,
  namedMsps,
  oneSignerSet,
  type CanSatisfy,
  type MemberSet,
} from '../policy/index.js';
import type { LongCall } from '../long-call.js';
import type { ChannelState } from '../state/index.js';
import { createControlModel, type ControlModel } from './model.js';
import { caHolders, isGivenOut } from './msps.js';
import { partsOf, type ControlSet } from './control.js';
import { chosen, partyClasses, Reaches, searchCounts, type Counts, type PartyClass } from './search.js';
import {
  candidatesOf,
  isAtLeastAsStrong,
  isReached,
  targetsOf,
  type Candidate,
  type Target,
} from './targets.js';
import { reach, type Actor, type ControlStep, type Reached, type Work } from './reach.js';

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
}

/** The maximum number of sets of persons of one policy. */
const MAX_PERSON_SETS = 1000;
/** The maximum number of sets of organisations to search. */
const MAX_SETS = 1024;
const MAX_WORK = 10_000_000;
/** The maximum number of ways to replace existing organisations by new ones. */
const MAX_PARTS = 40;

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
  const was = await createControlModel(before, holders);
  const is = await createControlModel(after, holders);
  return new Comparison(was, is, ignored, after.call).run();
}

/** A set with the elements that it can change and the policies that it can satisfy now, but not before. */
interface Found {
  /** The number of persons or organisations. */
  readonly size: number;
  readonly mspids: readonly string[];
  readonly actors: readonly Actor[];
  readonly by: Gainers;
  readonly reached: Reached;
  /** Elements, and above their number policies. */
  readonly targets: readonly number[];
}

/** A gain that is reported, and other sets that have it. */
interface Summed {
  /** The sets that gain the same, or most of it. */
  readonly sets: Found[];
  readonly targets: number[];
}

class Comparison {
  readonly #work: Work = { left: MAX_WORK };
  readonly #before: Reaches;
  readonly #after: Reaches;
  readonly #targets: readonly Target[];
  readonly #sections: readonly Section[];
  readonly #canSatisfy: CanSatisfy;
  readonly #candidates: readonly Candidate[];
  readonly #call: LongCall;
  #classes: readonly PartyClass[] = [];
  readonly #found: Found[] = [];
  /** The sets of persons that were compared, by the keys of their principals. */
  readonly #compared = new Set<string>();

  constructor(old: ControlModel, now: ControlModel, ignored: ReadonlySet<string>, call: LongCall) {
    this.#call = call;
    this.#before = new Reaches(old, this.#work);
    this.#after = new Reaches(now, this.#work);
    this.#canSatisfy = (principal) => isGivenOut(principal, now.msps);
    this.#candidates = candidatesOf(old, now, ignored);
    this.#targets = targetsOf(old, now, this.#candidates, this.#canSatisfy);
    this.#sections = ['Application', 'Orderer'].map((section) => sectionOf(section, old, now));
  }

  async run(): Promise<Gains> {
    this.#classes = await partyClasses(
      [this.#before, this.#after],
      this.#after.model.msps.keys(),
      this.#call,
    );
    const notCompared: Candidate[] = [];
    for (const candidate of this.#candidates)
      if (!(await this.#persons(candidate))) notCompared.push(candidate);
    await this.#listedAdmins();
    const unsearched = await this.#organizations();
    return {
      gains: await this.#summary(),
      notCompared: notCompared.map(({ of, path }) => ({ of, path })),
      unsearched: this.#work.left < 0 ? Math.max(unsearched, 1) : unsearched,
    };
  }

  /** Compares the control of the smallest sets of persons of a policy. False if there are too many sets. */
  async #persons({ to, from, isNew }: Candidate): Promise<boolean> {
    const need = needOf(to, this.#canSatisfy);
    // Policies that nobody or anybody satisfies are separate findings.
    if (need.kind === 'nothing' || need.kind === 'impossible') return true;
    const sets = minimalSignerSets(need, MAX_PERSON_SETS);
    const one = sets === undefined ? oneSignerSet(need) : undefined;
    for (const set of sets ?? (one === undefined ? [] : [one])) {
      await this.#call.pause();
      this.#comparePersons(set);
    }
    return sets !== undefined || isNew || isAtLeastAsStrong(from, to);
  }

  #comparePersons(set: MemberSet): void {
    const key = set.map((member) => member.key).join('\0');
    const mspids = [...new Set(set.flatMap(({ principal }) => namedMsps(principal)))];
    // `#organizations` compares sets with new organisations.
    if (this.#compared.has(key) || !mspids.every((mspid) => this.#before.model.msps.has(mspid))) return;
    this.#compared.add(key);
    const actors: Actor[] = set.map(({ principal }) => ({ kind: 'person', principal }));
    const [was, is] = [this.#before, this.#after].map(({ model }) => reach(model, actors, this.#work));
    this.#add({ kind: 'persons', set }, actors, mspids, [was!], is!);
  }

  /** Persons whom an MSP lists as admins, although they are something else by their certificates. */
  async #listedAdmins(): Promise<void> {
    for (const [mspid, { listed }] of this.#after.model.msps) {
      const known = this.#before.model.msps.get(mspid);
      if (known === undefined) continue;
      for (const [key, identity] of listed) {
        await this.#call.pause();
        if (!known.listed.has(key))
          this.#comparePersons([{ key, principal: { kind: 'identity', identity } }]);
      }
    }
  }

  /** @returns the number of sets that were not compared */
  async #organizations(): Promise<number> {
    const classes = this.#classes;
    const inClass = new Set(classes.flatMap((members) => (members.length > 1 ? members : [])));
    for (const mspid of inClass) {
      await this.#call.pause();
      this.#compareOrganizations([mspid], [{ count: 1, of: [mspid] }]);
    }
    const isShared = this.#targets.map(({ owner }) => !inClass.has(owner ?? ''));
    const { points, unsearched } = await searchCounts(
      classes.map(({ length }) => length),
      (counts) => this.#valueOf(chosen(classes, counts), isShared),
      { maxValues: MAX_SETS, work: this.#work, call: this.#call },
    );
    const isSingle = (counts: Counts): boolean =>
      counts.reduce((sum, count) => sum + count, 0) === 1 && inClass.has(chosen(classes, counts)[0]!);
    for (const counts of points) {
      await this.#call.pause();
      if (!isSingle(counts))
        this.#compareOrganizations(chosen(classes, counts), partsOf(classes, counts), isShared);
    }
    return unsearched;
  }

  /** The targets that a set reached before and reaches now, for the search. */
  #valueOf(mspids: readonly string[], isShared: readonly boolean[]): Uint8Array {
    const now = this.#after.of(mspids);
    const was = this.#reachedBefore(mspids);
    const value = new Uint8Array(this.#targets.length);
    for (const [at, target] of this.#targets.entries())
      if (isShared[at] === true)
        value[at] =
          (isReached(now, target.now) ? 1 : 0) + (was.some((each) => isReached(each, target.was)) ? 2 : 0);
    return value;
  }

  #compareOrganizations(mspids: readonly string[], set: ControlSet, isShared?: readonly boolean[]): void {
    const was = this.#reachedBefore(mspids);
    const actors = mspids.map((mspid): Actor => ({ kind: 'organization', mspid }));
    this.#add({ kind: 'organizations', set }, actors, mspids, was, this.#after.of(mspids), isShared);
  }

  #add(
    by: Gainers,
    actors: readonly Actor[],
    mspids: readonly string[],
    was: readonly Reached[],
    reached: Reached,
    isShared?: readonly boolean[],
  ): void {
    const targets = [...this.#targets.keys()].filter((at) => {
      const { now, was: old, newOwner } = this.#targets[at]!;
      if (isShared?.[at] === false || !isReached(reached, now)) return false;
      // A new organisation controls itself and new elements in its group.
      if (newOwner !== undefined && mspids.includes(newOwner)) return false;
      return !was.some((each) => isReached(each, old));
    });
    if (targets.length > 0) this.#found.push({ size: actors.length, mspids, actors, by, reached, targets });
  }

  /** The reach of organisations before, if new ones replace existing ones and removed ones are not needed. */
  #reachedBefore(mspids: readonly string[]): readonly Reached[] {
    const set = new Set(mspids);
    const old = mspids.filter((mspid) => this.#before.model.msps.has(mspid));
    const removed = this.#sections.flatMap((section) => (mayDoWithout(set, section) ? section.removed : []));
    let sets: string[][] = [[...old, ...removed]];
    for (const { added, before, after } of this.#sections) {
      const count = added.filter((mspid) => set.has(mspid)).length;
      if (count === 0) continue;
      const mates = before.filter((mspid) => !set.has(mspid) && after.includes(mspid));
      const parts = partsInstead(mates, count, this.#classes);
      sets = sets.flatMap((each) => parts.map((part) => [...each, ...part])).slice(0, MAX_PARTS);
    }
    return sets.map((each) => this.#before.of([...new Set(each)]));
  }

  /** Each gain once, for the smallest sets that have it. */
  async #summary(): Promise<ControlGain[]> {
    const covered = new Set<number>();
    const gains: Summed[] = [];
    const rank = ({ size, by }: Found): number => size * 2 + (by.kind === 'persons' ? 0 : 1);
    for (const found of this.#found.toSorted((one, other) => rank(one) - rank(other))) {
      await this.#call.pause();
      const same = gains.find(
        ({ sets: [first], targets }) => rank(first!) === rank(found) && sharesMost(targets, found.targets),
      );
      const open = found.targets.filter((target) => !covered.has(target));
      const targets = open.length === 0 ? [] : this.#unexplained(found, open, gains);
      if (same !== undefined) {
        same.sets.push(found);
        same.targets.push(...targets);
      } else if (targets.length > 0) gains.push({ sets: [found], targets: [...targets] });
      // If anybody satisfies one policy, the weakening of another one is still reported.
      for (const target of targets) if (found.size > 0 || !this.#isChangedPolicy(target)) covered.add(target);
    }
    // Gains of anybody are a separate finding.
    return gains
      .filter(({ sets: [first] }) => first!.size > 0)
      .map(({ sets, targets }) => this.#gain(sets, targets));
  }

  /** One cause, one finding: without the targets that follow from the gains of a smaller set. A gain of anybody hides nothing. */
  #unexplained(
    { mspids, actors }: Found,
    targets: readonly number[],
    gains: readonly Summed[],
  ): readonly number[] {
    const smaller = gains
      .flatMap(({ sets }) => sets)
      .filter(({ size, mspids: others }) => size > 0 && others.every((mspid) => mspids.includes(mspid)));
    if (smaller.length === 0) return targets;
    const { model } = this.#before;
    const granted = smaller.flatMap((found) =>
      found.targets.flatMap((at) => {
        const { was, isNew } = this.#targets[at]!;
        return was === undefined || isNew ? [] : [was];
      }),
    );
    const old = actors.filter((actor) => actor.kind === 'person' || model.msps.has(actor.mspid));
    const explained = reach(model, old, this.#work, granted);
    return targets.filter((at) => !isReached(explained, this.#targets[at]!.was));
  }

  #isChangedPolicy(at: number): boolean {
    const { now, path } = this.#targets[at]!;
    return (
      now.kind === 'policy' && this.#candidates.some((each) => each.of === 'element' && each.path === path)
    );
  }

  #gain(sets: readonly Found[], positions: readonly number[]): ControlGain {
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

/** Whether most of the targets of two gains are the same. */
function sharesMost(one: readonly number[], other: readonly number[]): boolean {
  const known = new Set(other);
  return one.filter((target) => known.has(target)).length * 2 > Math.max(one.length, other.length);
}

const depth = (path: string): number => path.split('/').length;

/**
 * Whether a set may do without the organisations that are removed from a section: a member of it stays, and it is not one of several that
 * rules alone now.
 */
const mayDoWithout = (set: ReadonlySet<string>, { before, after }: Section): boolean =>
  after.some((mspid) => set.has(mspid) && before.includes(mspid)) &&
  (set.size > 1 || after.every((mspid) => set.has(mspid)));

/** The organisations of a group of the channel: MSP ids. */
interface Section {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

function sectionOf(section: string, before: ControlModel, after: ControlModel): Section {
  const [was, is] = [before, after].map(({ msps }) =>
    [...msps.values()].flatMap(({ mspid, sections }) => (sections.has(section) ? [mspid] : [])),
  );
  return {
    before: was!,
    after: is!,
    added: is!.filter((mspid) => !was!.includes(mspid)),
    removed: was!.filter((mspid) => !is!.includes(mspid)),
  };
}

/** The sets of existing organisations that new ones may replace: of one class if organisations are alike, else all combinations. */
function partsInstead(
  mates: readonly string[],
  count: number,
  classes: readonly PartyClass[],
): readonly (readonly string[])[] {
  if (mates.length <= count) return [mates];
  if (classes.some(({ length }) => length > 1)) {
    const parts = classes.map((members) => {
      const known = new Set(members);
      return mates.filter((mspid) => known.has(mspid)).slice(0, count);
    });
    return [mates.slice(0, count), ...parts.filter(({ length }) => length === count)].slice(0, MAX_PARTS);
  }
  let combinations: string[][] = [[]];
  for (const mate of mates)
    combinations = [
      ...combinations,
      ...combinations.filter(({ length }) => length < count).map((each) => [...each, mate]),
    ];
  return combinations.filter(({ length }) => length === count).slice(0, MAX_PARTS);
}
