// Tries on a running copy what nodes, admins and clients of a channel do every day, and collects what fails.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  addressText,
  channelOf,
  consentersOf,
  bftQuorum,
  raftQuorum,
  type Channel,
  type Config,
  type ConfigGroup,
  type Organization,
  type Policy,
} from '../channel/index.js';
import { changeGroup, unsignedUpdate, withPolicy } from '../edit/index.js';
import { parseSignaturePolicy, POLICY_TYPE, writeSignaturePolicy } from '../policy/index.js';
import { signedBy, transactionOf, type Answer, type ConfigBlock, type Person } from './channel.js';
import { ALL, type Loss, type Phase, type Probe } from './losses.js';
import { belongsTo } from './members.js';
import { adminOf, heightOf, newestConfig, runPeer, type Network } from './network.js';
import type { FabricProcess } from './nodes.js';

/** Time between two tries, in milliseconds. */
const PAUSE = 250;
/** How long a command waits for its transaction. */
const EVENT_TIMEOUT = '8s';
/** How long an accepted update may take until its block, in milliseconds. */
const ORDERED_WITHIN = 6_000;
/** How long peers may take to get the block of an update, in milliseconds: they may never get it. */
const APPLIED_WITHIN = 5_000;

/** Options of {@link Looks}. */
export interface LookOptions {
  /** The config of the channel at the start. */
  readonly config: Config;
  /** How long something that fails is tried again, in milliseconds. */
  readonly patience: (loss: Loss) => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The looks at one network, one after the other. What failed in the look `before` is not tried again: an update does not lose it.
 */
export class Looks {
  readonly #network: Network;
  readonly #options: LookOptions;
  readonly #memory: Memory = { worked: new Map(), failed: new Set(), lost: new Set() };
  /** The newest config that was read. */
  #config: Config;

  constructor(network: Network, options: LookOptions) {
    this.#network = network;
    this.#options = options;
    this.#config = options.config;
  }

  /** The newest config that was read. */
  get config(): Config {
    return this.#config;
  }

