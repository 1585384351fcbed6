import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadSettings, SettingsError, type PluginDeclaration } from '../../../config/index.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { declaredBy } from '../../helpers/declared.js';
import { temporaryFolder } from '../../helpers/folder.js';

const ORDERER = `General:
  LocalMSPDir: msp
  TLS: {Enabled: true, Certificate: tls/server.crt, PrivateKey: tls/server.key, RootCAs: [tls/ca.crt]}
  Cluster: {ClientCertificate: tls/client.crt, ClientPrivateKey: tls/client.key, RootCAs: [tls/ca.crt]}
FileLedger: {Location: /data}
Consensus: {WALDir: /data/wal, SnapDir: /data/snap}
ChannelParticipation: {Enabled: true}
Admin:
  ListenAddress: 0.0.0.0:9443
  TLS: {Enabled: true, Certificate: tls/admin.crt, PrivateKey: tls/admin.key, ClientRootCAs: [tls/clients.crt]}
Operations: {ListenAddress: 'orderer1:8443'}
Metrics: {Provider: prometheus}
`;
const PEER = `peer:
  id: peer0
  mspConfigPath: msp
  fileSystemPath: /data
  tls: {enabled: true, cert: {file: tls/server.crt}, rootcert: {file: tls/ca.crt}, clientCert: {file: tls/server.crt}}
ledger: {snapshots: {rootDir: /snapshots}}
operations: {listenAddress: '127.0.0.1:9543'}
metrics: {provider: prometheus}
`;

/** The declared checkers of nodes by name, and the directory of their files. */
async function checkers(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly cwd: string; readonly found: ReadonlyMap<string | undefined, PluginDeclaration> }> {
  const cwd = temporaryFolder(t, files);
  const own = ['operations.listenAddress=127.0.0.1:1', ...flags];
  const { settings } = loadSettings({
    files: [],
    nodes: Object.keys(files),
    flags: own,
    environment,
    cwd,
  });
  const found = (await declaredBy(settings)).filter(({ name = '' }) => name.includes('/'));
  return { cwd, found: new Map(found.map((each) => [each.name, each])) };
}

test('for an orderer, its certificates, directories, consensus and Admin endpoint are checked', async (t) => {
  const { cwd, found } = await checkers(t, { 'orderer.yaml': ORDERER });
  t.deepEqual(
    [...found].map(([name, { plugin }]) => [name, plugin]),
    [
      ['orderer/certificates', 'certificates'],
      ['orderer/disk', 'disk'],
      ['orderer/channel-config', 'channel-config'],
      ['orderer/consensus', 'consensus'],
      ['orderer/participation', 'participation'],
    ],
  );
  const certificates = [
    'msp',
    'tls/server.crt',
    'tls/ca.crt',
    'tls/client.crt',
    'tls/admin.crt',
    'tls/clients.crt',
  ];
  t.deepEqual(found.get('orderer/certificates')?.options, {
    paths: certificates.map((path) => join(cwd, path)),
    signer: 'orderer',
  });
  t.is(found.get('orderer/certificates')?.optionOrigins?.['paths'], 'orderer.yaml:2: General.LocalMSPDir');
  t.deepEqual(found.get('orderer/disk')?.options, {
    paths: ['/data', '/data/wal', '/data/snap', join(cwd, 'msp')],
    wal: '/data/wal',
  });
  t.deepEqual(found.get('orderer/consensus')?.options, {});
  t.deepEqual(found.get('orderer/participation')?.options, {
    address: 'orderer1:9443',
    tls: true,
    certificate: join(cwd, 'tls/admin.crt'),
    cert: join(cwd, 'tls/admin.crt'),
    key: join(cwd, 'tls/admin.key'),
  });
});

