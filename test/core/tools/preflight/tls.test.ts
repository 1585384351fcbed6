// The TLS files of each part of a node, in the words of its program. test/e2e/preflight.test.ts compares them with the programs of Fabric.

import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { makeCertificate } from '../../../helpers/made-certificates.js';
import { causesOf, type ChangedNode } from '../../../helpers/preflight-node.js';

const ENDED = ['20200101000000Z', '20210101000000Z'] as const;
const pemOf = ({ key }: ReturnType<typeof makeCertificate>): string =>
  key.export({ type: 'pkcs8', format: 'pem' }) as string;
const other = makeCertificate({ commonName: 'other' });
const expired = makeCertificate({ commonName: 'expired', validity: ENDED });

/** The files, by their path in the directory of the node; undefined: it is removed. */
type Files = Readonly<Record<string, string | Uint8Array | undefined>>;

const write =
  (files: Files) =>
  (cwd: string): void => {
    for (const [path, content] of Object.entries(files))
      if (content === undefined) rmSync(join(cwd, path));
      else writeFileSync(join(cwd, path), content);
  };

/** Makes a channel folder, so that the node has a channel. */
const withChannel = (cwd: string): void =>
  void mkdirSync(join(cwd, 'ledger/chains/ch1'), { recursive: true });

const NO_FILE = (path: string): string => `open ${path}: no such file or directory`;
const SERVICE = { 'General.TLS.Enabled': true };
const PEER_AUTH = { 'peer.tls.clientAuthRequired': true };
const PEER_OWN = { 'peer.tls.clientCert': { file: 'own.crt' }, 'peer.tls.clientKey': { file: 'own.key' } };
const OWN = { 'own.crt': other.pem, 'own.key': pemOf(other) };
const MISMATCH = 'tls: private key does not match public key';
const CLUSTER = {
  ...SERVICE,
  'General.Cluster': { ServerCertificate: 'own.crt', ServerPrivateKey: 'own.key' },
};
const endpoint = (section: string) => ({
  [section]: {
    ListenAddress: '127.0.0.1:0',
    TLS: { Enabled: true, Certificate: 'own.crt', PrivateKey: 'own.key', ClientRootCAs: ['own.ca'] },
  },
});
const OPERATIONS = {
  'operations.tls.enabled': true,
  'operations.tls.cert.file': 'own.crt',
  'operations.tls.key.file': 'own.key',
  'operations.tls.clientRootCAs.files': ['own.ca'],
};
const ENDPOINT = { ...OWN, 'own.ca': other.pem };

interface Case extends Pick<ChangedNode, 'kind' | 'version' | 'values'> {
  readonly title: string;
  readonly files?: Files;
  readonly hasChannel?: true;
  /** Severity and id, place, and the message of the program of each finding. */
  readonly found: readonly (readonly [id: string, where: string, prints: string])[];
}

const missing = (where: string, prints: string) => ['cause tls-file-missing', where, prints] as const;

