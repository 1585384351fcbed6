// What stops the programs of Fabric at the start: how the files of a node are broken, and the cause that preflight must find. The words
// that it prints must be those of the program.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseDocument } from 'yaml';
import type { CauseId } from '../../../core/tools/preflight/cause.js';
import { parseStoredBlock } from '../../../translator/ledger/stored-block.js';
import { logRecord, manifestFields } from '../../helpers/leveldb-files.js';
import { blockOfEntry, raftSnapshot, walLog, walUpTo } from '../../helpers/raft-files.js';
import { writeStoredBlocks } from '../../helpers/stored-ledger.js';
import { issuerPublicKey, revocationPublicKey } from './idemix.js';
import type { FabricVersion } from './programs.js';

/** A user without rights. */
export const NOBODY = 65_534;

/** The files of a node that may be broken, and how its program is started. */
export class BrokenNode {
  /** Variables besides FABRIC_CFG_PATH. */
  readonly variables: Record<string, string> = {};
  /** The directory that the program is started in. */
  cwd: string;
  /** The user that the program is started as; undefined: that of the tests. */
  user: number | undefined;
  /** The address that another program listens on meanwhile. */
  taken: string | undefined;
  /** The file whose content another process has locked meanwhile. */
  locked: string | undefined;
  /** Whether another process of the same program runs with the same ledger. */
  isShared = false;
  /** Whether its ledger is on a full file system. */
  isFull = false;
  readonly home: string;
  readonly file: string;
  readonly data: string;
  readonly organisation: string;
  readonly msp: string;
  readonly tls: string;

  readonly directory: string;
  readonly kind: 'peer' | 'orderer';

  constructor(directory: string, kind: 'peer' | 'orderer') {
    this.directory = directory;
    this.kind = kind;
    const isPeer = kind === 'peer';
    this.home = join(directory, `${kind}1`);
    this.cwd = this.home;
    this.file = join(this.home, isPeer ? 'core.yaml' : 'orderer.yaml');
    this.data = join(this.home, 'data');
    this.organisation = organisationOf(directory, kind);
    const node = isPeer ? 'peers/peer0.org1.example.com' : 'orderers/orderer1.example.com';
    this.msp = join(this.organisation, node, 'msp');
    this.tls = join(this.organisation, node, 'tls');
  }

  /** Sets values by their path; undefined removes one. */
  set(values: Readonly<Record<string, unknown>>): void {
    const document = parseDocument(readFileSync(this.file, 'utf8'));
    for (const [path, value] of Object.entries(values)) {
      const keys = path.split('.');
      for (let depth = 1; depth < keys.length; depth++)
        if (!document.hasIn(keys.slice(0, depth)) || document.getIn(keys.slice(0, depth)) === null)
          document.setIn(keys.slice(0, depth), document.createNode({}));
      if (value === undefined) document.deleteIn(keys);
      else document.setIn(keys, document.createNode(value));
    }
    writeFileSync(this.file, document.toString());
  }

  get(path: string): string {
    return String(parseDocument(readFileSync(this.file, 'utf8')).getIn(path.split('.')));
  }

  /** The only file of a directory of the MSP. */
  only(directory: string): string {
    return join(this.msp, directory, readdirSync(join(this.msp, directory))[0]!);
  }

  /** Changes config.yaml of the MSP. */
  setMsp(path: string, value: unknown): void {
    const file = join(this.msp, 'config.yaml');
    const document = parseDocument(readFileSync(file, 'utf8'));
    if (value === undefined) document.deleteIn(path.split('.'));
    else document.setIn(path.split('.'), value);
    writeFileSync(file, document.toString());
  }

  /** The folder of the blocks of the channel. */
  get chain(): string {
    return join(this.data, this.kind === 'peer' ? 'ledgersData/chains/chains' : 'chains', 'channel1');
  }

  get blocks(): string {
    return join(this.chain, 'blockfile_000000');
  }

  get wal(): string {
    const directory = join(this.data, 'wal/channel1');
    return join(
      directory,
      readdirSync(directory).find((name) => name.endsWith('.wal'))!,
    );
  }

  /** Gives all files to a user without rights, who starts the program then. */
  giveAway(): void {
    execFileSync('chown', ['-R', String(NOBODY), this.directory]);
    this.user = NOBODY;
  }
}

const organisationOf = (directory: string, kind: 'peer' | 'orderer'): string =>
  join(
    directory,
    'crypto',
    kind === 'peer' ? 'peerOrganizations/org1.example.com' : 'ordererOrganizations/example.com',
  );

const openssl = (...args: readonly string[]): void =>
  void execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });

const newKey = (file: string): void =>
  openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-out', file);

/** The CA of an organisation. */
const caOf = (organisation: string): { readonly cert: string; readonly key: string } => {
  const directory = join(organisation, 'ca');
  const cert = readdirSync(directory).find((name) => name.endsWith('.pem'))!;
  return { cert: join(directory, cert), key: join(directory, 'priv_sk') };
};

