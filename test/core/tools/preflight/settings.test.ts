// Values that a program refuses at its start, in its words. test/e2e/preflight.test.ts compares them with the programs of Fabric.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { dialText } from '../../../../core/tools/preflight/statsd.js';
import { causesOf, type ChangedNode } from '../../../helpers/preflight-node.js';

interface Case extends Pick<ChangedNode, 'kind' | 'version' | 'values' | 'variables'> {
  /** Files below its directory that exist. */
  readonly files?: readonly string[];
  readonly found: readonly string[];
}

const CHANNELS = { peer: 'data/ledgersData/chains/chains/ch1/x', orderer: 'ledger/chains/ch1/x' } as const;
const docker = (tls: object) => ({ 'vm.docker': { tls: { enabled: true, ...tls } } });
const NO_ENGINE_FILE =
  'cause tls-file-missing at core.yaml: vm.docker.tls.%.file: cannot create docker client: failed to create tls config: ';
const couch = (couchDBAddress: string) => ({
  'ledger.state': { stateDatabase: 'CouchDB', couchDBConfig: { couchDBAddress } },
});
const COUCH = 'cause couchdb-unreachable at core.yaml: ledger.state.couchDBConfig.couchDBAddress: ';
const FORBIDDEN = "Bootstrap method: 'file' is forbidden, since system channel is no longer supported";
const builders = (...externalBuilders: readonly unknown[]) => ({
  'chaincode.externalBuilders': externalBuilders,
});
/** The lines of the first and the second builder. */
const [FIRST, SECOND] = ['core.yaml:37', 'core.yaml:39'];
const limit = (service: string, value: unknown) => ({ 'peer.limits.concurrency': { [service]: value } });
const overrides = (...list: readonly unknown[]) => ({ 'peer.deliveryclient.addressOverrides': list });

