// Runs many inputs and collects findings and run times.

import { makeInput, type Samples } from './inputs.js';
import { run } from './run.js';
import type { Input, Outcome, Fixtures } from './target.js';

/** A fault that one run found. */
export interface Finding {
  readonly number: number;
  readonly input: Input;
  readonly problem: string;
}

/** The result of a campaign. */
export interface Campaign {
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly findings: readonly Finding[];
  /** The longest run, in milliseconds. */
  readonly longest: number;
}

/** Which runs to make, and callbacks. */
export interface CampaignOptions {
  readonly seed: number;
  readonly first: number;
  readonly runs: number;
  /** Longest run of an input, in milliseconds. @default no limit */
  readonly limitOf?: (input: Input) => number;
  /** Called before each run. */
  readonly onRun?: (number: number, input: Input) => void;
  readonly onFinding?: (finding: Finding) => void;
}

/** Runs an input. Returns its outcome or the fault, and the run time in milliseconds. */
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
  const counts = { accepted: 0, refused: 0 };
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