/** Replaces the signing certificate and its key. */
function enrol(
  node: BrokenNode,
  ca: { readonly cert: string; readonly key: string },
  dates: { readonly from: string; readonly to: string },
  subject = `/OU=${node.kind}/CN=node`,
): void {
  const place = join(node.directory, 'enrolment');
  mkdirSync(place, { recursive: true });
  const at = (name: string): string => join(place, name);
  writeFileSync(at('index.txt'), '');
  writeFileSync(at('serial'), '1000');
  const policy = '[p]\ncommonName=supplied\norganizationalUnitName=optional\n';
  const settings = `database=${at('index.txt')}\nnew_certs_dir=${place}\nserial=${at('serial')}\ndefault_md=sha256\npolicy=p\nunique_subject=no\nx509_extensions=x\n`;
  writeFileSync(
    at('ca.cnf'),
    `[ca]\ndefault_ca=d\n[d]\n${settings}${policy}[x]\nkeyUsage=digitalSignature\n`,
  );
  newKey(node.only('keystore'));
  openssl('req', '-new', '-key', node.only('keystore'), '-subj', subject, '-out', at('request.pem'));
  const request = ['-batch', '-config', at('ca.cnf'), '-in', at('request.pem'), '-preserveDN'];
  const signing = ['-cert', ca.cert, '-keyfile', ca.key, '-startdate', dates.from, '-enddate', dates.to];
  openssl('ca', ...request, ...signing, '-notext', '-out', node.only('signcerts'));
}

const YEARS = { from: '20250101000000Z', to: '20400101000000Z' };

/** A CA that has existed for long, in the place of that of the organisation. */
function oldCa(node: BrokenNode): { readonly cert: string; readonly key: string } {
  const place = join(node.directory, 'old-ca');
  mkdirSync(place);
  const at = (name: string): string => join(place, name);
  newKey(at('key.pem'));
  writeFileSync(at('index.txt'), '');
  writeFileSync(at('serial'), '01');
  writeFileSync(
    at('ca.cnf'),
    `[ca]\ndefault_ca=d\n[d]\ndatabase=${at('index.txt')}\nnew_certs_dir=${place}\nserial=${at('serial')}\ndefault_md=sha256\npolicy=p\nx509_extensions=x\n[p]\ncommonName=supplied\n[x]\nbasicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign,digitalSignature\nsubjectKeyIdentifier=hash\n`,
  );
  openssl('req', '-new', '-key', at('key.pem'), '-subj', '/CN=old-ca', '-out', at('request.pem'));
  const dates = ['-startdate', '20150101000000Z', '-enddate', '20450101000000Z'];
  const own = ['-selfsign', '-keyfile', at('key.pem'), ...dates, '-notext', '-out', at('ca.pem')];
  openssl('ca', '-batch', '-config', at('ca.cnf'), '-in', at('request.pem'), '-extensions', 'x', ...own);
  copyFileSync(at('ca.pem'), node.only('cacerts'));
  return { cert: at('ca.pem'), key: at('key.pem') };
}

/** Only the program says why it refuses, which preflight starts on a copy of the files. */
export const BY_PROGRAM = 'program';

/** One way in which files stop a program. */
export interface Refusal {
  /** The id of the cause that preflight must report. */
  readonly cause: CauseId | typeof BY_PROGRAM;
  readonly kind: 'peer' | 'orderer';
  /** The versions that refuse. @default all */
  readonly versions?: readonly FabricVersion[];
  readonly break: (node: BrokenNode) => void;
}

const GARBAGE = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const V3: readonly FabricVersion[] = ['v3.0.0', 'v3.1.5'];
const V2: readonly FabricVersion[] = ['v2.5.12', 'v2.5.16'];

type Break = Refusal['break'];

/** What stops peers and orderers alike. */
const OF_BOTH: readonly (readonly [cause: Refusal['cause'], change: Break])[] = [
  ['file-unreadable', ({ file }) => appendFileSync(file, '\n  x: [\n')],
  ['cacerts-missing', ({ msp }) => rmSync(join(msp, 'cacerts'), { recursive: true })],
  ['cacerts-missing', (node) => rmSync(node.only('cacerts'))],
  ['signcerts-missing', ({ msp }) => rmSync(join(msp, 'signcerts'), { recursive: true })],
  ['signcerts-missing', (node) => writeFileSync(node.only('signcerts'), 'no certificate')],
  ['signcert-invalid', (node) => writeFileSync(node.only('signcerts'), GARBAGE)],
  [
    // Refused since Go 1.23.
    'signcert-invalid',
    (node) => {
      const { cert, key } = caOf(node.organisation);
      const request = join(node.directory, 'request.pem');
      openssl(
        'req',
        '-new',
        '-key',
        node.only('keystore'),
        '-subj',
        `/OU=${node.kind}/CN=x`,
        '-out',
        request,
      );
      const ca = ['-CA', cert, '-CAkey', key, '-set_serial', '-5', '-days', '9'];
      openssl('x509', '-req', '-in', request, ...ca, '-out', node.only('signcerts'));
    },
  ],
  ['key-missing', (node) => rmSync(node.only('keystore'))],
  ['key-missing', (node) => newKey(node.only('keystore'))],
  ['key-missing', (node) => writeFileSync(node.only('keystore'), 'no key')],
  [
    'key-missing',
    (node) => {
      node.giveAway();
      chmodSync(node.only('keystore'), 0);
    },
  ],
  [
    'signcert-expired',
    (node) => enrol(node, oldCa(node), { from: '20200101000000Z', to: '20210101000000Z' }),
  ],
  [
    'signcert-untrusted',
    (node) => enrol(node, caOf(node.organisation), { from: '20990101000000Z', to: '20991231000000Z' }),
  ],
  [
    'signcert-untrusted',
    (node) =>
      enrol(node, caOf(organisationOf(node.directory, node.kind === 'peer' ? 'orderer' : 'peer')), YEARS),
  ],
  ['admins-missing', ({ msp }) => writeFileSync(join(msp, 'config.yaml'), 'NodeOUs:\n  Enable: false\n')],
  ['admins-missing', ({ msp }) => rmSync(join(msp, 'config.yaml'))],
  ['admins-missing', (node) => node.setMsp('NodeOUs.AdminOUIdentifier', undefined)],
  ['msp-config-broken', ({ msp }) => writeFileSync(join(msp, 'config.yaml'), 'NodeOUs: [\n')],
  ['msp-invalid', (node) => writeFileSync(node.only('cacerts'), GARBAGE)],
  ['msp-invalid', (node) => copyFileSync(join(node.tls, 'server.crt'), node.only('tlscacerts'))],
  ['tls-pair-mismatch', ({ tls }) => newKey(join(tls, 'server.key'))],
  ['tls-file-invalid', ({ tls }) => writeFileSync(join(tls, 'server.crt'), 'no certificate')],
  ['tls-file-invalid', ({ tls }) => writeFileSync(join(tls, 'server.key'), 'no key')],
  ['tls-file-invalid', ({ tls }) => writeFileSync(join(tls, 'server.crt'), GARBAGE)],
  [
    'msp-invalid',
    (node) =>
      node.setMsp('OrganizationalUnitIdentifiers', [
        { Certificate: 'cacerts/none.pem', OrganizationalUnitIdentifier: 'x' },
      ]),
  ],
  [
    'tls-file-missing',
    (node) => {
      node.giveAway();
      chmodSync(join(node.tls, 'server.key'), 0);
    },
  ],
  ['value-refused', ({ variables }) => void (variables['FABRIC_LOGGING_SPEC'] = 'foo=bar:baz')],
  ['value-refused', ({ variables }) => void (variables['FABRIC_LOGGING_FORMAT'] = '%{color:x}')],
  ['block-file-cut', ({ blocks }) => truncateSync(blocks, statSync(blocks).size - 100)],
  ['block-file-cut', ({ blocks }) => truncateSync(blocks, 0)],
  ['block-file-cut', ({ blocks }) => rmSync(blocks)],
  [
    'block-damaged',
    ({ blocks }) => {
      const bytes = readFileSync(blocks);
      writeFileSync(blocks, bytes.fill(255, 3, 40));
    },
  ],
  ['ledger-locked', (node) => void (node.isShared = true)],
  ['disk-full', (node) => void (node.isFull = true)],
];

