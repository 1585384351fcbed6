// Looks whether a network works: what its nodes, admins and clients do every day is tried.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigGroupJson } from '../e2e/fabric/channel-edits.js';
import { metricsOf } from '../e2e/fabric/endpoint.js';
import { heightOf } from '../e2e/fabric/harmful-updates.js';
import type { FabricNetwork } from '../e2e/fabric/network.js';
import type { FabricNode } from '../e2e/fabric/node.js';
import { signTransaction } from '../e2e/fabric/ordering.js';
import { lifecycle, peerOf } from '../e2e/fabric/services.js';
import {
  broadcast,
  fetchBlockAs,
  fetchConfigAs,
  signedUpdate,
  type ConfigBlock,
  type People,
  type Person,
} from './channel.js';
import type { Loss, Probe } from './judge.js';

/** How long something that fails is tried again, in milliseconds: if the review names its loss, and if it does not. */
const PATIENCE = { named: 5_000, unnamed: 45_000 } as const;
/** How long a command waits for its transaction. */
const EVENT_TIMEOUT = '8s';
/** Time between two tries, in milliseconds. */
const PAUSE = 250;

/** What is checked. */
export interface Place {
  readonly network: FabricNetwork;
  readonly people: People;
  /** Whether the review names a loss: then it is not waited for. */
  readonly isNamed: (loss: Loss) => boolean;
}

/** One look at a network, which takes some seconds. */
export async function look(place: Place, phase: Loss['phase']): Promise<readonly Loss[]> {
  const tries = new Tries(place, phase);
  const { network } = place;
  const nodes = [...network.orderers, ...network.peers];
  for (const node of nodes)
    if (node.pid() === undefined || hasEnded(node)) tries.add('process', node.name, endOf(node));
  const alive = network.orderers.filter((node) => !hasEnded(node));
  // Without orderers nothing else is left to lose.
  if (alive.length === 0) return tries.losses;
  const running = {
    ...place,
    network: { ...network, orderers: alive as unknown as FabricNetwork['orderers'] },
  };
  await readChannel(tries, running);
  await useChannel(tries, running);
  await Promise.all(
    network.peers.filter((node) => !hasEnded(node)).map((peer) => followsOrderers(tries, running, peer)),
  );
  if (phase === 'restarted')
    await Promise.all(network.peers.map((peer) => knowsOthers(tries, running, peer)));
  return tries.losses;
}

/** Tries things and collects what fails. */
class Tries {
  readonly losses: Loss[] = [];
  readonly #place: Place;
  readonly #phase: Loss['phase'];

  constructor(place: Place, phase: Loss['phase']) {
    this.#place = place;
    this.#phase = phase;
  }

