// Starts a program on a copy of a node's files, to see whether it refuses them. The copy has its own directory, and the program runs in a
// network namespace of its own, so that it reaches nothing and takes no port of this machine. Without namespaces it gets no channels,
// which it would connect to other nodes for, and other ports.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, constants, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError, reasonOf } from '../contract/index.js';
import { describeSystemError } from '../common/text/system-error.js';
import { runCommand } from '../kit/command.js';
import { ledgerPlaces, type PreflightNode } from './node.js';

/** What the program did. */
export interface Confirmation {
  /** What `FILE version` says, such as `3.0.0`; empty if it says nothing. */
  readonly version: string;
  /** Whether it served; false: it refused. Undefined: neither within {@link TIMEOUT}. */
  readonly starts: boolean | undefined;
  /** The lines with which it refused. */
  readonly says: readonly string[];
  /** What differed from a normal start, for example that it ran without channels. */
  readonly notes: readonly string[];
}

/** Longest run of the program, in milliseconds. */
const TIMEOUT = 30_000;
/** After it serves it may still end because of a channel, in milliseconds. */
const SETTLE = 1500;
/** Largest ledger that is copied, in bytes. */
const MAX_COPY = 2n * 1024n ** 3n;
/** Longest output that is kept, in characters. */
const MAX_OUTPUT = 1024 * 1024;
const MAX_LINES = 20;
const SERVES = /Beginning to serve requests|Started peer with ID/;
/** Colours of the terminal. */
// oxlint-disable-next-line no-control-regex
const COLOURS = /\x1b\[[0-9;]*m/g;
const REFUSALS = /\b(?:PANI|FATA|CRIT)\b|^panic: |^Error: |^\* |InitCmd -> |failed to parse config/;

/** A program of a node. */
export interface NodeProgram {
  readonly kind: PreflightNode['kind'];
  /** Such as `3.0.0`. */
  readonly version: string;
}

/** Asks a program what it is. @throws AgentError `USAGE` if it cannot be run, or is not the program of a node */
export function identifyProgram(program: string): NodeProgram {
  const { stdout, error } = spawnSync(program, ['version'], {
    encoding: 'utf8',
    timeout: TIMEOUT,
    env: {},
    maxBuffer: MAX_OUTPUT,
  });
  if (error !== undefined)
    throw new AgentError('USAGE', `--program ${program}: ${describeSystemError(error)}`, { cause: error });
  const [, kind] = /^(peer|orderer):$/m.exec(stdout) ?? [];
  const [, version] = /^ ?Version: v?(\S+)/m.exec(stdout) ?? [];
  if (kind === undefined || version === undefined)
    throw new AgentError('USAGE', `--program ${program}: is not the program of a peer or an orderer`);
  return { kind: kind as NodeProgram['kind'], version };
}

/**
 * Starts a program on a copy of a node's files.
 *
 * @throws AgentError `USAGE` if the program cannot be run
 */
export async function confirm(node: PreflightNode, program: string): Promise<Confirmation> {
  const { kind, version } = identifyProgram(program);
  if (kind !== node.kind)
    throw new AgentError(
      'USAGE',
      `--program ${program}: is the program of a ${kind}, but the file configures a ${node.kind}`,
    );
  const directory = mkdtempSync(join(tmpdir(), 'fabric-ops-agent-preflight-'));
  try {
    const notes: string[] = [];
    const isAlone = hasNamespace();
    const variables = copyNode(node, directory, isAlone, notes);
    if (!isAlone) {
      notes.push(
        'this user may not make a network namespace: the program ran without the channels of the node',
      );
      Object.assign(variables, await otherPorts(node));
    }
    const { starts, output } = await run(node, program, variables, isAlone);
    return { version, starts, says: starts === true ? [] : refusalsIn(output, directory, node), notes };
  } finally {
    // The program may still be ending.
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Copies what the program writes to; returns the variables that name the copies. */
function copyNode(
  node: PreflightNode,
  directory: string,
  withLedger: boolean,
  notes: string[],
): Record<string, string> {
  const copies = node.kind === 'peer' ? peerCopies(node) : ordererCopies(node);
  const variables: Record<string, string> = {};
  for (const [name, { path, isLedger }] of Object.entries(copies)) {
    const copy = join(directory, name.toLowerCase());
    variables[name] = copy;
    if (path === '' || !existsSync(path) || (isLedger && !withLedger)) continue;
    if (sizeOf(path) > MAX_COPY) {
      notes.push(`${path} has more than ${MAX_COPY / 1024n ** 3n} GiB and was not copied`);
      continue;
    }
    cpSync(path, copy, { recursive: true, mode: constants.COPYFILE_FICLONE, verbatimSymlinks: true });
  }
  if (node.kind === 'peer' && node.text('ledger.state.stateDatabase').value === 'CouchDB') {
    variables['CORE_LEDGER_STATE_STATEDATABASE'] = 'goleveldb';
    notes.push(
      'the program ran with goleveldb in place of CouchDB, so that it did not change the state of the node',
    );
  }
  return variables;
}

/** A directory of the node by the variable that names it. */
type Copies = Readonly<Record<string, { readonly path: string; readonly isLedger: boolean }>>;

const peerCopies = (node: PreflightNode): Copies => ({
  CORE_PEER_MSPCONFIGPATH: { path: node.path('peer.mspConfigPath').value, isLedger: false },
  CORE_PEER_FILESYSTEMPATH: { path: ledgerPlaces(node).root.value, isLedger: true },
  CORE_LEDGER_SNAPSHOTS_ROOTDIR: { path: '', isLedger: true },
});

const ordererCopies = (node: PreflightNode): Copies => ({
  ORDERER_GENERAL_LOCALMSPDIR: { path: node.path('General.LocalMSPDir', 'msp').value, isLedger: false },
  ORDERER_FILELEDGER_LOCATION: { path: ledgerPlaces(node).root.value, isLedger: true },
  ORDERER_CONSENSUS_WALDIR: { path: node.path('Consensus.WALDir').value, isLedger: true },
  ORDERER_CONSENSUS_SNAPDIR: { path: node.path('Consensus.SnapDir').value, isLedger: true },
});

function sizeOf(path: string): bigint {
  const { blocks } = lstatSync(path, { bigint: true });
  const own = blocks * 512n;
  if (!lstatSync(path).isDirectory()) return own;
  let sum = own;
  for (const name of readdirSync(path)) {
    sum += sizeOf(join(path, name));
    if (sum > MAX_COPY) break;
  }
  return sum;
}

/** In a new namespace: an address, which a peer needs, and no way out. */
const ISOLATED = 'ip link set lo up && ip address add 192.0.2.1/32 dev lo; exec "$@"';
const NAMESPACE = ['--net', '--map-root-user'];

/** Whether a network namespace can be made, and a program run in it. */
const hasNamespace = (): boolean =>
  spawnSync('unshare', [...NAMESPACE, 'sh', '-c', ISOLATED, 'sh', 'true'], {
    stdio: 'ignore',
    timeout: TIMEOUT,
  }).status === 0;

/** Free ports for the listeners of a node, by variable. */
async function otherPorts({ kind }: PreflightNode): Promise<Record<string, string>> {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const [service, operations, other] = ports.map(String) as [string, string, string];
  return kind === 'peer'
    ? {
        CORE_PEER_LISTENADDRESS: `127.0.0.1:${service}`,
        CORE_PEER_ADDRESS: `127.0.0.1:${service}`,
        CORE_PEER_GOSSIP_BOOTSTRAP: `127.0.0.1:${service}`,
        CORE_OPERATIONS_LISTENADDRESS: `127.0.0.1:${operations}`,
        CORE_PEER_CHAINCODELISTENADDRESS: `127.0.0.1:${other}`,
      }
    : {
        ORDERER_GENERAL_LISTENADDRESS: '127.0.0.1',
        ORDERER_GENERAL_LISTENPORT: service,
        ORDERER_OPERATIONS_LISTENADDRESS: `127.0.0.1:${operations}`,
        ORDERER_ADMIN_LISTENADDRESS: `127.0.0.1:${other}`,
      };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function run(
  node: PreflightNode,
  program: string,
  variables: Readonly<Record<string, string>>,
  isAlone: boolean,
): Promise<{ readonly starts: boolean | undefined; readonly output: string }> {
  const command = [program, ...(node.kind === 'peer' ? ['node', 'start'] : ['start'])];
  const stop = new AbortController();
  let output = '';
  let settle: NodeJS.Timeout | undefined;
  const timeout = setTimeout(() => stop.abort(), TIMEOUT);
  const onOutput = (text: string): void => {
    output = (output + text).slice(-MAX_OUTPUT);
    if (SERVES.test(text)) settle ??= setTimeout(() => stop.abort(), SETTLE);
  };
  const own = Object.entries(node.variables).filter(([name]) => /^(?:CORE|ORDERER|FABRIC)_/.test(name));
  try {
    await runCommand(
      {
        command: isAlone ? ['unshare', ...NAMESPACE, 'sh', '-c', ISOLATED, 'sh', ...command] : command,
        directory: node.cwd,
        environment: { ...Object.fromEntries(own), FABRIC_CFG_PATH: node.file.directory, ...variables },
      },
      { signal: stop.signal, maxOutput: Number.POSITIVE_INFINITY, onOutput },
    );
    return { starts: false, output };
  } catch (error) {
    if (!stop.signal.aborted) throw new AgentError('USAGE', `--program ${reasonOf(error)}`, { cause: error });
    return { starts: settle === undefined ? undefined : true, output };
  } finally {
    clearTimeout(timeout);
    clearTimeout(settle);
  }
}

/** The lines that say why, with the paths of the node in place of the paths of the copy. */
function refusalsIn(output: string, directory: string, node: PreflightNode): string[] {
  const { root } = ledgerPlaces(node);
  const ledger = node.kind === 'peer' ? 'core_peer_filesystempath' : 'orderer_fileledger_location';
  const lines = output
    .replaceAll(COLOURS, '')
    .replaceAll(join(directory, ledger), root.value)
    .split('\n')
    .filter((line) => REFUSALS.test(line));
  return [...new Set(lines)].slice(0, MAX_LINES);
}
