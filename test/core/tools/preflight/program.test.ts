// `--program` with a script instead of the program; test/e2e/preflight-program.test.ts starts the programs of Fabric.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse, stringify } from 'yaml';
import { preflight } from '../../../../core/tools/preflight/preflight.js';
import { confirm, type Confirmation } from '../../../../core/tools/preflight/program.js';
import { hasNamespace } from '../../../../core/tools/preflight/isolation.js';
import { runAgentCommand } from '../../../helpers/agent-command.js';
import { passTime, stopTimeouts } from '../../../helpers/clock.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { makeNodeFiles } from '../../../helpers/node-files.js';
import { runProgram } from '../../../helpers/program.js';

/** Channels are copied only where the program cannot reach their other nodes. */
const testWithLedger = hasNamespace() ? test : test.skip;

type Kind = 'peer' | 'orderer';

const FOLDERS = {
  orderer: [
    'ORDERER_GENERAL_LOCALMSPDIR',
    'ORDERER_FILELEDGER_LOCATION',
    'ORDERER_CONSENSUS_WALDIR',
    'ORDERER_CONSENSUS_SNAPDIR',
  ],
  peer: ['CORE_PEER_MSPCONFIGPATH', 'CORE_PEER_FILESYSTEMPATH', 'CORE_LEDGER_SNAPSHOTS_ROOTDIR'],
} as const;

/** Changes all files that its variables name, and records their names and its environment. */
const program = (kind: Kind, version: string, end: string): string => `#!/bin/sh
if [ "$1" = version ]; then printf '${kind}:\\n Version: v${version}\\n'; exit; fi
here=$(dirname "$0")
env >"$here/environment"
for name in ${FOLDERS[kind].join(' ')}; do
  eval "folder=\\$$name"
  [ -e "$folder" ] || { mkdir -p "$folder"; touch "$folder/new"; continue; }
  (cd "$folder" && find . -type f -o -type l | sort | sed "s/^/$name /" >>"$here/found")
  find "$folder" -type f -exec sh -c 'echo changed >>"$0"' {} \\;
done
${end}
`;

/** The files of a node, and a program. */
function makeNode(
  t: ExecutionContext,
  kind: Kind,
  change: object = {},
  { version = '3.1.5', end = "echo 'panic: it refuses'; exit 2" } = {},
): { readonly cwd: string; readonly file: string; readonly program: string } {
  const orderer = {
    General: { LocalMSPDir: 'msp' },
    FileLedger: { Location: 'ledger' },
    Consensus: { WALDir: 'wal', SnapDir: 'snap' },
  };
  const peer = { peer: { mspConfigPath: 'msp', fileSystemPath: 'ledger' } };
  const file = kind === 'peer' ? 'core.yaml' : 'orderer.yaml';
  const cwd = temporaryFolder(t, {
    [file]: stringify({ ...(kind === 'peer' ? peer : orderer), ...change }),
    'msp/keystore/key.pem': 'key',
    'ledger/index/CURRENT': 'MANIFEST',
    'ledger/chains/ch1/blockfile_000000': 'blocks',
    'wal/ch1/0.wal': 'log',
    [`bin/${kind}`]: program(kind, version, end),
  });
  chmodSync(join(cwd, 'bin', kind), 0o755);
  return { cwd, file, program: join(cwd, 'bin', kind) };
}

async function start(
  { cwd, file, program: started }: { readonly cwd: string; readonly file: string; readonly program: string },
  variables: Readonly<Record<string, string>> = {},
): Promise<Confirmation> {
  const { node } = await preflight({ file, variables, cwd, version: '3.1' });
  return confirm(node!, started);
}

/** The content that the program found in the folders of its variables. */
const foundIn = (cwd: string): string[] => readFileSync(join(cwd, 'bin/found'), 'utf8').trim().split('\n');

