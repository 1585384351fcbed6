// Many runs in a row, with what they found and what they took.

import { makeInput } from './inputs.js';
import { run, type Input, type Outcome } from './targets.js';

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

/** Runs an input; says what is wrong with what came of it, and the time in milliseconds. */
export async function check(
  input: Input,
): Promise<{ outcome?: Outcome; problem?: string; milliseconds: number }> {
  const start = performance.now();
  try {
    const outcome = await run(input);
    return { outcome, milliseconds: performance.now() - start };
  } catch (error) {
    return { problem: (error as Error).stack ?? String(error), milliseconds: performance.now() - start };
  }
}

/**
 * Runs the numbers `first` to `first + runs - 1` of a seed.
 *
 * @param limit a longer run is a finding, in milliseconds
 */
export async function runCampaign(
  samples: readonly Input[],
  { seed, first, runs, limit = Infinity }: { seed: number; first: number; runs: number; limit?: number },
  onFinding: (finding: Finding) => void = () => undefined,
): Promise<Campaign> {
  const counts = { taken: 0, refused: 0 };
  const findings: Finding[] = [];
  let longest = 0;
  for (let number = first; number < first + runs; number += 1) {
    const input = makeInput(samples, seed, number);
    const { outcome, problem: fault, milliseconds } = await check(input);
    const problem = fault ?? (milliseconds > limit ? `took ${Math.round(milliseconds)} ms` : undefined);
    longest = Math.max(longest, milliseconds);
    if (outcome !== undefined) counts[outcome] += 1;
    if (problem === undefined) continue;
    findings.push({ number, input, problem });
    onFinding({ number, input, problem });
  }
  return { counts, findings, longest };
}