test('the own client certificate of the agent is used for the Admin endpoint, also while the operations endpoint has no TLS', async (t) => {
  const { cwd, found } = await checkers(t, { 'orderer.yaml': ORDERER }, [
    'node.cert=own.crt',
    'node.key=own.key',
  ]);
  const { options, optionOrigins } = found.get('orderer/participation') ?? {};
  t.is(options?.['cert'], join(cwd, 'own.crt'));
  t.is(options?.['key'], join(cwd, 'own.key'));
  t.is(options?.['certificate'], join(cwd, 'tls/admin.crt'));
  t.is(optionOrigins?.['key'], 'flag --set node.key: node.key');
});

test('an own client certificate that no client CA of the Admin endpoint issued is not used for it', async (t) => {
  const { ca, foreignCa, server } = makeCertificates();
  const text = ORDERER.replace('tls/clients.crt', ca.cert);
  const keyFor = async (cert: string): Promise<unknown> =>
    (await checkers(t, { 'orderer.yaml': text }, [`node.cert=${cert}`, 'node.key=/own.key'])).found.get(
      'orderer/participation',
    )?.options['key'];
  t.is(await keyFor(server.cert), '/own.key');
  t.regex(String(await keyFor(foreignCa.issue('agent', undefined).cert)), /\/tls\/admin\.key$/);
});

test('for a peer, its certificates and directories are checked, and with several nodes the heights', async (t) => {
  const { cwd, found } = await checkers(t, { 'core.yaml': PEER });
  t.deepEqual(
    [...found.keys()],
    ['peer0/certificates', 'peer0/disk', 'peer0/channel-config', 'peer0/loaded-channels'],
  );
  t.deepEqual(found.get('peer0/certificates')?.options, {
    paths: ['msp', 'tls/server.crt', 'tls/ca.crt'].map((path) => join(cwd, path)),
    signer: 'peer',
  });
  t.deepEqual(found.get('peer0/disk')?.options, { paths: ['/data', '/snapshots', join(cwd, 'msp')] });
  const both = (await checkers(t, { 'core.yaml': PEER, 'orderer.yaml': ORDERER })).found;
  t.deepEqual(both.get('peer0/height')?.options, {});
  t.deepEqual(both.get('orderer/height')?.options, {});
});

test('an orderer with a separate cluster listener is a consenter by the certificate of this listener', async (t) => {
  const certOf = async (text: string): Promise<unknown> =>
    (await checkers(t, { 'orderer.yaml': text })).found.get('orderer/channel-config')?.options['tlsCert'];
  t.regex(String(await certOf(ORDERER)), /\/tls\/server\.crt$/);
  const own = ORDERER.replace('Cluster: {', 'Cluster: {ServerCertificate: /cluster.crt, ');
  t.is(await certOf(own), '/cluster.crt');
  t.is(await certOf(own.replace('TLS: {Enabled: true', 'TLS: {Enabled: false')), '/cluster.crt');
});

test('for a peer that names its MSP, the orderers of its channels get the same requests as from the peer', async (t) => {
  const text = PEER.replace('peer:\n', 'peer:\n  localMspId: Org1MSP\n');
  const { cwd, found } = await checkers(t, { 'core.yaml': text });
  const options = { ledger: '/data', msp: join(cwd, 'msp'), mspid: 'Org1MSP', tls: true };
  t.deepEqual(found.get('peer0/orderer-link')?.options, options);
  const mutual = text.replace(
    '{enabled: true',
    '{clientAuthRequired: true, key: {file: tls/server.key}, enabled: true',
  );
  const other = await checkers(t, { 'core.yaml': mutual });
  const inCwd = (path: string): string => join(other.cwd, path);
  t.deepEqual(other.found.get('peer0/orderer-link')?.options, {
    ...options,
    msp: inCwd('msp'),
    tlsCert: inCwd('tls/server.crt'),
    tlsKey: inCwd('tls/server.key'),
  });
});