const CASES: readonly Case[] = [
  { title: 'nothing wrong', kind: 'peer', found: [] },
  {
    title: 'no private key',
    kind: 'peer',
    files: { 'tls/server.key': undefined },
    found: [
      missing(
        'core.yaml: peer.tls.key.file',
        `Error loading secure config for peer (error loading TLS key (${NO_FILE('DIR/tls/server.key')}))`,
      ),
    ],
  },
  {
    title: 'no certificate and no CA',
    kind: 'peer',
    files: { 'tls/server.crt': undefined, 'tls/ca.crt': undefined },
    found: [
      missing(
        'core.yaml: peer.tls.cert.file',
        `Error loading secure config for peer (error loading TLS certificate (${NO_FILE('DIR/tls/server.crt')}))`,
      ),
      missing(
        'core.yaml: peer.tls.rootcert.file',
        `Error loading secure config for peer (error loading TLS root certificate (${NO_FILE('DIR/tls/ca.crt')}))`,
      ),
    ],
  },
  { title: 'no CA in its file', kind: 'peer', values: { 'peer.tls.rootcert.file': '' }, found: [] },
  {
    title: 'no TLS and no files',
    kind: 'peer',
    values: { 'peer.tls.enabled': false },
    files: { 'tls/server.crt': undefined, 'tls/server.key': undefined },
    found: [],
  },
  {
    title: 'a missing CA of clients, which it does not authenticate',
    kind: 'peer',
    values: { 'peer.tls.clientRootCAs.files': ['none.ca'] },
    found: [],
  },
  {
    title: 'a missing CA of clients',
    kind: 'peer',
    values: { ...PEER_AUTH, 'peer.tls.clientRootCAs.files': ['none.ca'] },
    found: [
      missing(
        'core.yaml: peer.tls.clientRootCAs.files',
        `Error loading secure config for peer (error loading client root CAs (${NO_FILE('DIR/none.ca')}))`,
      ),
    ],
  },
  {
    title: 'a file of CAs of clients without a certificate, beside another one',
    kind: 'peer',
    values: { ...PEER_AUTH, 'peer.tls.clientRootCAs.files': ['tls/ca.crt', 'empty.ca'] },
    files: { 'empty.ca': '' },
    found: [
      [
        'cause tls-client-ca-empty',
        'core.yaml: peer.tls.clientRootCAs.files',
        'Failed to create peer server (no client root certificates found)',
      ],
    ],
  },
  {
    title: 'the private key of another certificate',
    kind: 'peer',
    files: { 'tls/server.key': pemOf(other) },
    found: [
      [
        'cause tls-pair-mismatch',
        'core.yaml: peer.tls.key.file',
        `Failed to set TLS client certificate (error parsing client TLS key pair: ${MISMATCH}`,
      ],
    ],
  },
  {
    title: 'the private key of another certificate, and a certificate for clients',
    kind: 'peer',
    values: PEER_OWN,
    files: { ...OWN, 'tls/server.key': pemOf(other) },
    found: [
      [
        'cause tls-pair-mismatch',
        'core.yaml: peer.tls.key.file',
        `Failed to create peer server (${MISMATCH}`,
      ],
    ],
  },
  {
    title: 'a certificate for clients without its files',
    kind: 'peer',
    values: PEER_OWN,
    found: [
      missing(
        'core.yaml: peer.tls.clientKey.file',
        `Failed to set TLS client certificate (error loading client TLS key: ${NO_FILE('DIR/own.key')})`,
      ),
      missing(
        'core.yaml: peer.tls.clientCert.file',
        `Failed to set TLS client certificate (error loading client TLS certificate: ${NO_FILE('DIR/own.crt')})`,
      ),
    ],
  },
  {
    title: 'a certificate for clients, of which only one file is named',
    kind: 'peer',
    values: { 'peer.tls.clientCert': { file: 'own.crt' } },
    found: [],
  },
  {
    title: 'a certificate for clients with the private key of another one',
    kind: 'peer',
    values: PEER_OWN,
    files: { ...OWN, 'own.key': pemOf(expired) },
    found: [
      [
        'cause tls-pair-mismatch',
        'core.yaml: peer.tls.clientKey.file',
        `Failed to set TLS client certificate (error parsing client TLS key pair: ${MISMATCH}`,
      ],
    ],
  },
  {
    title: 'a certificate that has expired, which only its clients refuse',
    kind: 'peer',
    files: { 'tls/server.crt': expired.pem, 'tls/server.key': pemOf(expired) },
    found: [['warning tls-expired', 'core.yaml: peer.tls.cert.file', '']],
  },
  {
    title: 'no files for its operations endpoint',
    kind: 'peer',
    values: OPERATIONS,
    found: [
      ['cert.file', 'own.crt'],
      ['key.file', 'own.key'],
      ['clientRootCAs.files', 'own.ca'],
    ].map(([key, path]) =>
      missing(
        `core.yaml: operations.tls.${key}`,
        `failed to initialize operations subsystem: ${NO_FILE(`DIR/${path}`)}`,
      ),
    ),
  },
  {
    title: 'the private key of another certificate for its operations endpoint',
    kind: 'peer',
    values: OPERATIONS,
    files: { ...ENDPOINT, 'own.key': pemOf(expired) },
    found: [
      [
        'cause tls-pair-mismatch',
        'core.yaml: operations.tls.key.file',
        `failed to initialize operations subsystem: ${MISMATCH}`,
      ],
    ],
  },
  ...(['Operations', 'Admin'] as const).map((section): Case => ({
    title: `no files for TLS of ${section}`,
    kind: 'orderer',
    values: endpoint(section),
    found: [
      ['Certificate', 'own.crt'],
      ['PrivateKey', 'own.key'],
      ['ClientRootCAs', 'own.ca'],
    ].map(([key, path]) =>
      missing(
        `orderer.yaml: ${section}.TLS.${key}`,
        `failed to start ${section === 'Admin' ? 'admin server' : 'operations subsystem'}: ${NO_FILE(path!)}`,
      ),
    ),
  })),
  {
    title: 'the files for TLS of Admin',
    kind: 'orderer',
    values: endpoint('Admin'),
    files: ENDPOINT,
    found: [],
  },
  {
    title: 'the private key of another certificate for TLS of Admin',
    kind: 'orderer',
    values: endpoint('Admin'),
    files: { ...ENDPOINT, 'own.key': pemOf(expired) },
    found: [
      [
        'cause tls-pair-mismatch',
        'orderer.yaml: Admin.TLS.PrivateKey',
        `failed to start admin server: ${MISMATCH}`,
      ],
    ],
  },
  ...(['3.0.0', '3.1.5', '2.5.16'] as const).map((version): Case => {
    const tls = version === '3.0.0' ? '' : 'TLS ';
    return {
      title: `no files for its service, version ${version}`,
      kind: 'orderer',
      version,
      values: {
        ...SERVICE,
        'General.Cluster': null,
        'General.TLS.ClientAuthRequired': true,
        'General.TLS.ClientRootCAs': ['none.ca'],
      },
      files: { 'tls/server.crt': undefined, 'tls/server.key': undefined, 'tls/ca.crt': undefined },
      found: [
        missing(
          'orderer.yaml: General.TLS.Certificate',
          `Failed to load server ${tls}Certificate file 'DIR/tls/server.crt' (${NO_FILE('DIR/tls/server.crt')})`,
        ),
        missing(
          'orderer.yaml: General.TLS.PrivateKey',
          `Failed to load ${tls}PrivateKey file 'DIR/tls/server.key' (${NO_FILE('DIR/tls/server.key')})`,
        ),
        missing(
          'orderer.yaml: General.TLS.RootCAs',
          `Failed to load ${tls}ServerRootCAs file '${NO_FILE('DIR/tls/ca.crt')}' (DIR/tls/ca.crt)`,
        ),
        missing(
          'orderer.yaml: General.TLS.ClientRootCAs',
          `Failed to load ${tls}ClientRootCAs file '${NO_FILE('DIR/none.ca')}' (DIR/none.ca)`,
        ),
      ],
    };
  }),
  {
    title: 'a missing CA of clients, which it does not authenticate',
    kind: 'orderer',
    values: { ...SERVICE, 'General.TLS.ClientRootCAs': ['none.ca'] },
    found: [],
  },
  {
    title: 'an empty CA of clients and the private key of another certificate: the first fault counts',
    kind: 'orderer',
    values: { ...SERVICE, 'General.TLS.ClientAuthRequired': true, 'General.TLS.ClientRootCAs': ['empty.ca'] },
    files: { 'empty.ca': '', 'tls/server.key': pemOf(other) },
    found: [
      [
        'cause tls-pair-mismatch',
        'orderer.yaml: General.TLS.PrivateKey',
        `Failed to return new GRPC server: ${MISMATCH}`,
      ],
    ],
  },
  {
    title: 'an empty CA of clients',
    kind: 'orderer',
    values: { ...SERVICE, 'General.TLS.ClientAuthRequired': true, 'General.TLS.ClientRootCAs': ['empty.ca'] },
    files: { 'empty.ca': '' },
    found: [
      [
        'cause tls-client-ca-empty',
        'orderer.yaml: General.TLS.ClientRootCAs',
        'Failed to return new GRPC server: no client root certificates found',
      ],
    ],
  },
  {
    title: 'no files of the cluster, which it needs for its channel',
    kind: 'orderer',
    values: { 'General.Cluster': { RootCAs: ['none.ca'] } },
    hasChannel: true,
    found: [
      missing(
        'orderer.yaml: General.Cluster.ClientCertificate',
        "Failed to load client TLS certificate file '' (open : no such file or directory)",
      ),
      missing(
        'orderer.yaml: General.Cluster.ClientPrivateKey',
        "Failed to load client TLS key file '' (open : no such file or directory)",
      ),
      missing(
        'orderer.yaml: General.Cluster.RootCAs',
        `Failed to load ServerRootCAs file 'DIR/none.ca' (${NO_FILE('DIR/none.ca')})`,
      ),
    ],
  },
  { title: 'no certificate of the cluster, and no channel', kind: 'orderer', found: [] },
  {
    title: 'a certificate of the cluster without its private key, and no channel',
    kind: 'orderer',
    values: { 'General.Cluster': { ClientCertificate: 'tls/server.crt' } },
    found: [
      missing(
        'orderer.yaml: General.Cluster.ClientPrivateKey',
        "Failed to load client TLS key file '' (open : no such file or directory)",
      ),
    ],
  },
  {
    title: 'no files for the listener of the cluster',
    kind: 'orderer',
    values: CLUSTER,
    found: [
      missing(
        'orderer.yaml: General.Cluster.ServerCertificate',
        `Failed to load cluster server certificate from 'own.crt' (${NO_FILE('own.crt')})`,
      ),
      missing(
        'orderer.yaml: General.Cluster.ServerPrivateKey',
        `Failed to load cluster server key from 'own.key' (${NO_FILE('own.key')})`,
      ),
    ],
  },
  {
    title: 'only one file for the listener of the cluster',
    kind: 'orderer',
    values: { ...SERVICE, 'General.Cluster': { ServerCertificate: 'own.crt' } },
    found: [],
  },
  {
    title: 'the private key of another certificate for the listener of the cluster',
    kind: 'orderer',
    values: CLUSTER,
    files: { ...OWN, 'own.key': pemOf(expired) },
    found: [['cause tls-pair-mismatch', 'orderer.yaml: General.Cluster.ServerPrivateKey', MISMATCH]],
  },
];

