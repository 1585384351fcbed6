// A node in a container: the files, the ports and the log that the output of `docker inspect` names.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadSettings, SettingsError, type LoadedNode, type LoadedSettings } from '../../../config/index.js';
import { readNetwork } from '../../../core/tools/rescue/network.js';
import { declaredBy } from '../../helpers/declared.js';
import { temporaryFolder } from '../../helpers/folder.js';

interface Parts {
  readonly env: readonly string[];
  readonly mounts: readonly object[];
  readonly ports?: Readonly<Record<string, readonly object[] | null>>;
  readonly bindings?: Readonly<Record<string, readonly object[]>>;
  readonly network?: string;
  readonly networks?: object;
  readonly tmpfs?: Readonly<Record<string, string>>;
  readonly log?: string;
  readonly driver?: string;
}

/** The output of `docker inspect` of Docker 26 for one container, without members that do not matter. */
const inspect = (name: string, parts: Parts): string =>
  JSON.stringify([
    {
      Id: 'b2a1f0c94d6e0f1d7c0f3f5a2c9b8e7d6c5b4a39281706f5e4d3c2b1a0918273',
      Created: '2026-11-20T08:14:03.915427511Z',
      Path: 'peer',
      Args: ['node', 'start'],
      State: { Status: 'running', Running: true, Pid: 4711, ExitCode: 0 },
      LogPath: parts.log ?? '',
      Name: `/${name}`,
      Driver: 'overlay2',
      HostConfig: {
        NetworkMode: parts.network ?? 'fabric_test',
        PortBindings: parts.bindings ?? {},
        LogConfig: { Type: parts.driver ?? 'json-file', Config: {} },
        ...(parts.tmpfs && { Tmpfs: parts.tmpfs }),
      },
      Mounts: parts.mounts,
      Config: {
        Hostname: name,
        Env: ['FABRIC_CFG_PATH=/etc/hyperledger/fabric', ...parts.env],
        Image: 'hyperledger/fabric-peer:2.5',
        WorkingDir: '/root',
      },
      NetworkSettings: {
        Ports: parts.ports ?? {},
        Networks: parts.networks ?? { fabric_test: { IPAddress: '172.18.0.5' } },
      },
    },
  ]);

const bind = (source: string, destination: string): object => ({
  Type: 'bind',
  Source: source,
  Destination: destination,
  Mode: '',
  RW: true,
  Propagation: 'rprivate',
});

const volume = (source: string, destination: string): object => ({
  Type: 'volume',
  Name: 'peer0',
  Source: source,
  Destination: destination,
  Driver: 'local',
  Mode: 'z',
  RW: true,
  Propagation: '',
});

const PUBLISHED = { '9443/tcp': [{ HostIp: '0.0.0.0', HostPort: '19443' }], '7051/tcp': null };
const PEER = `
peer: {id: peer0, mspConfigPath: msp, localMspId: Org1MSP, fileSystemPath: /var/hyperledger/production}
operations: {listenAddress: "0.0.0.0:9443"}
metrics: {provider: prometheus}
`;
const ORDERER = `
General: {LocalMSPDir: msp, LocalMSPID: OrdererMSP, Cluster: {}}
FileLedger: {Location: /var/hyperledger/production/orderer}
Operations: {ListenAddress: "0.0.0.0:8443"}
Admin: {ListenAddress: "0.0.0.0:9443", TLS: {Enabled: false}}
ChannelParticipation: {Enabled: true}
Consensus: {WALDir: /var/hyperledger/production/wal, SnapDir: snap}
Metrics: {Provider: prometheus}
`;

/** The warning about a peer without a named orderer in its network. */
const NO_ORDERERS =
  'node.json: the agent is not in the network of the container peer0.example.com, and does not check its orderers (name them with --node and --node-env)';

interface Host {
  readonly cwd: string;
  /** @param orderers files with the containers of orderers, which have the file `orderer.yaml` */
  readonly load: (
    core: string,
    parts: Parts,
    flags?: readonly string[],
    orderers?: readonly string[],
  ) => LoadedSettings;
  readonly problems: (core: string, parts: Parts) => readonly string[];
}

