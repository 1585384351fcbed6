// One fault for each cause that no other test of this directory makes. test/e2e/preflight.test.ts compares them with the programs of Fabric.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse, parseDocument } from 'yaml';
import { causeOf, finding, type CauseId } from '../../../../core/tools/preflight/cause.js';
import { preflight } from '../../../../core/tools/preflight/preflight.js';
import { CommonCapabilities, MspFabricMSPConfig, MspMSPConfig } from '../../../../proto/messages.js';
import { readMessage, writeMessage } from '../../../../proto/typed.js';
import type { Config, ConfigGroup } from '../../../../translator/channel/index.js';
import { setCapabilities, setMsp } from '../../../../translator/edit/index.js';
import { readConfigFile } from '../../../../translator/channel/index.js';
import { firstBlock } from '../../../helpers/first-block.js';
import { makeCertificate, type Made } from '../../../helpers/made-certificates.js';
import { configBlock } from '../../../helpers/migration.js';
import { writeDatabase } from '../../../helpers/leveldb-files.js';
import { makeNodeFiles } from '../../../helpers/node-files.js';
import { bytesIn, readReviewCases } from '../../../helpers/review-cases.js';
import { writeStoredBlocks } from '../../../helpers/stored-ledger.js';

type Kind = 'peer' | 'orderer';

/** A node, and what is wrong with it. */
interface Fault {
  readonly kind: Kind;
  /** The version that is to be started. @default 3.1.5 */
  readonly version?: string;
  /** Values of its file by their path. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Changes the files in the directory of the node. */
  readonly change?: (cwd: string, t: ExecutionContext) => void | Promise<void>;
}

const LONG = ['20200101000000Z', '20491231235959Z'] as const;
const ca = makeCertificate({ commonName: 'another ca', validity: LONG });
const leaf = makeCertificate({ commonName: 'leaf', issuer: ca, validity: LONG });

const write = (cwd: string, path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), content);
};

/** Gives the node a signing certificate of its CA. */
function sign(
  cwd: string,
  wanted: { readonly unit: string; readonly validity?: readonly [string, string] },
): void {
  const issuer = makeCertificate({ commonName: 'ca', validity: LONG });
  const made = makeCertificate({ commonName: 'node', validity: LONG, ...wanted, issuer });
  write(cwd, 'msp/cacerts/ca.pem', issuer.pem);
  write(cwd, 'msp/signcerts/cert.pem', made.pem);
  write(cwd, 'msp/keystore/key.pem', keyOf(made));
}

const keyOf = ({ key }: Made): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;

/** The folders of the ledgers, and of the index of block files. */
const CHAINS = { peer: 'data/ledgersData/chains/chains', orderer: 'ledger/chains' } as const;
const INDEX = { peer: 'data/ledgersData/chains/index', orderer: 'ledger/index' } as const;

function giveChannel(cwd: string, kind: Kind, config: Config): void {
  writeStoredBlocks(join(cwd, CHAINS[kind], 'ch1'), [firstBlock({ config })]);
}

/** Puts the size of the committed blocks of ch1 into the index. */
function commit(cwd: string, kind: Kind, size: number): void {
  const varint = [(size & 127) | 128, ((size >> 7) & 127) | 128, size >> 14];
  writeDatabase(join(cwd, INDEX[kind]), {
    'ch1\0blkMgrInfo': Buffer.from([0, ...varint, 0, 0]),
    '_\0f': Buffer.from('2.0'),
  });
}

/** Gives the node a channel, and returns the path and the size of its block file. */
function stored(cwd: string, kind: Kind): { readonly file: string; readonly size: number } {
  giveChannel(cwd, kind, configBlock(0).config);
  const file = join(cwd, CHAINS[kind], 'ch1/blockfile_000000');
  const { size } = statSync(file);
  return { file, size };
}

function appendBroken(cwd: string, kind: Kind): void {
  const { file, size } = stored(cwd, kind);
  commit(cwd, kind, size);
  appendFileSync(file, Buffer.from([3, 0xff, 0xff, 0xff]));
}

