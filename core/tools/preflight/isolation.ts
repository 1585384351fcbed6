// Isolates a program that preflight starts: in a network namespace without connections to the outside, if one can be made, and with variables
// that name copies of the node's folders, and that switch off the services of the node.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import { missingSection, nodeVariable, type NodeValues } from '../../../config/index.js';
import { AgentError } from '../../contract/index.js';
import { parseLogSpec } from '../../contract/log-spec.js';
import { ledgerPlaces } from './node.js';
import { UNKNOWN_COLOUR } from './refused-values.js';

/** Longest attempt to make a namespace, in milliseconds. */
const TIMEOUT = 30_000;

/** A command that runs another one in a new network namespace. It fails if there is no such namespace. */
export function inNamespace(command: readonly string[]): string[] {
  // A peer needs an address. A listener may name an address of this machine; the namespace may have no IPv6.
  const own = Object.values(networkInterfaces()).flatMap((each = []) => each);
  const lines = [
    'ip link set lo up || exit',
    'ip address add 192.0.2.1/32 dev lo || exit',
    ...own
      .filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
      .map(({ address }) => `ip address add ${address} dev lo 2>/dev/null`),
    'exec "$@"',
  ];
  return ['unshare', '--net', '--map-root-user', 'sh', '-c', lines.join('\n'), 'sh', ...command];
}

/** Whether this user can make a network namespace. */
export function hasNamespace(): boolean {
  const [program = '', ...args] = inNamespace(['true']);
  return spawnSync(program, args, { stdio: 'ignore', timeout: TIMEOUT, killSignal: 'SIGKILL' }).status === 0;
}

/** A folder of the node that its program may write to. */
interface WrittenFolder {
  readonly key: string;
  /** Absolute; empty if the program gets an empty folder. */
  readonly path: string;
  /** Whether it has the data of channels. */
  readonly isLedger: boolean;
}

/**
 * The folders that a program may write to. The local MSP is one of them, because a program makes a missing keystore in it.
 *
 * @throws AgentError `USAGE` if the program would not read the variable of a folder, and would write to the folder of the node
 */
export function writtenFolders(node: NodeValues): readonly WrittenFolder[] {
  const { root } = ledgerPlaces(node);
  const folder = (key: string, path = node.path(key).value, isLedger = true): WrittenFolder => ({
    key,
    path,
    isLedger,
  });
  const ifSet = (key: string, copied: boolean): WrittenFolder[] =>
    node.text(key).value === '' ? [] : [folder(key, copied ? node.path(key).value : '', false)];
  if (node.kind === 'peer')
    return [
      folder('peer.mspConfigPath', node.path('peer.mspConfigPath').value, false),
      folder('peer.fileSystemPath', root.value),
      folder('ledger.snapshots.rootDir', ''),
      ...ifSet('peer.BCCSP.SW.FileKeyStore.KeyStore', true),
    ];
  const folders = [
    folder('General.LocalMSPDir', node.path('General.LocalMSPDir', 'msp').value, false),
    folder('FileLedger.Location', root.value),
    folder('Consensus.WALDir'),
    folder('Consensus.SnapDir'),
    ...ifSet('General.BCCSP.SW.FileKeyStore.KeyStore', true),
    ...ifSet('Debug.BroadcastTraceDir', false),
    ...ifSet('Debug.DeliverTraceDir', false),
  ];
  for (const { key } of folders) requireVariable(node, key);
  return folders;
}

/** Checks that the program reads the variable of a folder. */
function requireVariable(node: NodeValues, key: string): void {
  const { file, kind } = node;
  const missing = missingSection(node, key);
  if (missing === undefined) return;
  throw new AgentError(
    'USAGE',
    `the ${kind} would write to its real folders, because it reads no variable for ${key} without ${missing} in ${file.name}: write ${key} into the file, with its current value`,
  );
}

/** Checks that a program would read the file that was checked. @throws AgentError `USAGE` */
export function requireFileName({ kind, file }: NodeValues): void {
  const name = kind === 'peer' ? 'core.yaml' : 'orderer.yaml';
  if (basename(file.name) !== name)
    throw new AgentError('USAGE', `the ${kind} reads ${name}, not ${file.name}: rename the file`);
}