const ofOrderer = (cause: Refusal['cause'], change: Break, versions?: Refusal['versions']): Refusal => ({
  cause,
  kind: 'orderer',
  ...(versions && { versions }),
  break: change,
});

const ofPeer = (cause: Refusal['cause'], change: Break, versions?: Refusal['versions']): Refusal => ({
  cause,
  kind: 'peer',
  ...(versions && { versions }),
  break: change,
});

/** A change of values. */
const values =
  (all: Readonly<Record<string, unknown>>): Break =>
  (node) =>
    node.set(all);

/** The same with a path below the directory of the node. */
const withFile =
  (key: string, name: string, content?: string, more: Readonly<Record<string, unknown>> = {}): Break =>
  (node) => {
    const path = join(node.directory, name);
    if (content !== undefined) writeFileSync(path, content);
    node.set({ ...more, [key]: key.endsWith('s') ? [path] : path });
  };

/** Makes the MSP one of Idemix. */
function makeIdemix({ msp }: BrokenNode): void {
  rmSync(msp, { recursive: true });
  mkdirSync(join(msp, 'msp'), { recursive: true });
  writeFileSync(join(msp, 'msp', 'IssuerPublicKey'), issuerPublicKey());
  writeFileSync(join(msp, 'msp', 'RevocationPublicKey'), revocationPublicKey());
}

/** Starts the program in another directory than that of its file, with a relative path to a file that does not exist. */
const elsewhere =
  (key: string, more: Readonly<Record<string, unknown>> = {}): Break =>
  (node) => {
    node.cwd = join(node.directory, 'elsewhere');
    mkdirSync(node.cwd);
    node.set({ ...more, [key]: /CAs|files$/.test(key) ? ['tls/none'] : 'tls/none' });
  };

/** Replaces a text in the first block by one of the same length, as if it had been written so. @param which of those that are equal */
function patchBlock({ blocks }: BrokenNode, from: string, to: string, which = 0): void {
  const bytes = readFileSync(blocks);
  let at = bytes.indexOf(from);
  for (let index = 0; index < which; index++) at = bytes.indexOf(from, at + 1);
  const { dataHash } = parseStoredBlock(bytes.subarray(afterVarint(bytes, 0)));
  bytes.write(to, at, 'latin1');
  const { data } = parseStoredBlock(bytes.subarray(afterVarint(bytes, 0)));
  bytes.set(createHash('sha256').update(Buffer.concat(data)).digest(), bytes.indexOf(dataHash));
  writeFileSync(blocks, bytes);
}

/** Deletes a key of a database, or gives it another value, with a record at the end of its log. */
function writeDatabase(directory: string, key: string, value?: string): void {
  const log = readdirSync(directory)
    .filter((name) => name.endsWith('.log'))
    .toSorted()
    .at(-1)!;
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(1_000_000n);
  head.writeUInt32LE(1, 8);
  const bytes = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
  const put =
    value === undefined ? [Buffer.from([0]), bytes(key)] : [Buffer.from([1]), bytes(key), bytes(value)];
  appendFileSync(join(directory, log), logRecord(Buffer.concat([head, ...put])));
}

function afterVarint(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at]! >= 128) at++;
  return at + 1;
}

const emptyIndex = (node: BrokenNode): void =>
  rmSync(join(node.data, node.kind === 'orderer' ? 'index' : 'ledgersData/stateLeveldb', 'CURRENT'));