/** Locks a file as a node does, until the end of the test. */
async function lock(cwd: string, path: string, t: ExecutionContext): Promise<void> {
  writeDatabase(dirname(join(cwd, path)), {});
  write(cwd, path, '');
  const holder = spawn('flock', ['-x', join(cwd, path), 'sh', '-c', 'echo locked; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  t.teardown(() => holder.kill());
  await once(holder.stdout, 'data');
}

async function occupy(cwd: string, t: ExecutionContext): Promise<void> {
  const { General } = parse(readFileSync(join(cwd, 'orderer.yaml'), 'utf8')) as {
    General: { ListenPort: number };
  };
  const server = createServer().listen(General.ListenPort, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
}

const configIn = (block: Uint8Array): Config => readConfigFile(block).config;

/** A channel whose orderers have only addresses of the channel, with a capability of Fabric 3. */
function newerChannel(): Config {
  const { config } = configBlock(5);
  return withoutEndpoints(config);
}

function withoutEndpoints(config: Config): Config {
  const { channelGroup } = config;
  const values = new Map([...channelGroup.values].filter(([name]) => name !== 'OrdererAddresses'));
  return { ...config, channelGroup: { ...channelGroup, values } };
}

/** A channel in which a certificate of an organisation is no CA. */
function channelWithLeaf(): Config {
  const files = {
    roots: [leaf.pem],
    intermediates: [],
    admins: [],
    revocationLists: [],
    tlsRoots: [],
    tlsIntermediates: [],
    units: [],
    nodeOus: undefined,
  };
  const { config } = configBlock(0);
  const [name = ''] = config.channelGroup.groups.get('Application')?.groups.keys() ?? [];
  return setMsp(config, name, { files }, 'Application').config;
}

/** A channel whose application has a capability that no version knows. */
function channelWithUnknownCapability(): Config {
  const { config } = configBlock(0);
  const { channelGroup } = config;
  const application = channelGroup.groups.get('Application')!;
  const value = writeMessage(CommonCapabilities, { capabilities: new Map([['V9_9', {}]]) });
  const values = new Map(application.values).set('Capabilities', {
    ...application.values.get('Capabilities')!,
    value,
  });
  const groups = new Map(channelGroup.groups).set('Application', { ...application, values });
  return { ...config, channelGroup: { ...channelGroup, groups } };
}

/** A channel with the signing identity of a node in the MSP of an organisation; its certificate has expired. */
function channelWithExpiredSigner(): Config {
  const { config } = configBlock(0);
  const { channelGroup } = config;
  const application = channelGroup.groups.get('Application')!;
  const [[name, organization]] = [...application.groups] as [[string, ConfigGroup]];
  const old = organization.values.get('MSP')!;
  const { type, config: bytes } = readMessage(MspMSPConfig, old.value);
  const expired = makeCertificate({
    commonName: 'node',
    validity: ['20200101000000Z', '20210101000000Z'],
  });
  const msp = writeMessage(MspFabricMSPConfig, {
    ...readMessage(MspFabricMSPConfig, bytes),
    signingIdentity: {
      publicSigner: Buffer.from(expired.pem),
      privateSigner: { keyIdentifier: 'key', keyMaterial: Buffer.from(keyOf(expired)) },
    },
  });
  const value = writeMessage(MspMSPConfig, { type, config: msp });
  const values = new Map(organization.values).set('MSP', { ...old, value });
  const members = new Map(application.groups).set(name, { ...organization, values });
  const groups = new Map(channelGroup.groups).set('Application', { ...application, groups: members });
  return { ...config, channelGroup: { ...channelGroup, groups } };
}

const PKCS11 = (library: string) => ({
  'General.BCCSP': { Default: 'PKCS11', PKCS11: { Library: library } },
});

/** Makes the files of a node with channels. @param values of its file by their path */
const nodeFiles = (t: ExecutionContext, kind: Kind, values: Fault['values'] = {}): Promise<string> =>
  makeNodeFiles(t, kind, kind === 'peer' ? 'core.yaml' : 'orderer.yaml', (text) => {
    const document = parseDocument(text);
    for (const [path, value] of Object.entries(values))
      document.setIn(path.split('.'), document.createNode(value));
    return document.toString();
  });

/** By id: the faults. The values of makeNodeFiles have no cause. */
const FAULTS: Readonly<Partial<Record<CauseId, readonly Fault[]>>> = {
  'signcerts-missing': [
    { kind: 'orderer', change: (cwd) => rmSync(join(cwd, 'msp/signcerts'), { recursive: true }) },
    { kind: 'peer', change: (cwd) => write(cwd, 'msp/signcerts/cert.pem', 'no PEM') },
  ],
  'cacerts-missing': [
    { kind: 'orderer', change: (cwd) => rmSync(join(cwd, 'msp/cacerts'), { recursive: true }) },
    { kind: 'peer', change: (cwd) => write(cwd, 'msp/cacerts/ca.pem', 'no PEM') },
  ],
  'admins-missing': [{ kind: 'orderer', change: (cwd) => rmSync(join(cwd, 'msp/config.yaml')) }],
  'msp-invalid': [
    { kind: 'orderer', change: (cwd) => write(cwd, 'msp/intermediatecerts/leaf.pem', leaf.pem) },
    {
      kind: 'orderer',
      change: (cwd) =>
        write(cwd, 'msp/config.yaml', 'OrganizationalUnitIdentifiers: [{Certificate: cacerts/none.pem}]'),
    },
  ],
  'signcert-untrusted': [{ kind: 'orderer', change: (cwd) => write(cwd, 'msp/cacerts/ca.pem', ca.pem) }],
  'signcert-role': [{ kind: 'peer', change: (cwd) => sign(cwd, { unit: 'none of them' }) }],
  'pkcs11-library-missing': [{ kind: 'orderer', values: PKCS11('/none/lib.so') }],
  'genesis-block-missing': [
    {
      kind: 'orderer',
      version: '2.5.16',
      values: { 'General.BootstrapMethod': 'file', 'General.BootstrapFile': 'none.block' },
    },
  ],
  'consensus-invalid': [{ kind: 'orderer', values: { Consensus: 'none' } }],
  'snapshots-invalid': [
    { kind: 'peer', values: { 'ledger.snapshots.rootDir': 'relative' } },
    { kind: 'peer', values: { 'ledger.snapshots.rootDir': '/etc/passwd' } },
  ],
  'couchdb-unreachable': [
    {
      kind: 'peer',
      values: {
        'ledger.state': { stateDatabase: 'CouchDB', couchDBConfig: { couchDBAddress: '127.0.0.1:1' } },
      },
    },
  ],
  'gossip-leader': [
    {
      kind: 'peer',
      values: { 'peer.gossip.useLeaderElection': true, 'peer.gossip.orgLeader': true },
      change: (cwd) => giveChannel(cwd, 'peer', configBlock(0).config),
    },
  ],
  'tls-file-invalid': [
    { kind: 'orderer', change: (cwd) => write(cwd, 'tls/server.crt', 'no PEM') },
    { kind: 'peer', change: (cwd) => write(cwd, 'tls/server.key', 'no PEM') },
  ],
  'tls-pair-mismatch': [{ kind: 'orderer', change: (cwd) => write(cwd, 'tls/server.key', keyOf(leaf)) }],
  'tls-client-ca-empty': [
    {
      kind: 'orderer',
      values: {
        'General.TLS.ClientAuthRequired': true,
        'General.TLS.ClientRootCAs': ['empty.pem'],
      },
      change: (cwd) => write(cwd, 'empty.pem', ''),
    },
  ],
  // An address for documentation (RFC 5737).
  'address-unusable': [{ kind: 'orderer', values: { 'General.ListenAddress': '192.0.2.1' } }],
  'ledger-locked': [{ kind: 'orderer', change: async (cwd, t) => lock(cwd, 'ledger/index/LOCK', t) }],
  'data-format': [
    {
      kind: 'peer',
      change(cwd) {
        giveChannel(cwd, 'peer', configBlock(0).config);
        writeDatabase(join(cwd, 'data/ledgersData/ledgerProvider'), { other: Buffer.from('1') });
      },
    },
  ],
  'block-file-cut': [
    { kind: 'orderer', change: (cwd) => commit(cwd, 'orderer', stored(cwd, 'orderer').size + 1) },
    {
      kind: 'orderer',
      change(cwd) {
        commit(cwd, 'orderer', 100);
        mkdirSync(join(cwd, CHAINS.orderer, 'ch1'), { recursive: true });
      },
    },
  ],
  'block-damaged': [
    {
      kind: 'orderer',
      change(cwd) {
        const { file, size } = stored(cwd, 'orderer');
        commit(cwd, 'orderer', size);
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0xff, 3));
      },
    },
  ],
  'block-file-tail': [{ kind: 'orderer', change: (cwd) => appendBroken(cwd, 'orderer') }],
  'system-channel': [
    {
      kind: 'orderer',
      change: (cwd) => giveChannel(cwd, 'orderer', configIn(bytesIn(readReviewCases().configs.consortium!))),
    },
  ],
  'channel-too-new': [
    { kind: 'orderer', version: '2.5.16', change: (cwd) => giveChannel(cwd, 'orderer', newerChannel()) },
  ],
  'capability-missing': [
    {
      kind: 'orderer',
      version: '2.5.16',
      change: (cwd) =>
        giveChannel(
          cwd,
          'orderer',
          setCapabilities(configBlock(0).config, 'channel', ['V2_0', 'V3_0']).config,
        ),
    },
    { kind: 'peer', change: (cwd) => giveChannel(cwd, 'peer', channelWithUnknownCapability()) },
  ],
  'channel-msp': [{ kind: 'orderer', change: (cwd) => giveChannel(cwd, 'orderer', channelWithLeaf()) }],
  'channel-signer-expired': [
    { kind: 'orderer', change: (cwd) => giveChannel(cwd, 'orderer', channelWithExpiredSigner()) },
  ],
};

/** The same for warnings. */
const WARNED: Readonly<Partial<Record<CauseId, readonly Fault[]>>> = {
  'msp-id-missing': [{ kind: 'orderer', values: { 'General.LocalMSPID': null } }],
  'signcert-role': [{ kind: 'orderer', change: (cwd) => sign(cwd, { unit: 'none of them' }) }],
  running: [
    {
      kind: 'orderer',
      async change(cwd, t) {
        await lock(cwd, 'ledger/index/LOCK', t);
        await occupy(cwd, t);
      },
    },
  ],
  'signcert-not-yet-valid': [
    {
      kind: 'orderer',
      change: (cwd) => sign(cwd, { unit: 'orderer', validity: ['20490101000000Z', '20491231235959Z'] }),
    },
  ],
  'block-file-tail': [{ kind: 'peer', change: (cwd) => appendBroken(cwd, 'peer') }],
  'channel-msp': [{ kind: 'peer', change: (cwd) => giveChannel(cwd, 'peer', channelWithLeaf()) }],
  'channel-signer-expired': [
    { kind: 'peer', change: (cwd) => giveChannel(cwd, 'peer', channelWithExpiredSigner()) },
  ],
  'channel-too-new': [
    { kind: 'peer', version: '2.5.16', change: (cwd) => giveChannel(cwd, 'peer', newerChannel()) },
  ],
  'ledger-unset': [
    { kind: 'peer', values: { 'peer.fileSystemPath': null } },
    { kind: 'orderer', values: { 'FileLedger.Location': '' } },
  ],
  pkcs11: [{ kind: 'orderer', values: PKCS11('/etc/passwd') }],
  'state-database-unknown': [{ kind: 'peer', values: { 'ledger.state.stateDatabase': 'couchdb' } }],
  'channel-unreadable': [
    { kind: 'orderer', change: (cwd) => write(cwd, `${CHAINS.orderer}/ch1/blockfile_000000`, 'no block') },
  ],
};

for (const [severity, faults] of [
  ['cause', FAULTS],
  ['warning', WARNED],
] as const)
  for (const [id, all] of Object.entries(faults))
    for (const [index, { kind, version = '3.1.5', values = {}, change }] of all.entries())
      test(`${id} of ${kind === 'peer' ? 'a peer' : 'an orderer'} is a ${severity}${index === 0 ? '' : `, fault ${index + 1}`}`, async (t) => {
        const file = kind === 'peer' ? 'core.yaml' : 'orderer.yaml';
        const cwd = await nodeFiles(t, kind, values);
        await change?.(cwd, t);
        const variables: Readonly<Record<string, string>> =
          kind === 'peer' && values['ledger.snapshots.rootDir'] === undefined
            ? { CORE_LEDGER_SNAPSHOTS_ROOTDIR: join(cwd, 'snapshots') }
            : {};
        const { causes } = await preflight({ file, variables, cwd, version });
        const found = causes.map((each) => `${each.severity} ${each.id}`);
        t.true(found.includes(`${severity} ${id}`), found.join(', '));
        t.deepEqual(
          causes.filter((each) => each.severity === 'cause' && each.id !== id),
          [],
        );
      });

test('an orderer does not need the capabilities of the application', async (t) => {
  const cwd = await nodeFiles(t, 'orderer');
  giveChannel(cwd, 'orderer', channelWithUnknownCapability());
  const { causes } = await preflight({ file: 'orderer.yaml', variables: {}, cwd, version: '3.1.5' });
  t.deepEqual(
    causes.filter(({ severity }) => severity === 'cause'),
    [],
  );
});

test('a full file system is a cause in the words of the system', (t) => {
  t.like(
    causeOf(finding('disk-full', 'core.yaml:1: peer.fileSystemPath', { kind: 'peer', place: '/data' })),
    {
      id: 'disk-full',
      severity: 'cause',
      prints: 'no space left on device',
      means: 'the file system of /data is full, and the peer writes to its databases at the start',
    },
  );
});

const OTHER_PEM = '-----BEGIN X-----\nAAAA\n-----END X-----\n';
for (const [what, path, content, prints] of [
  [
    'a certificate file without PEM',
    'server.crt',
    'no PEM',
    'failed to find any PEM data in certificate input',
  ],
  [
    'a private key as the certificate',
    'server.crt',
    keyOf(leaf),
    'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ],
  [
    'other PEM as the certificate',
    'server.crt',
    OTHER_PEM,
    'failed to find "CERTIFICATE" PEM block in certificate input',
  ],
  ['a key file without PEM', 'server.key', 'no PEM', 'failed to find any PEM data in key input'],
  [
    'a certificate as the private key',
    'server.key',
    leaf.pem,
    'found a certificate rather than a key in the PEM for the private key',
  ],
  [
    'other PEM as the private key',
    'server.key',
    OTHER_PEM,
    'found a certificate rather than a key in the PEM for the private key',
  ],
] as const)
  test(`an orderer with ${what} prints: tls: ${prints}`, async (t) => {
    const cwd = await nodeFiles(t, 'orderer');
    write(cwd, `tls/${path}`, content);
    const { causes } = await preflight({ file: 'orderer.yaml', variables: {}, cwd, version: '3.1.5' });
    const found = causes.filter(({ id }) => id === 'tls-file-invalid');
    t.is(found.length, 1);
    t.true(found[0]?.prints?.endsWith(`tls: ${prints}`), found[0]?.prints);
  });

for (const [network, address, problem] of [
  ['udp', '127.0.0.1:0', undefined],
  ['udp', ':8125', undefined],
  ['udp', '[::1]:8125', undefined],
  ['unknown', 'x', undefined],
  ['udp', '', 'dial udp: missing address'],
  ['udp', 'localhost', 'dial udp: address localhost: missing port in address'],
  ['udp4', '127.0.0.1:abc', 'dial udp4: lookup udp4/abc: unknown port'],
  ['udp4', '[::1]:8125', 'dial udp4: address ::1: no suitable address found'],
  ['tcp6', '127.0.0.1:1', 'dial tcp6: address 127.0.0.1: no suitable address found'],
  ['tcp', '127.0.0.1:1', 'dial tcp 127.0.0.1:1: connect: connection refused'],
  ['tcp4', ':1', 'dial tcp4 :1: connect: connection refused'],
  ['unix', '/none', 'dial unix /none: connect: no such file or directory'],
  ['unixgram', '/none', 'dial unixgram /none: connect: no such file or directory'],
] as const)
  test(`a peer that sends metrics over ${network} to '${address}' ${problem === undefined ? 'has no problem' : `prints: ${problem}`}`, async (t) => {
    const cwd = await makeNodeFiles(t, 'peer', 'core.yaml', (text) => {
      const document = parseDocument(text);
      const statsd = { network, address, writeInterval: '10s' };
      document.set('metrics', document.createNode({ provider: 'statsd', statsd }));
      return document.toString();
    });
    const variables = { CORE_LEDGER_SNAPSHOTS_ROOTDIR: join(cwd, 'snapshots') };
    const { causes } = await preflight({ file: 'core.yaml', variables, cwd, version: '3.1.5' });
    t.is(causes.find(({ id }) => id === 'statsd-unreachable')?.prints, problem);
  });