for (const [where, inFile, environment] of [
  [
    'in its file',
    `deliveryclient: {addressOverrides: [{From: 'a:1', to: 'b:1', caCertsFile: /ca.pem}, {from: 'c:1', to: 'd:1'}]}`,
    {},
  ],
  [
    'in its variable',
    '',
    {
      CORE_PEER_DELIVERYCLIENT_ADDRESSOVERRIDES: `[{from: 'a:1', to: 'b:1', caCertsFile: /ca.pem}, {from: 'c:1', to: 'd:1'}]`,
    },
  ],
] as const)
  test(`the requests to the orderers of a peer use its address overrides ${where}`, async (t) => {
    const text = PEER.replace('peer:\n', `peer:\n  localMspId: Org1MSP\n  ${inFile}\n`);
    const { found } = await checkers(t, { 'core.yaml': text }, [], environment);
    t.deepEqual(found.get('peer0/orderer-link')?.options['overrides'], [
      { from: 'a:1', to: 'b:1', caCertsFile: '/ca.pem' },
      { from: 'c:1', to: 'd:1', caCertsFile: '' },
    ]);
  });

const BUILDERS = `${PEER}chaincode:
  externalBuilders: [{ name: ccaas_builder, path: /opt/hyperledger/ccaas_builder }]
`;

test('for a peer with external builders, the chaincode servers in their output are checked', async (t) => {
  const { found } = await checkers(t, { 'core.yaml': BUILDERS });
  t.deepEqual(
    [...found.keys()],
    ['peer0/certificates', 'peer0/disk', 'peer0/channel-config', 'peer0/loaded-channels', 'peer0/ccaas'],
  );
  const { options, optionOrigins } = found.get('peer0/ccaas') ?? {};
  t.deepEqual(options, { paths: ['/data/externalbuilder/builds'] });
  t.is(optionOrigins?.['paths'], 'core.yaml:4: peer.fileSystemPath');
  t.false(
    (await checkers(t, { 'core.yaml': BUILDERS }, ['node.checks=ccaas=false'])).found.has('peer0/ccaas'),
  );
  const none = BUILDERS.replace(/\[\{.*\}\]/, '[]');
  t.false((await checkers(t, { 'core.yaml': none })).found.has('peer0/ccaas'));
  const nowhere = BUILDERS.replace('  fileSystemPath: /data\n', '');
  t.false((await checkers(t, { 'core.yaml': nowhere })).found.has('peer0/ccaas'));
});

for (const [value, isChecked] of [
  ['[{name: a, path: /a}]', true],
  ['[]', false],
  [' [ ] ', false],
] as const) {
  test(`CORE_CHAINCODE_EXTERNALBUILDERS='${value}': ccaas is ${isChecked ? '' : 'not '}checked`, async (t) => {
    const environment = { CORE_CHAINCODE_EXTERNALBUILDERS: value };
    const { found } = await checkers(t, { 'core.yaml': isChecked ? PEER : BUILDERS }, [], environment);
    t.is(found.has('peer0/ccaas'), isChecked);
  });
}

const WITHOUT: readonly (readonly [what: string, from: string, to: string, missing: string])[] = [
  [
    'channel participation is disabled',
    'Participation: {Enabled: true}',
    'Participation: {Enabled: false}',
    'participation',
  ],
  ['the Admin endpoint has no fixed port', '0.0.0.0:9443', '0.0.0.0:0', 'participation'],
  ['the metrics are not relayed', 'Provider: prometheus', 'Provider: disabled', 'consensus'],
];
for (const [what, from, to, missing] of WITHOUT) {
  test(`when ${what}, ${missing} is not checked`, async (t) => {
    const { found } = await checkers(t, { 'orderer.yaml': ORDERER.replace(from, to) });
    t.is(found.size, 4);
    t.false(found.has(`orderer/${missing}`));
  });
}

const COUCHDB = PEER.replace(
  'ledger: {snapshots: {rootDir: /snapshots}}',
  `ledger:
  state:
    stateDatabase: CouchDB
    couchDBConfig: {couchDBAddress: 'couchdb0:5984', username: admin, password: 1234}`,
);