/** The databases of a peer. */
const DATABASES = [
  'transientStoreFileLock',
  'transientstore',
  ...[
    'fileLock',
    'ledgerProvider',
    'chains/index',
    'pvtdataStore',
    'stateLeveldb',
    'historyLeveldb',
    'configHistory',
    'bookkeeper',
  ].map((name) => `ledgersData/${name}`),
];

/** A database, and the path of its MANIFEST. */
const databaseOf = ({ data }: BrokenNode, name: string): { directory: string; manifest: string } => {
  const directory = join(data, name);
  return { directory, manifest: join(directory, readFileSync(join(directory, 'CURRENT'), 'utf8').trim()) };
};

const emptyManifest =
  (name: string): Break =>
  (node) =>
    truncateSync(databaseOf(node, name).manifest, 0);

/** How a database is broken, by its name. */
const DATABASE_FAULTS: readonly ((name: string) => Break)[] = [
  emptyManifest,
  (name) => (node) => {
    const { manifest } = databaseOf(node, name);
    writeFileSync(manifest, Buffer.alloc(statSync(manifest).size));
  },
  (name) => (node) => truncateSync(databaseOf(node, name).manifest, 20),
  (name) => (node) => {
    for (const pointer of readdirSync(join(node.data, name)).filter((each) => each.startsWith('CURRENT')))
      writeFileSync(join(node.data, name, pointer), '');
  },
  (name) => (node) => {
    const { directory } = databaseOf(node, name);
    for (const file of readdirSync(directory)) if (file !== 'LOCK') rmSync(join(directory, file));
  },
  // A MANIFEST that names a table which does not exist.
  (name) => (node) =>
    appendFileSync(
      databaseOf(node, name).manifest,
      logRecord(Buffer.concat(manifestFields([{ number: 999, size: 100 }]).slice(4))),
    ),
  // The same with a table of zeros.
  (name) => (node) => {
    const { directory, manifest } = databaseOf(node, name);
    appendFileSync(manifest, logRecord(Buffer.concat(manifestFields([{ number: 999, size: 100 }]).slice(4))));
    writeFileSync(join(directory, '000999.ldb'), Buffer.alloc(100));
  },
];

const OPERATIONS = { 'Operations.TLS.Enabled': true } as const;
const CLIENT_AUTH = { 'General.TLS.ClientAuthRequired': true } as const;

const ONE = '1'.padStart(16, '0');
/** A log whose newest record was not written completely. */
function tornLog(): Buffer {
  const log = walLog({ entry: 1 }, { type: 2, data: Buffer.alloc(2000, 1) });
  return Buffer.concat([log.subarray(0, -1000), Buffer.alloc(1000)]);
}

