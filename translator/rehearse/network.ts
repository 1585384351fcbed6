// The nodes and the users of a copy: starts the nodes, joins them to the channel, submits updates, stops the nodes.

import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { onAbort } from '../../core/common/flow/on-abort.js';
import { TranslateError } from '../../proto/errors.js';
import { findSigningIdentity } from '../sign/index.js';
import { startChild } from './child.js';
import { Connections, type Answer, type ConfigBlock, type Person } from './channel.js';
import type { Copy, CopiedPerson } from './copy.js';
import { writeNode, writePerson } from './node-files.js';
import { FabricProcess, type Program } from './nodes.js';
import { freePorts } from './ports.js';

/** How long an update is submitted again while no orderer serves the channel, in milliseconds. */
const SERVED_WITHIN = 45_000;
/** How long an orderer or the program `peer` may take to join or to do what it is told, in milliseconds. */
const COMMAND_WITHIN = 60_000;
/** Time between two tries, in milliseconds. */
const PAUSE = 250;

/** A running copy of a channel. */
export interface Network {
  readonly channel: string;
  readonly orderers: readonly FabricProcess[];
  readonly peers: readonly FabricProcess[];
  /** Nodes that could not start or join, so that the network is without them from the start. */
  readonly broken: readonly StartFailure[];
  readonly people: readonly Person[];
  readonly connections: Connections;
}

/** A node that does not start or join, and why. */
export interface StartFailure {
  readonly node: FabricProcess;
  readonly reason: string;
}

/** What a network needs besides the copy. */
export interface NetworkOptions {
  readonly programs: { readonly orderer: Program; readonly peer: Program };
  /** An existing directory for all files. */
  readonly directory: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the files of all nodes that are not down, starts the nodes and joins them to the channel, all at the same time: an orderer of BFT
 * waits some seconds for the others. Nodes that fail are stopped.
 *
 * @throws TranslateError BAD_NODE if no orderer starts and joins; nothing runs then
 */
export async function startNetwork(copy: Copy, options: NetworkOptions): Promise<Network> {
  const { directory, programs, signal } = options;
  const nodes = copy.nodes.filter(({ isDown }) => !isDown);
  const services = new Set(copy.nodes.map(({ address }) => address.port));
  const ports = await freePorts(2 * nodes.length, services);
  const processes = nodes.map((node, index) => {
    const [operations = 0, admin = 0] = ports.slice(2 * index, 2 * index + 2);
    const own = { service: node.address.port, operations, admin };
    return new FabricProcess(writeNode(node, join(directory, node.name), own), programs[node.kind].path);
  });
  const people = await Promise.all(
    copy.people.map((each, index) => personOf(each, join(directory, 'users', `${index + 1}`))),
  );
  const block = join(directory, 'genesis.block');
  writeFileSync(block, copy.genesis);
  try {
    const failures = await Promise.all(
      processes.map((node) => failureOf(node, () => startAndJoin(node, people, block, signal), signal)),
    );
    const broken = failures.flatMap((each) => each ?? []);
    const running = processes.filter((_, index) => failures[index] === undefined);
    if (!running.some(({ values }) => values.kind === 'orderer'))
      throw new TranslateError('BAD_NODE', broken[0]?.reason ?? 'no orderer is to run');
    return { ...networkOf(copy.channel, running, people), broken };
  } catch (error) {
    await Promise.all(processes.map((node) => node.stop('SIGKILL')));
    throw error;
  }
}

async function startAndJoin(
  node: FabricProcess,
  people: readonly Person[],
  block: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await node.start({}, signal);
  if (node.values.kind === 'orderer') return joinOrderer(node, readFileSync(block), signal);
  const printed = await runPeer(node, adminOf(people, node), ['channel', 'join', '-b', block], signal);
  if (printed !== '')
    throw new TranslateError('BAD_NODE', `${node.values.name} does not join the channel: ${printed}`);
}

/** Stops a node for which a call failed, and returns why; undefined if it did not fail. */
async function failureOf(
  node: FabricProcess,
  call: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<StartFailure | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    await node.stop('SIGKILL');
    return { node, reason: (error as Error).message };
  }
}

