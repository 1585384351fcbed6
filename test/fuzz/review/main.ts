// `npm run fuzz -- --target review`: reviews made-up updates and compares acceptance and texts with Fabric's own code.

import { findOracle, type FabricVersion as Release } from '../../e2e/fabric/programs.js';
import { createInputs } from './cases.js';
import { differenceFrom } from './compare.js';
import { Oracle } from './oracle.js';

/** The programs by the version of Fabric that they contain. */
export const PROGRAMS: readonly (readonly [version: string, Release])[] = [
  ['3.1.5', 'v3.1.5'],
  ['3.0.0', 'v3.0.0'],
  ['2.5.12', 'v2.5.12'],
];
/** Shown of each difference, in characters. */
const SHOWN = 600;

/** Which updates are made up. */
interface Range {
  readonly seed: number;
  readonly first: number;
  readonly runs: number;
}

/** What {@link compareReviews} found. */
export interface Comparison {
  readonly compared: number;
  readonly accepted: number;
  /** The current config cannot be used by that version. */
  readonly skipped: number;
  /** How often each kind of difference occurred. */
  readonly classes: ReadonlyMap<string, number>;
}

/**
 * Reviews updates and compares.
 *
 * @param onDifference called with the first difference of each kind
 */
export async function compareReviews(
  { seed, first, runs }: Range,
  onDifference: (text: string) => void,
): Promise<Comparison> {
  const makeInput = createInputs(seed);
  const oracles = PROGRAMS.map(([version, release]) => ({
    version,
    oracle: new Oracle(findOracle(release)),
  }));
  const classes = new Map<string, number>();
  let [compared, accepted, skipped] = [0, 0, 0];
  for (let number = first; number < first + runs; number += 1) {
    const input = makeInput(number);
    for (const { version, oracle } of oracles) {
      const verdict = await oracle.judge({
        config: input.config.toString('base64'),
        envelope: input.envelope.toString('base64'),
        channel: input.channel,
        now: input.now.toISOString(),
        ...(input.active !== undefined && { activeNodes: input.active }),
      });
      if (verdict === undefined) {
        skipped += 1;
        continue;
      }
      compared += 1;
      if (verdict.accepted) accepted += 1;
      const difference = await differenceFrom(verdict, input, version);
      if (difference === undefined) continue;
      const kind = kindOf(difference);
      const count = (classes.get(kind) ?? 0) + 1;
      classes.set(kind, count);
      const where = `--target review --seed ${seed} --first ${number} --runs 1 (${version}, ${input.name}, ${input.changed.join(', ')})`;
      if (count === 1) onDifference(`${where}\n  ${difference.slice(0, SHOWN)}`);
    }
  }
  for (const { oracle } of oracles) oracle.close();
  return { compared, accepted, skipped, classes };
}

/** A difference without names and numbers. */
const kindOf = (difference: string): string =>
  difference
    .replaceAll(/'[^']*'|"[^"]*"|\[[^\]]*\]|\/Channel[^ ,|;]*/g, '…')
    .replaceAll(/[0-9a-f]{8,}|\d+/g, 'N')
    .slice(0, 300);

/** Runs and prints; the exit status is 1 when there is a difference. */
export async function fuzzReviews(range: Range): Promise<0 | 1> {
  const { compared, accepted, skipped, classes } = await compareReviews(range, console.log);
  console.log(`${compared} verdicts compared, ${accepted} accepted, ${skipped} skipped`);
  for (const [kind, count] of [...classes].toSorted(([, left], [, right]) => right - left))
    console.log(`${count} x ${kind}`);
  return classes.size === 0 ? 0 : 1;
}