const ORDERER: readonly Refusal[] = [
  ofOrderer('unknown-keys', values({ 'Kafka.Verbose': false }), V3),
  ofOrderer('unknown-keys', values({ 'General.Cluster.ReplicationPolicy': 'simple' }), V2),
  ofOrderer('unknown-keys', values({ 'General.Foo': 1 })),
  ofOrderer('value-refused', values({ 'General.ListenPort': 'abc' })),
  ofOrderer('value-refused', values({ 'General.TLS.Enabled': 'abc' })),
  ofOrderer('value-refused', values({ 'General.Authentication.TimeWindow': 'abc' })),
  ofOrderer('value-refused', values({ 'ChannelParticipation.MaxRequestBodySize': 'x MB' })),
  ofOrderer('value-refused', values({ 'General.MaxRecvMsgSize': '100 MB' })),
  ofOrderer('value-refused', values({ 'General.LocalMSPID': ['a'] })),
  ofOrderer('value-refused', ({ variables }) => void (variables['ORDERER_GENERAL_TLS_ENABLED'] = 'yes')),
  ofOrderer('value-refused', values({ Admin: 5 })),
  ofOrderer('value-refused', values({ 'General.Keepalive.ServerInterval': '15' })),
  ofOrderer('value-refused', values({ 'General.Keepalive.ServerInterval': '15 days' })),
  ofOrderer('value-refused', values({ 'General.TLS.RootCAs': { a: 1 } })),
  ofOrderer('value-refused', values({ 'General.Cluster.SendBufferSize': 'many' })),
  ofOrderer('value-refused', values({ 'General.Throttling.Rate': 'many' }), V3),
  ofOrderer('value-refused', values({ 'General.Backoff.Multiplier': 'many' }), V3),
  ofOrderer('value-refused', values({ 'General.Backoff.MaxDelay': '4x' }), V3),
  ofOrderer('bootstrap-file', values({ 'General.BootstrapMethod': 'file' }), V3),
  ofOrderer(
    'genesis-block-missing',
    (node) => {
      node.set({ 'General.BootstrapMethod': 'file', 'General.BootstrapFile': 'genesis.block' });
      rmSync(node.data, { recursive: true });
    },
    V2,
  ),
  ...[undefined, ''].map((content) =>
    ofOrderer(
      'genesis-block-missing',
      (node) => {
        const file = join(node.directory, 'genesis');
        if (content === undefined) mkdirSync(file);
        else writeFileSync(file, content);
        node.set({ 'General.BootstrapMethod': 'file', 'General.BootstrapFile': file });
        rmSync(node.data, { recursive: true });
      },
      V2,
    ),
  ),
  ofOrderer('value-refused', values({ 'General.BootstrapMethod': 'foo' })),
  ofOrderer('ledger-unusable', withFile('FileLedger.Location', 'file', '')),
  ofOrderer('ledger-unusable', (node) => {
    node.giveAway();
    chmodSync(join(node.data, 'chains'), 0);
  }),
  ofOrderer('ledger-unusable', (node) => {
    node.giveAway();
    chmodSync(node.blocks, 0);
  }),
  ofOrderer('ledger-unusable', (node) => {
    node.giveAway();
    rmSync(join(node.data, 'index'), { recursive: true });
    chmodSync(node.data, 0o555);
  }),
  ofOrderer('signcerts-missing', withFile('General.LocalMSPDir', 'no-msp')),
  ofOrderer('tls-file-missing', withFile('General.TLS.Certificate', 'none')),
  ofOrderer('tls-file-missing', withFile('General.TLS.PrivateKey', 'none')),
  ofOrderer('tls-file-missing', withFile('General.TLS.RootCAs', 'none')),
  ofOrderer('tls-file-missing', withFile('General.TLS.ClientRootCAs', 'none', undefined, CLIENT_AUTH)),
  ofOrderer('tls-client-ca-empty', withFile('General.TLS.ClientRootCAs', 'none', 'no CA', CLIENT_AUTH)),
  ofOrderer('value-refused', values({ 'General.TLS.Enabled': false })),
  ofOrderer('tls-file-missing', withFile('General.Cluster.ClientCertificate', 'none')),
  ofOrderer('tls-file-missing', values({ 'General.Cluster.ClientCertificate': '' })),
  ofOrderer('tls-file-missing', withFile('General.Cluster.ClientPrivateKey', 'none')),
  ofOrderer('tls-file-missing', withFile('General.Cluster.RootCAs', 'none')),
  ofOrderer('value-refused', values({ 'General.Cluster.ListenPort': 7777 })),
  ofOrderer(
    'tls-file-missing',
    withFile('General.Cluster.ServerCertificate', 'none', undefined, {
      'General.Cluster.ListenPort': 7777,
      'General.Cluster.ListenAddress': '127.0.0.1',
      'General.Cluster.ServerPrivateKey': '/none',
    }),
  ),
  ofOrderer('tls-file-missing', withFile('Operations.TLS.Certificate', 'none', undefined, OPERATIONS)),
  ofOrderer('tls-pair-mismatch', (node) => {
    newKey(join(node.directory, 'other.key'));
    node.set({
      ...OPERATIONS,
      'Operations.TLS.Certificate': join(node.tls, 'server.crt'),
      'Operations.TLS.PrivateKey': join(node.directory, 'other.key'),
    });
  }),
  ofOrderer('value-refused', values({ 'Admin.TLS.ClientAuthRequired': false })),
  ofOrderer('tls-file-missing', withFile('Admin.TLS.Certificate', 'none')),
  ofOrderer('signcerts-missing', elsewhere('General.LocalMSPDir')),
  ofOrderer('tls-file-missing', elsewhere('General.TLS.Certificate')),
  ofOrderer('tls-file-missing', elsewhere('General.TLS.ClientRootCAs', CLIENT_AUTH)),
  ofOrderer('tls-file-missing', elsewhere('General.Cluster.ClientCertificate')),
  ofOrderer('tls-file-missing', elsewhere('General.Cluster.RootCAs')),
  ofOrderer(
    'tls-file-missing',
    elsewhere('General.Cluster.ServerCertificate', {
      'General.Cluster.ListenPort': 7777,
      'General.Cluster.ListenAddress': '127.0.0.1',
      'General.Cluster.ServerPrivateKey': '/none',
    }),
  ),
  ofOrderer('tls-file-missing', elsewhere('Operations.TLS.Certificate', OPERATIONS)),
  ofOrderer('tls-file-missing', elsewhere('Admin.TLS.Certificate')),
  ofOrderer('tls-file-missing', elsewhere('Admin.TLS.ClientRootCAs')),
  ofOrderer('unknown-keys', values({ 'General.LocalMSPType': 'idemix' })),
  ofOrderer('signcerts-missing', makeIdemix),
  ofOrderer(
    'tls-file-missing',
    values({ 'Admin.TLS.Certificate': '/none', 'ChannelParticipation.Enabled': false }),
  ),
  ofOrderer(
    'address-unusable',
    values({ 'General.Profile.Enabled': true, 'General.Profile.Address': '198.51.100.9:6060' }),
  ),
  ofOrderer('tls-file-missing', withFile('Admin.TLS.ClientRootCAs', 'none')),
  ofOrderer('value-refused', values({ 'Metrics.Provider': 'statsd', 'Metrics.Statsd.Network': 'x' })),
  ofOrderer('address-unusable', values({ 'General.ListenAddress': '198.51.100.9' })),
  ofOrderer('address-unusable', (node) => {
    node.giveAway();
    node.set({ 'General.ListenPort': 443 });
  }),
  ofOrderer('port-taken', (node) => void (node.taken = `127.0.0.1:${node.get('General.ListenPort')}`)),
  ofOrderer('port-taken', (node) => void (node.taken = node.get('Operations.ListenAddress'))),
  ofOrderer('port-taken', (node) => void (node.taken = node.get('Admin.ListenAddress'))),
  ofOrderer(
    'pkcs11-library-missing',
    values({ 'General.BCCSP.Default': 'PKCS11', 'General.BCCSP.PKCS11.Library': '/none.so' }),
  ),
  ofOrderer('value-refused', values({ 'General.BCCSP.Default': 'FOO' })),
  ofOrderer('value-refused', values({ 'General.BCCSP.SW.Hash': 'FOO' })),
  ofOrderer('value-refused', values({ 'General.BCCSP.SW.Security': 123 })),
  ofOrderer('consensus-invalid', values({ Consensus: 'x' })),
  ofOrderer('wal-unusable', withFile('Consensus.WALDir', 'file', '')),
  ofOrderer('wal-unusable', withFile('Consensus.SnapDir', 'file', '')),
  ofOrderer('wal-unusable', (node) => {
    node.giveAway();
    chmodSync(node.wal, 0);
  }),
  ofOrderer('wal-cut', ({ wal }) => truncateSync(wal, 100)),
  ofOrderer('wal-cut', ({ wal }) => {
    const bytes = readFileSync(wal);
    bytes[60] = bytes[60]! ^ 0xff;
    writeFileSync(wal, bytes);
  }),
  ofOrderer('wal-cut', ({ wal }) => writeFileSync(wal, walLog({ entry: 1 }, { entry: 3 }))),
  ofOrderer('wal-cut', ({ wal }) => writeFileSync(wal, tornLog()), ['v2.5.16', 'v3.1.5']),
  ofOrderer('wal-contradiction', ({ wal }) => writeFileSync(wal, walLog({ entry: 1 }, { commit: 9 }))),
  ofOrderer('wal-contradiction', ({ wal, data }) => {
    writeFileSync(wal, walLog(...walUpTo(3)));
    mkdirSync(join(data, 'snap/channel1'), { recursive: true });
    writeFileSync(join(data, 'snap/channel1/0000000000000001-0000000000000009.snap'), raftSnapshot(9));
  }),
  ofOrderer('wal-files', ({ wal }) => renameSync(wal, wal.replace(/[^/]*$/, `${ONE}-${ONE}.wal`))),
  ofOrderer('wal-files', ({ wal }) => renameSync(wal, wal.replace(/[^/]*$/, 'x.wal'))),
  ofOrderer('wal-locked', (node) => void (node.locked = node.wal)),
  ofOrderer('wal-unusable', ({ wal }) => {
    rmSync(wal);
    mkdirSync(wal);
  }),
  ofOrderer('wal-unusable', (node) => {
    node.giveAway();
    chmodSync(dirname(node.wal), 0);
  }),
  ofOrderer('wal-unusable', (node) => {
    mkdirSync(join(node.data, 'snap/channel1'), { recursive: true });
    node.giveAway();
    chmodSync(join(node.data, 'snap/channel1'), 0);
  }),
  ...['', 'LOCK', 'LOG', 'CURRENT'].map((name) =>
    ofOrderer('ledger-unusable', (node) => {
      node.giveAway();
      chmodSync(join(node.data, 'index', name), 0);
    }),
  ),
  ofOrderer('ledger-unusable', (node) => {
    node.giveAway();
    chmodSync(join(node.data, 'index'), 0o555);
  }),
  ofOrderer('ledger-unusable', (node) => {
    node.giveAway();
    chmodSync(node.chain, 0);
  }),
  ofOrderer('ledger-unusable', (node) => {
    rmSync(join(node.data, 'pendingops/remove'), { recursive: true });
    node.giveAway();
    chmodSync(join(node.data, 'pendingops'), 0);
  }),
  ofOrderer('block-file-tail', ({ blocks }) => appendFileSync(blocks, Buffer.alloc(3000))),
  // The capabilities of the orderers are the first in the block, then those of the channel.
  ofOrderer('capability-missing', (node) => patchBlock(node, 'V2_0', 'V9_0')),
  ofOrderer('channel-too-new', (node) => patchBlock(node, 'V2_0', 'V9_0', 1)),
  // The MSP of the organisation of the orderers is the first in the block.
  ofOrderer('channel-msp', (node) =>
    patchBlock(node, '-----BEGIN CERTIFICATE-----\nMII', '-----BEGIN CERTIFICATE-----\nAAA'),
  ),
  ofOrderer('database-broken', emptyIndex),
  ...DATABASE_FAULTS.map((change) => ofOrderer('database-broken', change('index'))),
  ofOrderer('database-broken', (node) => {
    const directory = join(node.data, 'index');
    for (const name of readdirSync(directory)) if (name.startsWith('MANIFEST')) rmSync(join(directory, name));
  }),
];