  add(probe: Probe, who: string, reason: string): void {
    this.losses.push({ phase: this.#phase, probe, who, reason: shortened(reason) });
  }

  /**
   * Tries something until it works.
   *
   * @param attempt gets the number of the try, from 0; rejects if it fails
   * @returns what it returned; undefined if it is lost
   */
  async to<T>(probe: Probe, who: string, attempt: (count: number) => Promise<T>): Promise<T | undefined> {
    const start = performance.now();
    for (let count = 0; ; count++) {
      try {
        return await attempt(count);
      } catch (error) {
        const reason = (error as Error).message;
        const isNamed = this.#place.isNamed({ phase: this.#phase, probe, who, reason });
        if (performance.now() - start > PATIENCE[isNamed ? 'named' : 'unnamed']) {
          this.add(probe, who, reason);
          return undefined;
        }
      }
      await sleep(PAUSE);
    }
  }
}

const ESCAPES = /\u001b\[[0-9;]*m/g;

/** The last line of a text that says something, without colours. */
const shortened = (text: string): string =>
  text
    .replaceAll(ESCAPES, '')
    .trim()
    .split('\n')
    .findLast((line) => /error|panic|status|timed|refuse|denied/i.test(line))
    ?.slice(0, 300) ?? text.trim().slice(0, 300);

/** Whether the process of a node has ended. */
export function hasEnded(node: FabricNode): boolean {
  const pid = node.pid();
  if (pid === undefined) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** Why a node has ended: the first panic of its log since its last start. */
export const endOf = (node: FabricNode): string =>
  /panic: .*|PANI.*/.exec(node.log().replaceAll(ESCAPES, ''))?.[0].slice(0, 300) ?? 'the process has ended';

/** Each admin fetches the newest block of each orderer. */
async function readChannel(tries: Tries, { network, people }: Place): Promise<void> {
  const who = ({ mspId }: Person, { name }: FabricNode): string => (mspId === 'OrdererMSP' ? name : mspId);
  await Promise.all(
    people.admins.flatMap((admin) =>
      // The orderers are told apart by their own admin, so that each organisation fails once.
      (admin.mspId === 'OrdererMSP' ? network.orderers : network.orderers.slice(0, 1)).map(
        (orderer, _, orderers) =>
          tries.to('fetch', who(admin, orderer), async (count) => {
            const from = orderers.length > 1 ? orderer : at(network.orderers, count);
            await fetchBlockAs(from, admin, 'newest');
          }),
      ),
    ),
  );
}

const at = <T>(list: readonly T[], count: number): T => list[count % list.length]!;

/** Admins approve and commit a chaincode, clients submit transactions, admins change what is theirs. */
async function useChannel(tries: Tries, place: Place): Promise<void> {
  await approveAndCommit(tries, place);
  // Not at the same time: a peer waits forever for a transaction that does not parse, in a block that has a valid one too.
  await Promise.all(place.people.clients.map((client) => submitsTransaction(tries, place, client)));
  await Promise.all(place.people.admins.map((admin) => maySubmit(tries, place, admin)));
  // One after the other: each is refused if another one is ordered in between.
  for (const [group, change] of Object.entries(CHANGES)) await changes(tries, place, group, change);
}

let chaincodes = 0;
/** A command waits for an event that its user must not receive. */
const NO_EVENTS = /deliver completed with status \(FORBIDDEN\)/;

async function approveAndCommit(tries: Tries, { network }: Place): Promise<void> {
  const { peers, orderers } = network;
  const name = `cc${(chaincodes += 1)}`;
  const refused = new Map<FabricNode, string>();
  const run = async (
    peer: FabricNode,
    count: number,
    command: 'approveformyorg' | 'commit',
    ...more: string[]
  ) => {
    const view = { ...network, peers: [peer], orderers: [at(orderers, count)] } as unknown as FabricNetwork;
    const printed = await lifecycle(
      view,
      command,
      name,
      ...more,
      '--waitForEvent',
      '--waitForEventTimeout',
      EVENT_TIMEOUT,
    );
    if (NO_EVENTS.test(printed)) refused.set(peer, printed);
    // A try that was too late may have been in time, unless its events were refused.
    if (
      printed !== '' &&
      !/unchanged content|already committed|sequence is 1, but new definition must be sequence 2/.test(
        printed,
      )
    )
      throw new Error(printed);
    const refusal = refused.get(peer);
    if (printed !== '' && refusal !== undefined) throw new Error(refusal);
  };
  const approved = await Promise.all(
    peers.map((peer) =>
      tries.to(
        'approve',
        peer.identity.mspId,
        async (count) => (await run(peer, count, 'approveformyorg'), true),
      ),
    ),
  );
  const [first, ...others] = peers;
  const targets = others.flatMap((peer) => peerOf({ ...network, peers: [peer] }));
  if (approved.every((each) => each === true))
    await tries.to('commit', 'Application', (count) => run(first, count, 'commit', ...targets));
}

const submitsTransaction = (tries: Tries, { network }: Place, { mspId, signer }: Person): Promise<unknown> =>
  tries.to('transaction', mspId, async (count) => {
    const { status, reason } = await broadcast(at(network.orderers, count), await signTransaction(signer));
    if (status !== 200) throw new Error(`status ${status}: ${reason}`);
  });

/** The newest config that any admin gets from any orderer. @throws Error of the last one */
export async function newestConfig({
  network,
  people,
}: Pick<Place, 'network' | 'people'>): Promise<ConfigBlock> {
  const alive = network.orderers.filter((node) => !hasEnded(node));
  const tried = await Promise.all(alive.map((orderer) => firstConfig(orderer, people.admins)));
  const found = tried.filter((each): each is ConfigBlock => 'number' in each);
  const newest = found.toSorted((a, b) => Number(b.number - a.number))[0];
  if (newest === undefined) throw (tried as readonly Error[])[0] ?? new Error('no orderer runs');
  return newest;
}

/** The config that the first admin gets who may read it; the error of the last one. */
async function firstConfig(orderer: FabricNode, admins: readonly Person[]): Promise<ConfigBlock | Error> {
  let last = new Error('nobody');
  for (const admin of admins)
    try {
      return await fetchConfigAs(orderer, admin);
    } catch (error) {
      last = error as Error;
      // Another admin gets the same answer.
      if (!/FORBIDDEN|\(403\)/.test(last.message)) return last;
    }
  return last;
}

let changesMade = 0;
/** Adds a policy, about which the mod_policy of the group decides. */
const extra = (group: ConfigGroupJson, mspId: string): void => {
  changesMade += 1;
  group.policies[`Laboratory${changesMade}`] = {
    mod_policy: 'Admins',
    policy: {
      type: 1,
      value: {
        identities: [
          { principal_classification: 'ROLE', principal: { msp_identifier: mspId, role: 'ADMIN' } },
        ],
        rule: { n_out_of: { n: 1, rules: [{ signed_by: 0 }] } },
        version: 0,
      },
    },
  };
};

/** A change of each group that has admins of its own. */
const CHANGES: Readonly<Record<string, (channel: ConfigGroupJson) => void>> = {
  Orderer: ({ groups }) => extra(groups.Orderer!, 'OrdererMSP'),
  Application: ({ groups }) => extra(groups.Application!, 'Org1MSP'),
  Org1MSP: ({ groups }) => extra(groups.Application!.groups.Org1MSP!, 'Org1MSP'),
  Org2MSP: ({ groups }) => extra(groups.Application!.groups.Org2MSP!, 'Org2MSP'),
};

/** A further config update of a group gets into a block. */
async function changes(
  tries: Tries,
  place: Place,
  group: string,
  change: (channel: ConfigGroupJson) => void,
): Promise<void> {
  const { network, people } = place;
  await tries.to('update', group, async (count) => {
    const before = await newestConfig(place);
    const path = group === 'Orderer' || group === 'Application' ? [group] : ['Application', group];
    let exists = true;
    const made = signedUpdate(before.bytes, signersFrom(people.admins, count), (channel) => {
      exists =
        path.reduce<ConfigGroupJson | undefined>((found, name) => found?.groups[name], channel) !== undefined;
      if (exists) change(channel);
    });
    const envelope = await made.catch((error: Error) => {
      if (exists) throw error;
      return undefined;
    });
    // An organisation that has left, or has another name, changes nothing.
    if (envelope === undefined) return;
    const { status, reason } = await broadcast(at(network.orderers, count), envelope);
    if (status !== 200) throw new Error(`status ${status}: ${reason}`);
    await isOrdered(place, before);
  });
}

/** Everybody signs; who submits changes with each try. */
const signersFrom = (admins: readonly Person[], count: number): Person[] =>
  admins.map((_, index) => at(admins, index + count));

/** How long an accepted update may take until its block, in milliseconds. */
const ORDERED_WITHIN = 6_000;

/** Waits until there is a newer config block. @throws Error */
export async function isOrdered(
  place: Pick<Place, 'network' | 'people'>,
  { number }: ConfigBlock,
): Promise<void> {
  const start = performance.now();
  while ((await newestConfig(place)).number <= number) {
    if (performance.now() - start > ORDERED_WITHIN) throw new Error('accepted, and no block contains it');
    await sleep(PAUSE);
  }
}

/** What orderers check first of an update: whether the submitter may write. */
const maySubmit = (tries: Tries, place: Place, admin: Person): Promise<unknown> =>
  tries.to('submit', admin.mspId, async (count) => {
    const { bytes } = await newestConfig(place);
    const envelope = await signedUpdate(bytes, [admin], CHANGES.Orderer!);
    const { status, reason } = await broadcast(at(place.network.orderers, count), envelope);
    // BAD_REQUEST: the signature of one admin is not enough for the change.
    if (status !== 200 && status !== 400) throw new Error(`status ${status}: ${reason}`);
  });

/** A peer gets all blocks that the orderers have. */
async function followsOrderers(tries: Tries, place: Place, peer: FabricNode): Promise<void> {
  await tries.to('height', peer.name, async () => {
    const { number } = await newestConfig(place);
    const height = await heightOf(peer);
    if (height <= Number(number))
      throw new Error(`status: ${peer.name} has ${height} blocks, the newest config block is ${number}`);
  });
}

/** A peer knows those of the other organisations. */
async function knowsOthers(tries: Tries, { network }: Place, peer: FabricNode): Promise<void> {
  if (hasEnded(peer)) return;
  await tries.to('gossip', peer.name, async () => {
    const known = Number(
      /^gossip_membership_total_peers_known\{[^}]*\} (\d+)$/m.exec(await metricsOf(peer.operations))?.[1] ??
        NaN,
    );
    if (!(known >= network.peers.length - 1))
      throw new Error(`status: ${peer.name} knows ${known} other peers`);
  });
}