/** A network of nodes that exist. */
export const networkOf = (
  channel: string,
  nodes: readonly FabricProcess[],
  people: readonly Person[],
): Network => ({
  channel,
  orderers: nodes.filter(({ values }) => values.kind === 'orderer'),
  peers: nodes.filter(({ values }) => values.kind === 'peer'),
  broken: [],
  people,
  connections: new Connections(channel, ({ values }) => readFileSync(values.tls.roots)),
});

async function personOf(person: CopiedPerson, directory: string): Promise<Person> {
  const { name, mspId, role, ca, pair, msp } = person;
  writePerson(person, directory);
  const bytes = (text: string): Buffer => Buffer.from(text);
  const cas = [...msp].flatMap(([path, text]) =>
    /^(?:ca|intermediate)certs\//.test(path) ? [bytes(text)] : [],
  );
  const keys = [{ path: directory, bytes: bytes(pair.key) }];
  const signer = await findSigningIdentity({ mspid: mspId, certificate: bytes(pair.certificate), cas, keys });
  return { name, mspId, role, ca, signer, directory };
}

/** The admin of the organisation of a node. @throws TranslateError BAD_NODE if there is none */
export function adminOf(people: readonly Person[], { values: { name, mspId } }: FabricProcess): Person {
  const admin = people.find((each) => each.mspId === mspId && each.role === 'admin');
  if (admin === undefined) throw new TranslateError('BAD_NODE', `${name}: ${mspId} has no admin`);
  return admin;
}

/**
 * Joins an orderer to a channel over its Admin endpoint, as `osnadmin channel join` does.
 *
 * @throws TranslateError BAD_NODE with the response if the orderer refuses
 */
export function joinOrderer(node: FabricProcess, block: Uint8Array, signal?: AbortSignal): Promise<void> {
  const form = new FormData();
  form.set('config-block', new Blob([block]), 'config.block');
  return callAdmin(node, 'POST', '/participation/v1/channels', { form, signal });
}

/** Sends a request to the Admin endpoint of an orderer. @throws TranslateError BAD_NODE with the response if it refuses */
export async function callAdmin(
  { values: { name, tls, ports } }: FabricProcess,
  method: 'POST' | 'DELETE',
  path: string,
  { form, signal }: { readonly form?: FormData; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const encoded = form === undefined ? undefined : new Response(form);
  const body = encoded === undefined ? undefined : new Uint8Array(await encoded.arrayBuffer());
  const timeout = AbortSignal.timeout(COMMAND_WITHIN);
  const sent = request({
    host: '127.0.0.1',
    port: ports.admin,
    method,
    path,
    agent: false,
    ca: readFileSync(tls.roots),
    cert: readFileSync(tls.client.certificate),
    key: readFileSync(tls.client.key),
    headers: { ...(encoded && { 'content-type': encoded.headers.get('content-type')! }) },
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    });
  });
  sent.end(body);
  const { status, text } = await answer.catch((error: Error) => {
    signal?.throwIfAborted();
    throw new TranslateError('BAD_NODE', `${name}: ${method} ${path}: ${error.message}`);
  });
  if (status < 200 || status > 299)
    throw new TranslateError('BAD_NODE', `${name}: ${method} ${path}: ${status} ${text.trim()}`);
}

/**
 * Runs the program `peer` as a user.
 *
 * @returns what it prints when it fails; nothing when it does not
 */
