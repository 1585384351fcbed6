// Monitors the channels of the monitored nodes: their state, their leaders and their changes.

import { channelComponent } from '../common/text/component.js';
import { FailedChecks, type FailedPart, type MetricFactory, type SourceState } from '../contract/index.js';
import type { GaugeFamily } from '../contract/instruments.js';
import { ConditionDurations, valuesByChannel } from '../kit/index.js';
import {
  CHANNELS,
  LONGEST_DOUBT,
  type AgentHealth,
  type Clock,
  type Health,
  type Lag,
} from '../health/index.js';
import { VERDICTS, type Channel, type Quorum } from '../fabric/channel.js';
import { channelsOf, type FabricNode, type FactStore } from '../nodes/index.js';
import type { ConsenterStatus, NodeChannel } from '../status/index.js';
import { verdictText } from '../status/answer/index.js';
import { BlockCounts } from './blocks.js';
import { consentersOf } from './consenters.js';
import { newObservation, withoutLate, type Observation } from './observation.js';
import type { Leader } from './unmonitored.js';
import { judge, unreachedIn, type Judgement } from './verdict.js';

/** How often nodes other than orderers are read, in milliseconds. */
const OTHERS_INTERVAL = 10_000;
/** How long a node may take after its start to report its channels, in milliseconds. */
const START_TIME = 15_000;
/** The shortest time between two events about the leader of a channel, in milliseconds. */
const LEADER_INTERVAL = 10_000;

/** Time until each node was read again: the timeout of a reading and the default interval; milliseconds. */
const NEXT_READING = 7_000;

/** The number of envelopes in the request pool of a BFT orderer; they are not in a block yet. */
const WAITING_FAMILY = 'consensus_smartbft_pool_count_of_elements';
const TRANSACTIONS_FAMILY = 'ledger_transaction_count';

/** The parts of the agent that {@link Channels} uses. */
export interface ChannelsParts {
  readonly nodes: () => readonly Pick<FabricNode, 'name' | 'kind' | 'hasMetrics'>[];
  /** The consenters of a channel that agents of other hosts monitor. @default none */
  readonly consentersElsewhere?: (channel: string) => readonly ConsenterStatus[];
  readonly facts: Pick<FactStore, 'about'>;
  readonly sources: {
    /** With `kind` only nodes of this kind are read. */
    read(options: {
      readonly kind?: FabricNode['kind'];
      readonly signal: AbortSignal;
    }): Promise<readonly SourceState[]>;
  };
  readonly events: {
    happened(component: string, reason: string, fields: Readonly<Record<string, string>>): void;
  };
  readonly metrics: MetricFactory;
  /** The clock of this host. */
  readonly clock: Pick<Clock, 'problem'>;
  /** The lag of this process. */
  readonly lag: Pick<Lag, 'hasLaggedSince'>;
  /**
   * How often the orderers are read and the channels checked, in milliseconds. With 2 s, a frozen orderer is reported within 10 s: the
   * timeout of a reading is 5 s.
   */
  readonly interval: number;
  /** Milliseconds, from a clock that does not jump. @default performance.now */
  readonly now?: () => number;
}

/** A period in which no quorum reports a leader or a view. */
interface Election {
  /** Its start, or the time of the last block; milliseconds. */
  readonly since: number;
  readonly height: number;
  /** The leader and view that each consenter reports, to compare. */
  readonly views: string;
  /** Whether there is a new block since {@link views} changed. */
  readonly hasOrdered: boolean;
}

/** The election after another reading. */
function continued(before: Election | undefined, now: Election): Election {
  const isSame = before?.views === now.views;
  if (before === undefined || (before.hasOrdered && !isSame)) return now;
  // A restarted orderer may have more blocks than the others had: a greater height after a change of the views proves nothing.
  if (isSame && now.height > before.height) return { ...now, hasOrdered: true };
  return { ...now, since: before.since, hasOrdered: before.hasOrdered };
}

/** Returns true if the last reading of a node failed, but not because its host name has never had an address. */
const isDown = (state: SourceState | undefined): boolean =>
  state?.reading === undefined && state?.reason !== undefined && state.isUnresolved !== true;