test('for a peer with CouchDB, its state database is checked with its credentials', async (t) => {
  const declared = (await checkers(t, { 'core.yaml': COUCHDB })).found.get('peer0/state-database');
  t.is(declared?.plugin, 'couchdb');
  t.deepEqual(declared?.options, { address: 'couchdb0:5984', username: 'admin', password: '1234' });
  t.is(declared?.optionOrigins?.['password'], 'core.yaml:9: ledger.state.couchDBConfig.password');
});

test('the variables of the peer override its state database', async (t) => {
  const environment = {
    CORE_LEDGER_STATE_STATEDATABASE: 'CouchDB',
    CORE_LEDGER_STATE_COUCHDBCONFIG_COUCHDBADDRESS: 'db:1',
    CORE_LEDGER_STATE_COUCHDBCONFIG_USERNAME: 'peer',
    CORE_LEDGER_STATE_COUCHDBCONFIG_PASSWORD: 'hunter2',
  };
  const { found } = await checkers(t, { 'core.yaml': PEER }, [], environment);
  const declared = found.get('peer0/state-database');
  t.deepEqual(declared?.options, { address: 'db:1', username: 'peer', password: 'hunter2' });
  t.is(
    declared?.optionOrigins?.['address'],
    'environment CORE_LEDGER_STATE_COUCHDBCONFIG_COUCHDBADDRESS: ledger.state.couchDBConfig.couchDBAddress',
  );
});

for (const [what, from] of [
  ['user name', 'username: admin, '],
  ['password', ', password: 1234'],
] as const) {
  test(`without a ${what} the state database is checked without credentials, as a peer does`, async (t) => {
    const { found } = await checkers(t, { 'core.yaml': COUCHDB.replace(from, '') });
    t.deepEqual(found.get('peer0/state-database')?.options, { address: 'couchdb0:5984' });
  });
}

for (const [what, from, to] of [
  ['goleveldb', 'stateDatabase: CouchDB', 'stateDatabase: goleveldb'],
  ['another spelling', 'stateDatabase: CouchDB', 'stateDatabase: couchdb'],
  ['no address', "couchDBAddress: 'couchdb0:5984', ", ''],
] as const) {
  test(`with ${what} there is no state database to check`, async (t) => {
    t.false(
      (await checkers(t, { 'core.yaml': COUCHDB.replace(from, to) })).found.has('peer0/state-database'),
    );
  });
}

test('node.checks switches the checker couchdb off by the name of its plugin', async (t) => {
  const { found } = await checkers(t, { 'core.yaml': COUCHDB }, ['node.checks=couchdb=false']);
  t.deepEqual(
    [...found.keys()],
    ['peer0/certificates', 'peer0/disk', 'peer0/channel-config', 'peer0/loaded-channels'],
  );
});

test('a password that is a list is refused, and is not in the message', async (t) => {
  const text = COUCHDB.replace('password: 1234', 'password: [hunter2]');
  const { problems } = await t.throwsAsync(checkers(t, { 'core.yaml': text }), { instanceOf: SettingsError });
  t.deepEqual(problems, ['core.yaml:9: ledger.state.couchDBConfig.password: must be a string']);
});

test('TLS files are not checked while TLS is disabled', async (t) => {
  const { cwd, found } = await checkers(t, { 'core.yaml': PEER.replace('enabled: true', 'enabled: false') });
  t.deepEqual(found.get('peer0/certificates')?.options, { paths: [join(cwd, 'msp')], signer: 'peer' });
});

for (const name of ['certificates', 'disk', 'consensus', 'participation']) {
  test(`node.checks: {${name}: false} switches the checker ${name} off`, async (t) => {
    const { found } = await checkers(t, { 'orderer.yaml': ORDERER }, [`node.checks=${name}=false`]);
    t.is(found.size, 4);
    t.false(found.has(`orderer/${name}`));
  });
}
