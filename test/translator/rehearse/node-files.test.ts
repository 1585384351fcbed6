// The files of nodes: what is written, and who may read it. That nodes start with them, test/e2e/rehearse-network.test.ts tests.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { CopiedNode } from '../../../translator/rehearse/copy.js';
import { writeNode, writePerson } from '../../../translator/rehearse/node-files.js';
import { temporaryFolder } from '../../helpers/folder.js';

const pair = (name: string) => ({ certificate: `${name} certificate\n`, key: `${name} key\n` });

const copied = (kind: 'orderer' | 'peer'): CopiedNode => ({
  name: `${kind}1`,
  kind,
  mspId: 'Org1MSP',
  address: { host: '127.0.0.1', port: 7050 },
  original: undefined,
  msp: new Map([
    ['cacerts/ca0.pem', 'ca\n'],
    ['config.yaml', 'NodeOUs: {}\n'],
  ]),
  signing: pair('signing'),
  tls: { server: pair('server'), client: pair('client'), roots: ['first\n', 'second\n'] },
  isDown: false,
});

const PORTS = { service: 7050, operations: 7051, admin: 7052 };

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(directory, path)).isFile())
    .toSorted();

for (const [kind, file] of [
  ['orderer', 'orderer.yaml'],
  ['peer', 'core.yaml'],
] as const)
  test(`the files of a copied ${kind} are its MSP, its TLS files and ${file}, and only this user may read its keys`, (t) => {
    const directory = temporaryFolder(t);
    writeNode(copied(kind), directory, PORTS);
    t.deepEqual(filesIn(directory), [
      ...[
        file,
        'msp/cacerts/ca0.pem',
        'msp/config.yaml',
        'msp/keystore/key_sk',
        'msp/signcerts/cert.pem',
      ].toSorted(),
      ...['client.crt', 'client.key', 'roots.crt', 'server.crt', 'server.key'].map((each) => `tls/${each}`),
    ]);
    t.is(readFileSync(join(directory, 'msp/signcerts/cert.pem'), 'utf8'), 'signing certificate\n');
    t.is(readFileSync(join(directory, 'tls/roots.crt'), 'utf8'), 'first\n\nsecond\n');
    for (const key of ['msp/keystore/key_sk', 'tls/client.key', 'tls/server.key'])
      t.is(statSync(join(directory, key)).mode & 0o777, 0o600, key);
  });

interface Addresses {
  readonly General: { readonly ListenAddress: string; readonly ListenPort: number };
  readonly Admin: { readonly ListenAddress: string };
  readonly Operations: { readonly ListenAddress: string };
}

test('an orderer listens on loopback only', (t) => {
  const directory = temporaryFolder(t);
  writeNode(copied('orderer'), directory, PORTS);
  const { General, Admin, Operations } = JSON.parse(
    readFileSync(join(directory, 'orderer.yaml'), 'utf8'),
  ) as Addresses;
  t.deepEqual(
    [`${General.ListenAddress}:${General.ListenPort}`, Operations.ListenAddress, Admin.ListenAddress],
    ['127.0.0.1:7050', '127.0.0.1:7051', '127.0.0.1:7052'],
  );
});

test('a peer listens on loopback only', (t) => {
  const directory = temporaryFolder(t);
  writeNode(copied('peer'), directory, PORTS);
  const text = readFileSync(join(directory, 'core.yaml'), 'utf8');
  const listening = [...text.matchAll(/"(?:listenAddress|chaincodeListenAddress)": "(?<address>[^"]*)"/g)];
  t.deepEqual(
    listening.map(({ groups }) => groups?.address),
    ['127.0.0.1:0', '127.0.0.1:7050', '127.0.0.1:7051'],
  );
});

test('the MSP directory of a copied user has its certificate and its key', (t) => {
  const directory = temporaryFolder(t);
  const { msp } = copied('peer');
  writePerson({ pair: pair('admin'), msp }, directory);
  t.deepEqual(filesIn(directory), [
    'cacerts/ca0.pem',
    'config.yaml',
    'keystore/key_sk',
    'signcerts/cert.pem',
  ]);
  t.is(readFileSync(join(directory, 'keystore/key_sk'), 'utf8'), 'admin key\n');
});
