// Verdicts, failures and warnings as lines: of the command `status`, of `check` and of its output for Nagios.

import { groupBy } from '../common/group-by.js';
import { joinLines } from '../common/text/one-line.js';
import { CLOCK, dependsOnClock } from '../health/index.js';
import { VERDICTS, verdictText } from '../status/answer/index.js';
import type { ChannelStatus, CheckStatus, StatusDocument } from '../status/document.js';

/** The problem with the clock of the agent's host, if any. A wrong clock makes the other results unreliable. */
export const clockLines = (problems: StatusDocument['problems']): string[] =>
  problems.flatMap(({ component, reason }) => (component === CLOCK ? [joinLines(reason)] : []));

/** The verdicts that are failures or warnings. */
export const BAD_VERDICTS: ReadonlySet<string | undefined> = new Set(['stopped', 'maintenance', 'at-risk']);
/** Most channel names in one line. */
const MAX_NAMES = 10;

/** One line for each verdict and reason, such as `ch1 stopped: 2 of 3 consenters are down (orderer2, orderer3)`. */
export function verdictLines(channels: readonly ChannelStatus[]): string[] {
  return VERDICTS.flatMap((verdict) => {
    const same = channels.filter((channel) => channel.verdict === verdict);
    return [...groupBy(same, ({ reason = '' }) => reason)].map(([reason, found]) => {
      const names = found.map(({ name }) => name);
      const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
      const shown = `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
      const verb = verdict === 'maintenance' ? (names.length === 1 ? 'is ' : 'are ') : '';
      return `${shown} ${verb}${verdictText(verdict)}: ${joinLines(reason)}`;
    });
  });
}

/**
 * One line for each node that is down, then for each reason of checks that fail.
 *
 * @param isClockWrong whether the clock of the host of the agent is wrong: then a node that cannot be verified is not down
 */
export function problemLines(document: StatusDocument, isClockWrong: boolean): string[] {
  const down = new Map(
    document.nodes.flatMap(({ name, up, reason = 'no reason given' }) =>
      up || (isClockWrong && dependsOnClock(reason)) ? [] : [[name, reason]],
    ),
  );
  const checks = failedChecks(document.problems)
    // The line of the node has the same.
    .filter(({ component, reason }) => causeIn(down.get(component)) !== causeIn(reason));
  return [...[...down].map(([name, reason]) => `${name} is down: ${reason}`), ...describeChecks(checks)];
}

/** The failed checks, sorted by component. */
export const failedChecks = (found: StatusDocument['problems']): CheckStatus[] =>
  found
    .filter(({ state }) => state === 'failed')
    .map(({ component, reason }) => ({ component, reason }))
    .sort((a, b) => (a.component < b.component ? -1 : 1));

/** One line for each reason of checks that need attention. */
export const warningLines = (document: StatusDocument): string[] => [
  ...describeChecks([...document.warnings, ...document.nodes.flatMap((node) => node.warnings)]),
  ...describeChecks(document.unconfirmed).map((line) => `checked again: ${line}`),
];

/** The steps of all problems, each once, with their commands. The steps of a cause are enough. */
export function todoLines(problems: StatusDocument['problems']): string[] {
  const explained = new Set(
    problems.flatMap(({ component, steps }) => (steps.length > 0 ? [component] : [])),
  );
  const lines = problems
    .filter(({ cause }) => cause === undefined || !explained.has(cause))
    .flatMap(({ steps }) =>
      steps.map(({ text, command }) => (command === undefined ? text : `${text} ${command}`)),
    );
  return [...new Set(lines)];
}

/** One line for each reason: file systems and files that several components share are one problem. */
function describeChecks(checks: readonly CheckStatus[]): string[] {
  return [...groupBy(checks, ({ reason }) => joinLines(reason))].map(([reason, [first, ...others]]) => {
    const rest = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${first.component}${rest}: ${reason}`;
  });
}

/** A reason without the requested resource: a node that is down refuses every request. */
const causeIn = (reason: string | undefined): string | undefined =>
  reason?.replace(/^GET (\S+)\/(?:metrics|healthz): /, '$1: ');
