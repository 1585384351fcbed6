// The tables of the command `status`. Everything that comes from the agent is escaped.

import { formatDuration } from '../common/text/duration.js';
import { onOneLine } from '../common/text/one-line.js';
import { table } from '../common/text/table.js';
import { dependsOnClock } from '../health/index.js';
import type {
  CertificateStatus,
  ChannelNode,
  ChannelStatus,
  Consensus,
  ConsenterStatus,
  DeliveryStatus,
  LevelStatus,
  NodeStatus,
  OtherAgentStatus,
  SilenceStatus,
  StatusDocument,
} from '../status/document.js';
import { VERDICTS } from '../status/answer/index.js';
import { scopeText } from '../status/index.js';

/** Longest shown log level, in UTF-16 units. */
const MAX_LEVEL = 60;
/** Certificates that expire later are not shown. */
const SOON = 30;
const DAY = 86_400_000;
/** Most channels that work in a table of channels. */
const MAX_WORKING = 8;

/** Options for showing a document. */
export interface Shown {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether all certificates are shown. */
  readonly hasAll: boolean;
  /** Whether the clock of the host of the agent is wrong. */
  readonly isClockWrong: boolean;
}

/** All tables except empty ones. @param channels as of {@link channelTable} or {@link channelNodeTable} */
export function tables(
  document: StatusDocument,
  { now, hasAll, isClockWrong }: Shown,
  channels: string[],
): string[][] {
  const { nodes, certificates, engines, levels, plugins, sinks, notifiers, silences, agents } = document;
  return [
    silenceTable(silences),
    withHeading(
      ['PLUGIN', 'KIND', 'STATE'],
      plugins.map(({ name, kind, state }) => [name, kind, state]),
    ),
    channels,
    withHeading(
      ['NODE', 'KIND', 'STATE', 'VERSION', 'UPTIME', 'READ', 'LEVEL'],
      nodes.map((node) => nodeRow(node, levels, now, isClockWrong)),
    ),
    withHeading(['AGENT', 'STATE', 'NODES', 'URL'], agents.map(agentRow)),
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

function nodeRow(
  node: NodeStatus,
  levels: readonly LevelStatus[],
  now: number,
  isClockWrong: boolean,
): string[] {
  const { name, kind, up, healthy, version = '-' } = node;
  // The last level of a node that is down no longer holds.
  const level = up ? levels.find((each) => each.name === name) : undefined;
  const isUnknown = isClockWrong && dependsOnClock(node.reason ?? '');
  const state = up ? (healthy ? 'up' : 'up, not healthy') : isUnknown ? 'unknown' : node.state || 'down';
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
function agentRow({ name, reachable, reason = '', healthy, nodes, url }: OtherAgentStatus): string[] {
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

/** A level, and how long it still holds. @param now milliseconds since the epoch */
export function describeLevel({ spec = '', reverts_at: end = '' }: LevelStatus, now: number): string {
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
export const channelNodeTable = ({ channels }: StatusDocument): string[] =>
  withHeading(
    ['CHANNEL', 'NODE', 'HEIGHT', 'CONSENSUS'],
    channels.flatMap(({ name, nodes }) =>
      nodes.map((facts) => {
        const { node, height, stale } = facts;
        const shown = height === undefined ? '-' : `${stale === true ? 'last ' : ''}${height}`;
        return [name, node, shown, describeRole(facts)];
      }),
    ),
  );

/** The channels in the order of their verdicts, the worst first, without most of those that work. */
export function shownChannels({ channels }: StatusDocument): readonly ChannelStatus[] {
  const rankOf = ({ verdict }: ChannelStatus): number => VERDICTS.indexOf(verdict ?? '');
  const shown = channels.toSorted((one, other) => rankOf(one) - rankOf(other));
  const working = channels.filter(({ verdict }) => verdict === 'working').length;
  return shown.slice(0, shown.length - Math.max(0, working - MAX_WORKING));
}

/** One row for each of {@link shownChannels}. */
export const channelTable = (document: StatusDocument): string[] =>
  withHeading(
    ['CHANNEL', 'STATE', 'HEIGHT', 'LEADER', 'ORDERERS', 'PEERS'],
    shownChannels(document).map(({ name, verdict, height, consenters, nodes }) => [
      name,
      verdict?.replace('-', ' ') ?? '-',
      height === undefined ? '-' : String(height),
      consenters.find(({ leader }) => leader)?.name ?? '-',
      orderersText(consenters),
      peersText(nodes, height ?? 0),
    ]),
  );

/** `2 of 3 active` */
function orderersText(consenters: readonly ConsenterStatus[]): string {
  const active = consenters.filter(({ state }) => state === 'active' || state === 'electing').length;
  return consenters.length === 0 ? '-' : `${active} of ${consenters.length} active`;
}

/** The number of peers, or of those that have the newest block or the one before: `1 of 2 up to date`. */
function peersText(nodes: readonly ChannelNode[], newest: number): string {
  const peers = nodes.filter(({ kind }) => kind === 'peer');
  const current = peers.filter(
    ({ height, stale }) => stale !== true && (height ?? newest) >= newest - 1,
  ).length;
  if (peers.length === 0) return '-';
  return current === peers.length ? String(current) : `${current} of ${peers.length} up to date`;
}

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
