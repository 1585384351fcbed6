// The control of each element of a config in the end: the smallest sets of organisations that can change it at once or in steps.

import { keyOf, pathOf } from '../channel/index.js';
import type { ChannelState } from '../state/index.js';
import { createControlModel, type ControlModel } from './model.js';
import type { LongCall } from '../long-call.js';
import type { Reached, Spot, Work } from './reach.js';
import { chosen, partyClasses, Reaches, searchCounts, type Counts, type PartyClass } from './search.js';

/** A number of organisations out of several. */
export interface ControlPart {
  readonly count: number;
  /** MSP ids. */
  readonly of: readonly string[];
}

/** A set of organisations, as parts that are all needed: `2 of Org1MSP, Org2MSP, Org3MSP` and `1 of OrdererMSP`. */
export type ControlSet = readonly ControlPart[];

/** The control of the elements of a config. */
export interface Control {
  /** By the key of the element, such as `[Value]  /Channel/Orderer/BatchSize`: no set for an element that nobody can change. */
  readonly sets: ReadonlyMap<string, readonly ControlSet[]>;
  /** The number of sets of organisations that were not searched; 0 if `sets` is complete. */
  readonly unsearched: number;
}

/** A number of sets in words. It can be infinite, and beyond a million it only means that there are too many. */
export const countText = (sets: number): string =>
  sets > MILLION ? 'more than 1,000,000' : sets.toLocaleString('en');

const MILLION = 1_000_000;

/** The maximum number of sets to search. */
const MAX_SETS = 2048;
const MAX_WORK = 10_000_000;

/** The keys of the elements that all organisations of a channel together can change, at once or in steps. */
export async function changeableElements(state: ChannelState): Promise<ReadonlySet<string>> {
  const reaches = new Reaches(await createControlModel(state), { left: MAX_WORK });
  const { elements, msps } = reaches.model;
  const reached = reaches.of([...msps.keys()]);
  return new Set(elements.flatMap(({ key }, at) => (reached.elements[at] === 1 ? [key] : [])));
}

/** The smallest sets of organisations that can change each element, at once or in steps. */
export async function controlOf(state: ChannelState): Promise<Control> {
  const { call } = state;
  const work = { left: MAX_WORK };
  const reaches = new Reaches(await createControlModel(state), work);
  const { elements, msps } = reaches.model;
  const classes = await partyClasses([reaches], msps.keys(), call);
  const places = elements.map((_, at) => ({ kind: 'element' as const, at }));
  const { setsOf, unsearched } = await searchControl(reaches, places, { classes, work, call });
  const sets = new Map<string, readonly ControlSet[]>();
  for (const [at, { key }] of elements.entries()) {
    await call.pause();
    const others = setsOf[at]!.map((counts) => partsOf(classes, counts));
    const owner = memberOf(classes, ownerOf(reaches.model, at));
    sets.set(key, owner === undefined ? others : ofOrganization(at, owner, reaches, setsOf, classes));
  }
  return { sets, unsearched };
}

/** The smallest sets of organisations that reach some places. */
interface SearchedControl {
  /** For each place; none for a place of one organisation of a class of several. Equal lists are the same object. */
  readonly setsOf: readonly (readonly Counts[])[];
  /** The number of sets that were not searched. */
  readonly unsearched: number;
}

/** Searches for the smallest sets of organisations that reach each of some places; undefined is a place that nobody reaches. */
export async function searchControl(
  reaches: Reaches,
  places: readonly (Spot | undefined)[],
  {
    classes,
    work,
    call,
  }: { readonly classes: readonly PartyClass[]; readonly work: Work; readonly call: LongCall },
): Promise<SearchedControl> {
  const { model } = reaches;
  const shared = places.map(
    (spot) => spot !== undefined && memberOf(classes, ownerOf(model, elementOf(model, spot))) === undefined,
  );
  const valueAt = (counts: Counts): Uint8Array => {
    const reached = reaches.of(chosen(classes, counts));
    return Uint8Array.from(places, (spot, at) => (shared[at] === true && isReached(reached, spot) ? 1 : 0));
  };
  const { points, unsearched } = await searchCounts(
    classes.map(({ length }) => length),
    valueAt,
    { maxValues: MAX_SETS, work, call },
  );
  const found = places.map((): Counts[] => []);
  for (const counts of points.toSorted((one, other) => total(one) - total(other))) {
    await call.pause();
    for (const [at, reached] of valueAt(counts).entries())
      if (reached === 1 && !found[at]!.some((less) => isWithin(less, counts))) found[at]!.push(counts);
  }
  const lists = new Map<string, readonly Counts[]>();
  const setsOf = found.map((list) => {
    const key = list.join(' ');
    const known = lists.get(key) ?? list;
    lists.set(key, known);
    return known;
  });
  return { setsOf, unsearched };
}

/** An organisation that is in a class of several; undefined for another one. */
const memberOf = (classes: readonly PartyClass[], mspid: string | undefined): string | undefined =>
  classes.some((members) => members.length > 1 && members.includes(mspid ?? '')) ? mspid : undefined;

/** The position of an element, or of the element of a policy. */
const elementOf = ({ elementOfPolicy }: ControlModel, { kind, at }: Spot): number =>
  kind === 'element' ? at : elementOfPolicy[at]!;

/** Whether an element can be changed, or a policy satisfied. */
export const isReached = (reached: Reached, spot: Spot | undefined): boolean =>
  spot !== undefined && (spot.kind === 'element' ? reached.elements : reached.policies)[spot.at] === 1;

/** The sets for an element of one of many organisations: the organisation itself, or the sets that control its group. */
function ofOrganization(
  element: number,
  owner: string,
  reaches: Reaches,
  found: readonly (readonly Counts[])[],
  classes: Parameters<typeof partsOf>[0],
): ControlSet[] {
  const { elements } = reaches.model;
  const alone: ControlSet[] =
    reaches.of([owner]).elements[element] === 1 ? [[{ count: 1, of: [owner] }]] : [];
  let group = elements[element]!.group;
  while (group !== undefined && elements[group]!.names.length > 1) group = elements[group]!.group;
  const section = (group === undefined ? [] : found[group]!).map((counts) => partsOf(classes, counts));
  return [...alone, ...section.filter((set) => alone.length === 0 || !isOnly(set, owner))];
}

const isOnly = (set: ControlSet, mspid: string): boolean => set.length === 1 && set[0]!.of.join() === mspid;

/** The MSP id of the organisation that an element belongs to: the element is its group, or is in it. */
export function ownerOf({ elements, elementAt }: ControlModel, element: number): string | undefined {
  const [section, name] = elements[element]!.names;
  if (section === undefined || name === undefined) return undefined;
  const msp = elementAt.get(keyOf('value', pathOf(section, name, 'MSP')));
  return msp === undefined ? undefined : elements[msp]!.mspid;
}

export const total = (counts: Counts): number => counts.reduce((sum, count) => sum + count, 0);

const isWithin = (less: Counts, more: Counts): boolean => less.every((count, at) => count <= more[at]!);

/** The organisations of a set, by class. */
export const partsOf = (classes: readonly (readonly string[])[], counts: Counts): ControlSet =>
  classes.flatMap((of, at) => (counts[at] === 0 ? [] : [{ count: counts[at]!, of }]));
