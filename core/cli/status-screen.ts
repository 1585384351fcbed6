// The status of a service as text. Everything that comes from the service is escaped.

import { formatDuration } from '../common/text/duration.js';
import { onOneLine } from '../common/text/one-line.js';
import { table } from '../common/text/table.js';
import type { CertificateStatus } from './certificate-status.js';
import type {
  ChannelStatus,
  CheckStatus,
  ConsensusStatus,
  LevelStatus,
  NodeStatus,
} from './status-documents.js';
import { describeChecks, type StatusReport } from './status-report.js';

/** Longest shown log level, in UTF-16 units. */
const MAX_LEVEL = 60;
/** Certificates that expire later are not shown. */
const SOON = 30;
const DAY = 86_400_000;
/** What JSON does not escape although terminals or line readers may act on it. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029]/g;

/** The report as one line of JSON. */
export function formatJson(report: StatusReport): string {
  const escaped = JSON.stringify(report).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}

/** The report as a screen; what is wrong comes first. @param hasAll whether all certificates are shown */
export function formatScreen(report: StatusReport, { hasAll }: { readonly hasAll: boolean }): string {
  const now = Date.parse(report.time);
  const sections = [
    [headline(report, now)],
    problems(report),
    report.warnings.length === 0 ? [] : ['WARNINGS', ...report.warnings],
    withHeading(
      ['NODE', 'KIND', 'STATE', 'VERSION', 'UPTIME', 'READ', 'LEVEL'],
      report.nodes.map((node) => nodeRow(node, now)),
    ),
    withHeading(['CHANNEL', 'NODE', 'HEIGHT', 'CONSENSUS'], channelRows(report.nodes)),
    withHeading(
      ['CERTIFICATE', 'KIND', 'EXPIRES', 'PATH'],
      certificateRows(report.certificates, now, hasAll),
    ),
    withHeading(
      ['DOCKER ENGINE', 'VERSION'],
      report.engines.map(({ component, version }) => [component, version]),
    ),
    ...report.nodes.map(logLines),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${onOneLine(line)}\n`).join(''))
    .join('\n');
}

function headline({ url, healthy, agent }: StatusReport, now: number): string {
  if (!agent.reachable) return `${url}: not reachable`;
  if (agent.instead !== undefined) return `${url}: this is ${agent.instead}, not the agent`;
  const facts = [
    agent.version === undefined ? [] : [`version ${agent.version}`],
    agent.level === undefined ? [] : [`level ${describeLevel(agent.level, now)}`],
  ].flat();
  const state = healthy ? 'healthy' : 'not healthy';
  const at = `${new Date(now).toISOString().slice(11, 19)} UTC`;
  return `${url} at ${at}: ${state}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function logLines({ name, log }: NodeStatus): string[] {
  if (log === undefined) return [];
  const { source, lines, problem } = log;
  const none = problem === undefined ? 'no warnings and no errors' : `cannot be read: ${problem}`;
  return [`LOG of ${name} (${source})`, ...(lines.length === 0 ? [none] : lines)];
}

function nodeRow(node: NodeStatus, now: number): string[] {
  const { name, kind, up, healthy, version = '-', level } = node;
  const state = up ? (healthy ? 'up' : 'up, not healthy') : 'down';
  const ageOf = (time = ''): string => {
    const age = now - Date.parse(time);
    return Number.isNaN(age) ? '-' : formatPeriod(age);
  };
  const { restarts_last_hour: restarts } = node;
  const uptime = ageOf(node.started_at);
  const read = ageOf(node.last_reading);
  return [
    name,
    kind,
    state,
    version,
    restarts === 0 ? uptime : `${uptime}, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'} in 1h`,
    read === '-' ? read : `${read} ago`,
    level === undefined ? '-' : describeLevel(level, now),
  ];
}

function describeLevel({ spec, reverts_at: end = '' }: LevelStatus, now: number): string {
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

/** One row for each node of a channel, sorted by channel. */
function channelRows(nodes: readonly NodeStatus[]): string[][] {
  const rows = nodes.flatMap(({ name, channels }) =>
    channels.map((channel): [ChannelStatus, string] => [channel, name]),
  );
  // The sort is stable: the nodes of a channel keep their order.
  rows.sort(([a], [b]) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  return rows.map(([{ name, height, consensus, removed }, node]) => [
    name,
    node,
    height === undefined ? '-' : String(height),
    removed === true ? 'removed' : consensus === undefined ? '' : describeConsensus(consensus),
  ]);
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
    const left = days < 0 ? `expired ${end.slice(0, 10)}` : `in ${days} ${days === 1 ? 'day' : 'days'}`;
    return [/(?:^|, )(CN=[^,]*)/.exec(subject)?.[1] ?? subject, kind, left, path];
  });
}

function describeConsensus(consensus: ConsensusStatus): string {
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

function problems({ agent, nodes, errors }: StatusReport): string[] {
  const down = new Map(
    nodes.flatMap(({ name, up, reason = 'no reason given' }) => (up ? [] : [[name, reason]])),
  );
  const checks = [...agent.failed_checks, ...nodes.flatMap((node) => node.failed_checks)]
    // The same problem as that of the node.
    .filter(({ component, reason }) => causeIn(down.get(component)) !== causeIn(reason));
  const all = [
    ...[...down].map(([name, reason]) => `${name} is down: ${reason}`),
    ...describeChecks(unique(checks)),
    ...errors,
  ];
  return all.length === 0 ? [] : ['PROBLEMS', ...all];
}

/** A reason without the resource that was requested: a node that is down refuses every request. */
const causeIn = (reason: string | undefined): string | undefined =>
  reason?.replace(/^GET (\S+)\/(?:metrics|healthz): /, '$1: ');

/** The checks of a node are also those of the agent. */
const unique = (checks: readonly CheckStatus[]): readonly CheckStatus[] => [
  ...new Map(checks.map((check) => [`${check.component} ${check.reason}`, check])).values(),
];

function withHeading(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : table([heading, ...rows.map((row) => row.map(onOneLine))], '', Infinity);
}
