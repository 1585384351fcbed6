// The rows of the page: the channels with their nodes below, and the nodes without a channel. Works without a browser.

import type {
  ChannelNode,
  ChannelStatus,
  ConsenterStatus,
  NodeStatus,
  Problem,
  Span,
  StatusDocument,
} from '../status/document.js';
import {
  ageText,
  causesOf,
  certificateIn,
  countText,
  isLag,
  listText,
  type ViewTime,
  numberText,
  plannedOf,
  sinceText,
  type State,
  VERDICTS,
  withoutUrl,
} from '../status/answer/index.js';
import { hostRows, type HostRow } from './agents.js';
import { axisOf, laneOf, type Axis, type Lane } from './lanes.js';
import { leaseText } from './levels.js';

/** A node as a dot with its name. */
export interface Dot {
  readonly name: string;
  readonly state: State;
  /** Its state in words. */
  readonly words: string;
}

/** Something about a node that is not usual. */
interface Badge {
  readonly text: string;
  readonly isWarning: boolean;
}

/** A node. */
export interface NodeRow {
  readonly name: string;
  readonly state: State;
  /** Its role, or how it fails. */
  readonly words: string;
  /** Its height; empty: unknown. */
  readonly height: string;
  readonly badges: readonly Badge[];
  readonly lane: Lane;
  /** Whether nothing about it is unusual. */
  readonly isFine: boolean;
}

/** A channel. */
export interface ChannelRow {
  readonly name: string;
  readonly state: State;
  readonly consenters: readonly Dot[];
  /** `2 of 3 needed`; empty: one orderer, or unknown. */
  readonly needs: string;
  /** Nodes that are no consenters. */
  readonly others: readonly Dot[];
  readonly height: string;
  /** `125 tx/min`; without a monitored peer `12 blocks/min`; of the last minute that has ended. */
  readonly rate: string;
  /** The same numbers of each of the last minutes, and what they are in words. */
  readonly minutes: { readonly counts: readonly number[]; readonly words: string };
  /** `newest 3 s ago`; empty: no block since the agent started. */
  readonly newest: string;
  readonly lane: Lane;
  /** The nodes that no row above has. */
  readonly nodes: readonly NodeRow[];
}

/** All rows. */
export interface Rows {
  readonly axis: Axis;
  /** Set while the agent lags and knows no failure: the states are the last known ones. */
  readonly isUncertain: boolean;
  readonly channels: readonly ChannelRow[];
  /** The nodes without a channel. */
  readonly nodes: readonly NodeRow[];
  readonly hosts: readonly HostRow[];
}

/** The data that rows are created from. */
interface RowSource extends ViewTime {
  readonly document: StatusDocument;
  readonly events: readonly Problem[];
}

/** The rows of a document: channels that are not fine come first. */
export function rowsOf(source: RowSource): Rows {
  const { document } = source;
  const axis = axisOf(document, source);
  const left = new Map(document.nodes.map((node) => [node.name, node]));
  const channels = document.channels
    .toSorted((one, other) => rankOf(one, document) - rankOf(other, document))
    .map((channel) => channelRow(channel, left, axis, source));
  return {
    axis,
    isUncertain: document.problems.length > 0 && document.problems.every(isLag),
    channels,
    nodes: [...left.values()].map((node) => nodeRow(node, undefined, axis, source)),
    hosts: hostRows(document, source),
  };
}

/** The lower, the sooner. A channel with a node that is not up comes before those that are fine. */
function rankOf(channel: ChannelStatus, { nodes }: StatusDocument): number {
  const hasOutage = namesIn(channel).some((name) => nodes.find((each) => each.name === name)?.up === false);
  return 2 * Math.max(0, VERDICTS.indexOf(channel.verdict ?? 'unknown')) + (hasOutage ? 0 : 1);
}

/** The monitored nodes of a channel, consenters first. */
const namesIn = ({ consenters, nodes }: ChannelStatus): string[] => [
  ...new Set([...consenters.flatMap(({ node }) => node ?? []), ...nodes.map(({ node }) => node)]),
];

const CHANNEL_STATES: Readonly<Record<string, State>> = {
  working: 'works',
  'at-risk': 'risk',
  maintenance: 'risk',
  stopped: 'stopped',
};

/** @param left the nodes that no row has yet; the nodes of the channel are removed from it */
function channelRow(
  channel: ChannelStatus,
  left: Map<string, NodeStatus>,
  axis: Axis,
  source: RowSource,
): ChannelRow {
  const { document, events, zone } = source;
  const { name, verdict = 'unknown', consenters, needed, height, past } = channel;
  const nodes = namesIn(channel).flatMap((each) => left.get(each) ?? []);
  for (const node of nodes) left.delete(node.name);
  const voting = new Set(consenters.map((each) => each.name));
  const component = `channels/${name}`;
  const open = document.problems.filter((each) => each.component === component);
  return {
    name,
    state: stale(
      source,
      open.length > 0 && open.every(({ silenced }) => silenced === true)
        ? 'planned'
        : (CHANNEL_STATES[verdict] ?? 'unknown'),
    ),
    consenters: consenters.map((each) => consenterDot(each, source)),
    needs: needed === undefined || consenters.length < 2 ? '' : `${needed} of ${consenters.length} needed`,
    others: channel.nodes.filter(({ node }) => !voting.has(node)).map(({ node }) => nodeDot(node, source)),
    height: height === undefined ? '' : countText(height, 'block'),
    ...flowOf(channel, source),
    lane: laneOf({ axis, component, past, open, events, zone }),
    nodes: nodes.map((node) => nodeRow(node, channel, axis, source)),
  };
}

