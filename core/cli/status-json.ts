// The status of one or several services as JSON that is safe on a terminal.

import type { LevelStatus } from '../status/document.js';
import { readStatus } from '../status/read.js';
import { mergeReports } from './status-agents.js';
import { failedChecks, warningLines } from './status-lines.js';
import type { StatusReport } from './status-report.js';

/** Characters that JSON does not escape although terminals or line readers may interpret them. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029]/g;

/** The report as one line of JSON; its members are documented in core/cli/README.md. */
export const formatJson = (report: StatusReport): string => jsonLine(reportJson(report));

/** The reports of several agents as one line of JSON, with the channels of all. */
export const formatAgentsJson = (reports: readonly StatusReport[]): string =>
  jsonLine({
    time: reports[0]?.time,
    healthy: reports.every(({ healthy }) => healthy),
    agents: reports.map(reportJson),
    channels: mergeReports(reports).channels,
  });

function reportJson({ time, url, healthy, reachable, instead, document, errors }: StatusReport): object {
  const {
    agent,
    nodes,
    levels,
    channels,
    certificates,
    engines,
    plugins,
    sinks,
    notifiers,
    problems,
    unconfirmed,
    silences,
    agents,
  } = document ?? readStatus('{}');
  const levelOf = (name: string): Omit<LevelStatus, 'name'> | undefined => {
    const level = levels.find((each) => each.name === name);
    return level?.spec === undefined ? undefined : { spec: level.spec, reverts_at: level.reverts_at };
  };
  return {
    time,
    url,
    healthy,
    agent: {
      reachable,
      instead,
      ...(document && agent),
      healthy: agent.healthy,
      failed_checks: failedChecks(problems),
      level: levelOf('self'),
    },
    nodes: nodes.map((node) => ({ ...node, level: levelOf(node.name) })),
    channels,
    certificates,
    engines,
    plugins,
    sinks,
    notifiers,
    silences,
    agents,
    problems,
    unconfirmed,
    warnings: document === undefined ? [] : warningLines(document),
    errors,
  };
}

/** A value as one line of JSON that is safe on a terminal. */
export function jsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}
