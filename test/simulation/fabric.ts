// The simulated Fabric network: nodes that stop, crash, freeze and start, and the channels that they order.

import { SourceError, type SourceFamily, type SourceReading } from '../../core/contract/index.js';
import type { ChannelConsenters } from '../../core/contract/internal/index.js';
import type { Random } from '../fuzz/random.js';
import { addressOf, hostOf, nodeOf, quorumOf, type Setup } from './setup.js';
import type { SimulatedTime } from './time.js';

/** How long an election takes at most, and until the leader counts a consenter that comes or goes; milliseconds. */
const ELECTION = 5_000;
const COUNTED = 5_000;
/** How long the ledger directory of a node is read, in milliseconds. */
const LEDGER = 5_000;
/** Time between two blocks, in milliseconds. */
const BLOCK = 10_000;
/** How long an orderer runs before it listens, in milliseconds. */
const ORDERER_START = 3_000;

/** How a process ends. */
export type End = 'stopped' | 'crashed' | 'killed';

/** A peer or an orderer. */
export class SimulatedNode {
  readonly name: string;
  readonly kind: 'orderer' | 'peer';
  readonly host: string;
  /** How long it runs before it listens, in milliseconds. */
  readonly startTime: number;
  /** `starting`: it runs, but does not listen. */
  state: 'up' | 'down' | 'starting' | 'frozen' = 'up';
  isDiskFull = false;
  /** The start of its process, in seconds since the epoch. */
  startedAt = 0;
  /** Its log. */
  log = '';
  #lines = 0;

  constructor(name: string, kind: 'orderer' | 'peer', startTime: number) {
    this.name = name;
    this.kind = kind;
    this.host = hostOf(name);
    this.startTime = startTime;
  }

  /** Writes a line in Fabric's default format. @param time milliseconds since the epoch */
  write(time: number, text: string, isFirst = false): void {
    this.#lines = isFirst ? 1 : this.#lines + 1;
    const date = new Date(time).toISOString().replace('T', ' ').replace('Z', ' UTC');
    const number = this.#lines.toString(16).padStart(4, '0');
    this.log = `${this.log}${date} ${number} ${text}\n`.slice(-20_000);
  }
}

/** A channel with Raft. */
export interface SimulatedChannel {
  readonly name: string;
  readonly consenters: Set<SimulatedNode>;
  /** The number of the config block. */
  block: number;
  leader: SimulatedNode | undefined;
  /** Whether messages between the consenters are lost, so that they elect no leader. */
  isDisturbed: boolean;
  /** Config updates that wait for a leader. */
  readonly updates: (() => void)[];
  /** How many consenters the leader counts. */
  counted: number;
  /** Blocks until {@link leaderSince}. */
  height: number;
  /** Since when blocks are ordered; NaN: there is no leader. */
  leaderSince: number;
}

/** The nodes and channels of all hosts. */
export class SimulatedFabric {
  readonly nodes: ReadonlyMap<string, SimulatedNode>;
  readonly channels: ReadonlyMap<string, SimulatedChannel>;
  readonly #time: SimulatedTime;
  readonly #random: () => Random;
  readonly #onChange: () => void;
  /** The processes of nodes: a start that was cut short has no effect. */
  readonly #starts = new Map<SimulatedNode, number>();

  /**
   * @param random the random numbers at the time of the call
   * @param onChange called after each change of a node or a channel
   */
  constructor(setup: Setup, time: SimulatedTime, random: () => Random, onChange: () => void) {
    this.#time = time;
    this.#random = random;
    this.#onChange = onChange;
    const nodes = setup.hosts.flatMap(({ name, peerStart }) => [
      new SimulatedNode(nodeOf('orderer', name), 'orderer', ORDERER_START),
      new SimulatedNode(nodeOf('peer', name), 'peer', peerStart * 1000),
    ]);
    this.nodes = new Map(nodes.map((node) => [node.name, node]));
    const orderers = nodes.filter(({ kind }) => kind === 'orderer');
    this.channels = new Map(
      setup.channels.map((name) => [
        name,
        {
          name,
          consenters: new Set(orderers),
          block: 0,
          leader: orderers[0],
          isDisturbed: false,
          updates: [],
          counted: orderers.length,
          height: 1,
          leaderSince: time.now,
        },
      ]),
    );
    for (const node of nodes) this.#begin(node, 'up');
  }

  node(name: string): SimulatedNode {
    return this.nodes.get(name)!;
  }

