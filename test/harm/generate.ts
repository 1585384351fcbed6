// Makes cases that their kind, a seed and a number determine.

import { createRandom, type Random } from '../fuzz/random.js';
import type { HarmCase, NetName, Release, Releases, Update } from './case.js';
import type { HarmOptions, Kind } from './options.js';
import { changeAddresses, changeConsenters } from './updates/addresses.js';
import { changeMembers, changeMsp } from './updates/msps.js';
import { changePolicy } from './updates/policies.js';
import { routineUpdate, routineUpdates } from './updates/routine.js';
import { changeInSteps } from './updates/steps.js';
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

/** How many routine updates a network gets. */
const ROUTINE = 10;

/** The updates of each kind of cases. */
const UPDATES: Readonly<
  Record<Kind, (random: Random, net: NetName) => Pick<HarmCase, 'updates' | 'isStepwise'>>
> = {
  mixed: (random, net) => {
    const first = updateOf(random, net);
    return { updates: random.below(TWICE) === 0 ? [first, updateOf(random, net)] : [first] };
  },
  routine: (random, net) => ({ updates: routineUpdates(random, net, ROUTINE) }),
  steps: (random, net) => ({ updates: changeInSteps(random, net), isStepwise: true }),
};

/** Makes the case with a number of a seed. */
export const caseOf = ({
  releases,
  net,
  kind,
  seed,
  number,
}: {
  releases: readonly Release[];
  net: NetName;
  kind: Kind;
  seed: number;
  number: number;
}): HarmCase => ({
  id: `${releases.join()}/${net}/${kind}/${seed}/${number}`,
  net,
  releases: releases as unknown as Releases,
  ...UPDATES[kind](createRandom(seed + number * 7919), net),
});

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
  kind,
  releases,
  nets,
}: Pick<HarmOptions, 'cases' | 'seed' | 'kind' | 'releases' | 'nets'>): HarmCase[] =>
  Array.from({ length: cases }, (_, number) =>
    caseOf({ releases, net: nets[number % nets.length]!, kind, seed, number }),
  );