const environmentOf = (cwd: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(join(cwd, 'bin/environment'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** All files of the node with their content, wherever they are. */
const stateOf = (cwd: string): string =>
  execFileSync('find', ['.', '-path', './bin', '-prune', '-o', '-type', 'f', '-exec', 'md5sum', '{}', '+'], {
    cwd,
    encoding: 'utf8',
  });

const KEY = 'ORDERER_GENERAL_LOCALMSPDIR ./keystore/key.pem';
const ALL = [
  'ORDERER_CONSENSUS_WALDIR ./ch1/0.wal',
  'ORDERER_FILELEDGER_LOCATION ./chains/ch1/blockfile_000000',
  'ORDERER_FILELEDGER_LOCATION ./index/CURRENT',
  KEY,
];

/** How folders become links, by title. */
const LINKS: Readonly<Record<string, (cwd: string) => void>> = {
  'the ledger folder is an absolute link': (cwd) => {
    renameSync(join(cwd, 'ledger'), join(cwd, 'disk'));
    symlinkSync(join(cwd, 'disk'), join(cwd, 'ledger'));
  },
  'the ledger folder is a relative link': (cwd) => {
    renameSync(join(cwd, 'ledger'), join(cwd, 'disk'));
    symlinkSync('disk', join(cwd, 'ledger'));
  },
  'folders in the ledger folder are absolute links': (cwd) => {
    for (const name of ['index', 'chains']) {
      renameSync(join(cwd, 'ledger', name), join(cwd, name));
      symlinkSync(join(cwd, name), join(cwd, 'ledger', name));
    }
  },
  'the write-ahead log is a link to a link to a file': (cwd) => {
    renameSync(join(cwd, 'wal/ch1/0.wal'), join(cwd, 'log'));
    symlinkSync('log', join(cwd, 'link'));
    symlinkSync('../../link', join(cwd, 'wal/ch1/0.wal'));
  },
};
for (const [title, change] of Object.entries(LINKS))
  testWithLedger(
    `--program gets a copy of what a link names, and changes nothing of the node: ${title}`,
    async (t) => {
      const node = makeNode(t, 'orderer');
      change(node.cwd);
      const before = stateOf(node.cwd);
      t.deepEqual(await start(node), {
        version: '3.1.5',
        starts: false,
        hasChannels: true,
        prints: ['panic: it refuses'],
        notes: [],
      });
      t.deepEqual(foundIn(node.cwd).toSorted(), ALL);
      t.is(stateOf(node.cwd), before);
    },
  );

test('--program gets a copy of a keystore that is a relative link, as in a volume of Kubernetes', async (t) => {
  const node = makeNode(t, 'orderer');
  renameSync(join(node.cwd, 'msp/keystore'), join(node.cwd, 'keys'));
  symlinkSync('../keys', join(node.cwd, 'msp/keystore'));
  const before = stateOf(node.cwd);
  await start(node);
  t.true(foundIn(node.cwd).includes(KEY));
  t.is(stateOf(node.cwd), before);
});

/** Links that cannot be copied: by target, what the message prints. */
for (const [target, prints] of [
  ['/no/such/disk', '/no/such/disk, which does not exist'],
  ['link', 'itself'],
  ['..', 'a folder that contains it'],
] as const)
  test(`--program does not start the program with a link to ${target}: ${prints}`, async (t) => {
    const node = makeNode(t, 'orderer');
    symlinkSync(target, join(node.cwd, 'msp/link'));
    // The folder that it is in is found one level deeper.
    const where = join(node.cwd, target === '..' ? 'msp/link/msp' : 'msp/link');
    const error = await t.throwsAsync(start(node), { name: 'AgentError' });
    t.is(
      error?.message,
      `${where} is a symbolic link to ${prints}: it cannot be copied, and the program was not started`,
    );
    t.false(existsSync(join(node.cwd, 'bin/environment')));
  });

test('--program skips FIFOs and sockets, and prints so', async (t) => {
  const node = makeNode(t, 'orderer');
  const at = (name: string): string => join(node.cwd, 'msp', name);
  execFileSync('mkfifo', ['a', 'b', 'c'].map(at));
  const server = createServer().listen(at('d'));
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { notes } = await start(node);
  t.is(
    notes[0],
    `${at('a')}, ${at('b')}, ${at('c')} and 1 more: not copied, because only regular files are copied`,
  );
  t.deepEqual(
    foundIn(node.cwd).filter((line) => line.includes('MSPDIR')),
    [KEY],
  );
});

test('--program does not copy a folder in which a link names a file of more than 2 GiB, and prints so', async (t) => {
  const node = makeNode(t, 'orderer');
  writeFileSync(join(node.cwd, 'large'), '');
  truncateSync(join(node.cwd, 'large'), 3 * 1024 ** 3);
  symlinkSync('../large', join(node.cwd, 'msp/large'));
  const { notes } = await start(node);
  t.is(notes[0], `${join(node.cwd, 'msp')} has more than 2 GiB and was not copied`);
});

test('--program leaves no copy behind, also of folders that may not be written to', async (t) => {
  const node = makeNode(t, 'orderer');
  chmodSync(join(node.cwd, 'msp/keystore'), 0o500);
  mkdirSync(join(node.cwd, 'tmp'));
  await runProgram(t, ['preflight', '--node', node.file, '--program', node.program], {
    cwd: node.cwd,
    environment: { TMPDIR: join(node.cwd, 'tmp') },
  });
  t.true(foundIn(node.cwd).includes(KEY));
  t.deepEqual(readdirSync(join(node.cwd, 'tmp')), []);
});

/** Files with which an orderer would not read the variables of its copies. */
for (const [change, key, missing] of [
  [{ FileLedger: undefined }, 'FileLedger.Location', 'FileLedger'],
  [{ FileLedger: null }, 'FileLedger.Location', 'FileLedger'],
  [{ Consensus: undefined }, 'Consensus.WALDir', 'Consensus'],
  [{ Consensus: { WALDir: 'wal' } }, 'Consensus.SnapDir', 'Consensus.SnapDir'],
] as const)
  test(`--program does not start an orderer whose file has ${JSON.stringify({ FileLedger: 'x', Consensus: 'x', ...change })}: it would not use the copy`, async (t) => {
    const node = makeNode(t, 'orderer', change);
    const error = await t.throwsAsync(start(node), { name: 'AgentError' });
    t.is(
      error?.message,
      `the orderer would write to its real folders, because it reads no variable for ${key} without ${missing} in orderer.yaml: write ${key} into the file, with its current value`,
    );
    t.false(existsSync(join(node.cwd, 'bin/environment')));
  });

test('--program does not start a program that would read another file than the one that was checked', async (t) => {
  const node = makeNode(t, 'orderer');
  renameSync(join(node.cwd, 'orderer.yaml'), join(node.cwd, 'other.yaml'));
  await t.throwsAsync(start({ ...node, file: 'other.yaml' }), {
    name: 'AgentError',
    message: 'the orderer reads orderer.yaml, not other.yaml: rename the file',
  });
});

const STATSD_NOTE = 'the program ran without StatsD, so that it sent no metrics of the node';
const COUCHDB_NOTE =
  'the program ran with goleveldb in place of CouchDB, so that it did not change the state of the node';
const NAMESPACE_NOTE =
  'this user may not make a network namespace: the program ran without the channels of the node';

const SERVICES = {
  ledger: { state: { stateDatabase: 'CouchDB', couchDBConfig: { couchDBAddress: '127.0.0.1:1' } } },
  metrics: { provider: 'statsd', statsd: { network: 'udp', address: '127.0.0.1:8125' } },
  vm: { endpoint: 'unix:///var/run/docker.sock' },
  chaincode: { externalBuilders: [{ name: 'k8s', path: '/opt/k8s' }] },
};

test('--program gives a peer goleveldb, no StatsD, no Docker and no external builder', async (t) => {
  const node = makeNode(t, 'peer', SERVICES);
  const { notes } = await start(node, {
    FABRIC_LOGGING_SPEC: 'error',
    FABRIC_LOGGING_FORMAT: 'json',
    HOME: '/x',
  });
  t.deepEqual(notes.slice(0, 2), [STATSD_NOTE, COUCHDB_NOTE]);
  const environment = environmentOf(node.cwd);
  const directory = environment['TMPDIR']!;
  t.like(environment, {
    CORE_LEDGER_STATE_STATEDATABASE: 'goleveldb',
    CORE_METRICS_PROVIDER: 'disabled',
    CORE_VM_ENDPOINT: `unix://${directory}/no-docker.sock`,
    FABRIC_LOGGING_SPEC: 'info',
    FABRIC_LOGGING_FORMAT: '',
    FABRIC_CFG_PATH: node.cwd,
    CORE_PEER_MSPCONFIGPATH: `${directory}/peer.mspConfigPath`,
    CORE_PEER_FILESYSTEMPATH: `${directory}/peer.fileSystemPath`,
    CORE_LEDGER_SNAPSHOTS_ROOTDIR: `${directory}/ledger.snapshots.rootDir`,
  });
  t.deepEqual(parse(environment['CORE_CHAINCODE_EXTERNALBUILDERS']!), [
    { name: 'none', path: `${directory}/no-builder` },
  ]);
  t.false('HOME' in environment);
});

test('--program leaves values that the peer refuses as they are', async (t) => {
  const node = makeNode(t, 'peer', {
    metrics: { provider: 'statsd', statsd: { network: 'x', address: '127.0.0.1:8125' } },
    vm: { endpoint: 'foo://x' },
    chaincode: { externalBuilders: [{ name: 'k8s' }] },
  });
  await start(node, { FABRIC_LOGGING_SPEC: 'a=b:c' });
  const environment = environmentOf(node.cwd);
  t.is(environment['FABRIC_LOGGING_SPEC'], 'a=b:c');
  for (const name of ['CORE_METRICS_PROVIDER', 'CORE_VM_ENDPOINT', 'CORE_CHAINCODE_EXTERNALBUILDERS'])
    t.false(name in environment, name);
});

test('--program gives an orderer copies of all folders that it writes to', async (t) => {
  const node = makeNode(t, 'orderer', {
    General: { LocalMSPDir: 'msp', BCCSP: { SW: { FileKeyStore: { KeyStore: 'msp/keystore' } } } },
    Debug: { BroadcastTraceDir: 'trace', DeliverTraceDir: 'trace' },
    Metrics: { Provider: 'statsd', Statsd: { Network: 'udp', Address: '127.0.0.1:8125' } },
  });
  const { notes } = await start(node);
  t.is(notes[0], STATSD_NOTE);
  const environment = environmentOf(node.cwd);
  const directory = environment['TMPDIR']!;
  t.like(environment, {
    ORDERER_GENERAL_LOCALMSPDIR: `${directory}/General.LocalMSPDir`,
    ORDERER_FILELEDGER_LOCATION: `${directory}/FileLedger.Location`,
    ORDERER_CONSENSUS_WALDIR: `${directory}/Consensus.WALDir`,
    ORDERER_CONSENSUS_SNAPDIR: `${directory}/Consensus.SnapDir`,
    ORDERER_GENERAL_BCCSP_SW_FILEKEYSTORE_KEYSTORE: `${directory}/General.BCCSP.SW.FileKeyStore.KeyStore`,
    ORDERER_DEBUG_BROADCASTTRACEDIR: `${directory}/Debug.BroadcastTraceDir`,
    ORDERER_DEBUG_DELIVERTRACEDIR: `${directory}/Debug.DeliverTraceDir`,
    ORDERER_METRICS_PROVIDER: 'disabled',
  });
});

/** Runs the command as a user who may not make a network namespace: `unshare` is in no directory of PATH. */
async function startWithoutNamespace(
  t: ExecutionContext,
  node: { readonly cwd: string; readonly file: string; readonly program: string },
): Promise<string[]> {
  const { stdout } = await runProgram(
    t,
    ['preflight', '--node', node.file, '--program', node.program, '--json'],
    { cwd: node.cwd, environment: { PATH: join(node.cwd, 'bin') } },
  );
  return (JSON.parse(stdout) as { program: { notes: string[] } }).program.notes;
}

const LOOPBACK = /^127\.0\.0\.1:\d+$/;

test('without a network namespace a peer gets no channels, no CouchDB, other ports, and itself to bootstrap from', async (t) => {
  const node = makeNode(t, 'peer', SERVICES);
  t.deepEqual(await startWithoutNamespace(t, node), [STATSD_NOTE, COUCHDB_NOTE, NAMESPACE_NOTE]);
  t.deepEqual(foundIn(node.cwd), ['CORE_PEER_MSPCONFIGPATH ./keystore/key.pem']);
  const environment = environmentOf(node.cwd);
  t.is(environment['CORE_LEDGER_STATE_STATEDATABASE'], 'goleveldb');
  t.is(environment['CORE_METRICS_PROVIDER'], 'disabled');
  t.regex(environment['CORE_PEER_LISTENADDRESS']!, LOOPBACK);
  t.is(environment['CORE_PEER_GOSSIP_BOOTSTRAP'], environment['CORE_PEER_LISTENADDRESS']);
  for (const name of ['OPERATIONS', 'PEER_CHAINCODE', 'PEER_PROFILE_'])
    t.regex(environment[`CORE_${name}${name === 'OPERATIONS' ? '_' : ''}LISTENADDRESS`]!, LOOPBACK, name);
});

for (const [version, method, given] of [
  ['2.5.16', 'file', 'none'],
  ['2.5.16', '', 'none'],
  ['2.5.16', 'foo', undefined],
  ['3.1.5', 'file', undefined],
] as const)
  test(`without a network namespace an orderer of ${version} with the bootstrap method '${method}' gets ${given ?? 'no other one'}, no channels and other ports`, async (t) => {
    const General = {
      LocalMSPDir: 'msp',
      BootstrapMethod: method,
      Cluster: { ListenAddress: '0.0.0.0', ListenPort: 7051 },
    };
    const node = makeNode(t, 'orderer', { General }, { version });
    t.deepEqual(await startWithoutNamespace(t, node), [NAMESPACE_NOTE]);
    t.deepEqual(foundIn(node.cwd), [KEY]);
    const environment = environmentOf(node.cwd);
    t.is(environment['ORDERER_GENERAL_BOOTSTRAPMETHOD'], given);
    t.is(environment['ORDERER_GENERAL_LISTENADDRESS'], '127.0.0.1');
    t.is(environment['ORDERER_GENERAL_CLUSTER_LISTENADDRESS'], '127.0.0.1');
    for (const name of ['GENERAL', 'GENERAL_CLUSTER'])
      t.regex(environment[`ORDERER_${name}_LISTENPORT`]!, /^(?!7051$)\d+$/, name);
    for (const name of ['OPERATIONS_LISTENADDRESS', 'ADMIN_LISTENADDRESS', 'GENERAL_PROFILE_ADDRESS'])
      t.regex(environment[`ORDERER_${name}`]!, LOOPBACK, name);
  });

testWithLedger(
  'the program of --program has no way out: it sees only loopback, with the addresses of this machine',
  async (t) => {
    const end = 'cat /proc/net/dev | tail -n +3 >"$here/devices"; exit 1';
    const node = makeNode(t, 'orderer', {}, { end });
    await start(node);
    const devices = readFileSync(join(node.cwd, 'bin/devices'), 'utf8').trim().split('\n');
    t.deepEqual(
      devices.map((line) => line.trim().split(':')[0]).filter((name) => !/tunl|sit|gre|vti|tnl/.test(name!)),
      ['lo'],
    );
  },
);

/** The output of a program, and the lines that preflight repeats. */
for (const [title, output, prints] of [
  [
    'a file that the decoder of 3.1.5 refuses',
    "0001 ERRO [server] Main -> failed to parse config:  decoding failed due to the following error(s):\\n\\n'' has invalid keys: Kafka\\n'General.ListenPort' cannot parse value as 'uint16': strconv.ParseUint: invalid syntax\\n",
    [
      '0001 ERRO [server] Main -> failed to parse config:  decoding failed due to the following error(s):',
      "'' has invalid keys: Kafka",
      "'General.ListenPort' cannot parse value as 'uint16': strconv.ParseUint: invalid syntax",
    ],
  ],
  [
    'a file that the decoder of 3.0.0 refuses',
    "failed to parse config:  1 error(s) decoding:\\n\\n* '' has invalid keys: Kafka\\n",
    ['failed to parse config:  1 error(s) decoding:', "* '' has invalid keys: Kafka"],
  ],
] as const)
  test(`--program prints the lines with which a program refuses ${title}`, async (t) => {
    const node = makeNode(t, 'orderer', {}, { end: `printf "${output}" >&2; exit 1` });
    t.deepEqual((await start(node)).prints, [...prints]);
  });

test('--program keeps the end of a long output, and names the folders of the node in place of the copies', async (t) => {
  const end =
    'yes "0002 PANI begin" | head -c 5000000; yes | head -c 5000000; echo "panic: $ORDERER_GENERAL_LOCALMSPDIR/x"; exit 1';
  const node = makeNode(t, 'orderer', {}, { end });
  t.deepEqual((await start(node)).prints, [`panic: ${join(node.cwd, 'msp')}/x`]);
});

test('a program that serves is stopped, without a message', async (t) => {
  const node = makeNode(
    t,
    'orderer',
    {},
    { end: 'printf Beginning; echo " to serve requests"; exec sleep 1000' },
  );
  t.like(await start(node), { version: '3.1.5', starts: true, prints: [] });
});

/** Runs preflight without a flag for the program. */
const preflightOf = (cwd: string, args: readonly string[], path = '') =>
  runAgentCommand(['preflight', ...args], { cwd, environment: { PATH: path } });

test('preflight starts the program of the node in PATH by itself, and its refusal decides', async (t) => {
  const node = makeNode(t, 'orderer');
  const path = `relative:/none:${join(node.cwd, 'bin')}`;
  const { status, stdout } = await preflightOf(node.cwd, ['--node', node.file], path);
  t.is(status, 1);
  t.regex(stdout, /^orderer orderer\.yaml: would not start \(/);
  t.true(
    stdout.includes(
      `\nprogram ${node.program} of version 3.1.5: refused to start on a copy of the files\n   prints: panic: it refuses\n`,
    ),
    stdout,
  );
});

test('preflight finds the program in bin beside the directory config of the file, as in the archives of Fabric', async (t) => {
  const node = makeNode(t, 'orderer');
  const config = join(node.cwd, 'config');
  mkdirSync(config);
  renameSync(join(node.cwd, node.file), join(config, node.file));
  const { stdout } = await preflightOf(node.cwd, ['--node', 'config', '--json']);
  t.is((JSON.parse(stdout) as { program: { file: string } }).program.file, node.program);
});

for (const [args, problem] of [
  [['--program', 'none'], undefined],
  [['--to', '2.5'], 'its version is 3.1.5'],
  [['--to', '3.1.4'], 'its version is 3.1.5'],
  [['--node', 'other.yaml'], 'the orderer reads orderer.yaml, not other.yaml: rename the file'],
] as const)
  test(`preflight ${args.join(' ')} does not start the program in PATH: ${problem ?? 'no message'}`, async (t) => {
    const node = makeNode(t, 'orderer');
    const file = args[1] === 'other.yaml' ? 'other.yaml' : node.file;
    renameSync(join(node.cwd, node.file), join(node.cwd, file));
    const flags = args[0] === '--node' ? args : ['--node', file, ...args];
    const { stdout } = await preflightOf(node.cwd, [...flags, '--json'], join(node.cwd, 'bin'));
    const { program: run } = JSON.parse(stdout) as { program?: object };
    t.deepEqual(run, problem === undefined ? undefined : { file: node.program, problem });
    t.false(existsSync(join(node.cwd, 'bin/environment')));
  });

testWithLedger(
  'a program that must not have the ledger gets an empty folder, and a note prints so',
  async (t) => {
    const cwd = makeNode(t, 'orderer').cwd;
    const { node } = await preflight({ file: 'orderer.yaml', variables: {}, cwd, version: '3.1' });
    const { notes } = await confirm(node!, join(cwd, 'bin/orderer'), false);
    t.deepEqual(notes, ['the node runs: the program ran without its channels']);
    t.deepEqual(foundIn(cwd), [KEY]);
  },
);

test('an address of a Docker engine that the peer refuses is left as it is', async (t) => {
  for (const [endpoint, isKept] of [
    ['tcp://x:abc', true],
    ['tcp://x:2375', false],
    ['tcp://[::1]:2375/', false],
    ['https://x', false],
    ['unix:///x', false],
  ] as const) {
    const node = makeNode(t, 'peer', { vm: { endpoint } });
    await start(node);
    t.is('CORE_VM_ENDPOINT' in environmentOf(node.cwd), !isKept, endpoint);
  }
});

for (const [title, end, prints] of [
  ['the same line twice', 'echo "panic: one"; echo "panic: one"; exit 1', ['panic: one']],
  [
    'colours of a terminal',
    String.raw`printf '\033[31m0002 PANI \033[0mone\n0003 \033[1;35mCRIT\033[m two\n'; exit 1`,
    ['0002 PANI one', '0003 CRIT two'],
  ],
  [
    'other lines around',
    'echo "0001 INFO one"; echo "Error: two" >&2; echo "goroutine 1"; exit 1',
    ['Error: two'],
  ],
  [
    'more than twenty lines',
    'for n in $(seq 1 21); do echo "panic: $n"; done; exit 1',
    Array.from({ length: 20 }, (_, index) => `panic: ${index + 1}`),
  ],
  [
    'a refusal after it has begun to serve',
    'echo "0001 INFO Beginning to serve requests"; echo "panic: late"; exit 2',
    ['panic: late'],
  ],
] as const)
  test(`--program prints the refusal of a program with ${title}`, async (t) => {
    const node = makeNode(t, 'orderer', {}, { end });
    t.like(await start(node), { starts: false, prints: [...prints] });
  });

test('a peer serves when it prints that it has started', async (t) => {
  const node = makeNode(
    t,
    'peer',
    {},
    { end: 'echo "0001 INFO Started peer with ID=[p0]"; exec sleep 1000' },
  );
  t.like(await start(node), { starts: true, prints: [] });
});

test.serial(
  'a program that neither serves nor ends is stopped after 30 s, which is no proof: exit status 3',
  async (t) => {
    const end = 'echo waiting; exec sleep 1000';
    const consensus = 'Consensus: { WALDir: wal, SnapDir: snap }\n';
    const cwd = await makeNodeFiles(t, 'orderer', 'orderer.yaml', (text) => text + consensus);
    mkdirSync(join(cwd, 'bin'));
    writeFileSync(join(cwd, 'bin/orderer'), program('orderer', '3.1.5', end), { mode: 0o755 });
    const clock = stopTimeouts(t);
    const { status, stdout } = await passTime(
      clock,
      100,
      preflightOf(cwd, ['--node', '.'], join(cwd, 'bin')),
    );
    const [, ran] = stdout.split('\n\n');
    t.true(
      ran?.startsWith(
        `program ${join(cwd, 'bin/orderer')} of version 3.1.5: neither served nor ended within 30 s on a copy of the files\n`,
      ),
      stdout,
    );
    t.is(stdout.split('\n')[0], 'orderer .: no cause found');
    t.is(status, 3);
  },
);

for (const [kind, version, problem] of [
  ['peer', '3.1.5', 'is the program of a peer, but the file configures an orderer'],
  ['tool', '3.1.5', 'is not the program of a peer or an orderer'],
  ['orderer', '', 'is not the program of a peer or an orderer'],
] as const)
  test(`--program refuses a program that prints ${kind} and the version '${version}': ${problem}`, async (t) => {
    const node = makeNode(t, 'orderer');
    const other = join(node.cwd, 'bin/other');
    const lines = [`${kind}:`, ...(version === '' ? [] : [` Version: ${version}`])];
    writeFileSync(other, `#!/bin/sh\nprintf '%s\\n' '${lines.join("' '")}'\n`, { mode: 0o755 });
    await t.throwsAsync(start({ ...node, program: other }), {
      name: 'AgentError',
      code: 'USAGE',
      message: problem,
    });
  });

test('directories and files that cannot be executed are no programs in PATH', async (t) => {
  const node = makeNode(t, 'orderer');
  mkdirSync(join(node.cwd, 'one/orderer'), { recursive: true });
  mkdirSync(join(node.cwd, 'two'));
  writeFileSync(join(node.cwd, 'two/orderer'), '#!/bin/sh\n', { mode: 0o644 });
  const path = ['one', 'two', 'bin'].map((name) => join(node.cwd, name)).join(':');
  const { stdout } = await preflightOf(node.cwd, ['--node', node.file, '--json'], path);
  t.is((JSON.parse(stdout) as { program: { file: string } }).program.file, node.program);
});

test('without a program in PATH and in bin the report names none', async (t) => {
  const node = makeNode(t, 'orderer');
  renameSync(join(node.cwd, 'bin/orderer'), join(node.cwd, 'bin/other'));
  const { stdout } = await preflightOf(node.cwd, ['--node', node.file, '--json'], join(node.cwd, 'bin'));
  t.false('program' in (JSON.parse(stdout) as object));
});

test('the notes about a program are below its refusal', async (t) => {
  const node = makeNode(t, 'orderer', {
    Metrics: {
      Provider: 'statsd',
      Statsd: { Network: 'udp4', Address: '127.0.0.1:8125', WriteInterval: '10s' },
    },
  });
  const { stdout } = await preflightOf(node.cwd, ['--node', node.file], join(node.cwd, 'bin'));
  t.true(stdout.includes(`\n   prints: panic: it refuses\n   note:   ${STATSD_NOTE}\n`), stdout);
});

for (const [format, isKept] of [
  ['%{color:red}%{message}', true],
  ['%{color:bold}%{color:reset}%{color}%{message}', false],
  ['%{color:}', false],
] as const)
  test(`the log format ${format} is ${isKept ? 'left as it is, because the program refuses it' : 'replaced'}`, async (t) => {
    const node = makeNode(t, 'orderer');
    await start(node, { FABRIC_LOGGING_FORMAT: format });
    t.is(environmentOf(node.cwd)['FABRIC_LOGGING_FORMAT'], isKept ? format : '');
  });

for (const [variable, isReplaced] of [
  ['[{name: k8s, path: /opt/k8s}]', true],
  ['x', true],
  [undefined, false],
] as const)
  test(`external builders in the variable ${variable ?? 'without a value'} are ${isReplaced ? 'replaced' : 'not set'}`, async (t) => {
    const node = makeNode(t, 'peer');
    await start(node, variable === undefined ? {} : { CORE_CHAINCODE_EXTERNALBUILDERS: variable });
    const given = environmentOf(node.cwd)['CORE_CHAINCODE_EXTERNALBUILDERS'];
    t.is(given?.includes('no-builder') ?? false, isReplaced);
  });

test('--program gives a peer a copy of a separate keystore', async (t) => {
  const BCCSP = { SW: { FileKeyStore: { KeyStore: 'msp/keystore' } } };
  const node = makeNode(t, 'peer', { peer: { mspConfigPath: 'msp', fileSystemPath: 'ledger', BCCSP } });
  await start(node);
  const environment = environmentOf(node.cwd);
  t.is(
    environment['CORE_PEER_BCCSP_SW_FILEKEYSTORE_KEYSTORE'],
    `${environment['TMPDIR']}/peer.BCCSP.SW.FileKeyStore.KeyStore`,
  );
});

test('without a network namespace all listeners of an orderer have different ports, and a cluster without a listener gets none', async (t) => {
  const node = makeNode(t, 'orderer', { General: { LocalMSPDir: 'msp', Cluster: { ListenPort: 0 } } });
  await startWithoutNamespace(t, node);
  const environment = environmentOf(node.cwd);
  t.false('ORDERER_GENERAL_CLUSTER_LISTENPORT' in environment);
  t.false('ORDERER_GENERAL_CLUSTER_LISTENADDRESS' in environment);
  const ports = [
    'GENERAL_LISTENPORT',
    'OPERATIONS_LISTENADDRESS',
    'ADMIN_LISTENADDRESS',
    'GENERAL_PROFILE_ADDRESS',
  ].map((name) => environment[`ORDERER_${name}`]!.replace(/^.*:/, ''));
  t.is(new Set(ports).size, 4);
});

for (const [hasLedger, given] of [
  [true, undefined],
  [false, 'none'],
] as const)
  testWithLedger(
    `an orderer of 2.5 ${hasLedger ? 'with its channels keeps its bootstrap method' : 'without its channels must not make a system channel'}`,
    async (t) => {
      const General = { LocalMSPDir: 'msp', BootstrapMethod: 'file' };
      const { cwd } = makeNode(t, 'orderer', { General }, { version: '2.5.16' });
      const { node } = await preflight({ file: 'orderer.yaml', variables: {}, cwd, version: '2.5' });
      await confirm(node!, join(cwd, 'bin/orderer'), hasLedger);
      t.is(environmentOf(cwd)['ORDERER_GENERAL_BOOTSTRAPMETHOD'], given);
    },
  );
