// What preflight prints about nodes, compared with what the programs of Fabric say at their start.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { parseDocument } from 'yaml';
import type { Cause } from '../../core/tools/preflight/cause.js';
import { preflight } from '../../core/tools/preflight/preflight.js';
import { confirm } from '../../core/tools/preflight/program.js';
import { temporaryFolder } from '../helpers/folder.js';
import { guardProcess } from '../helpers/guard.js';
import { lockContent } from '../helpers/raft-files.js';
import { PROGRAM } from '../helpers/program.js';
import { genesisBlock, runTool, type Consensus } from './fabric/network-files.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';
import { findFabric, TOOLS, type FabricVersion } from './fabric/programs.js';
import {
  BY_PROGRAM,
  copyOf,
  REFUSALS,
  STARTS,
  type BrokenNode,
  type Refusal,
  type Start,
} from './fabric/refusals.js';

/** Longest run of a program that must refuse, in milliseconds. */
const REFUSED_WITHIN = 60_000;
const SERVES = /Beginning to serve requests|Started peer with ID/;
// oxlint-disable-next-line no-control-regex
const COLOURS = /\x1b\[[0-9;]*m/g;

/** A program of a node. */
interface Run {
  readonly output: () => string;
  /** Whether it has ended by itself within the time. */
  readonly ended: (milliseconds: number) => Promise<boolean>;
  readonly kill: () => Promise<void>;
}

function start(version: FabricVersion, node: BrokenNode): Run {
  const program = join(findFabric(version).bin, node.kind);
  const child = spawn(program, node.kind === 'peer' ? ['node', 'start'] : ['start'], {
    cwd: node.cwd,
    env: { PATH: process.env.PATH, FABRIC_CFG_PATH: node.home, ...node.variables },
    ...(node.user !== undefined && { uid: node.user, gid: node.user }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  guardProcess(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close').then(() => true);
  return {
    output: () => output.replaceAll(COLOURS, ''),
    ended: async (milliseconds) =>
      Promise.race([
        closed,
        new Promise<boolean>((resolve) => {
          setTimeout(() => resolve(false), milliseconds).unref();
        }),
      ]),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** Puts the ledger of a node on a file system without free space; returns what takes it away. */
function fill({ data }: BrokenNode): () => void {
  renameSync(data, `${data}.copy`);
  mkdirSync(data);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', data]);
  execFileSync('sh', [
    '-c',
    `cp -a --sparse=always ${data}.copy/. ${data}; dd if=/dev/zero of=${data}/fill bs=4k 2>/dev/null; true`,
  ]);
  return () => execFileSync('umount', ['-l', data]);
}

/** Asks preflight, as the user that starts the node. */
async function judge(node: BrokenNode, version: FabricVersion): Promise<readonly Cause[]> {
  const options = { file: node.file, cwd: node.cwd, version: version.slice(1) };
  if (node.user === undefined) {
    const { causes } = await preflight({ ...options, variables: node.variables });
    return causes;
  }
  const args = ['preflight', '--node', node.file, '--to', options.version, '--program', 'none', '--json'];
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: node.cwd,
    uid: node.user,
    gid: node.user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return (JSON.parse(output) as { causes: readonly Cause[] }).causes;
}

/** Breaks a copy of a node, asks preflight, and starts the program; returns what is wrong with what it prints. */
async function compare(
  t: ExecutionContext,
  network: string,
  version: FabricVersion,
  { cause, kind, break: change }: Refusal,
): Promise<string | undefined> {
  const node = copyOf(network, temporaryFolder(t), kind);
  change(node);
  const undo: (() => unknown)[] = [];
  try {
    if (node.isFull) undo.push(fill(node));
    if (node.taken !== undefined) {
      const [host, port] = node.taken.split(':');
      const server = createServer().listen(Number(port), host);
      await once(server, 'listening');
      undo.push(() => server.close());
    }
    if (node.locked !== undefined) {
      const holder = await lockContent(node.locked);
      undo.push(() => holder.kill());
    }
    if (node.isShared) {
      const first = start(version, node);
      undo.push(first.kill);
      while (!SERVES.test(first.output()) && !(await first.ended(50)));
      node.set(
        kind === 'orderer'
          ? {
              'General.ListenPort': 7999,
              'Operations.ListenAddress': '127.0.0.1:7997',
              'Admin.ListenAddress': '127.0.0.1:7998',
            }
          : {
              'peer.listenAddress': '127.0.0.1:7999',
              'operations.listenAddress': '127.0.0.1:7997',
              'peer.chaincodeListenAddress': '127.0.0.1:7998',
            },
      );
    }
    if (cause === BY_PROGRAM) return await problemOfRun(node, version);
    const causes = await judge(node, version);
    const program = start(version, node);
    const hasEnded = await program.ended(REFUSED_WITHIN);
    await program.kill();
    const found = causes.find((each) => each.severity === 'cause');
    if (!hasEnded) return 'the program did not refuse';
    if (found?.id !== cause) return `found ${JSON.stringify(causes)}\n${refusal(program.output())}`;
    return found.prints !== '' && program.output().includes(found.prints)
      ? undefined
      : `not the words of the program: ${found.prints}\n${refusal(program.output())}`;
  } finally {
    for (const each of undo) await each();
  }
}

/** What is wrong with what preflight prints when only the program knows the reason. */
async function problemOfRun(node: BrokenNode, version: FabricVersion): Promise<string | undefined> {
  const { file, cwd, variables } = node;
  const { causes, node: judged } = await preflight({ file, cwd, variables, version: version.slice(1) });
  if (causes.some(({ severity }) => severity === 'cause')) return `found ${JSON.stringify(causes)}`;
  const run = await confirm(judged!, join(findFabric(version).bin, node.kind));
  return run.starts === false && run.prints.length > 0 ? undefined : JSON.stringify(run);
}

const refusal = (output: string): string =>
  output
    .split('\n')
    .filter((line) => /PANI|FATA|ERRO|^panic|^Error|^\*/.test(line))
    .slice(0, 3)
    .join('\n');

/** What preflight prints about the nodes of a network; of the ids only. */
async function idsOf(nodes: readonly FabricNode[], version: FabricVersion): Promise<readonly string[][]> {
  const found: string[][] = [];
  for (const { file, directory } of nodes) {
    const { causes } = await preflight({ file, cwd: directory, variables: {}, version: version.slice(1) });
    found.push(causes.map(({ id }) => id));
  }
  return found;
}

/** Of a peer without the builder of the sample file. */
const expected = (nodes: readonly FabricNode[], ...ids: readonly string[]): readonly string[][] =>
  nodes.map(({ kind }) => [...ids, ...(kind === 'peer' ? ['builder-missing'] : [])]);

/** Starts a network, asks about its nodes while they run and after they have ended, without that any of them is said not to start. */
async function healthyNetwork(
  t: ExecutionContext,
  version: FabricVersion,
  consensus: Consensus,
): Promise<FabricNetwork> {
  const network = await startNetwork(t, { version, consensus, orderers: consensus === 'BFT' ? 4 : 3 });
  const nodes = [...network.orderers, ...network.peers];
  t.deepEqual(await idsOf(nodes, version), expected(nodes, 'running'), `${version} ${consensus}, running`);
  await Promise.all(nodes.map(async (node) => node.stop()));
  t.deepEqual(await idsOf(nodes, version), expected(nodes), `${version} ${consensus}, ended`);
  return network;
}

/** What preflight finds of a severity in a copy under a version, and whether the program of that version serves then. */
async function outcome(
  node: BrokenNode,
  version: FabricVersion,
): Promise<{ readonly causes: readonly string[]; readonly serves: boolean; readonly saysSo: boolean }> {
  const found = await judge(node, version);
  const program = start(version, node);
  while (!SERVES.test(program.output()) && !(await program.ended(50)));
  // A channel may stop it after that.
  const hasEnded = await program.ended(1500);
  await program.kill();
  const relevant = found.filter(({ id }) => id !== 'builder-missing');
  return {
    causes: relevant.map(({ id }) => id),
    serves: !hasEnded,
    saysSo: relevant.every(({ prints }) => program.output().includes(prints)),
  };
}

/** Breaks a copy of a node that starts nevertheless, and returns what is wrong with what preflight prints. */
async function compareWarning(
  t: ExecutionContext,
  network: string,
  version: FabricVersion,
  { kind, warnings, isSaid, break: change }: Start,
): Promise<string | undefined> {
  const node = copyOf(network, temporaryFolder(t), kind);
  change(node);
  const wanted = { causes: warnings, serves: true, saysSo: isSaid };
  const found = await outcome(node, version);
  return isDeepStrictEqual(found, wanted)
    ? undefined
    : `${kind} (${STARTS.findIndex((each) => each.break === change)}): ${JSON.stringify({ found, wanted })}`;
}

/** Releases, and for those of 2.5 the release that they are upgraded to. */
const VERSIONS: readonly (readonly [version: FabricVersion, newer?: FabricVersion])[] = [
  ['v2.5.12', 'v3.0.0'],
  ['v2.5.16', 'v3.1.5'],
  ['v3.0.0'],
  ['v3.1.5'],
];
for (const [version, newer] of VERSIONS)
  test.serial(
    `preflight names what stops a program of ${version}, in its words, and finds nothing in nodes that start`,
    async (t) => {
      t.timeout(1_800_000);
      const { directory } = await healthyNetwork(t, version, 'etcdraft');
      const wrong: string[] = [];
      const refusals = REFUSALS.filter(({ versions = [version] }) => versions.includes(version));
      for (const each of refusals) {
        const problem = await compare(t, directory, version, each);
        if (problem !== undefined)
          wrong.push(`${each.kind}: ${each.cause} (${REFUSALS.indexOf(each)}): ${problem}`);
      }
      t.deepEqual(wrong, []);
      t.log(`${refusals.length} refusals of ${new Set(refusals.map(({ cause }) => cause)).size} causes`);
      for (const each of STARTS) {
        const problem = await compareWarning(t, directory, version, each);
        if (problem !== undefined) wrong.push(problem);
      }
      t.deepEqual(wrong, []);
      for (const kind of ['orderer', 'peer'] as const) await withLinks(t, directory, version, kind);
      if (newer !== undefined) await underVersion3(t, directory, version, newer);
    },
  );

/** Folders of a node become links, as to another disk: the program starts on a copy of what they name, and changes nothing of it. */
async function withLinks(
  t: ExecutionContext,
  network: string,
  version: FabricVersion,
  kind: 'peer' | 'orderer',
): Promise<void> {
  const node = copyOf(network, temporaryFolder(t), kind);
  const disk = join(node.directory, 'disk');
  renameSync(node.data, disk);
  symlinkSync(disk, node.data);
  const inner = join(disk, kind === 'peer' ? 'ledgersData' : 'wal');
  renameSync(inner, join(node.directory, 'inner'));
  symlinkSync('../inner', inner);
  renameSync(join(node.msp, 'keystore'), join(node.directory, 'keys'));
  symlinkSync(join(node.directory, 'keys'), join(node.msp, 'keystore'));
  execFileSync('mkfifo', [join(disk, 'fifo')]);
  const state = (): string =>
    execFileSync(
      'sh',
      ['-c', 'find . -printf "%p %y %T@\\n" | sort; find . -type f -exec md5sum {} + | sort'],
      {
        cwd: node.directory,
        encoding: 'utf8',
        maxBuffer: 16 * 1024 * 1024,
      },
    );
  const before = state();
  const { node: judged } = await preflight({
    file: node.file,
    cwd: node.home,
    variables: {},
    version: version.slice(1),
  });
  t.deepEqual(await confirm(judged!, join(findFabric(version).bin, kind)), {
    version: version.slice(1),
    starts: true,
    hasChannels: true,
    prints: [],
    notes: [`${join(node.data, 'fifo')}: not copied, because only regular files are copied`],
  });
  t.is(state(), before);
}

/** The data and files of a node of 2.5, started with the programs of 3. */
async function underVersion3(
  t: ExecutionContext,
  network: string,
  older: FabricVersion,
  newer: FabricVersion,
): Promise<void> {
  const number = newer.slice(1);
  const peer = copyOf(network, temporaryFolder(t), 'peer');
  t.deepEqual(await outcome(peer, newer), { causes: [], serves: true, saysSo: true });
  const ofPeer = await preflight({ file: peer.file, cwd: peer.home, variables: {}, version: number });
  const started = await confirm(ofPeer.node!, join(findFabric(newer).bin, 'peer'));
  t.deepEqual(started, { version: number, starts: true, hasChannels: true, prints: [], notes: [] });

  const orderer = copyOf(network, temporaryFolder(t), 'orderer');
  t.deepEqual(await outcome(orderer, newer), { causes: ['unknown-keys'], serves: false, saysSo: true });
  const { causes, node } = await preflight({
    file: orderer.file,
    cwd: orderer.home,
    variables: {},
    version: undefined,
  });
  t.deepEqual(
    causes.map(({ id, severity }) => [id, severity]),
    [['unknown-keys', 'warning']],
    'without a version',
  );
  const program = join(findFabric(newer).bin, 'orderer');
  const before = statSync(orderer.blocks).mtimeMs;
  const refused = await confirm(node!, program);
  t.deepEqual([refused.version, refused.starts], [number, false]);
  const words = "'' has invalid keys: Kafka";
  t.true(refused.prints.includes(newer === 'v3.0.0' ? `* ${words}` : words), refused.prints.join('\n'));
  orderer.set({ Kafka: undefined });
  const repaired = await preflight({
    file: orderer.file,
    cwd: orderer.home,
    variables: {},
    version: number,
  });
  t.deepEqual(repaired.causes, []);
  const confirmed = await confirm(repaired.node!, program);
  t.deepEqual(confirmed, { version: number, starts: true, hasChannels: true, prints: [], notes: [] });
  t.is(statSync(orderer.blocks).mtimeMs, before);
  t.deepEqual(await outcome(orderer, newer), { causes: [], serves: true, saysSo: true });

  rmSync(orderer.data, { recursive: true });
  const block = systemBlock(network);
  orderer.set({ 'General.BootstrapMethod': 'file', 'General.BootstrapFile': block });
  t.deepEqual(await outcome(orderer, older), { causes: [], serves: true, saysSo: true });
  orderer.set({ 'General.BootstrapMethod': 'none' });
  t.deepEqual(await outcome(orderer, newer), { causes: ['system-channel'], serves: false, saysSo: true });
}

/** The genesis block of a system channel of the same orderers. */
function systemBlock(network: string): string {
  const place = dirname(genesisBlock(network));
  const document = parseDocument(readFileSync(join(place, 'configtx.yaml'), 'utf8'));
  const profile = ['Profiles', 'Channel'];
  const addresses = document.getIn([...profile, 'Orderer', 'Organizations', 0, 'OrdererEndpoints']);
  document.deleteIn([...profile, 'Application']);
  document.setIn([...profile, 'Orderer', 'Addresses'], addresses);
  document.setIn([...profile, 'Consortiums'], document.createNode({ Sample: { Organizations: [] } }));
  return makeBlock(network, document.toString(), 'system');
}

function makeBlock(network: string, configtx: string, channel: string): string {
  const place = join(network, `configtx-${channel}`);
  mkdirSync(place);
  writeFileSync(join(place, 'configtx.yaml'), configtx);
  const block = join(place, 'genesis.block');
  const args = ['-profile', 'Channel', '-channelID', channel, '-outputBlock', block];
  runTool(findFabric(TOOLS).bin, 'configtxgen', args, { FABRIC_CFG_PATH: place });
  return block;
}

for (const [version, older] of [
  ['v3.0.0', 'v2.5.12'],
  ['v3.1.5', 'v2.5.16'],
] as const)
  test.serial(
    `preflight finds nothing in nodes of ${version} with BFT, and names what ${older} lacks`,
    async (t) => {
      t.timeout(1_800_000);
      const { directory } = await healthyNetwork(t, version, 'BFT');
      // The files of 2.5 with the data of 3.0.
      const orderer = copyOf(directory, temporaryFolder(t), 'orderer');
      orderer.set({ 'General.Backoff': undefined, 'General.Throttling': undefined });
      orderer.set({ 'General.Cluster.ReplicationPolicy': undefined });
      t.deepEqual(await outcome(orderer, older), {
        causes: ['channel-too-new'],
        serves: false,
        saysSo: true,
      });
      const peer = copyOf(directory, temporaryFolder(t), 'peer');
      peer.set({ 'peer.handlers.authFilters': [{ name: 'DefaultAuth' }] });
      t.deepEqual(await outcome(peer, older), { causes: ['channel-too-new'], serves: true, saysSo: true });
    },
  );