const PEER: readonly Refusal[] = [
  ofPeer('msp-id-missing', values({ 'peer.localMspId': '' })),
  ofPeer('msp-path-missing', values({ 'peer.mspConfigPath': '' })),
  ofPeer('msp-path-missing', withFile('peer.mspConfigPath', 'no-msp')),
  ofPeer('value-refused', values({ 'peer.localMspType': 'foo' })),
  ofPeer('signcerts-missing', makeIdemix),
  ofPeer('msp-type-idemix', values({ 'peer.localMspType': 'idemix' })),
  ofPeer('msp-type-idemix', ({ variables }) => void (variables['CORE_PEER_LOCALMSPTYPE'] = 'idemix')),
  ofPeer('msp-type-idemix', (node) => {
    makeIdemix(node);
    node.set({ 'peer.localMspType': 'idemix' });
  }),
  ofPeer('msp-type-idemix', (node) => {
    makeIdemix(node);
    node.set({ 'peer.localMspType': 'idemix' });
    rmSync(join(node.msp, 'msp', 'RevocationPublicKey'));
  }),
  ofPeer('msp-path-missing', elsewhere('peer.mspConfigPath')),
  ofPeer('tls-file-missing', elsewhere('peer.tls.cert.file')),
  ofPeer('tls-file-missing', elsewhere('operations.tls.cert.file', { 'operations.tls.enabled': true })),
  ofPeer('signcert-role', (node) =>
    enrol(
      node,
      caOf(node.organisation),
      { from: later(), to: '20350101000000Z' },
      '/OU=client/OU=admin/CN=node',
    ),
  ),
  ofPeer(
    'couchdb-unreachable',
    values({
      'ledger.state.stateDatabase': 'CouchDB',
      'ledger.state.couchDBConfig.couchDBAddress': '127.0.0.1:5999',
      'ledger.state.couchDBConfig.maxRetriesOnStartup': 1,
    }),
  ),
  ofPeer('ledger-unusable', withFile('peer.fileSystemPath', 'file', '')),
  ofPeer('ledger-unusable', (node) => {
    node.giveAway();
    chmodSync(join(node.data, 'ledgersData'), 0);
  }),
  ofPeer('snapshots-invalid', withFile('ledger.snapshots.rootDir', 'file', '')),
  ofPeer(BY_PROGRAM, values({ 'vm.endpoint': 'foo://x' }), ['v2.5.12', 'v3.0.0']),
  ofPeer(
    'tls-client-ca-empty',
    withFile('peer.tls.clientRootCAs.files', 'none', 'no CA', { 'peer.tls.clientAuthRequired': true }),
  ),
  ofPeer(
    'couchdb-unreachable',
    values({
      'ledger.state.stateDatabase': 'CouchDB',
      'ledger.state.couchDBConfig.couchDBAddress': '',
      'ledger.state.couchDBConfig.maxRetriesOnStartup': 1,
    }),
  ),
  ofPeer('snapshots-invalid', values({ 'ledger.snapshots.rootDir': 'relative' })),
  ofPeer('address-invalid', values({ 'peer.address': '' })),
  ofPeer('address-invalid', values({ 'peer.address': 'foo' })),
  ofPeer('address-invalid', values({ 'peer.listenAddress': '' })),
  ofPeer('address-invalid', values({ 'peer.chaincodeListenAddress': 'foo' })),
  ofPeer('address-unusable', values({ 'peer.listenAddress': '198.51.100.9:7051' })),
  ofPeer('address-unusable', values({ 'peer.chaincodeListenAddress': '198.51.100.9:7051' })),
  ofPeer('tls-file-missing', withFile('peer.tls.cert.file', 'none')),
  ofPeer('tls-file-missing', withFile('peer.tls.key.file', 'none')),
  ofPeer('tls-file-missing', withFile('peer.tls.rootcert.file', 'none')),
  ofPeer('tls-file-missing', values({ 'peer.tls.cert.file': '' })),
  ofPeer(
    'tls-file-missing',
    withFile('peer.tls.clientRootCAs.files', 'none', undefined, { 'peer.tls.clientAuthRequired': true }),
  ),
  ofPeer('value-refused', withFile('peer.tls.clientKey.file', 'none')),
  ofPeer(
    'tls-file-missing',
    withFile('peer.tls.clientKey.file', 'none', undefined, { 'peer.tls.clientCert.file': '/none' }),
  ),
  ofPeer(
    'tls-file-missing',
    withFile('operations.tls.cert.file', 'none', undefined, { 'operations.tls.enabled': true }),
  ),
  ofPeer('port-taken', (node) => void (node.taken = node.get('peer.listenAddress'))),
  ofPeer('port-taken', (node) => void (node.taken = node.get('operations.listenAddress'))),
  ofPeer('port-taken', (node) => void (node.taken = node.get('peer.chaincodeListenAddress'))),
  ofPeer('builder-incomplete', values({ 'chaincode.externalBuilders': [{ name: 'x' }] })),
  ofPeer('builder-incomplete', values({ 'chaincode.externalBuilders': [{ path: '/tmp' }] })),
  ofPeer('no-chaincode-runtime', values({ 'chaincode.externalBuilders': [] })),
  ofPeer('value-refused', values({ 'peer.handlers.authFilters': [{ name: 'Foo' }] })),
  ofPeer('gossip-leader', values({ 'peer.gossip.useLeaderElection': true, 'peer.gossip.orgLeader': true })),
  ofPeer(
    'pkcs11-library-missing',
    values({ 'peer.BCCSP.Default': 'PKCS11', 'peer.BCCSP.PKCS11.Library': '/none.so' }),
  ),
  ofPeer('value-refused', values({ 'peer.BCCSP.SW.Hash': 'FOO' })),
  ofPeer('capability-missing', (node) => {
    patchBlock(node, 'V2_5', 'V9_5');
    // The peer builds the state again from the block.
    rmSync(join(node.data, 'ledgersData/stateLeveldb'), { recursive: true });
  }),
  ofPeer('database-broken', emptyIndex),
  ...DATABASES.map((name) => ofPeer('database-broken', emptyManifest(name))),
  ...DATABASE_FAULTS.map((change) => ofPeer('database-broken', change('ledgersData/stateLeveldb'))),
  ofPeer('ledger-unusable', (node) => {
    node.giveAway();
    chmodSync(join(node.data, 'ledgersData/stateLeveldb/CURRENT'), 0);
  }),
  ofPeer('ledger-unusable', (node) => {
    node.giveAway();
    chmodSync(join(node.data, 'lifecycle'), 0);
  }),
  ofPeer('ledger-unusable', (node) => {
    node.giveAway();
    chmodSync(join(node.data, 'lifecycle/chaincodes'), 0);
  }),
  ofPeer('ledger-unusable', (node) => {
    rmSync(node.data, { recursive: true });
    mkdirSync(node.data);
    node.set({ 'ledger.snapshots.rootDir': join(node.directory, 'snapshots') });
    node.giveAway();
    chmodSync(node.data, 0o555);
  }),
  ...[0, 0o555].map((mode) =>
    ofPeer('snapshots-invalid', (node) => {
      const path = node.get('ledger.snapshots.rootDir');
      node.giveAway();
      chmodSync(path, mode);
    }),
  ),
  ofPeer('snapshots-invalid', (node) => {
    const path = join(node.directory, 'closed');
    mkdirSync(path);
    node.set({ 'ledger.snapshots.rootDir': join(path, 'snapshots') });
    node.giveAway();
    chmodSync(path, 0o555);
  }),
  ofPeer('block-file-cut', ({ chain }) => rmSync(chain, { recursive: true })),
  ofPeer('channel-empty', ({ data }) => rmSync(join(data, 'ledgersData/chains'), { recursive: true })),
  ofPeer('data-format', ({ data }) => writeDatabase(join(data, 'ledgersData/ledgerProvider'), 'f')),
  ofPeer('data-format', ({ data }) => writeDatabase(join(data, 'ledgersData/chains/index'), '_\0f')),
  ofPeer('data-format', ({ data }) => writeDatabase(join(data, 'ledgersData/stateLeveldb'), '_\0f', '1.0')),
];

