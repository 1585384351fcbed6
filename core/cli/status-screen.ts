// The status of a service as text and as JSON. Everything that comes from the service is escaped.

import { formatDuration } from '../common/text/duration.js';
import { CLOCK, dependsOnClock } from '../health/index.js';
import { joinLines, onOneLine } from '../common/text/one-line.js';
import { table } from '../common/text/table.js';
import { wrapLine } from '../common/text/wrap.js';
import type {
  CertificateStatus,
  ChannelNode,
  ChannelStatus,
  CheckStatus,
  Consensus,
  DeliveryStatus,
  LevelStatus,
  NodeStatus,
  PeerStatus,
  SilenceStatus,
  StatusDocument,
} from '../status/document.js';
import { scopeText } from '../status/index.js';
import { readStatus } from '../status/read.js';
import type { Terminal } from './command.js';
import { mergeReports } from './status-agents.js';
import type { StatusReport } from './status-report.js';

/** Longest shown log level, in UTF-16 units. */
const MAX_LEVEL = 60;
/** Certificates that expire later are not shown. */
const SOON = 30;
const DAY = 86_400_000;
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
    silences,
    peers,
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
    peers,
    problems,
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

/** Options for printing a screen. */
export interface ScreenOptions {
  /** Whether all certificates are shown. */
  readonly hasAll: boolean;
  /** The width at which sentences are wrapped, in characters. @default they are not wrapped */
  readonly columns?: number | undefined;
}

/** The width of a terminal that does not report it. */
const COLUMNS = 80;

/** The width at which sentences are wrapped; undefined without a terminal, because other programs need one line for each sentence. */
export const columnsOf = (terminal: Terminal | undefined): number | undefined =>
  terminal && (terminal.size().columns || COLUMNS);

/** Formats a report as a screen: first the channels, then the problems. Sentences are wrapped, tables are not. */
export function formatScreen(report: StatusReport, options: ScreenOptions): string {
  const clock = clockLines(report.document?.problems ?? []);
  return screenOf({ ...report, clock, headlines: [headline(report)] }, options);
}

/** Formats the reports of several agents as one screen, with one line for each agent. */
export function formatAgentsScreen(reports: readonly StatusReport[], options: ScreenOptions): string {
  const headlines = reports.map((report) =>
    report.document === undefined ? formatFailure(report) : headline(report),
  );
  const document = mergeReports(reports);
  const time = reports.find((report) => report.document !== undefined)?.time ?? '';
  return screenOf({ time, document, errors: [], clock: [], headlines }, options);
}

/** The parts of a screen. */
interface ScreenParts extends Pick<StatusReport, 'time' | 'document' | 'errors'> {
  /** As of {@link clockLines}. */
  readonly clock: readonly string[];
  /** One line for each agent. */
  readonly headlines: readonly string[];
}

