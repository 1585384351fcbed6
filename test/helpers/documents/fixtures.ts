// The environment in which the commands of a document run: the programs of the package on PATH, the files that its reader already
// has, and a directory for each system path that documents use.

import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { TestCa } from '../certificates.js';
import { organisation } from '../config-block.js';
import { temporaryFolder } from '../folder.js';
import { networkBlock } from '../network-block.js';
import { storedBlocks } from '../stored-ledger.js';
import { startNetwork } from '../../e2e/fabric/network.js';
import { writeChannel } from './channel.js';

/** The root directory of the repository. */
export const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** System paths that documents use. They are replaced with directories below a temporary one. */
const SYSTEM_PATHS = ['/etc/hyperledger', '/etc/carbon', '/etc/grafana', '/var'];
const SYSTEM_PATH = new RegExp(`(?<![\\w.-])(?=(?:${SYSTEM_PATHS.join('|')})(?![\\w-]))`, 'g');

const sample = (name: string) => (): string => readFileSync(join(REPOSITORY, 'config', name), 'utf8');

/** Files that a reader has before the first command, by path. */
type InitialFiles = Readonly<Record<string, () => string | Uint8Array>>;

const NODE_FILES: InitialFiles = {
  '/etc/hyperledger/fabric/core.yaml': sample('peer.yaml'),
  '/etc/hyperledger/fabric/orderer.yaml': sample('orderer.yaml'),
  '/etc/hyperledger/fabric/msp/signcerts/cert.pem': () => '-----BEGIN CERTIFICATE-----\n',
};

/** Only for the documents of the translator. */
const CHANNEL_FILES: InitialFiles = {
  'config_block.pb': networkBlock,
  'ledger/mychannel/blockfile_000000': () => Buffer.concat(storedBlocks({ blocks: 10, configs: [3] })),
  'org3.json': () => JSON.stringify(organisation('Org3MSP')),
  'new_block.pb': networkBlock,
};

/** The document that uses a channel with certificates and keys. */
const COOKBOOK = 'translator/cli/README.md';

/** The document that runs beside a peer and an orderer. They run in the network of the tests. */
const BESIDE_NODES = 'config/monitor.md';

/** Documents that use the files of "Mutual TLS from scratch" in core/http/README.md. */
const USES_MUTUAL_TLS = new Set(['plugins/metrics/prometheus/README.md']);

/** Files in the directory of a document that are copied, subdirectories included. */
const COPIED = /\.(?:yaml|json|service)$/;
const SKIPPED = new Set(['node_modules', 'dist', 'test', '.git']);

/** The environment of a document. */
export interface Fixtures {
  /** The working directory of the first command. */
  readonly directory: string;
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether the commands use the network of the tests, in which the nodes run. */
  readonly usesNetworkOfTests: boolean;
  /** Replaces system paths with the temporary directories. */
  toTemporary(text: string): string;
  /** Replaces the temporary directories with system paths. */
  toSystem(text: string): string;
  /** Writes a file; its name and text may contain system paths. */
  write(name: string, content: string | Uint8Array): void;
}

/** Creates the environment of a document. It is removed when the test ends. */
export async function fixtures(t: ExecutionContext, document: string): Promise<Fixtures> {
  const root = temporaryFolder(t);
  const directory = join(root, 'home/operator');
  const toTemporary = (text: string): string => text.replaceAll(SYSTEM_PATH, root);
  const write = (name: string, content: string | Uint8Array): void => {
    const file = join(name.startsWith('/') ? '' : directory, toTemporary(name));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? toTemporary(content) : content);
  };
  copyFiles(join(REPOSITORY, dirname(document)), directory, write);
  const files = document.startsWith('translator/') ? { ...NODE_FILES, ...CHANNEL_FILES } : NODE_FILES;
  for (const [name, content] of Object.entries(files)) write(name, content());
  if (document === COOKBOOK) writeChannel(directory);
  const nodeVariables = document === BESIDE_NODES ? await startNodes(t, write) : {};
  if (USES_MUTUAL_TLS.has(document)) writeCertificates(directory);
  mkdirSync(join(root, 'var/run'), { recursive: true });
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(REPOSITORY, join(directory, 'node_modules/fabric-ops-agent'));
  write('.curlrc', 'silent\nshow-error\n');
  return {
    directory,
    variables: {
      PATH: [installPrograms(root), dirname(process.execPath), process.env.PATH ?? '', '/usr/sbin'].join(
        delimiter,
      ),
      HOME: directory,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      REPOSITORY,
      // A channel is a file here: no network runs.
      CHANNEL: 'config_block.pb',
      BFT_CHANNEL: 'bft_block.pb',
      ...nodeVariables,
    },
    usesNetworkOfTests: document === BESIDE_NODES,
    toTemporary,
    toSystem: (text) => text.replaceAll(root, ''),
    write,
  };
}

/** Starts a peer and an orderer, and replaces the sample files by theirs. Returns the variables of the shell. */
async function startNodes(
  t: ExecutionContext,
  write: Fixtures['write'],
): Promise<Readonly<Record<string, string>>> {
  const { peers, orderers } = await startNetwork(t, { channels: ['mychannel'] });
  write('/etc/hyperledger/fabric/core.yaml', readFileSync(peers[0].file, 'utf8'));
  write('/etc/hyperledger/fabric/orderer.yaml', readFileSync(orderers[0].file, 'utf8'));
  return { CORE_PEER_ID: 'peer0.org1.example.com' };
}

function writeCertificates(directory: string): void {
  const ca = new TestCa(directory, 'ca');
  for (const [name, usage] of [
    ['agent', 'serverAuth'],
    ['client', 'clientAuth'],
  ] as const) {
    const { cert, key } = ca.issue(name, usage);
    renameSync(cert, join(directory, `${name}.pem`));
    renameSync(key, join(directory, `${name}.key`));
  }
}

function copyFiles(from: string, directory: string, write: Fixtures['write']): void {
  cpSync(from, directory, {
    recursive: true,
    filter: (source, target) => {
      if (!COPIED.test(source)) return !SKIPPED.has(basename(source)) && !/\.\w+$/.test(source);
      write(target.slice(directory.length + 1), readFileSync(source, 'utf8'));
      return false;
    },
  });
}

/** Creates a directory with the programs of package.json, as an installation does, and returns its path. */
function installPrograms(root: string): string {
  const { bin } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    bin: Readonly<Record<string, string>>;
  };
  const directory = join(root, 'usr/local/bin');
  mkdirSync(directory, { recursive: true });
  for (const [name, file] of Object.entries(bin)) {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${join(REPOSITORY, file)}' "$@"\n`;
    writeFileSync(join(directory, name), script, { mode: 0o755 });
  }
  return directory;
}
