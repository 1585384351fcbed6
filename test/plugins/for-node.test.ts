// The options that the built-in checkers take from the configuration of a node.

import test from 'ava';
import { BUILT_IN } from '../../core/built-in.js';
import type { ConfiguredAgent, ConfiguredNode } from '../../core/contract/for-node.js';
import type { PluginDefinition } from '../../core/contract/index.js';
import ccaas from '../../plugins/health/ccaas/index.js';
import certificates from '../../plugins/health/certificates/index.js';
import channelConfig from '../../plugins/health/channel-config/index.js';
import consensus from '../../plugins/health/consensus/index.js';
import couchdb from '../../plugins/health/couchdb/index.js';
import disk from '../../plugins/health/disk/index.js';
import height from '../../plugins/health/height/index.js';
import nodeHealth from '../../plugins/health/node-health/index.js';
import loadedChannels from '../../plugins/health/loaded-channels/index.js';
import ordererLink from '../../plugins/health/orderer-link/index.js';
import participation from '../../plugins/health/participation/index.js';
import source from '../../plugins/source/node/index.js';

/** What a case sets; `get` has the keys of the file of the node. */
interface Given {
  readonly kind?: 'peer' | 'orderer';
  readonly metrics?: boolean;
  readonly health?: boolean;
  readonly nodeCount?: number;
  /** `health.interval` of the agent, unless it is the default. */
  readonly interval?: string;
  readonly get?: Readonly<Record<string, unknown>>;
}

/** Values of keys that a case does not set. */
const UNSET: Readonly<Record<string, unknown>> = {
  addressOverrides: [],
  'admin.listenAddress': null,
  'tls.rootCAs': [],
  'cluster.rootCAs': [],
  'operations.tls.clientRootCAs.files': [],
  'admin.tls.clientRootCAs': [],
  externalBuilders: [],
  network: undefined,
};

const at = <T>(value: T): { readonly value: T; readonly origin: string } => ({ value, origin: 'core.yaml' });

/** A node, and the agent that monitors it. */
function nodeWith({
  kind = 'peer',
  metrics = true,
  health = true,
  nodeCount = 1,
  interval,
  get = {},
}: Given): [ConfiguredNode, ConfiguredAgent] {
  const node: ConfiguredNode = {
    name: 'node0',
    kind,
    origin: 'agent.yaml',
    address: at({ host: 'ops', port: 9443 }),
    tls: {
      tls: at(false),
      ca: at(''),
      certificate: at(''),
      cert: at(''),
      key: at(''),
      serverName: at(''),
    },
    admin: { cert: at('/admin.crt'), key: at('/admin.key') },
    metrics: at(metrics),
    health: at(health),
    get: <T>(key: string) =>
      at(
        (key in get
          ? get[key]
          : key in UNSET
            ? UNSET[key]
            : key.endsWith('nabled') || key.endsWith('Required')
              ? false
              : '') as T,
      ),
  };
  const agent: ConfiguredAgent = {
    nodeCount,
    get: () => ({ ...at(interval ?? '10s'), isDefault: interval === undefined }),
  };
  return [node, agent];
}

/** The values of the options, without their origins; undefined: the plugin is not for the node. */
function optionsOf({ forNode }: PluginDefinition, given: Given): unknown {
  const options = forNode?.(...nodeWith(given));
  return (
    options &&
    Object.fromEntries(
      Object.entries(options).map(([name, option]) => [
        name,
        typeof option === 'object' && option !== null ? (option as { value: unknown }).value : option,
      ]),
    )
  );
}

const ENDPOINT = {
  address: 'ops:9443',
  tls: false,
  ca: '',
  certificate: '',
  cert: '',
  key: '',
  serverName: '',
};
const LEDGER = { ledger: '/data', mspId: 'Org1MSP', msp: '/msp' };
const LINK = { ledger: '/data', mspid: 'Org1MSP', msp: '/msp', tls: false };
const TLS = { 'tls.enabled': true, 'tls.cert': '/tls.crt', 'tls.key': '/tls.key' };
const ADMIN = { 'participation.enabled': true, 'admin.listenAddress': { host: 'adm', port: 9444 } };