/** A directory of the host, with the given subdirectories. */
function host(t: ExecutionContext, ...folders: readonly string[]): Host {
  const cwd = temporaryFolder(t, {});
  for (const folder of folders) mkdirSync(join(cwd, folder), { recursive: true });
  const load: Host['load'] = (core, parts, flags = [], orderers = []) => {
    writeFileSync(join(cwd, 'core.yaml'), core);
    writeFileSync(join(cwd, 'node.json'), inspect('peer0.example.com', parts));
    return loadSettings({
      files: [],
      flags,
      environment: {},
      cwd,
      nodes: ['core.yaml', ...orderers.map(() => 'orderer.yaml')],
      nodeEnvironments: ['node.json', ...orderers],
    });
  };
  return {
    cwd,
    load,
    problems: (core, parts) => t.throws(() => load(core, parts), { instanceOf: SettingsError }).problems,
  };
}

const onlyNode = ({ nodes: [node] }: LoadedSettings): LoadedNode => node!;
const valuesOf = (loaded: LoadedSettings, ...keys: readonly string[]): unknown[] =>
  keys.map((key) => onlyNode(loaded).values.get(key)?.value);

test('the files of a peer in a container are those of its mounts, its address is the published port, its log the file of Docker', (t) => {
  const { cwd, load } = host(t, 'crypto/msp', 'crypto/tls', 'volumes/peer0/_data', 'log');
  writeFileSync(join(cwd, 'log/peer0-json.log'), '');
  const loaded = load(PEER, {
    env: [
      'CORE_PEER_TLS_ENABLED=true',
      'CORE_PEER_TLS_CERT_FILE=/etc/hyperledger/fabric/tls/server.crt',
      'CORE_PEER_TLS_ROOTCERT_FILE=tls/ca.crt',
      'CORE_PEER_TLS_CLIENTROOTCAS_FILES=tls/ca.crt /etc/hyperledger/fabric/tls/other.crt',
    ],
    mounts: [
      volume(join(cwd, 'volumes/peer0/_data'), '/var/hyperledger/production'),
      bind(join(cwd, 'crypto'), '/etc/hyperledger/fabric'),
    ],
    ports: PUBLISHED,
    log: join(cwd, 'log/peer0-json.log'),
  });
  t.deepEqual(loaded.warnings, [NO_ORDERERS]);
  t.deepEqual(valuesOf(loaded, 'msp', 'tls.cert', 'tls.rootCert', 'tls.clientRootCAs', 'ledger'), [
    join(cwd, 'crypto/msp'),
    join(cwd, 'crypto/tls/server.crt'),
    join(cwd, 'crypto/tls/ca.crt'),
    [join(cwd, 'crypto/tls/ca.crt'), join(cwd, 'crypto/tls/other.crt')],
    join(cwd, 'volumes/peer0/_data'),
  ]);
  const { address, listenAddress, log } = onlyNode(loaded);
  t.deepEqual(address.value, { host: '127.0.0.1', port: 19_443 });
  t.deepEqual(listenAddress, address.value);
  t.deepEqual(log, { file: join(cwd, 'log/peer0-json.log') });
});

test('an orderer in a container resolves some paths against its working directory, and its Admin endpoint is a published port', (t) => {
  const { cwd, load } = host(t, 'etc', 'root', 'production');
  const loaded = load(
    ORDERER,
    {
      env: ['ORDERER_CONSENSUS_SNAPDIR=snap', 'ORDERER_GENERAL_LOCALMSPDIR=msp'],
      mounts: [
        bind(join(cwd, 'production'), '/var/hyperledger/production'),
        bind(join(cwd, 'etc'), '/etc/hyperledger/fabric'),
        bind(join(cwd, 'root'), '/root'),
      ],
      ports: {
        '8443/tcp': [
          { HostIp: '0.0.0.0', HostPort: '18443' },
          { HostIp: '::', HostPort: '18443' },
        ],
        '9443/tcp': [{ HostIp: '192.0.2.7', HostPort: '19443' }],
      },
    },
    ['node.log=orderer.log'],
  );
  t.deepEqual(valuesOf(loaded, 'msp', 'ledger', 'wal', 'snap', 'admin.listenAddress'), [
    join(cwd, 'etc/msp'),
    join(cwd, 'production/orderer'),
    join(cwd, 'production/wal'),
    join(cwd, 'root/snap'),
    { host: '192.0.2.7', port: 19_443 },
  ]);
  t.deepEqual(onlyNode(loaded).address.value, { host: '127.0.0.1', port: 18_443 });
  t.deepEqual(onlyNode(loaded).log, { file: join(cwd, 'orderer.log') });
  t.deepEqual(loaded.warnings, []);
});