for (const { title, kind, version, values, files, hasChannel, found } of CASES)
  test(`the TLS files of ${kind === 'peer' ? 'a peer' : 'an orderer'} with ${title}`, async (t) => {
    const causes = await causesOf(t, {
      kind,
      ...(version !== undefined && { version }),
      ...(values !== undefined && { values }),
      change(cwd) {
        write(files ?? {})(cwd);
        if (hasChannel === true) withChannel(cwd);
      },
    });
    t.deepEqual(
      causes
        .filter(({ id }) => id.startsWith('tls-'))
        .map(({ severity, id, where, prints }) => [`${severity} ${id}`, where, prints]),
      found.map((each) => [...each]),
    );
  });

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;
const pem = (label: string): string => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;

for (const [title, path, content, id, prints] of [
  [
    'a private key of another type',
    'server.key',
    rsa,
    'mismatch',
    'private key type does not match public key type',
  ],
  ['a damaged certificate', 'server.crt', pem('CERTIFICATE'), 'invalid', undefined],
  ['a damaged private key', 'server.key', pem('EC PRIVATE KEY'), 'invalid', 'failed to parse private key'],
] as const)
  test(`an orderer with ${title} prints ${prints ?? 'x509: …'}`, async (t) => {
    const causes = await causesOf(t, {
      kind: 'orderer',
      values: SERVICE,
      change: write({ [`tls/${path}`]: content }),
    });
    t.deepEqual(
      causes.map((each) => [each.id, each.prints, each.where]),
      [
        [
          id === 'mismatch' ? 'tls-pair-mismatch' : 'tls-file-invalid',
          `Failed to return new GRPC server: ${prints === undefined ? 'x509: ' : `tls: ${prints}`}`,
          `orderer.yaml: General.TLS.${path === 'server.key' ? 'PrivateKey' : 'Certificate'}`,
        ],
      ],
    );
  });