function screenOf(
  { time, document, errors, clock, headlines }: ScreenParts,
  { hasAll, columns = Infinity }: ScreenOptions,
): string {
  const now = Date.parse(time);
  const others = document && withoutVerdicts(document);
  const isClockWrong = clock.length > 0;
  const wrapped = (lines: readonly string[]): string[] =>
    lines.flatMap((line) => wrapLine(onOneLine(line), columns));
  const sections = [
    wrapped(clock),
    wrapped(verdictLines(document?.channels ?? [])),
    wrapped(headlines),
    wrapped(
      withTitle('PROBLEMS', [...(others === undefined ? [] : problemLines(others, isClockWrong)), ...errors]),
    ),
    ...(others === undefined
      ? []
      : [
          wrapped(withTitle('WARNINGS', warningLines(others))),
          ...tables(others, { now, hasAll, isClockWrong }),
          wrapped(withTitle('NOTES', notesOf(others, isClockWrong))),
          ...others.nodes.map((node) => wrapped(logLines(node))),
        ]),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');
}

/** Why there is no status, on one line. */
export const formatFailure = ({ url, instead, errors }: StatusReport): string =>
  onOneLine(`${url}: ${instead === undefined ? errors.join('; ') : `this is ${instead}, not the agent`}`);

const notesOf = ({ agent }: StatusDocument, isClockWrong: boolean): readonly string[] =>
  isClockWrong ? agent.notes.filter((note) => !dependsOnClock(note)) : agent.notes;

/** Options for showing a document. */
interface Shown {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether all certificates are shown. */
  readonly hasAll: boolean;
  /** Whether the clock of the host of the agent is wrong. */
  readonly isClockWrong: boolean;
}

function tables(document: StatusDocument, { now, hasAll, isClockWrong }: Shown): string[][] {
  const { nodes, channels, certificates, engines, levels, plugins, sinks, notifiers, silences, peers } =
    document;
  return [
    silenceTable(silences),
    withHeading(
      ['PLUGIN', 'KIND', 'STATE'],
      plugins.map(({ name, kind, state }) => [name, kind, state]),
    ),
    withHeading(
      ['NODE', 'KIND', 'STATE', 'VERSION', 'UPTIME', 'READ', 'LEVEL'],
      nodes.map((node) => nodeRow(node, levels, now, isClockWrong)),
    ),
    withHeading(['CHANNEL', 'NODE', 'HEIGHT', 'CONSENSUS'], channels.flatMap(channelRows)),
    withHeading(['AGENT', 'STATE', 'NODES', 'URL'], peers.map(peerRow)),
    withHeading(['CERTIFICATE', 'KIND', 'EXPIRES', 'PATH'], certificateRows(certificates, now, hasAll)),
    withHeading(
      ['DOCKER ENGINE', 'VERSION'],
      engines.map(({ component, version }) => [component, version]),
    ),
    withHeading(
      ['SENDS TO', 'STATE', 'LAST DELIVERY'],
      [...sinks.filter(({ path }) => path === undefined), ...notifiers].map((each) => deliveryRow(each, now)),
    ),
  ];
}

/** The problem with the clock of the agent's host, if any. A wrong clock makes the other results unreliable. */
export const clockLines = (problems: StatusDocument['problems']): string[] =>
  problems.flatMap(({ component, reason }) => (component === CLOCK ? [joinLines(reason)] : []));

/** In the order of the screen. */
const VERDICTS = ['stopped', 'at-risk', 'unknown', 'working'];
/** Most channel names in one line. */
const MAX_NAMES = 10;

/** One line for each verdict and reason: `ch1 stopped: 2 of 3 consenters are down (orderer2, orderer3)`. */
export function verdictLines(channels: readonly ChannelStatus[]): string[] {
  return VERDICTS.flatMap((verdict) => {
    const byReason = new Map<string, string[]>();
    for (const { name, verdict: found, reason = '' } of channels)
      if (found === verdict) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
    return [...byReason].map(([reason, names]) => {
      const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
      const shown = `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
      return `${shown} ${verdict.replace('-', ' ')}: ${joinLines(reason)}`;
    });
  });
}

/** The document without the problems and warnings that the first lines of the screen show: the clock and the verdicts. */
function withoutVerdicts(document: StatusDocument): StatusDocument {
  const shown = new Set([
    CLOCK,
    ...document.channels.flatMap(({ name, verdict }) => (verdict === undefined ? [] : [`channels/${name}`])),
  ]);
  const isOther = ({ component }: CheckStatus): boolean => !shown.has(component);
  return {
    ...document,
    problems: document.problems.filter(isOther),
    warnings: document.warnings.filter(isOther),
  };
}

function headline({ time, url, healthy, reachable, instead, document }: StatusReport): string {
  const now = Date.parse(time);
  if (!reachable) return `${url}: not reachable`;
  if (instead !== undefined) return `${url}: this is ${instead}, not the agent`;
  const level = document?.levels.find(({ name }) => name === 'self');
  const facts = [
    ...(document?.agent.version === undefined ? [] : [`version ${document.agent.version}`]),
    ...(level?.spec === undefined ? [] : [`level ${describeLevel(level, now)}`]),
  ];
  const state = healthy ? 'healthy' : 'not healthy';
  const at = `${new Date(now).toISOString().slice(11, 19)} UTC`;
  return `${url} at ${at}: ${state}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function logLines({ name, log }: NodeStatus): string[] {
  if (log === undefined) return [];
  const { source, lines, problem } = log;
  const none =
    problem === undefined ? 'no warnings and no errors since its last start' : `cannot be read: ${problem}`;
  return [`LOG of ${name} (${source}), newest first`, ...(lines.length === 0 ? [none] : lines)];
}

function nodeRow(
  node: NodeStatus,
  levels: readonly LevelStatus[],
  now: number,
  isClockWrong: boolean,
): string[] {
  const { name, kind, up, healthy, version = '-' } = node;
  // The last level of a node that is down no longer holds.
  const level = up ? levels.find((each) => each.name === name) : undefined;
  const down = isClockWrong && dependsOnClock(node.reason ?? '') ? 'unknown' : 'down';
  const state = up ? (healthy ? 'up' : 'up, not healthy') : down;
  const { restarts_last_hour: restarts } = node;
  const uptime = ageOf(node.started_at, now);
  const read = ageOf(node.last_reading, now);
  return [
    name,
    kind,
    state,
    version,
    restarts === 0 ? uptime : `${uptime}, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'} in 1h`,
    read === '-' ? read : `${read} ago`,
    level?.spec === undefined ? '-' : describeLevel(level, now),
  ];
}

/** An agent of another host, such as `healthy` with `3 of 4 up`. */
function peerRow({ name, reachable, reason = '', healthy, nodes, url }: PeerStatus): string[] {
  const up = nodes.filter(({ state }) => state === 'up' || state === 'ailing').length;
  const state = healthy === true ? 'healthy' : 'not healthy';
  return [
    name,
    reachable ? state : `not reachable: ${reason}`,
    reachable ? `${up} of ${nodes.length} up` : '-',
    url,
  ];
}

function deliveryRow({ name, state, delivered_at }: DeliveryStatus, now: number): string[] {
  const age = ageOf(delivered_at, now);
  return [name, state, age === '-' ? 'none yet' : `${age} ago`];
}

function ageOf(time = '', now: number): string {
  const age = now - Date.parse(time);
  return Number.isNaN(age) ? '-' : formatPeriod(age);
}

function describeLevel({ spec = '', reverts_at: end = '' }: LevelStatus, now: number): string {
  const shown = spec.length > MAX_LEVEL ? `${spec.slice(0, MAX_LEVEL)}…` : spec;
  const left = Date.parse(end) - now;
  return Number.isNaN(left) ? shown : `${shown} for ${formatAge(left)}`;
}

/** The largest units of a long time: `12d`, `5h10m`. */
function formatPeriod(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY);
  if (days >= 2) return `${days}d`;
  const minutes = Math.floor(milliseconds / 60_000);
  return minutes < 60 ? formatAge(milliseconds) : `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}

/** Whole seconds. The clocks of two machines differ, so a time can be negative. */
function formatAge(milliseconds: number): string {
  return formatDuration(Math.max(0, Math.round(milliseconds / 1000)) * 1000);
}

/** One row for each node of a channel. */
const channelRows = ({ name, nodes }: ChannelStatus): string[][] =>
  nodes.map((facts) => {
    const { node, height, stale } = facts;
    const shown = height === undefined ? '-' : `${stale === true ? 'last ' : ''}${height}`;
    return [name, node, shown, describeRole(facts)];
  });

/** The role of an orderer in a channel; empty for a peer. */
function describeRole({ removed, consensus, relation, status }: ChannelNode): string {
  if (removed === true) return 'removed';
  const isConsenter = relation === undefined || relation === 'consenter';
  return [
    ...(consensus === undefined ? [] : [describeConsensus(consensus)]),
    ...(isConsenter ? [] : [`${relation} of the channel`]),
    ...(status === undefined || status === 'active' ? [] : [status]),
  ].join(', ');
}

function certificateRows(
  certificates: readonly CertificateStatus[],
  now: number,
  hasAll: boolean,
): string[][] {
  const daysOf = ({ not_after: end }: CertificateStatus): number => Math.floor((Date.parse(end) - now) / DAY);
  const shown = hasAll ? certificates : certificates.filter((each) => daysOf(each) < SOON);
  return shown.map((certificate) => {
    const { subject, kind, not_after: end, path } = certificate;
    const days = daysOf(certificate);
    const left = Number.isNaN(days)
      ? '-'
      : days < 0
        ? `expired ${end.slice(0, 10)}`
        : `in ${days} ${days === 1 ? 'day' : 'days'}`;
    return [/(?:^|, )(CN=[^,]*)/.exec(subject)?.[1] ?? subject, kind, left, path];
  });
}

function describeConsensus(consensus: Consensus): string {
  const {
    type,
    is_leader: isLeader,
    leader_id: leader,
    cluster_size: size,
    active_nodes: active,
  } = consensus;
  const role = isLeader === undefined ? [] : [isLeader ? 'leader' : 'follower'];
  const leaderId = leader === undefined ? [] : [`leader id ${leader}`];
  const total = size === undefined ? '?' : String(size);
  const members = active === undefined ? `${total} nodes` : `${active} of ${total} nodes active`;
  return [type, ...role, ...leaderId, ...(size === undefined && active === undefined ? [] : [members])].join(
    ', ',
  );
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
    // The line of the node says the same.
    .filter(({ component, reason }) => causeIn(down.get(component)) !== causeIn(reason));
  return [...[...down].map(([name, reason]) => `${name} is down: ${reason}`), ...describeChecks(checks)];
}

/** Sorted by component. */
const failedChecks = (found: StatusDocument['problems']): CheckStatus[] =>
  found
    .filter(({ state }) => state === 'failed')
    .map(({ component, reason }) => ({ component, reason }))
    .sort((a, b) => (a.component < b.component ? -1 : 1));

/** One line for each reason of checks that need attention. */
export const warningLines = (document: StatusDocument): string[] =>
  describeChecks([...document.warnings, ...document.nodes.flatMap((node) => node.warnings)]);

/** One line for each reason: file systems and files that several components share are one problem. */
function describeChecks(checks: readonly CheckStatus[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { component, reason } of checks) {
    const text = joinLines(reason);
    byReason.set(text, [...(byReason.get(text) ?? []), component]);
  }
  return [...byReason].map(([reason, [first, ...others]]) => {
    const rest = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${first}${rest}: ${reason}`;
  });
}

/** A reason without the requested resource: a node that is down refuses every request. */
const causeIn = (reason: string | undefined): string | undefined =>
  reason?.replace(/^GET (\S+)\/(?:metrics|healthz): /, '$1: ');

const withTitle = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines];

function withHeading(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : table([heading, ...rows.map((row) => row.map(onOneLine))], '', Infinity);
}

/** The active silences in a table; empty without silences. */
export const silenceTable = (silences: readonly SilenceStatus[]): string[] =>
  withHeading(
    ['SILENCE', 'OF', 'UNTIL', 'BY', 'WHY'],
    silences.map((each) => [each.id, scopeText(each), wholeSeconds(each.until), each.by, each.why]),
  );

/** A time without fractions of a second. */
export const wholeSeconds = (time: string): string => time.replace(/\.\d+Z$/, 'Z');