test('the innermost of nested mounts has a path, and a file can be mounted', (t) => {
  const { cwd, load } = host(t, 'outer', 'inner', 'tls');
  const loaded = load(PEER, {
    env: [
      'CORE_PEER_TLS_ENABLED=true',
      'CORE_PEER_TLS_CERT_FILE=/etc/hyperledger/fabric/server.crt',
      'CORE_PEER_TLS_KEY_FILE=/etc/hyperledger/fabric-other/server.key',
    ],
    mounts: [
      bind(join(cwd, 'outer'), '/'),
      bind(join(cwd, 'tls/a.crt'), '/etc/hyperledger/fabric/server.crt'),
      bind(join(cwd, 'inner'), '/etc/hyperledger/fabric/'),
    ],
    ports: PUBLISHED,
  });
  t.deepEqual(valuesOf(loaded, 'msp', 'tls.cert', 'tls.key', 'ledger'), [
    join(cwd, 'inner/msp'),
    join(cwd, 'tls/a.crt'),
    join(cwd, 'outer/etc/hyperledger/fabric-other/server.key'),
    join(cwd, 'outer/var/hyperledger/production'),
  ]);
});

test('paths that no directory of the host has are named in a warning, those of a switched off TLS are not', async (t) => {
  const { cwd, load } = host(t, 'crypto');
  const loaded = load(PEER, {
    env: [
      'CORE_PEER_TLS_CERT_FILE=/tls/server.crt',
      'CORE_LEDGER_SNAPSHOTS_ROOTDIR=/run/snapshots',
      'CORE_PEER_DELIVERYCLIENT_ADDRESSOVERRIDES=[{from: "a:7050", to: "b:7050", caCertsFile: ca.pem}]',
    ],
    mounts: [
      bind(join(cwd, 'crypto'), '/etc/hyperledger'),
      {
        Type: 'tmpfs',
        Source: '',
        Destination: '/etc/hyperledger/fabric',
        Mode: '',
        RW: true,
        Propagation: '',
      },
    ],
    tmpfs: { '/run': 'size=64m' },
    ports: PUBLISHED,
    log: '/var/lib/docker/containers/b2a1/b2a1-json.log',
  });
  t.deepEqual(loaded.warnings, [
    'node.json: the container peer0.example.com has these in no directory of this host, so that the agent does not read them: peer.mspConfigPath /etc/hyperledger/fabric/msp, peer.fileSystemPath /var/hyperledger/production, ledger.snapshots.rootDir /run/snapshots, peer.deliveryclient.addressOverrides /root/ca.pem; mount their directories from the host',
    'node.json: the log of the container peer0.example.com is not read, so that its errors are not shown: this user cannot read /var/lib/docker/containers/b2a1/b2a1-json.log; set node.log',
    NO_ORDERERS,
  ]);
  t.deepEqual(valuesOf(loaded, 'msp', 'ledger', 'snapshots'), ['', '', '']);
  t.deepEqual(
    (await declaredBy(loaded.settings))
      .map(({ plugin }) => plugin)
      .filter((name) => ['certificates', 'disk'].includes(name)),
    [],
  );
});

for (const [what, driver, problem] of [
  ['with the driver journald', 'journald', 'its driver journald writes no file for it'],
  ['of a container that was never started', 'json-file', 'the container was never started'],
] as const)
  test(`a log without a file is named in a warning: ${what}`, (t) => {
    const { cwd, load } = host(t, 'all');
    const mounts = [bind(join(cwd, 'all'), '/')];
    t.deepEqual(load(PEER, { env: [], mounts, ports: PUBLISHED, driver }).warnings, [
      `node.json: the log of the container peer0.example.com is not read, so that its errors are not shown: ${problem}; set node.log`,
      NO_ORDERERS,
    ]);
  });