test('a private key after other blocks in place of the certificate is recognized', async (t) => {
  const causes = await causesOf(t, {
    kind: 'orderer',
    values: SERVICE,
    change: write({ 'tls/server.crt': pem('EC PARAMETERS') + pem('EC PRIVATE KEY') }),
  });
  t.deepEqual(
    causes.map(({ prints }) => prints),
    [
      'Failed to return new GRPC server: tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
  );
});

test('other blocks before the certificate and the private key are skipped, as in the file of openssl ecparam', async (t) => {
  const causes = await causesOf(t, {
    kind: 'orderer',
    values: SERVICE,
    change(cwd) {
      const before = (path: string): void =>
        writeFileSync(join(cwd, path), pem('EC PARAMETERS') + readFileSync(join(cwd, path), 'utf8'));
      before('tls/server.key');
      before('tls/server.crt');
    },
  });
  t.deepEqual(causes, []);
});

for (const [size, isRead] of [
  [1024 * 1024, true],
  [1024 * 1024 + 1, false],
] as const)
  test(`a CA file of ${size} bytes is ${isRead ? 'read' : 'too large to be checked'}`, async (t) => {
    const causes = await causesOf(t, {
      kind: 'orderer',
      values: SERVICE,
      change: write({ 'tls/ca.crt': Buffer.alloc(size, 0x20) }),
    });
    t.deepEqual(
      causes.map(({ id }) => id),
      isRead ? [] : ['tls-file-missing'],
    );
  });
