// Makes cases that a seed and a number determine.

import { createRandom, type Random } from '../fuzz/random.js';
import type { HarmCase, NetName, Release, Releases, Update } from './case.js';
import type { HarmOptions } from './options.js';
import { changeAddresses, changeConsenters } from './updates/addresses.js';
import { changeMembers, changeMsp } from './updates/msps.js';
import { changePolicy } from './updates/policies.js';
import { routineUpdate } from './updates/routine.js';
import { changeValue } from './updates/values.js';

/** How often each kind of change is made, of all. */
const KINDS: readonly (readonly [weight: number, make: (random: Random, net: NetName) => Update])[] = [
  [20, routineUpdate],
  [25, changeValue],
  [20, changeMsp],
  [20, changePolicy],
  [6, changeAddresses],
  [7, changeConsenters],
  [2, changeMembers],
];

/** One case in this many has two updates. */
const TWICE = 5;

/** Makes the case with a number of a seed. */
export function caseOf({
  releases,
  net,
  seed,
  number,
}: {
  releases: readonly Release[];
  net: NetName;
  seed: number;
  number: number;
}): HarmCase {
  const random = createRandom(seed + number * 7919);
  const first = updateOf(random, net);
  const updates = random.below(TWICE) === 0 ? [first, updateOf(random, net)] : [first];
  return {
    id: `${releases.join()}/${net}/${seed}/${number}`,
    net,
    releases: releases as unknown as Releases,
    updates,
  };
}

function updateOf(random: Random, net: NetName): Update {
  let at = random.below(KINDS.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, make] of KINDS) {
    if (at < weight) return make(random, net);
    at -= weight;
  }
  throw new Error('no kind of update');
}

/** The cases of a seed; the networks take turns. */
export const generatedCases = ({
  cases,
  seed,
  releases,
  nets,
}: Pick<HarmOptions, 'cases' | 'seed' | 'releases' | 'nets'>): HarmCase[] =>
  Array.from({ length: cases }, (_, number) =>
    caseOf({ releases, net: nets[number % nets.length]!, seed, number }),
  );
