// `npm run fuzz -- --target control`: who controls what in small random channels, and who gains by updates of them, against trying it.

import { controlDifferences, gainDifferences } from '../helpers/compare-control.js';

/** @returns the exit status */
export async function fuzzControl({
  seed,
  first,
  runs,
}: {
  seed: number;
  first: number;
  runs: number;
}): Promise<0 | 1> {
  let found = 0;
  for (let number = first; number < first + runs; number++) {
    const own = Math.imul(seed, 0x9e3779b1) + number;
    for (const difference of [...(await controlDifferences(own)), ...(await gainDifferences(own))]) {
      console.log(`--target control --seed ${seed} --first ${number} --runs 1: ${difference}`);
      found++;
    }
  }
  console.log(`seed ${seed}, ${runs} channels, ${found} differences`);
  return found === 0 ? 0 : 1;
}
