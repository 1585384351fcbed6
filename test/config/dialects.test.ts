import test, { type ExecutionContext } from 'ava';
import { readConfigFile } from '../../config/config-file.js';
import { dialectOf, keyIn, readOwnSettings, type Dialect, type FileValues } from '../../config/dialects.js';
import { SETTINGS } from '../../config/schema.js';
import { temporaryFolder } from '../helpers/folder.js';

const DIALECTS: readonly Dialect[] = ['agent', 'peer', 'orderer'];

function read(t: ExecutionContext, text: string): FileValues {
  return readOwnSettings(readConfigFile('a.yaml', temporaryFolder(t, { 'a.yaml': text })));
}

/** A file of a dialect that sets one key. */
function fileOf(dialect: Dialect, key: string, value: string): string {
  const mark = { agent: '', peer: 'peer: {}\n', orderer: 'General: {}\n' }[dialect];
  const parts = key.split('.');
  return `${mark}${parts.map((part, depth) => `${'  '.repeat(depth)}${part}:`).join('\n')} ${value}\n`;
}

const SECTIONS: readonly (readonly [readonly string[], Dialect])[] = [
  [[], 'agent'],
  [['operations', 'metrics'], 'agent'],
  [['operations', 'vm'], 'agent'],
  [['plugins'], 'agent'],
  [['operations', 'peer'], 'peer'],
  [['chaincode'], 'peer'],
  [['ledger', 'Operations'], 'peer'],
  [['PEER'], 'peer'],
  [['General'], 'orderer'],
  [['general', 'operations'], 'orderer'],
  [['ChannelParticipation'], 'orderer'],
  [['FileLedger'], 'orderer'],
  [['Consensus'], 'orderer'],
  [['Operations'], 'orderer'],
  [['Metrics'], 'orderer'],
];
for (const [sections, dialect] of SECTIONS) {
  test(`a file with ${sections.length === 0 ? 'no sections' : sections.join(' and ')} is of dialect ${dialect}`, (t) => {
    t.is(dialectOf(new Map(sections.map((section) => [section, null]))), dialect);
  });
}

test('keys that are not strings are ignored', (t) => {
  t.is(
    dialectOf(
      new Map<unknown, unknown>([
        [1, 'x'],
        [null, 'y'],
        ['peer', {}],
      ]),
    ),
    'peer',
  );
  t.deepEqual(read(t, 'peer: {}\n1: x\n? [a, b]\n: y\n').problems, []);
});

for (const dialect of DIALECTS) {
  for (const key of SETTINGS.keys()) {
    const nodeKey = keyIn(dialect, key);
    if (nodeKey === undefined) continue;
    for (const spelling of new Set([nodeKey, nodeKey.toLowerCase(), nodeKey.toUpperCase()])) {
      test(`${dialect}: ${spelling} sets ${key}`, (t) => {
        const { values, problems, dialect: found } = read(t, fileOf(dialect, spelling, '[x]'));
        t.deepEqual(problems, []);
        t.is(found, dialect);
        t.deepEqual([...values.keys()], [key]);
        t.deepEqual(values.get(key)?.value, ['x']);
        const line = spelling.split('.').length + (dialect === 'agent' ? 0 : 1);
        t.is(values.get(key)?.origin, `a.yaml:${line}`);
      });
    }
  }
}

test('sections of the agent that a node does not have are ignored in its file', (t) => {
  t.is(keyIn('orderer', 'vm.endpoint'), undefined);
  t.is(keyIn('peer', 'logging.spec'), undefined);
  t.is(read(t, 'General: {}\nvm: {endpoint: x}\nlogging: {level: info}\n').values.size, 0);
  t.is(read(t, 'peer: {}\nlogging: {level: info, peer: debug}\n').values.size, 0);
});