/** Within the time of a CA that has just been made. */
function later(): string {
  return `${new Date(Date.now() - 60_000)
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '')
    .slice(0, 14)}Z`;
}

/** All of them. */
export const REFUSALS: readonly Refusal[] = [
  ...OF_BOTH.flatMap(([cause, change]) =>
    (['orderer', 'peer'] as const).map((kind): Refusal => ({ cause, kind, break: change })),
  ),
  ...ORDERER,
  ...PEER,
];

/** One way in which files do not stop a program, but it starts with less than before, or ends later. */
export interface Start {
  readonly kind: 'peer' | 'orderer';
  /** The ids of the warnings. */
  readonly warnings: readonly CauseId[];
  /** Whether the program says so at its start. */
  readonly isSaid: boolean;
  readonly break: Break;
}

const starts = (kind: Start['kind'], warning: CauseId | undefined, change: Break, isSaid = true): Start => ({
  kind,
  warnings: warning === undefined ? [] : [warning],
  isSaid,
  break: change,
});

const without =
  (...names: readonly string[]): Break =>
  ({ data }) => {
    for (const name of names) rmSync(join(data, name), { recursive: true });
  };
const inLedger = (...names: readonly string[]): Break =>
  without(...names.map((name) => `ledgersData/${name}`));
/** Makes the block of an orderer one of an entry that its log does not have, as after more blocks; the orderer builds the index again. */
function withEntry(change: Break): Break {
  return (node) => {
    const bytes = readFileSync(node.blocks);
    const block = parseStoredBlock(bytes.subarray(afterVarint(bytes, 0)));
    rmSync(node.blocks);
    writeStoredBlocks(node.chain, [blockOfEntry(block, 1000)]);
    rmSync(join(node.data, 'index'), { recursive: true });
    change(node);
  };
}
/** Makes a database of a peer one with block 9. */
const withBlock9 =
  (name: string): Break =>
  ({ data }) =>
    writeDatabase(join(data, 'ledgersData', name), 'channel1\0s', '\u0001\u0009\0');