/** Variables for a program, by the key in the node's file, and the differences from a normal start. */
export interface Isolation {
  readonly variables: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** How a program is started. */
interface Surroundings {
  /** In a network namespace; otherwise it gets other ports, and no channels. */
  readonly isAlone: boolean;
  /** Whether it gets the ledger of the node if it is alone. */
  readonly hasLedger: boolean;
  /** Of the program. */
  readonly version: string;
}

/**
 * Replaces the services of the node: CouchDB and StatsD, and also Docker and external builders, because they would stop or start containers
 * of the running node (Fabric: core/container/dockercontroller, `Start`).
 *
 * @param directory of the copies
 */
export async function isolate(
  node: NodeValues,
  directory: string,
  { isAlone, hasLedger, version }: Surroundings,
): Promise<Isolation> {
  const values: Record<string, string> = {};
  const notes: string[] = [];
  const [provider, network] =
    node.kind === 'peer'
      ? (['metrics.provider', 'metrics.statsd.network'] as const)
      : (['Metrics.Provider', 'Metrics.Statsd.Network'] as const);
  // The program refuses an invalid network before it sends anything.
  if (node.text(provider).value === 'statsd' && /^(?:tcp|udp)[46]?$/.test(node.text(network).value)) {
    values[provider] = 'disabled';
    notes.push('the program ran without StatsD, so that it sent no metrics of the node');
  }
  if (node.kind === 'peer') Object.assign(values, withoutServices(node, directory, notes));
  if (!isAlone) {
    notes.push(
      'this user may not make a network namespace: the program ran without the channels of the node',
    );
    Object.assign(values, await otherPorts(node));
  } else if (!hasLedger) notes.push('the node runs: the program ran without its channels');
  const hasChannels = isAlone && hasLedger;
  // Without channels, the program would create the system channel of the block, and connect to its consenters.
  const isBootstrapped = /^(?:file)?$/.test(node.text('General.BootstrapMethod').value);
  if (!hasChannels && node.kind === 'orderer' && version.startsWith('2.') && isBootstrapped)
    values['General.BootstrapMethod'] = 'none';
  const variables = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [nodeVariable(node.kind, key), value]),
  );
  return { variables: { ...variables, ...logging(node), TMPDIR: directory }, notes };
}

/** Addresses of a Docker engine that a peer may connect to. */
const DOCKER = /^(?:unix:\/\/|(?:tcp|https?):\/\/(?:[^/:]*|\[[^\]]*\])(?::\d+)?(?:\/|$))/;

/** Replaces the services of a peer. */
function withoutServices(node: NodeValues, directory: string, notes: string[]): Record<string, string> {
  const values: Record<string, string> = {};
  if (node.text('ledger.state.stateDatabase').value === 'CouchDB') {
    values['ledger.state.stateDatabase'] = 'goleveldb';
    notes.push(
      'the program ran with goleveldb in place of CouchDB, so that it did not change the state of the node',
    );
  }
  // Keeps an address that the peer refuses.
  if (DOCKER.test(node.text('vm.endpoint').value))
    values['vm.endpoint'] = `unix://${join(directory, 'no-docker.sock')}`;
  const { value: builders } = node.value('chaincode.externalBuilders');
  const isComplete = (each: unknown): boolean =>
    each instanceof Map && ['name', 'path'].every((key) => (each.get(key) ?? '') !== '');
  const list = Array.isArray(builders) ? builders : [];
  if (typeof builders === 'string' || (list.length > 0 && list.every(isComplete)))
    values['chaincode.externalBuilders'] = JSON.stringify([
      { name: 'none', path: join(directory, 'no-builder') },
    ]);
  return values;
}

/** Level info and the default format, for the expected lines of a start. Keeps a specification or a format that the program refuses. */
function logging({ variables }: NodeValues): Record<string, string> {
  const format = UNKNOWN_COLOUR.test(variables['FABRIC_LOGGING_FORMAT'] ?? '')
    ? {}
    : { FABRIC_LOGGING_FORMAT: '' };
  try {
    parseLogSpec(variables['FABRIC_LOGGING_SPEC'] ?? '');
    return { FABRIC_LOGGING_SPEC: 'info', ...format };
  } catch {
    return format;
  }
}

/** Free ports for the listeners of a node, by key. */
async function otherPorts(node: NodeValues): Promise<Record<string, string>> {
  const ports = await Promise.all(Array.from({ length: 5 }, freePort));
  const [service, operations, other, profile, cluster] = ports.map(String) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const local = (port: string): string => `127.0.0.1:${port}`;
  if (node.kind === 'peer')
    return {
      'peer.listenAddress': local(service),
      'peer.address': local(service),
      'peer.gossip.bootstrap': local(service),
      'operations.listenAddress': local(operations),
      'peer.chaincodeListenAddress': local(other),
      'peer.profile.listenAddress': local(profile),
    };
  return {
    'General.ListenAddress': '127.0.0.1',
    'General.ListenPort': service,
    'Operations.ListenAddress': local(operations),
    'Admin.ListenAddress': local(other),
    'General.Profile.Address': local(profile),
    // The cluster has a separate listener only if all of its keys are set.
    ...(Number(node.text('General.Cluster.ListenPort').value) > 0 && {
      'General.Cluster.ListenPort': cluster,
    }),
    ...(node.text('General.Cluster.ListenAddress').value !== '' && {
      'General.Cluster.ListenAddress': '127.0.0.1',
    }),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
