// Runs cases on several networks at a time.

import type { HarmCase } from './case.js';
import { PORTS, type HarmOptions } from './options.js';
import { runCase, type CaseReport } from './run-case.js';

/** Runs cases, several at a time; returns their reports as they end. */
export async function runCases(
  cases: readonly HarmCase[],
  { parallel, firstPort, isRehearsed }: Pick<HarmOptions, 'parallel' | 'firstPort' | 'isRehearsed'>,
  onReport: (report: CaseReport) => void,
): Promise<readonly CaseReport[]> {
  const reports: CaseReport[] = [];
  const queue = cases.values();
  const work = async (_: unknown, slot: number): Promise<void> => {
    for (const each of queue) {
      const report = await runCase(each, firstPort + slot * PORTS, isRehearsed);
      reports.push(report);
      onReport(report);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return reports;
}