test('an agent in a container with the same mounts has the paths of the node', (t) => {
  const { cwd, load } = host(t, 'etc/msp');
  const inside = join(cwd, 'etc');
  const loaded = load(PEER.replace('msp,', `${join(inside, 'msp')},`), {
    env: [],
    mounts: [bind('/no/such/directory/of/this/host', inside), bind(cwd, '/var/hyperledger')],
    ports: PUBLISHED,
  });
  t.deepEqual(valuesOf(loaded, 'msp'), [join(inside, 'msp')]);
});

const ADDRESSES: readonly (readonly [
  title: string,
  listen: string,
  parts: Partial<Parts>,
  address: string,
])[] = [
  [
    'a port of the stopped container',
    '0.0.0.0:9443',
    { bindings: { '9443/tcp': [{ HostIp: '', HostPort: '19443' }] } },
    '127.0.0.1:19443',
  ],
  ['the network of the host', '127.0.0.1:9443', { network: 'host' }, '127.0.0.1:9443'],
  [
    'an address of the host',
    'peer0:9443',
    { ports: { '9443/tcp': [{ HostIp: '::1', HostPort: '1' }] } },
    '::1:1',
  ],
];

for (const [title, listen, parts, address] of ADDRESSES)
  test(`the address of a node in a container is ${title}`, (t) => {
    const { cwd, load } = host(t, 'all');
    const all = {
      env: [`CORE_OPERATIONS_LISTENADDRESS=${listen}`],
      mounts: [bind(join(cwd, 'all'), '/')],
      ...parts,
    };
    const { value } = onlyNode(load(PEER, all)).address;
    t.is(`${value.host}:${value.port}`, address);
  });

const WHERE = 'node.json: CORE_OPERATIONS_LISTENADDRESS: operations.listenAddress';
const UNREACHABLE: readonly (readonly [listen: string, parts: Partial<Parts>, reason: string])[] = [
  ['0.0.0.0:9443', { ports: { '9443/tcp': null } }, 'the container publishes no port for 9443/tcp'],
  [
    '0.0.0.0:9443',
    { ports: { '9443/tcp': [{ HostIp: 'x\ny', HostPort: '1' }] } },
    'the container publishes no port for 9443/tcp',
  ],
  [
    '0.0.0.0:9443',
    { ports: { '9443/tcp': [{ HostIp: '', HostPort: '70000' }] } },
    'the container publishes no port for 9443/tcp',
  ],
  ['127.0.0.1:9443', { ports: PUBLISHED }, 'only the container itself reaches it'],
  [
    '0.0.0.0:9443',
    { ports: PUBLISHED, network: 'container:4711' },
    'the container has the network of another one',
  ],
];

for (const [listen, parts, reason] of UNREACHABLE)
  test(`without an address on the host, a node in a container is a problem: ${listen} with ${JSON.stringify(parts)}`, (t) => {
    const { cwd, load, problems } = host(t, 'all');
    const all = {
      env: [`CORE_OPERATIONS_LISTENADDRESS=${listen}`],
      mounts: [bind(join(cwd, 'all'), '/')],
      ...parts,
    };
    t.deepEqual(problems(PEER, all), [
      `${WHERE}: ${listen} of the container peer0.example.com has no address on this host: ${reason}; publish it, or set node.address`,
    ]);
    t.is(onlyNode(load(PEER, all, ['node.address=192.0.2.1:1'])).address.value.port, 1);
  });

test('an Admin endpoint that is not published is named in a warning and is not requested', async (t) => {
  const { cwd, load } = host(t, 'all');
  const { warnings, settings } = load(
    ORDERER,
    {
      env: [],
      mounts: [bind(join(cwd, 'all'), '/')],
      ports: { '8443/tcp': [{ HostIp: '', HostPort: '8443' }] },
    },
    ['node.log=orderer.log'],
  );
  t.deepEqual(warnings, [
    'node.json: Admin.ListenAddress: 0.0.0.0:9443 of the container peer0.example.com has no address on this host: the container publishes no port for 9443/tcp; publish it',
  ]);
  t.false((await declaredBy(settings)).some(({ plugin }) => plugin === 'participation'));
});

