// The control of each element of a config in the end: the smallest sets of organisations that can change it at once or in steps.

import { keyOf, pathOf } from '../channel/index.js';
import type { ChannelState } from '../state/index.js';
import { createControlModel, type ControlModel } from './model.js';
import { chosen, partyClasses, Reaches, searchCounts, type Counts } from './search.js';

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

/** A number of sets in words. It can be infinite, and beyond a million it only says that there are too many. */
export const countText = (sets: number): string =>
  sets > MILLION ? 'more than 1,000,000' : sets.toLocaleString('en');

const MILLION = 1_000_000;

/** The maximum number of sets to search. */
const MAX_SETS = 2048;
const MAX_WORK = 10_000_000;

/** The smallest sets of organisations that can change each element, at once or in steps. */
export async function controlOf(state: ChannelState): Promise<Control> {
  const { call } = state;
  const work = { left: MAX_WORK };
  const reaches = new Reaches(await createControlModel(state), work);
  const { elements, msps } = reaches.model;
  const classes = await partyClasses([reaches], msps.keys(), call);
  const inClass = new Set(classes.flatMap((members) => (members.length > 1 ? members : [])));
  const owners = elements.map((_, element) => ownerOf(reaches.model, element));
  const shared = elements.map((_, element) => !inClass.has(owners[element] ?? ''));
  const at = (counts: Counts): Uint8Array => reaches.of(chosen(classes, counts)).elements;
  const { points, unsearched } = await searchCounts(
    classes.map(({ length }) => length),
    (counts) => at(counts).map((reached, element) => (shared[element] === true ? reached : 0)),
    { maxValues: MAX_SETS, work, call },
  );
  const ordered = points.toSorted((one, other) => total(one) - total(other));
  const found = elements.map((): Counts[] => []);
  for (const counts of ordered) {
    await call.pause();
    for (const [element, reached] of at(counts).entries())
      if (
        reached === 1 &&
        shared[element] === true &&
        !found[element]!.some((less) => isWithin(less, counts))
      )
        found[element]!.push(counts);
  }
  const sets = new Map<string, ControlSet[]>();
  for (const [element, { key }] of elements.entries()) {
    await call.pause();
    const own = owners[element];
    const others = found[element]!.map((counts) => partsOf(classes, counts));
    sets.set(key, shared[element] === true ? others : ofOrganization(element, own!, reaches, found, classes));
  }
  return { sets, unsearched };
}

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

const total = (counts: Counts): number => counts.reduce((sum, count) => sum + count, 0);

const isWithin = (less: Counts, more: Counts): boolean => less.every((count, at) => count <= more[at]!);

/** The organisations of a set, by class. */
export const partsOf = (classes: readonly (readonly string[])[], counts: Counts): ControlSet =>
  classes.flatMap((of, at) => (counts[at] === 0 ? [] : [{ count: counts[at]!, of }]));
