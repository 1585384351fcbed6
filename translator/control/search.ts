// Searches for the sets of organisations that control more than smaller sets. Organisations with the same roles in the policies form one
// class; only their number counts: `126 of 250`.

import { appendTo } from '../../core/common/group-by.js';
import { sameBytes } from '../../proto/bytes.js';
import type { LongCall } from '../long-call.js';
import type { ControlModel } from './model.js';
import { reach, type Reached, type Work } from './reach.js';

/** Interchangeable organisations: their MSP ids. */
export type PartyClass = readonly string[];

/** The number of organisations of each class. */
export type Counts = readonly number[];

/** Up to this number of organisations, each one is a separate class. */
const FEW = 8;

/** The control of sets of organisations in one config; each set is evaluated once. */
export class Reaches {
  readonly model: ControlModel;
  readonly #work: Work;
  readonly #known = new Map<string, Reached>();

  constructor(model: ControlModel, work: Work) {
    this.model = model;
    this.#work = work;
  }

  /** The control of a set, without the organisations that the config does not have. */
  of(mspids: readonly string[]): Reached {
    const sorted = mspids.filter((mspid) => this.model.msps.has(mspid)).toSorted();
    const key = JSON.stringify(sorted);
    let known = this.#known.get(key);
    if (known === undefined) {
      const actors = sorted.map((mspid) => ({ kind: 'organization' as const, mspid }));
      known = reach(this.model, actors, this.#work);
      this.#known.set(key, known);
    }
    return known;
  }
}

/** The classes of organisations that are the same in all of the configs. */
export async function partyClasses(
  configs: readonly Reaches[],
  mspids: Iterable<string>,
  call: LongCall,
): Promise<PartyClass[]> {
  const all = [...mspids];
  if (all.length <= FEW) return all.map((mspid) => [mspid]);
  const classes = new Map<string, string[]>();
  for (const mspid of all) {
    await call.pause();
    const roles = configs.map((config) => roleOf(config, mspid));
    const key = roles.includes(undefined) ? `alone ${mspid}` : JSON.stringify(roles);
    appendTo(classes, key, mspid);
  }
  return [...classes.values()];
}

/** The role of an organisation in a set; undefined if it is unique, because others name the organisation or it names others. */
function roleOf(config: Reaches, mspid: string): string | undefined {
  const { model } = config;
  const msp = model.msps.get(mspid);
  if (msp === undefined) return '';
  if (msp.foreigners.length > 0 || isForeigner(model, mspid)) return undefined;
  const groups = msp.elements.map((element) => model.elements[element]!.group!);
  const paths = groups.map((group) => `${model.elements[group]!.path}/`);
  const isOwn = (path: string): boolean => paths.some((own) => path.startsWith(own));
  const own = groups.flatMap((group) => [group, ...(model.membersOf.get(group) ?? [])]);
  const isApart =
    (model.naming.get(mspid) ?? []).every((policy) => isOwn(model.policies[policy]!.path)) &&
    own.every((element) => {
      const { policy } = model.elements[element]!;
      return policy === undefined || staysInside(model, policy, mspid, isOwn);
    });
  if (!isApart) return undefined;
  const { policies } = config.of([mspid]);
  const parts = groups.map((group) => {
    const { path, names } = model.elements[group]!;
    const inside = [group, ...(model.membersOf.get(group) ?? [])].map((element) => model.elements[element]!);
    const satisfied = inside.flatMap((each) =>
      each.policy !== undefined && policies[each.policy] === 1 ? [each.path.slice(path.length)] : [],
    );
    const decidedElsewhere = inside.flatMap((each) => {
      const by = each.decidedBy === undefined ? '' : model.policies[each.decidedBy]!.path;
      const matters = each.kind !== 'value' || each.mspid !== undefined;
      return matters && !isOwn(by) ? [`${each.kind} ${each.path.slice(path.length)} ${by}`] : [];
    });
    return [names[0], satisfied.toSorted(), decidedElsewhere.toSorted()];
  });
  return JSON.stringify(parts.map((part) => JSON.stringify(part)).toSorted());
}

/** Whether a policy of an organisation names nobody else, and decides about nothing outside. */
function staysInside(
  model: ControlModel,
  policy: number,
  mspid: string,
  isOwn: (path: string) => boolean,
): boolean {
  const decidesInside = model.decides[policy]!.every((element) => {
    const { path } = model.elements[element]!;
    return isOwn(`${path}/`);
  });
  return decidesInside && (model.namedIn.get(policy) ?? []).every((name) => name === mspid);
}

const isForeigner = ({ msps }: ControlModel, mspid: string): boolean =>
  [...msps.values()].some(({ foreigners }) => foreigners.some((each) => each.mspid === mspid));

/** Sets between two sets of counts. */
interface Box {
  readonly low: Counts;
  readonly high: Counts;
}

/** The result of a search. */
export interface Searched {
  /** For each value, the smallest sets that have it, and others. */
  readonly points: readonly Counts[];
  /** The number of sets that were not searched; infinite if it is too large for a number. */
  readonly unsearched: number;
}

/**
 * Finds the sets at which a value changes. The value must be monotone: a larger set controls at least the same elements. So all sets
 * between two with the same value have it.
 *
 * @param sizes of the classes
 */
export async function searchCounts(
  sizes: Counts,
  valueOf: (counts: Counts) => Uint8Array,
  { maxValues, work, call }: { readonly maxValues: number; readonly work: Work; readonly call: LongCall },
): Promise<Searched> {
  const points: Counts[] = [];
  const known = new Map<string, Uint8Array>();
  const value = (counts: Counts): Uint8Array => {
    const key = counts.join();
    const found = known.get(key) ?? valueOf(counts);
    known.set(key, found);
    return found;
  };
  // Breadth first: a search that ends early has seen all parts coarsely.
  const boxes: Box[] = [{ low: sizes.map(() => 0), high: sizes }];
  let next = 0;
  for (; next < boxes.length && known.size < maxValues && work.left >= 0; next++) {
    await call.pause();
    const { low, high } = boxes[next]!;
    points.push(low);
    const isSame = sameBytes(value(low), value(high));
    // A value is incomplete if the work ended meanwhile.
    if (work.left < 0) break;
    if (isSame) continue;
    const at = widest(low, high);
    if (at === undefined) continue;
    const middle = (low[at]! + high[at]!) >> 1;
    boxes.push({ low, high: high.with(at, middle) }, { low: low.with(at, middle + 1), high });
  }
  const rest = boxes.slice(next);
  return { points: distinct(points), unsearched: rest.reduce((sum, box) => sum + sizeOf(box), 0) };
}

const distinct = (points: readonly Counts[]): Counts[] => [
  ...new Map(points.map((point) => [point.join(), point])).values(),
];

/** The first organisations of each class. */
export const chosen = (classes: readonly PartyClass[], counts: Counts): string[] =>
  classes.flatMap((members, at) => members.slice(0, counts[at]));

/** The class in which a box is widest; undefined for a single set. */
function widest(low: Counts, high: Counts): number | undefined {
  let best: number | undefined;
  let width = 0;
  for (const [at, from] of low.entries())
    if (high[at]! - from > width) {
      width = high[at]! - from;
      best = at;
    }
  return best;
}

const sizeOf = ({ low, high }: Box): number =>
  low.reduce((product, from, at) => product * (high[at]! - from + 1), 1);