test('a server certificate that no directory of the host has is named beside the problem that it causes', (t) => {
  const { cwd, problems } = host(t, 'production', 'msp');
  const found = problems(PEER, {
    env: ['CORE_OPERATIONS_TLS_ENABLED=true', 'CORE_OPERATIONS_TLS_CERT_FILE=/tls/server.crt'],
    mounts: [
      bind(join(cwd, 'production'), '/var/hyperledger/production'),
      bind(join(cwd, 'msp'), '/etc/hyperledger/fabric/msp'),
    ],
    ports: PUBLISHED,
  });
  t.true(found.some((each) => each.includes('cannot be verified')));
  t.true(found.some((each) => each.includes('operations.tls.cert.file /tls/server.crt')));
});

test('a rescue of a node in a container needs its directories on the host', (t) => {
  const { cwd, load } = host(t, 'production');
  load(PEER, {
    env: [],
    mounts: [bind(join(cwd, 'production'), '/var/hyperledger/production')],
    ports: PUBLISHED,
  });
  const files = [{ file: 'core.yaml', environmentFile: 'node.json' }];
  t.throws(() => readNetwork(files, {}, cwd), {
    message: `${join(cwd, 'core.yaml')}: peer.mspConfigPath /etc/hyperledger/fabric/msp: no directory of this host has this path of its container`,
  });
});

test('the orderers in the network of a peer are those of the named containers, at their published ports; other networks are not', (t) => {
  const { cwd, load } = host(t, 'all');
  const ofOrderer = (name: string, network: string, port: string): void =>
    writeFileSync(
      join(cwd, `${name}.json`),
      inspect(name, {
        env: [],
        mounts: [bind(join(cwd, 'all'), '/')],
        networks: { [network]: { Aliases: [name, 'ledger-1'] } },
        ports: {
          '8443/tcp': [{ HostIp: '', HostPort: `1${port}` }],
          '7050/tcp': [{ HostIp: '0.0.0.0', HostPort: port }],
        },
      }),
    );
  ofOrderer('orderer.example.com', 'fabric_test', '7050');
  ofOrderer('orderer.other.com', 'other', '8050');
  writeFileSync(join(cwd, 'orderer.yaml'), ORDERER);
  const loaded = load(
    PEER,
    { env: [], mounts: [bind(join(cwd, 'all'), '/')], ports: PUBLISHED },
    [],
    ['orderer.example.com.json', 'orderer.other.com.json'],
  );
  t.deepEqual(
    loaded.nodes.map(({ name }) => name),
    ['peer0', 'orderer.example.com', 'orderer.other.com'],
  );
  t.deepEqual(loaded.nodes[0]!.values.get('network')?.value, [
    { from: 'orderer.example.com:8443', to: '127.0.0.1:17050' },
    { from: 'orderer.example.com:7050', to: '127.0.0.1:7050' },
    { from: 'ledger-1:8443', to: '127.0.0.1:17050' },
    { from: 'ledger-1:7050', to: '127.0.0.1:7050' },
  ]);
});

test('what the agent does not check in the network of a peer is a warning, and is not declared', async (t) => {
  const { cwd, load } = host(t, 'all');
  const loaded = load(
    `${PEER}ledger: {state: {stateDatabase: CouchDB, couchDBConfig: {couchDBAddress: "couchdb0:5984"}}}\nchaincode: {externalBuilders: [{name: ccaas, path: /builders}]}\n`,
    { env: [], mounts: [bind(join(cwd, 'all'), '/')], ports: PUBLISHED },
    ['node.log=peer.log'],
  );
  t.deepEqual(loaded.warnings, [
    'node.json: the agent is not in the network of the container peer0.example.com, and does not check its orderers (name them with --node and --node-env), its CouchDB (list the plugin couchdb with the address on this host), its chaincode servers',
  ]);
  const declared = (await declaredBy(loaded.settings)).map(({ plugin }) => plugin);
  t.deepEqual(
    declared.filter((plugin) => ['couchdb', 'ccaas'].includes(plugin)),
    [],
  );
});