const UNKNOWN: readonly (readonly [string, string, string])[] = [
  ['agent.yaml', 'operatoins: {}\n', 'a.yaml:1: operatoins: unknown key; did you mean operations?'],
  [
    'agent.yaml',
    'gateways: {}\n',
    'a.yaml:1: gateways: unknown key; expected one of agents, health, logging, metrics, node, nodes, operations, plugins, silences, vm',
  ],
  [
    'agent.yaml',
    'operations:\n  tls:\n    enabeld: true\n',
    'a.yaml:3: operations.tls.enabeld: unknown key; did you mean enabled?',
  ],
  ['agent.yaml', 'vm: {endpiont: x}\n', 'a.yaml:1: vm.endpiont: unknown key; did you mean endpoint?'],
  [
    'agent.yaml',
    'operations: {tls: {rootCAs: []}}\n',
    'a.yaml:1: operations.tls.rootCAs: unknown key; did you mean clientRootCAs?',
  ],
  [
    'core.yaml',
    'peer: {}\noperations:\n  tls:\n    certificate: x\n',
    'a.yaml:4: operations.tls.certificate: unknown key; did you mean cert?',
  ],
  [
    'core.yaml',
    'peer: {}\nmetrics:\n  statsd:\n    interval: 1s\n',
    'a.yaml:4: metrics.statsd.interval: unknown key; did you mean writeInterval?',
  ],
  [
    'orderer.yaml',
    'General: {}\nOperations:\n  TLS:\n    cert: {file: x}\n',
    'a.yaml:4: Operations.TLS.cert: unknown key; did you mean Certificate?',
  ],
  [
    'orderer.yaml',
    'Metrics:\n  provder: statsd\n',
    'a.yaml:2: Metrics.provder: unknown key; did you mean Provider?',
  ],
];
for (const [file, text, problem] of UNKNOWN) {
  test(`an unknown key in ${file} is reported: ${problem}`, (t) => {
    t.deepEqual(read(t, text).problems, [problem]);
  });
}

for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
  test(`the key ${key} is reported as unknown`, (t) => {
    t.deepEqual(read(t, `operations:\n  ${key}: {listenAddress: x}\n`).problems, [
      `a.yaml:2: operations.${key}: unknown key; expected one of hosts, listenAddress, name, page, stateDirectory, tls, url`,
    ]);
  });
}

test('other keys of a peer under vm are ignored, in core.yaml and when pasted into agent.yaml', (t) => {
  const vm = 'vm:\n  docker:\n    attachStdout: false\n    hostConfig:\n      Dns: [a]\n';
  t.deepEqual(read(t, vm).problems, []);
  t.deepEqual(read(t, `peer: {}\n${vm}  future: {a: 1}\n`).problems, []);
});

test('keys of an orderer that have no effect are ignored in orderer.yaml only', (t) => {
  const tls = 'operations: {tls: {RootCAs: [a], TLSHandshakeTimeShift: 1s}}\n';
  t.deepEqual(read(t, `General: {}\n${tls}`), { dialect: 'orderer', values: new Map(), problems: [] });
  t.is(read(t, `peer: {}\n${tls}`).problems.length, 2);
});

test('a value in place of a section is reported', (t) => {
  t.deepEqual(read(t, 'operations:\n  tls: true\nmetrics: [1]\n').problems, [
    'a.yaml:2: operations.tls: must be a mapping, not a value',
    'a.yaml:3: metrics: must be a mapping, not a value',
  ]);
});

test('empty sections and keys without a value are ignored', (t) => {
  const { values, problems } = read(t, 'operations:\n  tls:\n  listenAddress:\nmetrics: {}\nvm: ~\n');
  t.deepEqual([...values.keys(), ...problems], []);
});

test('a duplicate key in another case is reported', (t) => {
  t.deepEqual(read(t, 'operations: {listenAddress: ":1"}\nOPERATIONS:\n  LISTENADDRESS: ":2"\n').problems, [
    'a.yaml:2: OPERATIONS: duplicate key, already set as operations',
    'a.yaml:3: OPERATIONS.LISTENADDRESS: duplicate key, already set as operations.listenAddress',
  ]);
});

test('a key added by a merge key is located by the line of its section', (t) => {
  const { values } = read(t, 'peer: &b {provider: statsd}\nmetrics:\n  <<: *b\n');
  t.is(values.get('metrics.provider')?.origin, 'a.yaml:2');
});
