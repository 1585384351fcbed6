// The document of `/status` as the output of a Nagios plugin (Monitoring Plugins Development Guidelines): one line, then performance data.

import { onOneLine } from '../common/text/one-line.js';
import { CLOCK } from '../health/index.js';
import type { StatusDocument } from '../status/document.js';
import { hasWarnings, reportOf } from '../cli/status-report.js';
import { BAD_VERDICTS, clockLines, problemLines, verdictLines, warningLines } from '../cli/status-lines.js';

/** The exit statuses of Nagios plugins. */
export const NAGIOS = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const;

type State = keyof typeof NAGIOS;

/** Longest text before the performance data, in UTF-16 units: agents such as NRPE cut the output at 1024 bytes. */
const MAX_TEXT = 600;
/** The most channels with performance data. */
const MAX_CHANNELS = 50;
const DAY = 86_400_000;

/** The output line, which ends in a line feed, and the state at its start. */
export function formatNagios(document: StatusDocument): { readonly state: State; readonly line: string } {
  const isHealthy = reportOf(document, '').healthy;
  const state = isHealthy ? (hasWarnings(document) ? 'WARNING' : 'OK') : 'CRITICAL';
  const channels = document.channels.filter(({ verdict }) => BAD_VERDICTS.has(verdict));
  const clock = clockLines(document.problems);
  const problems = document.problems.filter(({ component }) => component !== CLOCK);
  const all = [
    ...clock,
    ...verdictLines(channels),
    ...problemLines({ ...document, problems }, clock.length > 0),
    ...warningLines(document),
  ];
  const text = joinShort(
    all.length === 0 ? [`nodes up: ${document.nodes.length}, checks: ${document.checks.length}`] : all,
  );
  return { state, line: `FABRIC ${state} - ${text} | ${performanceData(document)}\n` };
}

/** The output line if nothing could be checked; it ends in a line feed. */
export const formatUnknown = (reasons: readonly string[]): string =>
  `FABRIC UNKNOWN - ${joinShort(reasons)}\n`;

/** Joins the lines that fit, and counts the others. A vertical bar would begin the performance data, so it is replaced. */
function joinShort(lines: readonly string[]): string {
  const [first = '', ...others] = lines.map((line) => onOneLine(line).replaceAll('|', '/'));
  let text = first.length > MAX_TEXT ? `${first.slice(0, MAX_TEXT)}…` : first;
  for (const [index, line] of others.entries()) {
    if (text.length + line.length > MAX_TEXT) return `${text}; and ${others.length - index} more`;
    text += `; ${line}`;
  }
  return text;
}

/** `label=value[unit];[warning];[critical];[minimum];[maximum]` */
function performanceData(document: StatusDocument): string {
  const { nodes, checks, channels, certificates, problems, time } = document;
  const count = (state: string): number => problems.filter((each) => each.state === state).length;
  const up = nodes.filter((node) => node.up).length;
  const [first] = certificates;
  const days = Math.floor((Date.parse(first?.not_after ?? '') - Date.parse(time)) / DAY);
  return [
    `failed=${count('failed')};;0;0`,
    `warnings=${count('warning')};0;;0`,
    `checks=${checks.length};;;0`,
    `nodes_up=${up};;${nodes.length}:;0;${nodes.length}`,
    ...(Number.isNaN(days) ? [] : [`certificate_days=${days}`]),
    ...channels
      .slice(0, MAX_CHANNELS)
      .flatMap(({ name, height }) =>
        height === undefined ? [] : [`'height ${onOneLine(name).replaceAll(/['=|]/g, '_')}'=${height}c;;;0`],
      ),
  ].join(' ');
}
