// `npm run harm -- --cases N --seed S [--kind mixed] [--fabric 3.1.5] [--net raft3] [--parallel P] [--output FILE] [--rehearse] [--case ID]`: updates on
// real networks, and whether their reviews were right. Exit status: 0 nothing to report, 1 disagreements, 2 wrong options.

import { appendFileSync } from 'node:fs';
import { FIXED } from './fixed.js';
import { findFabric, TOOLS } from '../e2e/fabric/programs.js';
import { versionsOf, type HarmCase } from './case.js';
import { caseOf, generatedCases } from './generate.js';
import { parseCaseId, readOptions, UsageError, type HarmOptions } from './options.js';
import { caseText, summaryText } from './report.js';
import { hasDisagreement } from './run-case.js';
import { runCases } from './run-cases.js';

function casesOf(options: HarmOptions): readonly HarmCase[] {
  const { only } = options;
  if (only === undefined) return generatedCases(options);
  const fixed = FIXED.find(({ id }) => id === only);
  if (fixed !== undefined) return [fixed];
  const parsed = parseCaseId(only);
  if (parsed === undefined)
    throw new UsageError(
      `--case ${only}: unknown; allowed are RELEASES/NET/KIND/SEED/NUMBER, and ${FIXED.map(({ id }) => id).join(', ')}`,
    );
  return [caseOf(parsed)];
}

/** Finds the programs of all releases before the first case. @throws UsageError that says where they may be */
function findPrograms(cases: readonly HarmCase[]): void {
  const versions = new Set([TOOLS, ...cases.flatMap(({ releases }) => versionsOf(releases))]);
  try {
    for (const each of versions) findFabric(each);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @returns the exit status */
async function main(args: readonly string[]): Promise<0 | 1 | 2> {
  let options: HarmOptions;
  let cases: readonly HarmCase[];
  try {
    options = readOptions(args);
    cases = casesOf(options);
    findPrograms(cases);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
  const { output } = options;
  const reports = await runCases(cases, options, (report) => {
    if (output !== undefined) appendFileSync(output, `${JSON.stringify(report)}\n`);
    console.log(caseText(report));
  });
  console.log(summaryText(reports));
  return reports.some(hasDisagreement) ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