/** How much a channel orders. */
function flowOf(
  { verdict, blocks, transactions = [], last_block_at: last }: ChannelStatus,
  { now }: RowSource,
): Pick<ChannelRow, 'rate' | 'minutes' | 'newest'> {
  const isCounted = transactions.length > 0;
  const counts = isCounted ? transactions : blocks;
  const rate = verdict === 'stopped' ? 0 : (counts.at(-1) ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const age = sinceText(last, now);
  return {
    rate: counts.length === 0 ? '' : `${isCounted ? `${numberText(rate)} tx` : countText(rate, 'block')}/min`,
    minutes: {
      counts,
      words: `${countText(total, isCounted ? 'transaction' : 'block')} in the last ${countText(counts.length, 'minute')}`,
    },
    newest: last === undefined ? '' : `newest ${age === '' ? 'just now' : `${age} ago`}`,
  };
}

/** Without word from the agent every state is old. */
const stale = ({ lostAt }: RowSource, state: State): State => (lostAt === undefined ? state : 'stale');

const CONSENTER_STATES: Readonly<Record<string, readonly [state: State, words: string]>> = {
  active: ['works', 'participates'],
  electing: ['risk', 'knows no leader'],
  down: ['stopped', 'is down'],
  silent: ['silent', 'does not respond'],
  absent: ['stopped', 'does not participate'],
};

function consenterDot({ name, state, outage, leader }: ConsenterStatus, source: RowSource): Dot {
  const [usual, words] = CONSENTER_STATES[state] ?? ['unknown', 'is not monitored'];
  const isPlanned = usual === 'stopped' || usual === 'silent' ? plannedOf(name, source.document) : undefined;
  const shown = isPlanned === undefined ? usual : 'planned';
  return { name, state: stale(source, shown), words: leader ? 'leads' : (outage ?? words) };
}

function nodeDot(name: string, source: RowSource): Dot {
  const node = source.document.nodes.find((each) => each.name === name);
  const state = node === undefined ? 'unknown' : nodeState(node, source.document);
  return { name, state: stale(source, state), words: node === undefined || node.up ? 'is up' : 'is down' };
}

/** The failures of the checks of a node that nothing else explains. */
function ownProblems(node: NodeStatus, document: StatusDocument): readonly Problem[] {
  const roots = causesOf(document).flatMap(({ problem, same }) => [problem, ...same]);
  return roots.filter((each) => each.node === node.name && each.component !== node.name);
}

/** The channels of which a node is a consenter that knows no leader. */
const leaderlessOf = ({ name }: NodeStatus, { channels }: StatusDocument): readonly string[] =>
  channels
    .filter(({ consenters }) => consenters.some(({ node, state }) => node === name && state === 'electing'))
    .map((channel) => channel.name);

function nodeState(node: NodeStatus, document: StatusDocument): State {
  const { up, state } = node;
  if (up)
    return ownProblems(node, document).length === 0 && leaderlessOf(node, document).length === 0
      ? 'works'
      : 'risk';
  if (plannedOf(node.name, document) !== undefined) return 'planned';
  return state === 'silent' ? 'silent' : state === 'unknown' ? 'unknown' : 'stopped';
}

function nodeRow(
  node: NodeStatus,
  channel: ChannelStatus | undefined,
  axis: Axis,
  source: RowSource,
): NodeRow {
  const { document, events, zone } = source;
  const { name, past } = node;
  const own = ownProblems(node, document);
  const state = nodeState(node, document);
  const leaderless = node.up ? leaderlessOf(node, document) : [];
  const inChannel = channel?.nodes.find((each) => each.node === name);
  const badges = [...leaderlessBadges(leaderless, channel), ...badgesOf(node, source)];
  const lag = lagOf(inChannel, channel);
  return {
    name,
    state: stale(source, state),
    words: wordsOf(node, inChannel, channel, own, source),
    height: heightText(inChannel, lag),
    badges,
    lane: laneOf({
      axis,
      component: name,
      past: past.filter((span) => !isConsequence(span, name, document)),
      open: document.problems.filter(
        (each) =>
          (each.node === name && (each.component === name || own.includes(each))) ||
          leaderless.some((other) => each.component === `channels/${other}`),
      ),
      events,
      zone,
    }),
    isFine: state === 'works' && badges.length === 0 && lag === 0,
  };
}

/** Whether a check failed while its node was down or a channel of its node was not working: the lane shows that instead. */
function isConsequence(
  { component, from, to }: Span,
  node: string,
  { nodes, channels, problems }: StatusDocument,
): boolean {
  if (component === node) return false;
  const own = nodes.find(({ name }) => name === node);
  const ofNode = own?.past.filter((span) => span.component === node) ?? [];
  const ofChannels = channels
    .filter((channel) => namesIn(channel).includes(node))
    .flatMap(({ past }) => past);
  const causes = problems.filter((each) => each.component === node || each.kind === 'channel');
  return (
    [...ofNode, ...ofChannels].some((span) => span.from <= to && span.to >= from) ||
    causes.some(({ since }) => since <= to)
  );
}

function wordsOf(
  node: NodeStatus,
  inChannel: ChannelNode | undefined,
  channel: ChannelStatus | undefined,
  own: readonly Problem[],
  { document, now }: RowSource,
): string {
  // A node is found to be down before its check fails.
  const since =
    document.problems.find(({ component }) => component === node.name)?.since ?? node.last_reading;
  const age = sinceText(since, now);
  const period = age === '' ? '' : ` for ${age}`;
  if (!node.up) {
    if (node.state === 'silent') return `no response${period}`;
    if (node.state === 'down') return `down${period}`;
    return node.state === 'unknown' ? 'not read yet' : withoutUrl(node.reason ?? 'cannot be read');
  }
  const checks = own.filter((each) => each.kind !== 'certificates');
  const failed = checks.filter((each) => each.state === 'failed').length;
  const warnings = checks.length - failed;
  return [
    ...roleOf(inChannel, channel),
    ...(failed > 0 ? [`${countText(failed, 'check')} ${failed === 1 ? 'fails' : 'fail'}`] : []),
    ...(warnings > 0 ? [countText(warnings, 'warning')] : []),
  ].join(', ');
}

/** The role of an orderer in the channel of its row. */
function roleOf(node: ChannelNode | undefined, channel: ChannelStatus | undefined): string[] {
  if (node === undefined) return [];
  if (node.removed === true) return ['removed'];
  const { consensus, relation = 'consenter', status = 'active' } = node;
  const isConsenter = relation === 'consenter';
  const leads = channel?.consenters.some((each) => each.node === node.node && each.leader) === true;
  const isElecting =
    channel?.consenters.some((each) => each.node === node.node && each.state === 'electing') === true;
  return [
    ...(consensus === undefined || !isConsenter || isElecting ? [] : [leads ? 'leader' : 'follower']),
    ...(isConsenter ? [] : [`${relation} of the channel`]),
    ...(status === 'active' ? [] : [status]),
  ];
}

/** How many blocks a node is behind its channel; 0 if that is unknown. */
function lagOf(node: ChannelNode | undefined, channel: ChannelStatus | undefined): number {
  if (node?.height === undefined || node.stale === true) return 0;
  return (channel?.height ?? node.height) - node.height;
}

/** @param lag how many blocks it is behind */
function heightText(node: ChannelNode | undefined, lag: number): string {
  if (node?.height === undefined) return '';
  const blocks = countText(node.height, 'block');
  return node.stale === true ? `had ${blocks}` : `${blocks}${lag > 0 ? `, ${numberText(lag)} behind` : ''}`;
}

/** @param channels where it knows no leader @param channel the channel of its row */
function leaderlessBadges(channels: readonly string[], channel: ChannelStatus | undefined): Badge[] {
  if (channels.length === 0) return [];
  const where = channels.includes(channel?.name ?? '') ? '' : ` in ${listText(channels)}`;
  return [{ text: `no leader${where}`, isWarning: true }];
}

function badgesOf(node: NodeStatus, { document, now, lostAt }: RowSource): Badge[] {
  const ends = causesOf(document)
    .filter(({ problem, same }) => [problem, ...same].some((each) => each.node === node.name))
    .flatMap((cause) => Date.parse(certificateIn(cause, document)?.not_after ?? ''))
    .filter((end) => !Number.isNaN(end));
  const level = document.levels.find(({ name }) => name === node.name);
  const lease = level === undefined ? undefined : leaseText(level, lostAt ?? now);
  const planned = plannedOf(node.name, document);
  return [
    ...(planned === undefined ? [] : [{ text: `planned: ${planned.why}`, isWarning: false }]),
    ...(ends.length === 0 ? [] : [{ text: certificateText(Math.min(...ends) - now), isWarning: true }]),
    ...(lease === undefined ? [] : [{ text: `log: ${lease}`, isWarning: false }]),
    ...(node.restarts_last_hour < 2
      ? []
      : [{ text: `${countText(node.restarts_last_hour, 'restart')} in 1 h`, isWarning: true }]),
  ];
}

const certificateText = (rest: number): string =>
  rest < 0 ? 'certificate expired' : `certificate expires in ${ageText(rest)}`;

/** Whether the nodes of a channel are shown below it: something about it or them is not fine. */
export const isOpen = ({ state, nodes }: ChannelRow): boolean =>
  state === 'risk' ||
  state === 'planned' ||
  state === 'stopped' ||
  nodes.some((node) => !node.isFine && node.state !== 'stale');
