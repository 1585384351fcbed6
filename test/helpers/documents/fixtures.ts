// What a story finds: the programs of the package on PATH, the files that its reader has already, and a folder for each place of the
// machine that a document names.

import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { Authority } from '../certificates.js';
import { organisation } from '../config-block.js';
import { temporaryFolder } from '../folder.js';
import { networkBlock } from '../network-block.js';

/** The checkout. */
export const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** Places of the machine that documents name; a story has a folder of its own for each. */
const PLACES = ['/etc/hyperledger', '/etc/carbon', '/etc/grafana', '/var'];
const PLACE = new RegExp(`(?<![\\w.-])(?=(?:${PLACES.join('|')})(?![\\w-]))`, 'g');

const sample = (name: string) => (): string => readFileSync(join(REPOSITORY, 'config', name), 'utf8');

/** Files that readers have before they begin. */
type Given = Readonly<Record<string, () => string | Uint8Array>>;

const OF_NODES: Given = {
  '/etc/hyperledger/fabric/core.yaml': sample('peer.yaml'),
  '/etc/hyperledger/fabric/orderer.yaml': sample('orderer.yaml'),
};

/** Only readers of the documents of the translator have these. */
const OF_A_CHANNEL: Given = {
  'config_block.pb': networkBlock,
  'org3.json': () => JSON.stringify(organisation('Org3MSP')),
  'org3-ca.pem': () => '-----BEGIN CERTIFICATE-----\n',
  'org3-tlsca.pem': () => '-----BEGIN CERTIFICATE-----\n',
  'new_block.pb': networkBlock,
  'orderer2-tls.pem': () => '-----BEGIN CERTIFICATE-----\n',
};

/** Documents that go on with the files of “Mutual TLS from scratch” in core/http/README.md. */
const AFTER_MUTUAL_TLS = new Set(['plugins/metrics/prometheus/README.md']);

/** Files beside a document that its reader has, too. */
const BESIDE = /\.(?:yaml|json|service)$/;
const NOT_BESIDE = new Set(['node_modules', 'dist', 'test', '.git']);

/** The folders of a story. */
export interface Fixtures {
  /** Where its commands begin. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A text of the document with the folders of the story in the place of those of the machine. */
  inside(text: string): string;
  /** The reverse. */
  outside(text: string): string;
  /** Writes a file that the text names. */
  write(name: string, content: string | Uint8Array): void;
}

/** Makes the fixtures of a story; they are removed at the end of the test. */
export function fixtures(t: ExecutionContext, document: string): Fixtures {
  const root = temporaryFolder(t);
  const folder = join(root, 'home/operator');
  const inside = (text: string): string => text.replaceAll(PLACE, root);
  const write = (name: string, content: string | Uint8Array): void => {
    const file = join(name.startsWith('/') ? '' : folder, inside(name));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? inside(content) : content);
  };
  copyBeside(join(REPOSITORY, dirname(document)), folder, write);
  const given = document.startsWith('translator/') ? { ...OF_NODES, ...OF_A_CHANNEL } : OF_NODES;
  for (const [name, content] of Object.entries(given)) write(name, content());
  if (AFTER_MUTUAL_TLS.has(document)) writeCertificates(folder);
  mkdirSync(join(root, 'var/run'), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(REPOSITORY, join(folder, 'node_modules/fabric-ops-agent'));
  write('.curlrc', 'silent\nshow-error\n');
  return {
    folder,
    environment: {
      PATH: [programs(root), dirname(process.execPath), process.env.PATH ?? '', '/usr/sbin'].join(delimiter),
      HOME: folder,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      REPOSITORY,
    },
    inside,
    outside: (text) => text.replaceAll(root, ''),
    write,
  };
}

function writeCertificates(folder: string): void {
  const authority = new Authority(folder, 'ca');
  for (const [name, usage] of [
    ['agent', 'serverAuth'],
    ['client', 'clientAuth'],
  ] as const) {
    const { cert, key } = authority.issue(name, usage);
    renameSync(cert, join(folder, `${name}.pem`));
    renameSync(key, join(folder, `${name}.key`));
  }
}

function copyBeside(from: string, folder: string, write: Fixtures['write']): void {
  cpSync(from, folder, {
    recursive: true,
    filter: (source, target) => {
      if (!BESIDE.test(source)) return !NOT_BESIDE.has(basename(source)) && !/\.\w+$/.test(source);
      write(target.slice(folder.length + 1), readFileSync(source, 'utf8'));
      return false;
    },
  });
}

/** The folder with the programs of package.json as they are after an installation. */
function programs(root: string): string {
  const { bin } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    bin: Readonly<Record<string, string>>;
  };
  const folder = join(root, 'usr/local/bin');
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of Object.entries(bin)) {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${join(REPOSITORY, file)}' "$@"\n`;
    writeFileSync(join(folder, name), script, { mode: 0o755 });
  }
  return folder;
}
