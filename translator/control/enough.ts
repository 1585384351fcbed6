// Whether signatures are enough after an update that were not enough before it.

import type { ControlPart, ControlSet } from './control.js';

/** The maximum number of choices of a set that are compared one by one. */
const MAX_CHOICES = 300;

/**
 * Whether fewer or other organisations can change an element after an update: whether a choice of organisations that is enough after it was
 * not enough before it.
 *
 * @param before the smallest sets of organisations that could change the element; none if nobody could
 * @param after those after the update
 */
export const isEnoughNow = (before: readonly ControlSet[], after: readonly ControlSet[]): boolean =>
  after.some((set) => !before.some((old) => isAlwaysEnough(set, old)) && hasNewChoice(set, before));

/** Whether each choice of a set satisfies an old set. Organisations of the old set are chosen last. */
const isAlwaysEnough = (set: ControlSet, old: ControlSet): boolean =>
  old.every(({ count, of }) => {
    const members = new Set(of);
    const fewest = set.map((part) =>
      Math.max(0, part.count - part.of.filter((mspid) => !members.has(mspid)).length),
    );
    return fewest.reduce((sum, each) => sum + each, 0) >= count;
  });

/** Whether a choice of a set satisfies none of the old sets. With too many choices it is enough that no old set is satisfied by all of them. */
function hasNewChoice(set: ControlSet, before: readonly ControlSet[]): boolean {
  let choices: readonly (readonly string[])[] = [[]];
  for (const part of set) {
    const more = choicesOf(part);
    if (more === undefined || choices.length * more.length > MAX_CHOICES) return true;
    choices = choices.flatMap((chosen) => more.map((each) => [...chosen, ...each]));
  }
  return choices.some(
    (chosen) =>
      !before.some((old) =>
        old.every(({ count, of }) => of.filter((mspid) => chosen.includes(mspid)).length >= count),
      ),
  );
}

/** All choices of a number of organisations; undefined if there are too many. */
function choicesOf({ count, of }: ControlPart): readonly (readonly string[])[] | undefined {
  let choices: readonly (readonly string[])[] = [[]];
  for (const [at, mspid] of of.entries()) {
    const left = of.length - at;
    choices = choices.flatMap((chosen) => [
      ...(chosen.length < count ? [[...chosen, mspid]] : []),
      ...(count - chosen.length < left ? [chosen] : []),
    ]);
    if (choices.length > MAX_CHOICES) return undefined;
  }
  return choices;
}