export async function runPeer(
  peer: FabricProcess,
  { mspId, directory }: Person,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const environment = {
    FABRIC_CFG_PATH: peer.values.directory,
    CORE_PEER_LOCALMSPID: mspId,
    CORE_PEER_MSPCONFIGPATH: directory,
    // The parts of the data directory that a command opens, such as its key store, are its own.
    CORE_PEER_FILESYSTEMPATH: join(peer.values.directory, 'command'),
  };
  mkdirSync(environment.CORE_PEER_FILESYSTEMPATH, { recursive: true });
  const child = startChild(peer.program, args, { cwd: peer.values.directory, environment, output: 'pipe' });
  const kill = (): boolean => child.kill('SIGKILL');
  const timer = setTimeout(kill, COMMAND_WITHIN);
  const stopListening = signal && onAbort(signal, kill);
  child.stdout!.resume();
  const [printed, [status]] = await Promise.all([textOf(child.stderr!), once(child, 'exit')]);
  clearTimeout(timer);
  stopListening?.();
  signal?.throwIfAborted();
  return status === 0 ? '' : printed.trim() || `peer ${args[0]} ended with ${status ?? 'a signal'}`;
}

/** The newest config that any admin gets from any orderer that runs. @throws Error of the first orderer */
export async function newestConfig({ orderers, people, connections }: Network): Promise<ConfigBlock> {
  const admins = people.filter(({ role }) => role === 'admin');
  const running = orderers.filter(({ pid }) => pid !== undefined);
  const tried = await Promise.all(running.map((orderer) => firstConfig(connections, orderer, admins)));
  const found = tried.filter((each): each is ConfigBlock => 'number' in each);
  const newest = found.toSorted((a, b) => Number(b.number - a.number))[0];
  if (newest === undefined) throw (tried as readonly Error[])[0] ?? new Error('no orderer runs');
  return newest;
}

/** The config that the first admin gets who may read it; the error of the last one. */
async function firstConfig(
  connections: Connections,
  orderer: FabricProcess,
  admins: readonly Person[],
): Promise<ConfigBlock | Error> {
  let last = new Error('nobody');
  for (const admin of admins)
    try {
      return await connections.fetchConfig(orderer, admin);
    } catch (error) {
      last = error as Error;
      // Another admin gets the same response.
      if (!/\(403\)/.test(last.message)) return last;
    }
  return last;
}

/** An orderer that knows no leader counts no consenter as alive (orderer/consensus/etcdraft/tracker.go). */
const NO_LEADER = /: 0 out of \d+ nodes are alive, /;

/**
 * Submits an envelope to the orderers, one after the other, until one serves the channel and has its newest config.
 *
 * @param before the newest config block
 * @returns the response; without a status, or with 503, no orderer serves the channel
 */
export async function submitTo(
  network: Network,
  envelope: Uint8Array,
  before: ConfigBlock,
  signal?: AbortSignal,
): Promise<Answer> {
  const { connections, orderers } = network;
  const start = performance.now();
  const isBehind = async (orderer: FabricProcess): Promise<boolean> => {
    const own = await newestConfig({ ...network, orderers: [orderer] }).catch(() => undefined);
    return own === undefined || own.number < before.number;
  };
  for (let count = 0; ; count++) {
    signal?.throwIfAborted();
    const orderer = orderers[count % orderers.length]!;
    const answer = await connections.broadcast(orderer, envelope);
    const { status, reason } = answer;
    const isServed =
      status === 200 ||
      (status !== undefined && status !== 503 && !NO_LEADER.test(reason) && !(await isBehind(orderer)));
    if (isServed || performance.now() - start > SERVED_WITHIN) return answer;
    await sleep(PAUSE);
  }
}

/** How many blocks of a channel a peer has. @throws Error if it does not respond */
export async function heightOf(peer: FabricProcess, channel: string): Promise<number> {
  const line = (await peer.metrics())
    .split('\n')
    .find((each) => each.startsWith(`ledger_blockchain_height{channel="${channel}"} `));
  return Number(line?.split(' ')[1] ?? NaN);
}

/** Stops all nodes, and starts them again; the next look finds those that do not start. */
export async function restartAll(network: Network, signal?: AbortSignal): Promise<void> {
  await stopAll(network);
  await Promise.all(
    [...network.orderers, ...network.peers].map((node) =>
      node.start({}, signal).catch(() => signal?.throwIfAborted()),
    ),
  );
}

/** Stops all nodes. */
export async function stopAll(
  { orderers, peers, connections }: Network,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<void> {
  await connections.close();
  await Promise.all([...orderers, ...peers].map((node) => node.stop(signal)));
}
