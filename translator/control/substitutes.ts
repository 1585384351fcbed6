// Consequences of new and removed organisations under the same rules, which are no gains of control.

import { SECTIONS } from '../channel/index.js';
import type { ControlModel } from './model.js';
import { chosen, type Counts, type PartyClass } from './search.js';

/**
 * Organisations in place of others: a set that controls something only because organisations came or went under the same rules gains
 * nothing.
 */
export class Substitutes {
  readonly #sections: readonly Section[];
  readonly #classes: readonly PartyClass[];

  /** @param classes of the organisations of both configs */
  constructor(before: ControlModel, after: ControlModel, classes: readonly PartyClass[]) {
    this.#sections = SECTIONS.map((section) => sectionOf(section, before, after));
    this.#classes = classes;
  }

  /** Whether one of the sets before is this set, if new organisations replace others and removed ones are not needed. */
  isCovered(counts: Counts, earlier: readonly Counts[]): boolean {
    const set = new Set(chosen(this.#classes, counts));
    const has = new Set([...set, ...this.notNeeded(set)]);
    const places = this.#sections.map(({ added }) => added.filter((mspid) => set.has(mspid)).length);
    const owned = this.#classes.map((members) => members.filter((mspid) => has.has(mspid)).length);
    return earlier.some((each) => this.#isReplaced(each, owned, places));
  }

  /** The removed organisations that a set does not need any more. */
  notNeeded(set: ReadonlySet<string>): readonly string[] {
    return this.#sections.flatMap((section) => (mayDoWithout(set, section) ? section.removed : []));
  }

  /** Whether the missing organisations of a set are at most as many as the new ones of their section. */
  #isReplaced(wanted: Counts, has: Counts, places: readonly number[]): boolean {
    const left = [...places];
    return wanted.every((count, at) => {
      let missing = count - has[at]!;
      for (const [section, { before, after }] of this.#sections.entries()) {
        const mspid = this.#classes[at]![0]!;
        if (missing <= 0 || !before.includes(mspid) || !after.includes(mspid)) continue;
        const taken = Math.min(missing, left[section]!);
        left[section]! -= taken;
        missing -= taken;
      }
      return missing <= 0;
    });
  }
}

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
  const [mspidsBefore, mspidsAfter] = [before, after].map(({ msps }) =>
    [...msps.values()].flatMap(({ mspid, sections }) => (sections.has(section) ? [mspid] : [])),
  );
  return {
    before: mspidsBefore!,
    after: mspidsAfter!,
    added: mspidsAfter!.filter((mspid) => !mspidsBefore!.includes(mspid)),
    removed: mspidsBefore!.filter((mspid) => !mspidsAfter!.includes(mspid)),
  };
}