/** All of them. */
export const STARTS: readonly Start[] = [
  starts('orderer', 'wal-behind', withEntry(without('wal')), false),
  starts(
    'orderer',
    'wal-behind',
    withEntry(({ wal }) => writeFileSync(wal, '')),
    false,
  ),
  starts(
    'orderer',
    'wal-behind',
    withEntry(({ wal }) => rmSync(dirname(wal), { recursive: true })),
    false,
  ),
  starts(
    'orderer',
    'wal-behind',
    withEntry((node) => node.set({ 'Consensus.WALDir': join(node.directory, 'moved') })),
    false,
  ),
  starts(
    'orderer',
    'wal-behind',
    withEntry(() => undefined),
    false,
  ),
  starts('orderer', undefined, without('index')),
  starts('orderer', undefined, ({ data }) => {
    for (const name of readdirSync(join(data, 'index')).filter((each) => each.endsWith('.log')))
      writeFileSync(join(data, 'index', name), Buffer.alloc(500));
  }),
  starts('orderer', 'channel-lost', ({ chain }) => rmSync(chain, { recursive: true })),
  starts('orderer', 'channel-lost', without('chains', 'index')),
  starts('orderer', 'channel-lost', (node) => {
    rmSync(node.blocks);
    rmSync(join(node.data, 'index'), { recursive: true });
  }),
  starts('peer', undefined, inLedger('stateLeveldb', 'historyLeveldb')),
  starts('peer', undefined, inLedger('chains/index')),
  starts('peer', 'channel-unlisted', inLedger('ledgerProvider')),
  starts('peer', 'private-data-behind', inLedger('pvtdataStore')),
  starts('peer', 'private-data-behind', inLedger('pvtdataStore', 'stateLeveldb')),
  starts('peer', 'channel-empty', inLedger('chains', 'stateLeveldb', 'historyLeveldb', 'pvtdataStore')),
  starts('peer', 'state-ahead', withBlock9('stateLeveldb')),
  starts('peer', 'state-ahead', withBlock9('historyLeveldb')),
];

/** Copies the files of a node of a network whose nodes have ended. */
export function copyOf(network: string, directory: string, kind: 'peer' | 'orderer'): BrokenNode {
  const from = ['crypto', `${kind}1`].map((name) => join(network, name));
  // A write-ahead log has 64 MB, nearly all of them zeros.
  execFileSync('cp', ['-a', '--sparse=always', ...from, directory]);
  const node = new BrokenNode(directory, kind);
  writeFileSync(node.file, readFileSync(node.file, 'utf8').replaceAll(network, directory));
  return node;
}
