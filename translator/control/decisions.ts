// Who decides about the parts of a channel: organisations without which nobody can change a part, and organisations that can change it alone.

import { total } from './control.js';
import type { Counts, PartyClass } from './search.js';

/** The parts of a channel, the greatest first. */
export const PARTS: readonly string[] = ['/Channel', '/Channel/Application', '/Channel/Orderer'];

/**
 * A change of who decides. `veto-lost`: without the organisation nobody could change the part, and now others can. `alone-lost`: it could
 * change the part alone, and now cannot. `alone-gained`: the other way round.
 */
export interface DecisionChange {
  readonly kind: 'veto-lost' | 'alone-lost' | 'alone-gained';
  /** The part of the channel: `/Channel/Application`. */
  readonly path: string;
  /** The names of organisations of the channel after the update. */
  readonly organizations: readonly string[];
}

/**
 * Compares who decides about a part of a channel.
 *
 * @param was the smallest sets of organisations that could change it before; none if nobody could. A part that anybody could change, or
 *   can, is not compared: it is a finding of its own
 * @param names of the organisations that stay, by MSP id
 */
export function decisionChanges(
  path: string,
  setsBefore: readonly Counts[],
  setsAfter: readonly Counts[],
  classes: readonly PartyClass[],
  names: ReadonlyMap<string, string>,
): DecisionChange[] {
  if ([setsBefore, setsAfter].some((sets) => sets.length === 0 || sets.some((counts) => total(counts) === 0)))
    return [];
  const change = (
    kind: DecisionChange['kind'],
    from: ReadonlySet<string>,
    to: ReadonlySet<string>,
  ): DecisionChange[] => {
    const organizations = [...names].flatMap(([mspid, name]) =>
      from.has(mspid) && !to.has(mspid) ? [name] : [],
    );
    return organizations.length === 0 ? [] : [{ kind, path, organizations }];
  };
  return [
    ...change('veto-lost', needed(setsBefore, classes), needed(setsAfter, classes)),
    ...change('alone-lost', alone(setsBefore, classes), alone(setsAfter, classes)),
    ...change('alone-gained', alone(setsAfter, classes), alone(setsBefore, classes)),
  ];
}

/** The MSP ids in each of some sets. */
const needed = (sets: readonly Counts[], classes: readonly PartyClass[]): ReadonlySet<string> =>
  new Set(classes.filter(({ length }, at) => sets.every((counts) => counts[at] === length)).flat());

/** The MSP ids that are a set alone. */
const alone = (sets: readonly Counts[], classes: readonly PartyClass[]): ReadonlySet<string> =>
  new Set(classes.filter((_, at) => sets.some((counts) => total(counts) === 1 && counts[at] === 1)).flat());