const CASES: readonly Case[] = [
  // Docker through TLS; the client of earlier releases ignores the files.
  {
    kind: 'peer',
    values: docker({ ca: { file: 'none' } }),
    found: [NO_ENGINE_FILE.replace('%', 'ca')],
  },
  { kind: 'peer', version: '3.1.3', values: docker({ ca: { file: 'none' } }), found: [] },
  { kind: 'peer', values: docker({ ca: { file: 'none' }, enabled: false }), found: [] },
  { kind: 'peer', values: docker({ ca: { file: 'tls/ca.crt' } }), found: [] },
  { kind: 'peer', values: docker({}), found: [] },
  {
    kind: 'peer',
    values: docker({ cert: { file: 'tls/server.crt' } }),
    found: [NO_ENGINE_FILE.replace('%', 'key')],
  },
  {
    kind: 'peer',
    values: docker({ key: { file: 'tls/server.key' } }),
    found: [NO_ENGINE_FILE.replace('%', 'cert')],
  },
  {
    kind: 'peer',
    values: docker({ cert: { file: 'tls/server.crt' }, key: { file: 'tls/server.key' } }),
    found: [],
  },
  // External builders.
  {
    kind: 'peer',
    values: builders({ name: 'a', path: 'DIR' }, { name: 'b' }),
    found: [
      `cause builder-incomplete at ${SECOND}: invalid external builder configuration, path attribute missing in one or more builders`,
    ],
  },
  {
    kind: 'peer',
    values: builders({ path: '/none' }),
    found: [`cause builder-incomplete at ${FIRST}: external builder at path /none has no name attribute`],
  },
  {
    kind: 'peer',
    values: builders({ name: 'a', path: '/none' }),
    found: [`warning builder-missing at ${FIRST}: `],
  },
  { kind: 'peer', values: { ...builders({ name: 'a', path: 'DIR' }), 'vm.endpoint': '' }, found: [] },
  {
    kind: 'peer',
    values: builders('x'),
    found: [`cause wrong-value at ${FIRST}: '[0]' expected a map`],
  },
  {
    kind: 'peer',
    values: builders({ name: 'a', path: 'DIR' }, { name: 'a', path: ['x'] }),
    found: [`cause wrong-value at ${SECOND}: '[1].Path' expected type 'string'`],
  },
  {
    kind: 'peer',
    values: builders(null),
    found: [
      `cause builder-incomplete at ${FIRST}: invalid external builder configuration, path attribute missing in one or more builders`,
    ],
  },
  {
    kind: 'peer',
    values: { 'vm.endpoint': '' },
    found: [
      'cause no-chaincode-runtime at core.yaml: chaincode.externalBuilders: VMEndpoint not set and no ExternalBuilders defined',
    ],
  },
  {
    kind: 'peer',
    variables: { CORE_VM_ENDPOINT: '' },
    found: [
      'cause no-chaincode-runtime at variable CORE_VM_ENDPOINT: VMEndpoint not set and no ExternalBuilders defined',
    ],
  },
  // Address overrides.
  {
    kind: 'peer',
    values: overrides(null, { from: 'a:1', to: 'b:1' }),
    found: [],
  },
  {
    kind: 'peer',
    values: overrides({ from: 'a:1', to: 'b:1', caCertsFile: 'tls/ca.crt' }, 'x'),
    found: [
      'cause wrong-value at core.yaml: peer.deliveryclient.addressOverrides: could not unmarshal peer.deliveryclient.addressOverrides: ',
    ],
  },
  {
    kind: 'peer',
    values: overrides(
      { from: 'a:1', to: 'b:1', caCertsFile: 'tls/ca.crt' },
      { from: 'c:1', to: 'd:1', caCertsFile: 'none' },
    ),
    found: [
      "warning override-without-effect at core.yaml:36: could not read file 'none' specified for caCertsFile of orderer endpoint override from 'c:1' to 'd:1': open none: no such file or directory",
    ],
  },
  // CouchDB.
  { kind: 'peer', values: couch(''), found: [`${COUCH}http: no Host in request URL`] },
  { kind: 'peer', values: couch('h:99999'), found: [`${COUCH}dial tcp: address 99999: invalid port`] },
  {
    kind: 'peer',
    values: couch('http://h:5984'),
    found: [`${COUCH}failed to parse CouchDB address 'http://h:5984'`],
  },
  {
    kind: 'peer',
    values: couch('h:5984/db'),
    found: [`${COUCH}failed to parse CouchDB address 'h:5984/db'`],
  },
  { kind: 'peer', values: couch('h:x'), found: [`${COUCH}failed to parse CouchDB address 'h:x'`] },
  {
    kind: 'peer',
    values: couch('127.0.0.1:1'),
    found: [`${COUCH}dial tcp 127.0.0.1:1: connect: connection refused`],
  },
  { kind: 'peer', values: { 'ledger.state': { stateDatabase: '' } }, found: [] },
  {
    kind: 'peer',
    values: { 'ledger.state': { stateDatabase: 'leveldb' } },
    found: ['warning state-database-unknown at core.yaml: ledger.state.stateDatabase: '],
  },
  // Snapshots.
  { kind: 'peer', values: { 'ledger.snapshots.rootDir': 'DIR/msp' }, found: [] },
  { kind: 'peer', values: { 'ledger.snapshots.rootDir': '' }, found: [] },
  { kind: 'peer', values: { 'ledger.snapshots.rootDir': 'DIR/none' }, found: [] },
  {
    kind: 'peer',
    values: { 'ledger.snapshots.rootDir': 'DIR/env.json' },
    found: [
      'cause snapshots-invalid at core.yaml: ledger.snapshots.rootDir: unlinkat DIR/env.json/temp: not a directory',
    ],
  },
  {
    kind: 'peer',
    values: { 'ledger.snapshots.rootDir': 'msp' },
    found: [
      'cause snapshots-invalid at core.yaml: ledger.snapshots.rootDir: invalid path: msp. The path for the snapshot dir is expected to be an absolute path',
    ],
  },
  // Limits and the leader.
  ...['endorserService', 'deliverService', 'gatewayService'].map((service): Case => ({
    kind: 'peer',
    values: limit(service, -2),
    found: [
      `cause limit-invalid at core.yaml: peer.limits.concurrency.${service}: permits must be greater than 0`,
    ],
  })),
  { kind: 'peer', values: limit('endorserService', 0), found: [] },
  { kind: 'peer', values: limit('endorserService', '-00'), found: [] },
  {
    kind: 'peer',
    values: { 'peer.gossip': { useLeaderElection: true, orgLeader: true } },
    files: [CHANNELS.peer],
    found: [
      "cause gossip-leader at core.yaml: peer.gossip.useLeaderElection: Setting both orgLeader and useLeaderElection to true isn't supported, aborting execution",
    ],
  },
  { kind: 'peer', values: { 'peer.gossip': { useLeaderElection: true, orgLeader: true } }, found: [] },
  { kind: 'peer', values: { 'peer.gossip': { useLeaderElection: true } }, files: [CHANNELS.peer], found: [] },
  { kind: 'peer', values: { 'peer.gossip': { orgLeader: true } }, files: [CHANNELS.peer], found: [] },
  // The library of a token.
  {
    kind: 'peer',
    values: { 'peer.BCCSP': { Default: 'PKCS11', PKCS11: { Library: '/none.so' } } },
    found: [
      'cause pkcs11-library-missing at core.yaml: peer.BCCSP.PKCS11.Library: Could not find default `PKCS11` BCCSP',
    ],
  },
  { kind: 'peer', values: { 'peer.BCCSP': { Default: 'SW', PKCS11: { Library: '/none.so' } } }, found: [] },
  // The bootstrap method.
  {
    kind: 'orderer',
    values: { 'General.BootstrapMethod': '', 'General.GenesisMethod': 'file' },
    found: [`cause bootstrap-file at orderer.yaml: General.GenesisMethod: ${FORBIDDEN}`],
  },
  {
    kind: 'orderer',
    values: { 'General.BootstrapMethod': 'none', 'General.GenesisMethod': 'file' },
    found: [],
  },
  { kind: 'orderer', values: { 'General.BootstrapMethod': '' }, found: [] },
  {
    kind: 'orderer',
    values: { 'General.BootstrapMethod': 'file', Consensus: ['x'] },
    found: [
      `cause bootstrap-file at orderer.yaml: General.BootstrapMethod: ${FORBIDDEN}`,
      "cause consensus-invalid at orderer.yaml: Consensus: Failed to decode etcdraft configuration: '' expected a map",
    ],
  },
  ...(['', 'file'] as const).map((method): Case => ({
    kind: 'orderer',
    version: '2.5.16',
    values: { 'General.BootstrapMethod': method },
    found: [
      'cause genesis-block-missing at orderer.yaml: General.BootstrapFile: unable to bootstrap orderer. Error reading genesis block file: open DIR/genesisblock: no such file or directory',
    ],
  })),
  {
    kind: 'orderer',
    version: '2.5.16',
    values: { 'General.BootstrapMethod': 'file', 'General.GenesisFile': 'old.block' },
    found: [
      'cause genesis-block-missing at orderer.yaml: General.BootstrapFile: unable to bootstrap orderer. Error reading genesis block file: open DIR/old.block: no such file or directory',
    ],
  },
  {
    kind: 'orderer',
    version: '2.5.16',
    values: { 'General.BootstrapMethod': 'file', 'General.BootstrapFile': 'tls/ca.crt' },
    found: [],
  },
  {
    kind: 'orderer',
    version: '2.5.16',
    values: {
      'General.BootstrapMethod': 'file',
      'General.Cluster': { ClientCertificate: 'tls/server.crt', ClientPrivateKey: 'tls/server.key' },
    },
    files: [CHANNELS.orderer],
    found: [
      "warning channel-lost at DIR/ledger/chains/ch1: Channel 'ch1' has an empty ledger without a join-block, removing it",
    ],
  },
  // A file without content is no block.
  {
    kind: 'orderer',
    version: '2.5.16',
    values: { 'General.BootstrapMethod': 'file', 'General.BootstrapFile': 'empty' },
    files: ['empty'],
    found: [
      'cause genesis-block-missing at orderer.yaml: General.BootstrapFile: Failed validating bootstrap block: empty block data',
    ],
  },
  {
    kind: 'orderer',
    version: '2.5.16',
    values: { 'General.BootstrapMethod': 'file', 'General.BootstrapFile': 'msp' },
    found: [
      'cause genesis-block-missing at orderer.yaml: General.BootstrapFile: unable to bootstrap orderer. Error reading genesis block file: read DIR/msp: is a directory',
    ],
  },
  { kind: 'orderer', values: { Consensus: {} }, found: [] },
  // Variables of sections that the file does not have.
  ...(
    [
      ['3.1.5', 'ORDERER_GENERAL_BACKOFF_BASEDELAY', true],
      ['2.5.16', 'ORDERER_GENERAL_BACKOFF_BASEDELAY', false],
      ['3.1.5', 'ORDERER_KAFKA_RETRY_SHORTINTERVAL', false],
      ['2.5.16', 'ORDERER_KAFKA_RETRY_SHORTINTERVAL', true],
      ['3.1.5', 'ORDERER_GENERAL_BCCSP_DEFAULT', true],
      ['3.1.5', 'ORDERER_CONSENSUS_WALDIR', true],
      ['3.1.5', 'ORDERER_GENERAL_NONE', false],
      ['3.1.5', 'ORDERER_METRICS_STATSD_PREFIX', true],
    ] as const
  ).map(([version, name, isWarned]): Case => ({
    kind: 'orderer',
    version,
    variables: { [name]: 'x' },
    found: isWarned ? [`warning variable-without-effect at variable ${name}: `] : [],
  })),
  {
    kind: 'peer',
    values: { 'peer.BCCSP': null },
    variables: { CORE_PEER_BCCSP_DEFAULT: 'SW' },
    found: ['warning variable-without-effect at variable CORE_PEER_BCCSP_DEFAULT: '],
  },
];