const CASES: readonly (readonly [
  checker: string,
  definition: PluginDefinition,
  given: Given,
  options: unknown,
])[] = [
  ['ccaas', ccaas, { get: { ledger: '/data' } }, undefined],
  [
    'ccaas',
    ccaas,
    { get: { ledger: '/data', externalBuilders: [{ name: 'b' }] } },
    { paths: ['/data/externalbuilder/builds'] },
  ],
  ['ccaas', ccaas, { get: { ledger: '/data', externalBuilders: [{ name: 'b' }], network: [] } }, undefined],
  ['ccaas', ccaas, { get: { ledger: '', externalBuilders: [{ name: 'b' }] } }, undefined],
  ['ccaas', ccaas, { get: { ledger: '/data', externalBuilders: [] } }, undefined],
  ['certificates', certificates, {}, undefined],
  [
    'certificates',
    certificates,
    { get: { msp: '/msp', 'tls.cert': '/tls.crt', 'admin.tls.certificate': '/adm.crt' } },
    { paths: ['/msp'], signer: 'peer' },
  ],
  [
    'certificates',
    certificates,
    {
      kind: 'orderer',
      get: {
        msp: '/msp',
        'tls.enabled': true,
        'tls.cert': '/tls.crt',
        'tls.rootCAs': ['/ca.crt', '/msp'],
        'operations.tls.enabled': true,
        'operations.tls.cert.file': '/ops.crt',
        'admin.tls.enabled': true,
        'admin.tls.certificate': '/adm.crt',
      },
    },
    { paths: ['/msp', '/tls.crt', '/ca.crt', '/ops.crt', '/adm.crt'], signer: 'orderer' },
  ],
  ['channel-config', channelConfig, { get: { mspId: 'Org1MSP' } }, undefined],
  [
    'channel-config',
    channelConfig,
    { get: { ...LEDGER, 'tls.cert': '/tls.crt' } },
    { ledger: '/data', kind: 'peer', mspid: 'Org1MSP' },
  ],
  [
    'channel-config',
    channelConfig,
    { get: { ...LEDGER, ...TLS } },
    { ledger: '/data', kind: 'peer', mspid: 'Org1MSP', tlsCert: '/tls.crt' },
  ],
  [
    'channel-config',
    channelConfig,
    { get: { ...LEDGER, 'tls.enabled': true } },
    { ledger: '/data', kind: 'peer', mspid: 'Org1MSP' },
  ],
  [
    'channel-config',
    channelConfig,
    {
      kind: 'orderer',
      get: { ...LEDGER, 'cluster.serverCertificate': '/cluster.crt', 'tls.cert': '/tls.crt' },
    },
    {
      ledger: '/data',
      kind: 'orderer',
      mspid: 'Org1MSP',
      tlsCert: '/cluster.crt',
      msp: '/msp',
      listen: '127.0.0.1:7050',
    },
  ],
  [
    'channel-config',
    channelConfig,
    { kind: 'orderer', get: { ...LEDGER, msp: '', listenAddress: '::', listenPort: 7051 } },
    { ledger: '/data', kind: 'orderer', mspid: 'Org1MSP', listen: '[::]:7051' },
  ],
  [
    'channel-config',
    channelConfig,
    {
      kind: 'orderer',
      get: {
        ...LEDGER,
        msp: '',
        listenAddress: '0.0.0.0',
        listenPort: 7051,
        'cluster.listenAddress': '10.0.0.1',
        'cluster.listenPort': '7060',
      },
    },
    { ledger: '/data', kind: 'orderer', mspid: 'Org1MSP', listen: '10.0.0.1:7060' },
  ],
  [
    'channel-config',
    channelConfig,
    { kind: 'peer', get: { ...LEDGER, 'cluster.serverCertificate': '/cluster.crt' } },
    { ledger: '/data', kind: 'peer', mspid: 'Org1MSP' },
  ],
  ['consensus', consensus, { kind: 'orderer' }, {}],
  ['consensus', consensus, { kind: 'orderer', metrics: false }, undefined],
  ['consensus', consensus, { kind: 'peer' }, undefined],
  [
    'couchdb',
    couchdb,
    { get: { 'couchdb.stateDatabase': 'goleveldb', 'couchdb.address': 'db:5984' } },
    undefined,
  ],
  ['couchdb', couchdb, { get: { 'couchdb.stateDatabase': 'CouchDB', 'couchdb.address': '' } }, undefined],
  [
    'couchdb',
    couchdb,
    { get: { 'couchdb.stateDatabase': 'CouchDB', 'couchdb.address': 'db:5984', network: [] } },
    undefined,
  ],
  [
    'couchdb',
    couchdb,
    { get: { 'couchdb.stateDatabase': 'CouchDB', 'couchdb.address': 'db:5984', 'couchdb.username': 'u' } },
    { address: 'db:5984' },
  ],
  [
    'couchdb',
    couchdb,
    { get: { 'couchdb.stateDatabase': 'CouchDB', 'couchdb.address': 'db:5984', 'couchdb.password': 'p' } },
    { address: 'db:5984' },
  ],
  [
    'couchdb',
    couchdb,
    {
      get: {
        'couchdb.stateDatabase': 'CouchDB',
        'couchdb.address': 'db:5984',
        'couchdb.username': 'u',
        'couchdb.password': 1234,
      },
    },
    { address: 'db:5984', username: 'u', password: '1234' },
  ],
  ['disk', disk, {}, undefined],
  ['disk', disk, { get: { ledger: '/data', msp: '/msp' } }, { paths: ['/data', '/msp'] }],
  [
    'disk',
    disk,
    { kind: 'orderer', get: { ledger: '/data', wal: '/wal', snap: '/snap' } },
    { paths: ['/data', '/wal', '/snap'], wal: '/wal' },
  ],
  ['height', height, { nodeCount: 1 }, undefined],
  ['height', height, { nodeCount: 2 }, {}],
  ['height', height, { nodeCount: 2, metrics: false }, undefined],
  ['node-health', nodeHealth, { health: false }, undefined],
  ['node-health', nodeHealth, {}, ENDPOINT],
  ['node-health', nodeHealth, { interval: '5s' }, { ...ENDPOINT, interval: '5s' }],
  [
    'loaded-channels',
    loadedChannels,
    { get: { 'gossip.membershipTrackerInterval': '1m30s' } },
    { trackerInterval: '1m30s' },
  ],
  ['loaded-channels', loadedChannels, { get: { 'gossip.membershipTrackerInterval': 5 } }, {}],
  ['loaded-channels', loadedChannels, { metrics: false }, undefined],
  ['loaded-channels', loadedChannels, { kind: 'orderer' }, undefined],
  ['orderer-link', ordererLink, { get: LEDGER }, LINK],
  ['orderer-link', ordererLink, { kind: 'orderer', get: LEDGER }, undefined],
  ['orderer-link', ordererLink, { get: { ...LEDGER, ledger: '' } }, undefined],
  ['orderer-link', ordererLink, { get: { ...LEDGER, mspId: '' } }, undefined],
  [
    'orderer-link',
    ordererLink,
    { get: { ...LEDGER, network: [{ from: 'a:1', to: 'b:2' }] } },
    { ...LINK, hasOwnNetwork: true, network: [{ from: 'a:1', to: 'b:2' }] },
  ],
  [
    'orderer-link',
    ordererLink,
    { get: { ...LEDGER, addressOverrides: [{ from: 'a', to: 'b' }] } },
    { ...LINK, overrides: [{ from: 'a', to: 'b' }] },
  ],
  ['orderer-link', ordererLink, { get: { ...LEDGER, ...TLS } }, { ...LINK, tls: true }],
  ['orderer-link', ordererLink, { get: { ...LEDGER, 'tls.clientAuthRequired': true } }, LINK],
  [
    'orderer-link',
    ordererLink,
    { get: { ...LEDGER, ...TLS, 'tls.clientAuthRequired': true } },
    { ...LINK, tls: true, tlsCert: '/tls.crt', tlsKey: '/tls.key' },
  ],
  [
    'orderer-link',
    ordererLink,
    {
      get: {
        ...LEDGER,
        ...TLS,
        'tls.clientAuthRequired': true,
        'tls.clientCert': '/client.crt',
        'tls.clientKey': '/client.key',
      },
    },
    { ...LINK, tls: true, tlsCert: '/client.crt', tlsKey: '/client.key' },
  ],
  ['participation', participation, { kind: 'peer', get: ADMIN }, undefined],
  [
    'participation',
    participation,
    { kind: 'orderer', get: { ...ADMIN, 'participation.enabled': false } },
    undefined,
  ],
  [
    'participation',
    participation,
    { kind: 'orderer', get: { ...ADMIN, 'admin.listenAddress': null } },
    undefined,
  ],
  [
    'participation',
    participation,
    { kind: 'orderer', get: { ...ADMIN, 'admin.listenAddress': { host: 'adm', port: 0 } } },
    undefined,
  ],
  ['participation', participation, { kind: 'orderer', get: ADMIN }, { address: 'adm:9444', tls: false }],
  ...['', '0.0.0.0', '::'].map(
    (host) =>
      [
        'participation',
        participation,
        { kind: 'orderer', get: { ...ADMIN, 'admin.listenAddress': { host, port: 9444 } } },
        { address: 'ops:9444', tls: false },
      ] as const,
  ),
  [
    'participation',
    participation,
    { kind: 'orderer', get: { ...ADMIN, 'admin.tls.enabled': true, 'admin.tls.certificate': '/adm.crt' } },
    { address: 'adm:9444', tls: true, certificate: '/adm.crt', cert: '/admin.crt', key: '/admin.key' },
  ],
  ['source', source, { kind: 'orderer', metrics: false }, { kind: 'orderer', ...ENDPOINT, metrics: false }],
];

for (const [checker, definition, given, options] of CASES) {
  test(`${checker} of a node with ${JSON.stringify(given)}: ${JSON.stringify(options) ?? 'none'}`, (t) => {
    t.deepEqual(optionsOf(definition, given), options);
  });

  if (options !== undefined)
    test(`the module of ${checker} is imported for a node with ${JSON.stringify(given)}`, (t) => {
      const row = BUILT_IN.find(({ name }) => name === definition.name);
      t.true(row?.mayBeForNode?.(...nodeWith(given)));
    });
}