  /** What has worked at least once: nothing else can be lost. */
  get worked(): readonly Tried[] {
    return [...this.#memory.worked.values()];
  }

  /**
   * Tries everything; nodes that have ended or did not start are losses too.
   *
   * @param isFinal whether no further update follows: then a change of a group is ordered, which raises its version; else orderers only
   *   decide whether the groups may be changed
   * @returns what failed; after the look `before` the caller knows it as not working
   */
  async look(phase: Phase, isFinal: boolean): Promise<readonly Loss[]> {
    const network = this.#network;
    const tries = new Tries(phase, this.#options, this.#memory);
    const stopped = (node: FabricProcess): boolean => phase === 'one down' && node.isStopped;
    if (phase === 'before') for (const { node, reason } of network.broken) tries.notStarted(node, reason);
    for (const node of [...network.orderers, ...network.peers])
      if (node.startFailure !== undefined) tries.notStarted(node, node.startFailure);
      else if (node.pid === undefined && !stopped(node)) tries.ended(node);
    const running: Network = {
      ...network,
      orderers: network.orderers.filter(({ pid }) => pid !== undefined),
      peers: network.peers.filter(({ pid }) => pid !== undefined),
    };
    // Without orderers nothing else is left to lose.
    if (running.orderers.length === 0) return tries.losses;
    await readChannel({ network: running, tries, members: new Members(this.#config) });
    // Nobody may be able to read it any more.
    this.#config = await newestConfig(running).then(
      ({ config }) => config,
      () => this.#config,
    );
    const place = { network: running, tries, members: new Members(this.#config) };
    await useChannel(place, isFinal);
    await Promise.all(
      running.peers.filter((peer) => place.members.has(peer)).map((peer) => followsOrderers(place, peer)),
    );
    if (phase === 'before' || phase === 'restarted')
      await Promise.all(running.peers.map((peer) => knowsOthers(place, peer)));
    return tries.losses;
  }
}

/** Something that is tried, see {@link Loss}. */
export type Tried = Pick<Loss, 'probe' | 'who'>;

/** A running network and what is tried on it. */
interface Place {
  readonly network: Network;
  readonly tries: Tries;
  readonly members: Members;
}

/** What was seen in all looks, by {@link keyOf}. */
interface Memory {
  readonly worked: Map<string, Tried>;
  /** In the look `before`. */
  readonly failed: Set<string>;
  /** In later looks. */
  readonly lost: Set<string>;
}

/** How long something is tried again that is lost already, in milliseconds: nodes may recover, for example when they restart. */
const KNOWN_LOSS = 3_000;

/** Tries things and collects what fails. */
class Tries {
  readonly losses: Loss[] = [];
  readonly phase: Phase;
  readonly #options: LookOptions;
  readonly #memory: Memory;

  constructor(phase: Phase, options: LookOptions, memory: Memory) {
    this.phase = phase;
    this.#options = options;
    this.#memory = memory;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** Adds a node that has ended. */
  ended(node: FabricProcess): void {
    this.#addNode('process', node, 'the process has ended');
  }

  /** Adds a node that did not start. */
  notStarted(node: FabricProcess, reason: string): void {
    this.#addNode('start', node, reason);
  }

  #addNode(probe: Probe, node: FabricProcess, reason: string): void {
    this.#add({ probe, who: node.values.name, reason, line: node.problemLine() });
  }

  #add(loss: Omit<Loss, 'phase'>): void {
    this.losses.push({ phase: this.phase, ...loss });
    (this.phase === 'before' ? this.#memory.failed : this.#memory.lost).add(keyOf(loss));
  }

  /**
   * Tries something until it works.
   *
   * @param isExpected whether it is to work with the config of the channel, also if it was not tried before
   * @param attempt gets the number of the try, from 0; rejects if it fails
   * @param node whose log may explain it
   * @returns what it returned; undefined if it is lost, or is not tried
   */
  async to<T>(
    probe: Probe,
    who: string,
    isExpected: boolean,
    attempt: (count: number) => Promise<T>,
    node?: FabricProcess,
  ): Promise<T | undefined> {
    const key = keyOf({ probe, who });
    const { worked, failed } = this.#memory;
    if (failed.has(key) || !(isExpected || worked.has(key))) return undefined;
    const start = performance.now();
    for (let count = 0; ; count++) {
      this.signal?.throwIfAborted();
      try {
        const result = await attempt(count);
        worked.set(key, { probe, who });
        return result;
      } catch (error) {
        this.signal?.throwIfAborted();
        const { message } = error as Error;
        const loss = { phase: this.phase, probe, who, reason: shortened(message) };
        const patience = this.#memory.lost.has(key) ? KNOWN_LOSS : this.#options.patience(loss);
        if (performance.now() - start > patience) {
          this.#add({ ...loss, line: node?.problemLine() });
          return undefined;
        }
      }
      await sleep(PAUSE);
    }
  }
}

const keyOf = ({ probe, who }: Tried): string => `${probe} ${who}`;

const ESCAPES = /\u001b\[[0-9;]*m/g;
const MAX_REASON = 300;

/** The last line of a text that names an error, without colours. */
const shortened = (text: string): string =>
  text
    .replaceAll(ESCAPES, '')
    .trim()
    .split('\n')
    .findLast((line) => /error|panic|status|timed|refuse|denied/i.test(line))
    ?.slice(0, MAX_REASON) ?? text.trim().slice(0, MAX_REASON);

/** Who is on the channel, by its newest config. */
class Members {
  readonly channel: Channel;
  readonly applications: ReadonlySet<string>;
  readonly #consenters: ReadonlySet<string>;

  constructor(config: Config) {
    this.channel = channelOf(config);
    const idsOf = (list: readonly Organization[]): Set<string> =>
      new Set(list.flatMap(({ mspId }) => mspId ?? []));
    this.applications = idsOf(this.channel.application.organizations);
    this.#consenters = new Set(consentersOf(this.channel).map(addressText));
  }

  /** Whether an orderer is a consenter, or the organisation of a peer or a person is on the channel. */
  has(member: FabricProcess | Person): boolean {
    if ('role' in member) return belongsTo(member, this.channel.organizations);
    const { kind, mspId } = member.values;
    return kind === 'orderer' ? this.#consenters.has(member.address) : this.applications.has(mspId);
  }

  /** Whether the peers of the organisations find each other: a running peer is an anchor peer. */
  hasAnchorOf(peers: readonly FabricProcess[]): boolean {
    const addresses = new Set(peers.map(({ address }) => address));
    return this.channel.application.organizations.some(({ anchorPeers }) =>
      anchorPeers.some((each) => addresses.has(addressText(each))),
    );
  }
}

const at = <T>(list: readonly T[], count: number): T => list[count % list.length]!;

/** Those who belong to the channel by its newest config; all if nobody of their organisation does. */
const onChannel = ({ members }: Place, people: readonly Person[]): readonly Person[] => {
  const found = people.filter((each) => members.has(each));
  const ids = new Set(found.map(({ mspId }) => mspId));
  return [...found, ...people.filter(({ mspId }) => !ids.has(mspId))];
};

const peopleOf = ({ network: { people } }: Place, role: Person['role']): Person[] =>
  people.filter((each) => each.role === role);

/** Each orderer sends its newest block to some admin, and each admin gets one from some orderer. */
async function readChannel(place: Place): Promise<void> {
  const { network, tries, members } = place;
  const { connections, orderers } = network;
  const admins = peopleOf(place, 'admin');
  await Promise.all([
    ...orderers.map((orderer) =>
      tries.to(
        'fetch',
        orderer.values.name,
        members.has(orderer),
        async () => {
          const owners = admins.filter(({ mspId }) => mspId === orderer.values.mspId);
          await firstOf([...owners, ...admins], (admin) => connections.fetchBlock(orderer, admin, 'newest'));
        },
        orderer,
      ),
    ),
    ...admins.map((admin) =>
      tries.to('fetch', admin.name, members.has(admin), (count) =>
        connections.fetchBlock(at(orderers, count), admin, 'newest'),
      ),
    ),
  ]);
}

/** The first result; the error of the first one. */
async function firstOf<T, R>(list: readonly T[], call: (each: T) => Promise<R>): Promise<R> {
  let first: unknown;
  for (const each of list)
    try {
      return await call(each);
    } catch (error) {
      first ??= error;
      // Only another identity gets another response.
      if (!/\(403\)/.test((error as Error).message)) break;
    }
  throw first;
}

/** Admins approve and commit a chaincode definition, clients submit transactions, admins change groups of the config. */
async function useChannel(place: Place, isFinal: boolean): Promise<void> {
  const { tries, members } = place;
  const groups = groupsOf(members.channel);
  const [permitted] = await Promise.all([
    Promise.all(groups.map((group) => mayChange(place, group))),
    ...peopleOf(place, 'admin').map((admin) => maySubmit(place, admin)),
    tries.phase !== 'one down' && approveAndCommit(place),
  ]);
  // Not at the same time: a peer waits forever for a transaction that does not parse, in a block that has a valid one too.
  await Promise.all(peopleOf(place, 'client').map((client) => submitsTransaction(place, client)));
  const changeable = groups.filter((_, index) => permitted[index] === true);
  if (isFinal && changeable.length > 0) await ordersChange(place, changeable);
}

/** The name and the version of a definition, such as `rehearsal1`. */
let definitions = 0;
/** A command waits for an event that its user must not receive. */
const NO_EVENTS = /deliver completed with status \(FORBIDDEN\)/;
/** The definition is as it is to be. */
const DONE = /unchanged content|already committed|sequence is 1, but new definition must be sequence 2/;

async function approveAndCommit(place: Place): Promise<void> {
  const { tries, members, network } = place;
  const peers = network.peers.filter((peer) => members.has(peer));
  const [first] = peers;
  if (first === undefined) return;
  const name = `rehearsal${(definitions += 1)}`;
  const refused = new Map<FabricProcess, string>();
  const run = async (
    peer: FabricProcess,
    count: number,
    command: string,
    targets: readonly FabricProcess[],
  ) => {
    const orderer = at(network.orderers, count);
    const args = [
      ...`lifecycle chaincode ${command} -C ${network.channel} -n ${name} -v 1 --sequence 1`.split(' '),
      ...`--waitForEvent --waitForEventTimeout ${EVENT_TIMEOUT} --tls`.split(' '),
    ];
    args.push('-o', orderer.address, '--cafile', orderer.values.tls.roots);
    for (const { address, values } of targets)
      args.push('--peerAddresses', address, '--tlsRootCertFiles', values.tls.roots);
    const printed = await runPeer(peer, adminOf(onChannel(place, network.people), peer), args, tries.signal);
    if (NO_EVENTS.test(printed)) refused.set(peer, printed);
    // A try that was too late may have been in time, unless its events were refused.
    if (printed !== '' && !DONE.test(printed)) throw new Error(printed);
    const refusal = refused.get(peer);
    if (printed !== '' && refusal !== undefined) throw new Error(refusal);
    return true;
  };
  const approved = await Promise.all(
    peers.map((peer) =>
      tries.to('approve', peer.values.mspId, true, (count) => run(peer, count, 'approveformyorg', [peer])),
    ),
  );
  if (approved.every((each) => each === true))
    await tries.to('commit', ALL, true, (count) => run(first, count, 'commit', peers));
}

const mayTransact = (members: Members, client: Person): boolean =>
  members.applications.has(client.mspId) && members.has(client);

const submitsTransaction = ({ network, tries, members }: Place, client: Person): Promise<unknown> =>
  tries.to('transaction', client.name, mayTransact(members, client), async (count) => {
    const envelope = await transactionOf(network.channel, client.signer);
    const { status, reason } = await network.connections.broadcast(at(network.orderers, count), envelope);
    if (status !== 200) throw new Error(`status ${status}: ${reason}`);
  });

/** A group of the config with admins of its own. */
interface Group {
  readonly path: readonly string[];
  readonly name: string;
}

/** The groups that are changed: those of orderers and applications, those of their organisations, and the one of the channel. */
function groupsOf(channel: Channel): readonly Group[] {
  const sections = ['Orderer', 'Application'].filter((name) => channel.group?.groups.has(name));
  const organizations = channel.organizations.map(({ names }) => [...names]);
  const paths = [...sections.map((name) => [name]), ...organizations, []];
  return paths.map((path) => ({ path, name: ['/Channel', ...path].join('/') }));
}

let changesMade = 0;

/** Adds a policy to a group: the mod_policy of the group decides about it. */
async function envelopeWith(
  { network }: Place,
  { config }: ConfigBlock,
  { path }: Group,
  policy: Policy,
): Promise<Uint8Array> {
  const name = `Rehearsal${(changesMade += 1)}`;
  const add = (group: ConfigGroup): ConfigGroup => withPolicy(group, name, policy);
  const channelGroup = changeGroup(config.channelGroup, path, add);
  return unsignedUpdate(config, { ...config, channelGroup }, network.channel).bytes;
}

const UNUSED_POLICY = {
  type: POLICY_TYPE.signature,
  value: writeSignaturePolicy(parseSignaturePolicy("OR('Rehearsal.admin')")),
};
/** Orderers refuse a policy of an unknown type after they have verified the signatures (common/policies/policy.go, `NewManagerImpl`). */
const UNKNOWN_TYPE = { type: 99, value: new Uint8Array() };
const IS_PERMITTED = /has unknown policy type/;

/** Everybody signs; who submits changes with each try. */
const signersFrom = (admins: readonly Person[], count: number): Person[] =>
  admins.map((_, index) => at(admins, index + count));

/** Submits a policy for a group, signed by all admins. */
async function change(
  place: Place,
  before: ConfigBlock,
  group: Group,
  policy: Policy,
  count: number,
): Promise<Answer> {
  const { connections, orderers } = place.network;
  const update = await envelopeWith(place, before, group, policy);
  const envelope = await signedBy(update, signersFrom(onChannel(place, peopleOf(place, 'admin')), count));
  return connections.broadcast(at(orderers, count), envelope);
}

/** Whether all admins together may change a group, without a change. */
const mayChange = (place: Place, group: Group): Promise<boolean | undefined> =>
  place.tries.to('update', group.name, true, async (count) => {
    const { reason, status } = await change(
      place,
      await newestConfig(place.network),
      group,
      UNKNOWN_TYPE,
      count,
    );
    if (!IS_PERMITTED.test(reason)) throw new Error(`status ${status}: ${reason}`);
    return true;
  });

/** A change of one of the groups gets into a block. */
const ordersChange = (place: Place, groups: readonly Group[]): Promise<unknown> =>
  place.tries.to('order', ALL, true, async (count) => {
    const before = await newestConfig(place.network);
    const { status, reason } = await change(place, before, at(groups, count), UNUSED_POLICY, count);
    if (status !== 200) throw new Error(`status ${status}: ${reason}`);
    await untilOrdered(place.network, before);
  });

/** What orderers verify first of an update: whether the submitter may write. */
const maySubmit = (place: Place, admin: Person): Promise<unknown> =>
  place.tries.to('submit', admin.name, place.members.has(admin), async (count) => {
    const { network } = place;
    const update = await envelopeWith(
      place,
      await newestConfig(network),
      { path: [], name: '/Channel' },
      UNKNOWN_TYPE,
    );
    const envelope = await signedBy(update, [admin]);
    const { status, reason } = await network.connections.broadcast(at(network.orderers, count), envelope);
    // BAD_REQUEST: the signature of one admin is not enough for the change, or the change is impossible.
    if (status !== 400) throw new Error(`status ${status}: ${reason}`);
  });

/** Waits until there is a newer config block. @throws Error */
export async function untilOrdered(network: Network, { number }: ConfigBlock): Promise<ConfigBlock> {
  const start = performance.now();
  for (;;) {
    const newest = await newestConfig(network);
    if (newest.number > number) return newest;
    if (performance.now() - start > ORDERED_WITHIN) throw new Error('accepted, and no block contains it');
    await sleep(PAUSE);
  }
}

/** Waits until all peers have a newer block than a config block; returns whether they have it. */
export async function peersHaveMore(
  { peers, channel }: Network,
  { number }: ConfigBlock,
  signal?: AbortSignal,
): Promise<boolean> {
  const start = performance.now();
  while (performance.now() - start < APPLIED_WITHIN) {
    const heights = await Promise.all(peers.map((peer) => heightOf(peer, channel).catch(() => NaN)));
    if (heights.every((height) => height > Number(number) + 1)) return true;
    await sleep(PAUSE);
    signal?.throwIfAborted();
  }
  return false;
}

/** A peer gets all blocks that the orderers have. */
const followsOrderers = ({ network, tries }: Place, peer: FabricProcess): Promise<unknown> =>
  tries.to(
    'height',
    peer.values.name,
    true,
    async () => {
      const { newest } = await newestConfig(network);
      const height = await heightOf(peer, network.channel);
      if (!(height > Number(newest)))
        throw new Error(`status: it has ${height} blocks, the newest block of the orderers is ${newest}`);
    },
    peer,
  );

const KNOWN = /^gossip_membership_total_peers_known\{[^}]*\} (?<known>\d+)$/m;

/** A peer knows those of the other organisations. */
async function knowsOthers({ network, tries, members }: Place, peer: FabricProcess): Promise<void> {
  const peers = network.peers.filter((each) => members.has(each));
  const isExpected = peers.length > 1 && members.has(peer) && members.hasAnchorOf(peers);
  await tries.to('gossip', peer.values.name, isExpected, async () => {
    const known = Number(KNOWN.exec(await peer.metrics())?.groups?.known ?? NaN);
    if (!(known >= peers.length - 1))
      throw new Error(`status: it knows ${known} of ${peers.length - 1} other peers`);
  });
}

/**
 * The orderer that is stopped to see whether the channel works without it; undefined if the channel needs all that run. The last one: it
 * is seldom the leader.
 *
 * @param config the newest one
 */
export function spareOrderer({ orderers }: Network, config: Config): FabricProcess | undefined {
  const { channel } = new Members(config);
  const consenters = new Set(consentersOf(channel).map(addressText));
  const serving = orderers.filter(({ pid, address }) => pid !== undefined && consenters.has(address));
  const needed = channel.orderer.isBft ? bftQuorum(consenters.size).quorum : raftQuorum(consenters.size);
  return serving.length > needed ? serving.at(-1) : undefined;
}
