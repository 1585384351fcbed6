// Many runs in a row, with what they found and what they took.

import { makeInput, type Samples } from './inputs.js';
import { run } from './run.js';
import type { Input, Outcome, Fixtures } from './target.js';

/** What one run did wrong. */
export interface Finding {
  readonly number: number;
  readonly input: Input;
  readonly problem: string;
}

/** What came of a campaign. */
export interface Campaign {
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly findings: readonly Finding[];
  /** The longest run, in milliseconds. */
  readonly longest: number;
}

/** Which runs, and what to watch. */
export interface CampaignOptions {
  readonly seed: number;
  readonly first: number;
  readonly runs: number;
  /** The longest that the run of an input may take, in milliseconds. @default any time */
  readonly limitOf?: (input: Input) => number;
  /** Called before each run. */
  readonly onRun?: (number: number, input: Input) => void;
  readonly onFinding?: (finding: Finding) => void;
}

/** Runs an input; says what is wrong with what came of it, and the time in milliseconds. */
export async function check(
  input: Input,
  fixtures: Fixtures,
): Promise<{ outcome?: Outcome; problem?: string; milliseconds: number }> {
  const start = performance.now();
  try {
    const outcome = await run(input, fixtures);
    return { outcome, milliseconds: performance.now() - start };
  } catch (error) {
    return { problem: (error as Error).stack ?? String(error), milliseconds: performance.now() - start };
  }
}

/** Runs the numbers `first` to `first + runs - 1` of a seed. */
export async function runCampaign(
  samples: Samples,
  fixtures: Fixtures,
  { seed, first, runs, limitOf, onRun, onFinding }: CampaignOptions,
): Promise<Campaign> {
  const counts = { taken: 0, refused: 0 };
  const findings: Finding[] = [];
  let longest = 0;
  for (let number = first; number < first + runs; number += 1) {
    const input = makeInput(samples, seed, number);
    onRun?.(number, input);
    const { outcome, problem: fault, milliseconds } = await check(input, fixtures);
    const isLate = milliseconds > (limitOf?.(input) ?? Infinity);
    const problem = fault ?? (isLate ? `took ${Math.round(milliseconds)} ms` : undefined);
    longest = Math.max(longest, milliseconds);
    if (outcome !== undefined) counts[outcome] += 1;
    if (problem === undefined) continue;
    findings.push({ number, input, problem });
    onFinding?.({ number, input, problem });
  }
  return { counts, findings, longest };
}
