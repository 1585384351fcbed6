// What preflight says about nodes, compared with what the programs of Fabric say at their start.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { preflight, type Cause } from '../../core/preflight/index.js';
import { temporaryFolder } from '../helpers/folder.js';
import { guardProcess } from '../helpers/guard.js';
import { PROGRAM } from '../helpers/program.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import { findFabric, type FabricVersion } from './fabric/programs.js';
import { copyOf, REFUSALS, type BrokenNode, type Refusal } from './fabric/refusals.js';

/** Longest run of a program that must refuse, in milliseconds. */
const REFUSED_WITHIN = 20_000;
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
    cwd: node.home,
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
  execFileSync('sh', ['-c', `cp -a --sparse=always ${data}.copy/. ${data}; dd if=/dev/zero of=${data}/fill bs=4k 2>/dev/null; true`]);
  return () => execFileSync('umount', ['-l', data]);
}

/** Asks preflight, as the user that starts the node. */
async function judge(node: BrokenNode, version: FabricVersion): Promise<readonly Cause[]> {
  const options = { file: node.file, cwd: node.home, version: version.slice(1) };
  if (node.user === undefined) {
    const { causes } = await preflight({ ...options, variables: node.variables });
    return causes;
  }
  const args = ['preflight', '--beside', node.file, '--to', options.version, '--json'];
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: node.home,
    uid: node.user,
    gid: node.user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return (JSON.parse(output) as { causes: readonly Cause[] }).causes;
}

/** Breaks a copy of a node, asks preflight, and starts the program; returns what is wrong with the answer. */
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
    const causes = await judge(node, version);
    const program = start(version, node);
    const hasEnded = await program.ended(REFUSED_WITHIN);
    await program.kill();
    const found = causes.find((each) => each.severity === 'cause');
    if (!hasEnded) return 'the program did not refuse';
    if (found?.id !== cause) return `found ${JSON.stringify(causes)}\n${refusal(program.output())}`;
    return found.says !== '' && program.output().includes(found.says)
      ? undefined
      : `not the words of the program: ${found.says}\n${refusal(program.output())}`;
  } finally {
    for (const each of undo) await each();
  }
}

const refusal = (output: string): string =>
  output
    .split('\n')
    .filter((line) => /PANI|FATA|ERRO|^panic|^Error|^\*/.test(line))
    .slice(0, 3)
    .join('\n');

/** A network whose nodes have ended. */
async function endedNetwork(t: ExecutionContext, version: FabricVersion): Promise<FabricNetwork> {
  const network = await startNetwork(t, { version });
  await Promise.all([...network.orderers, ...network.peers].map(async (node) => node.stop()));
  return network;
}

for (const version of ['v2.5.12', 'v3.0.0'] as const)
  test.serial(`preflight names what stops a program of ${version}, in its words`, async (t) => {
    t.timeout(300_000);
    const { directory } = await endedNetwork(t, version);
    const wrong: string[] = [];
    const only = process.env['REFUSAL'] ?? '';
    const refusals = REFUSALS.filter(
      ({ versions = [version], cause }) => versions.includes(version) && cause.includes(only),
    );
    for (const each of refusals) {
      const begin = performance.now();
      const problem = await compare(t, directory, version, each);
      if (performance.now() - begin > 800) t.log(each.kind, each.cause, REFUSALS.indexOf(each), performance.now() - begin);
      if (problem !== undefined)
        wrong.push(`${each.kind}: ${each.cause} (${REFUSALS.indexOf(each)}): ${problem}`);
    }
    t.deepEqual(wrong, []);
    t.log(`${refusals.length} refusals of ${new Set(refusals.map(({ cause }) => cause)).size} causes`);
  });