for (const { kind, version, values, variables, files = [], found } of CASES)
  test(`${kind === 'peer' ? 'a peer' : 'an orderer'}${version === undefined ? '' : ` of ${version}`} with ${JSON.stringify({ ...values, ...variables })}${files.length === 0 ? '' : ` and ${files.join(', ')}`}: ${found.join('; ') || 'nothing is found'}`, async (t) => {
    const causes = await causesOf(t, {
      kind,
      ...(version !== undefined && { version }),
      ...(values !== undefined && { values }),
      ...(variables !== undefined && { variables }),
      change(cwd) {
        for (const path of files) {
          mkdirSync(join(cwd, path, '..'), { recursive: true });
          writeFileSync(join(cwd, path), '');
        }
      },
    });
    t.deepEqual(
      causes.map(({ severity, id, where, prints }) => `${severity} ${id} at ${where}: ${prints}`),
      [...found],
    );
  });

test('CouchDB that refuses a request without credentials responds', async (t) => {
  const server = createServer((_request, response) => {
    response.statusCode = 401;
    response.end();
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.deepEqual(await causesOf(t, { kind: 'peer', values: couch(`127.0.0.1:${port}`) }), []);
});

for (const [writeInterval, isCause] of [
  [0, true],
  [1, true],
  [2, false],
  [1.9, true],
  [true, true],
] as const)
  test(`the interval ${writeInterval} of StatsD is ${isCause ? 'a cause for a peer: half of it is no nanosecond' : 'enough nanoseconds for a peer'}`, async (t) => {
    const statsd = { network: 'udp', address: '127.0.0.1:8125', writeInterval };
    const causes = await causesOf(t, { kind: 'peer', values: { metrics: { provider: 'statsd', statsd } } });
    t.deepEqual(
      causes.map(({ id, where, prints }) => [id, where, prints]),
      isCause
        ? [
            [
              'statsd-interval',
              'core.yaml: metrics.statsd.writeInterval',
              'non-positive interval for NewTicker',
            ],
          ]
        : [],
    );
  });

for (const network of ['unix', 'unixgram', 'tcp', 'tcp4'])
  test(`StatsD over ${network} that runs is no cause`, async (t) => {
    // The path of a socket has at most 107 bytes.
    const folder = mkdtempSync(join(tmpdir(), 's-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const server = createSocketServer((socket) => socket.destroy());
    t.teardown(() => server.close());
    if (network.startsWith('unix')) server.listen(join(folder, 's'));
    else server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const found = server.address() as AddressInfo | string;
    const address = typeof found === 'string' ? found : `127.0.0.1:${found.port}`;
    const statsd = { network, address, writeInterval: '10s' };
    t.deepEqual(await causesOf(t, { kind: 'peer', values: { metrics: { provider: 'statsd', statsd } } }), []);
  });

for (const [error, address, prints] of [
  [{ code: 'ENOTFOUND' }, 'h:8125', 'dial udp: lookup h'],
  [{ code: 'EAI_AGAIN' }, '[fe80::1]:8125', 'dial udp: lookup fe80::1'],
  [{ code: 'ENOTFOUND' }, 'h', 'dial udp: lookup h'],
  [{ name: 'AbortError', code: 'ABORT_ERR' }, 'h:8125', 'dial udp h:8125: i/o timeout'],
  [{ code: 'EHOSTUNREACH' }, 'h:8125', 'dial udp h:8125: connect: no route to host'],
  [{ code: 'EPROTO' }, 'h:8125', 'dial udp h:8125: connect: EPROTO'],
  [{ message: 'broken' }, 'h:8125', 'dial udp h:8125: connect: broken'],
] as const)
  test(`a connection to ${address} that fails with ${JSON.stringify(error)} is reported as Go does: ${prints}`, (t) => {
    t.is(dialText('dial udp', address, error), prints);
  });