  /** Ends the process of a node. @returns false if it does not run */
  end(node: SimulatedNode, how: End): boolean {
    if (node.state === 'down') return false;
    if (how === 'stopped')
      node.write(this.#calendar, 'INFO [common] handleSignals -> Received signal: 15 (terminated)');
    if (how === 'crashed') node.write(this.#calendar, 'PANI [common] serve -> index out of range');
    node.state = 'down';
    this.#elect();
    return true;
  }

  /** Starts a node that does not run; it listens later. */
  start(node: SimulatedNode): void {
    if (node.state !== 'down') return;
    this.#begin(node, 'starting');
    const start = (this.#starts.get(node) ?? 0) + 1;
    this.#starts.set(node, start);
    this.#time.later(this.#time.world, node.startTime, () => {
      if (node.state !== 'starting' || this.#starts.get(node) !== start) return;
      node.state = 'up';
      this.#elect();
    });
    this.#onChange();
  }

  /** Freezes a node. @returns false if it is not up */
  freeze(node: SimulatedNode): boolean {
    if (node.state !== 'up') return false;
    node.state = 'frozen';
    this.#elect();
    return true;
  }

  thaw(node: SimulatedNode): void {
    if (node.state !== 'frozen') return;
    node.state = 'up';
    this.#elect();
  }

  /** Changes whether the consenters of a channel reach each other. */
  disturb(channel: SimulatedChannel, isDisturbed: boolean): void {
    channel.isDisturbed = isDisturbed;
    this.#elect();
  }

  /** Adds or removes a consenter with a config block, which needs a leader: without one, as soon as there is one. */
  setConsenter(channel: SimulatedChannel, node: SimulatedNode, isConsenter: boolean): void {
    if (channel.leader === undefined) {
      channel.updates.push(() => this.setConsenter(channel, node, isConsenter));
      return;
    }
    if (isConsenter) channel.consenters.add(node);
    else channel.consenters.delete(node);
    channel.block += 1;
    this.#elect();
  }

  setDisk(node: SimulatedNode, isFull: boolean): void {
    node.isDiskFull = isFull;
    this.#onChange();
  }

  /** The consenters that run. */
  running({ consenters }: SimulatedChannel): SimulatedNode[] {
    return [...consenters].filter(({ state }) => state === 'up');
  }

  /** What the agent reads from a node. @throws SourceError if nothing listens */
  async read(node: SimulatedNode, signal: AbortSignal): Promise<SourceReading> {
    await this.respond(node, signal);
    return { startTime: node.startedAt, families: this.#familiesOf(node) };
  }

  /** Waits for a response of a node. @throws SourceError if nothing listens; the reason of the signal */
  async respond(node: SimulatedNode, signal: AbortSignal): Promise<void> {
    while (node.state === 'frozen') {
      signal.throwIfAborted();
      await this.#time.after(1_000, () => undefined);
    }
    if (node.state === 'up') return;
    const cause = Object.assign(new Error(`connect ECONNREFUSED ${node.name}`), { code: 'ECONNREFUSED' });
    throw new SourceError('unreachable', `GET https://${node.name}:9443: connection refused`, { cause });
  }

  /** Reads the consenters of all channels from the ledger directory of a node. */
  async consentersOf(node: SimulatedNode): Promise<ChannelConsenters[]> {
    await this.#time.after(LEDGER, () => undefined);
    return [...this.channels.values()].map(({ name, block, consenters }) => ({
      channel: name,
      block,
      consensus: 'etcdraft',
      consenters: [...consenters].map((each, index) => ({ address: addressOf(each.name), id: index + 1 })),
      ...(consenters.has(node) && { own: addressOf(node.name) }),
    }));
  }

  #begin(node: SimulatedNode, state: 'up' | 'starting'): void {
    node.state = state;
    node.startedAt = this.#calendar / 1000;
    const first = node.kind === 'peer' ? 'Starting peer:' : 'Orderer config values:';
    node.write(this.#calendar, `INFO [common] serve -> ${first}`, true);
  }

  get #calendar(): number {
    return this.#time.calendar;
  }

  /** Elects leaders after a change of the nodes or channels. */
  #elect(): void {
    for (const channel of this.channels.values()) {
      const running = this.running(channel);
      const canElect = !channel.isDisturbed && running.length >= quorumOf(channel.consenters.size);
      if (channel.leader !== undefined && !(canElect && running.includes(channel.leader)))
        this.#lead(channel, undefined);
      if (canElect && channel.leader === undefined)
        this.#time.later(this.#time.world, 1_000 + this.#random().below(ELECTION), () => this.#win(channel));
      this.#time.later(this.#time.world, 1_000 + this.#random().below(COUNTED), () => this.#count(channel));
    }
    this.#onChange();
  }

  #win(channel: SimulatedChannel): void {
    const running = this.running(channel);
    if (
      channel.leader !== undefined ||
      channel.isDisturbed ||
      running.length < quorumOf(channel.consenters.size)
    )
      return;
    this.#lead(channel, this.#random().pick(running));
    this.#count(channel);
    for (const update of channel.updates.splice(0)) update();
    this.#onChange();
  }

  #lead(channel: SimulatedChannel, leader: SimulatedNode | undefined): void {
    channel.height = this.#heightOf(channel);
    channel.leader = leader;
    channel.leaderSince = leader === undefined ? NaN : this.#time.now;
  }

  #count(channel: SimulatedChannel): void {
    channel.counted = this.running(channel).length;
  }

  #heightOf({ height, leaderSince }: SimulatedChannel): number {
    return Number.isNaN(leaderSince) ? height : height + Math.floor((this.#time.now - leaderSince) / BLOCK);
  }

  #familiesOf(node: SimulatedNode): SourceFamily[] {
    const all = [...this.channels.values()];
    const consenting = all.filter(({ consenters }) => consenters.has(node));
    const heights = gauge('ledger_blockchain_height', all, (channel) => this.#heightOf(channel));
    if (node.kind === 'peer') return [heights];
    const counted = ({ leader, counted: count }: SimulatedChannel): number =>
      leader === undefined ? 0 : count;
    return [
      heights,
      gauge('participation_consensus_relation', all, ({ consenters }) => (consenters.has(node) ? 1 : 2)),
      gauge('participation_status', all, () => 1),
      gauge('consensus_etcdraft_is_leader', consenting, ({ leader }) => (leader === node ? 1 : 0)),
      gauge('consensus_etcdraft_cluster_size', consenting, ({ consenters }) => consenters.size),
      gauge('consensus_etcdraft_active_nodes', consenting, counted),
    ];
  }
}

function gauge(
  name: string,
  channels: readonly SimulatedChannel[],
  valueOf: (channel: SimulatedChannel) => number,
): SourceFamily {
  return {
    name,
    help: name,
    type: 'gauge',
    parts: { namespace: '', subsystem: '', name },
    series: channels.map((channel) => ({ labels: { channel: channel.name }, value: valueOf(channel) })),
  };
}