const byChannel = <Each extends { readonly channel: string }>(
  facts: readonly Each[] = [],
): ReadonlyMap<string, Each> => new Map(facts.map((each) => [each.channel, each]));

/**
 * The failure of a channel. A channel that failed before still fails while its verdict is unknown or it elects a leader.
 *
 * @param before its last failure
 */
function failureOf(
  component: string,
  { verdict, reason, isElecting }: Judgement,
  before: FailedPart | undefined,
): FailedPart | undefined {
  if (verdict === 'stopped') return { component, reason: `stopped: ${reason}` };
  if (verdict === 'at-risk' || verdict === 'maintenance')
    return { component, reason: `${verdictText(verdict)}: ${reason}`, severity: 'warning' };
  if (before === undefined || (verdict === 'working' && !isElecting)) return undefined;
  const [known] = before.reason.split(UNKNOWN_NOW, 1);
  return { ...before, reason: `${known}${UNKNOWN_NOW}${reason}` };
}

/** Separates the last known reason of a failure from why the verdict is unknown. */
const UNKNOWN_NOW = '; it is not known yet whether it works again: ';

/** Monitors the channels of the monitored nodes. */
export class Channels {
  readonly #parts: ChannelsParts;
  readonly #now: () => number;
  readonly #state: GaugeFamily<'channel' | 'state'>;
  readonly #nodes = new Map<string, Observation>();
  readonly #missing = new ConditionDurations();
  /** By channel, while no quorum reports a leader or a view, or while the channel is stopped. */
  readonly #elections = new Map<string, Election>();
  /** What {@link unreachedIn} returned and since when, by channel. */
  readonly #unreached = new Map<string, { readonly count: number; readonly since: number }>();
  /** By channel; `sentAt`: the time of the last event about the leader. */
  readonly #leaders = new Map<string, { readonly leader: Leader; readonly sentAt: number }>();
  /** By channel: its height, and since when envelopes wait for the next block. */
  readonly #heights = new Map<string, { readonly height: number; readonly since: number }>();
  /** By channel: since when it seems to have stopped and why, while this host may be the cause. */
  readonly #doubtful = new Map<string, { readonly since: number; readonly reason: string }>();
  #heldAt = -Infinity;
  /** The time of the last reading. */
  #readAt = -Infinity;
  /** Whether several nodes began to fail in the last reading: all of them, or at least two that did not respond in time. */
  #haveSeveralFailed = false;
  #othersReadAt = -Infinity;
  readonly #blocks = new Map<string, BlockCounts>();
  #verdicts: ReadonlyMap<string, Channel & Judgement> = new Map();
  #inactive: ReadonlyMap<string, Judgement['inactive']> = new Map();
  /** The failures of the last check, by channel. */
  #failed: ReadonlyMap<string, FailedPart> = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ChannelsParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    this.#state = parts.metrics.gauge({
      name: 'channel_state',
      help: 'Whether the channel is in the state (1): working, at-risk (one more failure stops it), maintenance (it accepts no transactions), stopped or unknown.',
      labelNames: ['channel', 'state'],
    });
  }

  /** The verdicts of the last check, by channel. */
  get verdicts(): ReadonlyMap<string, Channel> {
    return this.#verdicts;
  }

  /** By channel, the consenters that do not participate or know no leader. */
  get inactive(): ReadonlyMap<string, Judgement['inactive']> {
    return this.#inactive;
  }

  /** When a channel last seemed to have stopped and was checked again, as `performance.now()`; -Infinity: never. */
  get heldAt(): number {
    return this.#heldAt;
  }

  /** Returns true if consenters of a channel do not participate, and the reason of its verdict names none of them. */
  isUnnamed(channel: string): boolean {
    return this.#verdicts.get(channel)?.isUnnamed === true;
  }

  /** Returns true if it is known whether a channel works, or all nodes are up and none has it. */
  isJudged(channel: string): boolean {
    const judgement = this.#verdicts.get(channel);
    if (judgement === undefined)
      return this.#parts.nodes().every(({ name }) => {
        const { isUp, isStarting } = this.#nodes.get(name) ?? {};
        return isUp === true && isStarting === false;
      });
    return judgement.verdict !== 'unknown' && !judgement.isElecting && !this.#doubtful.has(channel);
  }

  /** The channels that seem to have stopped and are checked again before this is reported. */
  get unconfirmed(): readonly FailedPart[] {
    return [...this.#doubtful].map(([name, { reason }]) => ({ component: channelComponent(name), reason }));
  }

  /** Registers the health check of the channels, if there are nodes. The sources must have started: an earlier reading fails. */
  register(health: Pick<Health, 'register'>): void {
    if (this.#parts.nodes().length > 0)
      health.register(CHANNELS, (signal) => this.check(signal), {
        looksAgain: true,
        onTimeout: 'warning',
      });
  }

  /** Starts to check the channels at each interval, regardless of cached results. */
  start(health: Pick<AgentHealth, 'check'>): void {
    const { nodes, interval } = this.#parts;
    if (nodes().length > 0) this.#timer = setInterval(() => void health.check(CHANNELS), interval).unref();
  }

  /** Stops the checks of {@link start}. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Reads the nodes and judges their channels. Each channel that has stopped or is at risk is a part.
   *
   * @throws FailedChecks
   */
  async check(signal: AbortSignal): Promise<void> {
    const { sources } = this.#parts;
    const isDue = this.#now() - this.#othersReadAt >= OTHERS_INTERVAL;
    const states = await sources.read({ signal, ...(!isDue && { kind: 'orderer' }) });
    signal.throwIfAborted();
    if (isDue) this.#othersReadAt = this.#now();
    const byName = new Map(states.map((state) => [state.name, state]));
    this.#haveSeveralFailed = this.#failAtOnce(byName, isDue);
    this.#update(byName);
    this.#findVerdicts();
    this.#readAt = this.#now();
    this.#failed = new Map(
      [...this.#verdicts].flatMap(([channel, judgement]) => {
        const part = failureOf(channel, judgement, this.#failed.get(channel));
        return part === undefined ? [] : [[channel, part]];
      }),
    );
    if (this.#failed.size > 0) throw new FailedChecks([...this.#failed.values()]);
  }

  /** The new value of {@link #haveSeveralFailed}. @param areAllRead whether peers were read, too */
  #failAtOnce(states: ReadonlyMap<string, SourceState>, areAllRead: boolean): boolean {
    const before = [...this.#nodes.values()].filter(
      ({ kind, isUp }) => isUp === true && (areAllRead || kind === 'orderer'),
    );
    const down = before.filter(({ name }) => isDown(states.get(name)));
    const late = down.filter(({ name }) => states.get(name)?.isLate === true);
    return late.length > 1 || (down.length > 1 && down.length === before.length);
  }

  /** Records the readings of the nodes, and reports changes. */
  #update(states: ReadonlyMap<string, SourceState>): void {
    const now = this.#now();
    const missing: { readonly key: string; readonly node: Observation; readonly channel: string }[] = [];
    for (const { name, kind, hasMetrics } of this.#parts.nodes()) {
      const state = states.get(name);
      if (state === undefined) continue;
      const node = this.#nodes.get(name) ?? newObservation(name, kind);
      this.#nodes.set(name, node);
      const { facts } = this.#parts;
      // Without metrics an orderer does not report which channels it has: it would count as a consenter that lost them.
      if (kind === 'orderer' && !hasMetrics) {
        const configs = facts.about('consenters', name) ?? [];
        node.consenters = byChannel(configs.filter(({ maintenance }) => maintenance !== undefined));
        continue;
      }
      node.consenters = byChannel(facts.about('consenters', name));
      node.key = facts.about('tls', name)?.key ?? node.key;
      for (const { channel, own } of node.consenters.values())
        if (own !== undefined) node.addresses.set(channel, own);
      node.responses = byChannel(facts.about('responses', name));
      const { reading, removedChannels = [] } = state;
      if (reading === undefined) {
        if (isDown(state)) [node.isUp, node.isLate] = [false, state.isLate === true];
        continue;
      }
      node.isLate = false;
      if (node.isUp !== true) node.upSince = now;
      node.isUp = true;
      node.waiting = valuesByChannel(reading, WAITING_FAMILY);
      node.transactions = valuesByChannel(reading, TRANSACTIONS_FAMILY);
      const current = new Map(channelsOf(reading, removedChannels).map((channel) => [channel.name, channel]));
      node.isStarting = now - node.upSince < START_TIME;
      for (const listed of facts.about('channels', name)?.names ?? []) node.listed.add(listed);
      this.#reportChanges(node, current);
      const gone = [...node.channels].filter(
        ([channel, { removed }]) => !current.has(channel) && removed !== true,
      );
      for (const [channel] of gone) missing.push({ key: JSON.stringify([name, channel]), node, channel });
      node.channels = new Map([...current, ...gone]);
      node.missing = new Set(gone.map(([channel]) => channel));
    }
    const durations = this.#missing.record(
      missing.map(({ key }) => key),
      now,
    );
    for (const { key, node, channel } of missing) {
      if ((durations.get(key) ?? 0) < START_TIME) continue;
      node.channels = new Map([...node.channels].filter(([name]) => name !== channel));
      this.#report(channel, `${node.name} no longer has ${channel}`, { node: node.name });
    }
  }

  #reportChanges(
    { name, isStarting, channels: before, listed }: Observation,
    current: ReadonlyMap<string, NodeChannel>,
  ): void {
    for (const [channel, { removed }] of current) {
      const known = before.get(channel);
      const had = known !== undefined && known.removed !== true;
      // The metrics of a node still have a channel that was removed before the agent started: it was never listed.
      if (removed === true && listed.delete(channel))
        this.#report(channel, `${channel} was removed from ${name}`, { node: name });
      else if (removed !== true && !had && !isStarting)
        this.#report(channel, `${name} has joined ${channel}`, { node: name });
    }
  }

  #report(channel: string, reason: string, fields: Readonly<Record<string, string>>): void {
    this.#parts.events.happened(channelComponent(channel), reason, { channel, ...fields });
  }

  #findVerdicts(): void {
    const names = new Set<string>();
    for (const { channels, consenters } of this.#nodes.values()) {
      for (const [name, { removed }] of channels) if (removed !== true) names.add(name);
      for (const name of consenters.keys()) names.add(name);
    }
    const verdicts = new Map([...names].sort().map((name) => [name, this.#stateOf(name)]));
    for (const channel of this.#verdicts.keys())
      if (!verdicts.has(channel)) {
        this.#elections.delete(channel);
        this.#heights.delete(channel);
        this.#blocks.delete(channel);
        this.#unreached.delete(channel);
        this.#leaders.delete(channel);
        this.#doubtful.delete(channel);
        for (const state of VERDICTS) this.#state.remove({ channel, state });
      }
    for (const [channel, { verdict }] of verdicts)
      for (const state of VERDICTS) this.#state.with({ channel, state }).set(state === verdict ? 1 : 0);
    this.#verdicts = verdicts;
    this.#inactive = new Map([...verdicts].map(([channel, { inactive }]) => [channel, inactive]));
  }

  #stateOf(name: string): Channel & Judgement {
    const [judgement, isCertain, quorum] = this.#verdictOf(name);
    const effective = this.#confirmed(name, judgement, isCertain);
    const before = this.#verdicts.get(name);
    const time = Date.now();
    const nodes = [...this.#nodes.values()];
    const heights = nodes.flatMap(({ channels }) => channels.get(name)?.height ?? []);
    const peers = nodes.flatMap(({ name: node, channels, transactions: committed }) => {
      const [height, transactions] = [channels.get(name)?.height, committed.get(name)];
      return height === undefined || transactions === undefined
        ? []
        : [[node, { height, transactions }] as const];
    });
    const blocks = this.#blocks.get(name) ?? new BlockCounts();
    this.#blocks.set(name, blocks);
    if (heights.length > 0) blocks.record(Math.max(...heights), this.#now(), time, new Map(peers));
    return {
      ...effective,
      ...quorum,
      since: before?.verdict === effective.verdict ? before.since : time,
      lastBlockAt: blocks.lastBlockAt,
      blocks: blocks.perMinute,
      transactions: blocks.transactionsPerMinute,
    };
  }

  /** The effective verdict: the previous verdict while it is not confirmed that a channel has stopped. */
  #confirmed(name: string, judgement: Judgement, isCertain: () => boolean): Judgement {
    const { problem } = this.#parts.clock;
    if (problem !== undefined && judgement.verdict !== 'working')
      return { ...judgement, verdict: 'unknown', reason: problem };
    const before = this.#verdicts.get(name);
    const since = this.#doubtful.get(name)?.since;
    this.#doubtful.delete(name);
    if (judgement.verdict !== 'stopped' || before?.verdict === 'stopped') return judgement;
    const now = this.#now();
    const isFirst = since === undefined;
    const isLagging = this.#parts.lag.hasLaggedSince(this.#readAt);
    const limit = isLagging ? LONGEST_DOUBT : NEXT_READING;
    const isDoubtful = isFirst ? isLagging || this.#haveSeveralFailed : now - since < limit && !isCertain();
    if (!isDoubtful) return judgement;
    this.#doubtful.set(name, { since: since ?? now, reason: judgement.reason });
    this.#heldAt = performance.now();
    const reason = `it is checked again, because this host is slow: ${judgement.reason}`;
    return before ?? { ...judgement, verdict: 'unknown', reason };
  }

  /**
   * @returns the verdict, whether it stays the same if the nodes that did not respond in time participate, and the consenters
   */
  #verdictOf(name: string): [judgement: Judgement, isCertain: () => boolean, quorum: Quorum] {
    const nodes = [...this.#nodes.values()];
    const elsewhere = this.#parts.consentersElsewhere?.(name) ?? [];
    const { leader, height, views, hasWaiting, quorum, ...facts } = consentersOf(name, nodes, elsewhere);
    this.#watchLeader(name, leader);
    const now = this.#now();
    const known = this.#heights.get(name);
    const isStalled = hasWaiting && known !== undefined && height <= known.height;
    const newest = isStalled ? known : { height, since: now };
    this.#heights.set(name, newest);
    const election = continued(this.#elections.get(name), { since: now, height, views, hasOrdered: false });
    const hadStopped = this.#verdicts.get(name)?.verdict === 'stopped';
    const count = unreachedIn(facts);
    const before = this.#unreached.get(name);
    const unreached = before?.count === count ? before : { count, since: now };
    this.#unreached.set(name, unreached);
    const times = {
      hadStopped,
      unreachedFor: now - unreached.since,
      electingFor: now - election.since,
      hasOrdered: election.hasOrdered,
      stalledFor: now - newest.since,
    };
    const judgement = judge({ ...facts, ...times });
    if (judgement.isElecting || judgement.verdict === 'stopped') this.#elections.set(name, election);
    else this.#elections.delete(name);
    const isCertain = (): boolean =>
      judge({ ...consentersOf(name, withoutLate(nodes), elsewhere), ...times }).verdict === judgement.verdict;
    return [judgement, isCertain, quorum];
  }

  /** Reports a change of the leader, at most once in {@link LEADER_INTERVAL}. */
  #watchLeader(channel: string, leader: Leader | undefined): void {
    const before = this.#leaders.get(channel);
    if (leader === undefined) return;
    const now = this.#now();
    // With another consensus type the same leader has another key.
    const isSame = leader.key === before?.leader.key || leader.name === before?.leader.name;
    if (before === undefined || isSame) {
      this.#leaders.set(channel, { leader, sentAt: before?.sentAt ?? -Infinity });
    } else if (now - before.sentAt >= LEADER_INTERVAL) {
      this.#leaders.set(channel, { leader, sentAt: now });
      const { name } = leader;
      this.#report(channel, `${name} is the leader of ${channel}; before it was ${before.leader.name}`, {
        leader: name,
      });
    }
  }
}
