// `npm run simulate -- --seed 7 --days 30 --hosts 3`: simulates alarms, and prints the shortest story of each violated invariant.

import { parseArgs } from 'node:util';
import { createRandom } from '../fuzz/random.js';
import { drawActions } from './actions.js';
import { violationsOf, type Violation } from './invariants.js';
import { storyLines, summaryOf, testOf, violationLine } from './print.js';
import { drawSetup } from './setup.js';
import { shrink } from './shrink.js';
import { simulate, type History } from './world.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '30' },
    hosts: { type: 'string', default: '3' },
    channels: { type: 'string', default: '2' },
    invariant: { type: 'string' },
    brief: { type: 'boolean', default: false },
  },
});
const [seed, seeds, days, hosts, channels] = [
  values.seed,
  values.seeds,
  values.days,
  values.hosts,
  values.channels,
].map(Number) as [number, number, number, number, number];

/** The violations whose stories are printed: the first one of each invariant. */
const firsts = (violations: readonly Violation[]): Violation[] =>
  violations.filter(
    ({ invariant }, index) => violations.findIndex((each) => each.invariant === invariant) === index,
  );

async function printStories(
  history: History,
  current: number,
  violations: readonly Violation[],
): Promise<void> {
  for (const violation of firsts(violations)) {
    const story = await shrink(history, current, violation);
    console.log(`\n${violationLine(violation)}\n`);
    for (const line of storyLines(story)) console.log(`  ${line}`);
    console.log(`\n${testOf(story)}`);
  }
}

/** Simulates one seed. @returns whether no invariant is violated */
async function simulateSeed(current: number): Promise<boolean> {
  const random = createRandom(current);
  const setup = drawSetup(random, hosts, channels);
  const actions = drawActions(random, setup, days);
  const started = process.cpuUsage();
  const history = await simulate(setup, actions, current);
  const { user, system } = process.cpuUsage(started);
  // It differs from run to run.
  console.error(`seed ${current}: ${((user + system) / 1e6).toFixed(1)}s of CPU`);
  const violations = violationsOf(history).filter(
    ({ invariant }) => values.invariant === undefined || String(invariant) === values.invariant,
  );
  console.log(`seed ${current}, ${days} days: ${summaryOf(history)}, ${violations.length} violations`);
  if (values.brief) for (const violation of violations) console.log(violationLine(violation));
  else await printStories(history, current, violations);
  if (violations.length > 0)
    console.log(
      `\nrepeat with: npm run simulate -- --seed ${current} --days ${days} --hosts ${hosts} --channels ${channels}`,
    );
  return violations.length === 0;
}

let isPassed = true;
for (let current = seed; current < seed + seeds; current += 1)
  isPassed = (await simulateSeed(current)) && isPassed;
process.exitCode = isPassed ? 0 : 1;
