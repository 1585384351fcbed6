import test, { type ExecutionContext } from 'ava';
import { readConfigFile } from '../../config/files.js';
import { dialectOf, keyIn, readNodeFile, type Dialect, type FileValues } from '../../config/node-files.js';
import { SETTINGS } from '../../config/schema.js';
import { temporaryFolder } from '../helpers/folder.js';

const DIALECTS: readonly Dialect[] = ['agent', 'peer', 'orderer'];

function read(t: ExecutionContext, text: string): FileValues {
  return readNodeFile(readConfigFile('a.yaml', temporaryFolder(t, { 'a.yaml': text })));
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

test('keys that are not text do not disturb', (t) => {
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
    const place = keyIn(dialect, key);
    if (place === undefined) continue;
    for (const spelling of new Set([place, place.toLowerCase(), place.toUpperCase()])) {
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

test('what a node does not have is left alone at the top level of its file', (t) => {
  t.is(keyIn('orderer', 'vm.endpoint'), undefined);
  t.is(keyIn('peer', 'logging.spec'), undefined);
  t.is(read(t, 'General: {}\nvm: {endpoint: x}\nlogging: {level: info}\n').values.size, 0);
  t.is(read(t, 'peer: {}\nlogging: {level: info, peer: debug}\n').values.size, 0);
});

const UNKNOWN: readonly (readonly [string, string, string])[] = [
  ['our own file', 'operatoins: {}\n', 'a.yaml:1: operatoins: is not known; did you mean operations?'],
  [
    'our own file',
    'peers: {}\n',
    'a.yaml:1: peers: is not known; known here: health, logging, metrics, operations, plugins, vm',
  ],
  [
    'our own file',
    'operations:\n  tls:\n    enabeld: true\n',
    'a.yaml:3: operations.tls.enabeld: is not known; did you mean enabled?',
  ],
  ['our own file', 'vm: {endpiont: x}\n', 'a.yaml:1: vm.endpiont: is not known; did you mean endpoint?'],
  [
    'our own file',
    'operations: {tls: {rootCAs: []}}\n',
    'a.yaml:1: operations.tls.rootCAs: is not known; did you mean clientRootCAs?',
  ],
  [
    "a peer's file",
    'peer: {}\noperations:\n  tls:\n    certificate: x\n',
    'a.yaml:4: operations.tls.certificate: is not known; did you mean cert?',
  ],
  [
    "a peer's file",
    'peer: {}\nmetrics:\n  statsd:\n    interval: 1s\n',
    'a.yaml:4: metrics.statsd.interval: is not known; did you mean writeInterval?',
  ],
  [
    "an orderer's file",
    'General: {}\nOperations:\n  TLS:\n    cert: {file: x}\n',
    'a.yaml:4: Operations.TLS.cert: is not known; did you mean Certificate?',
  ],
  [
    "an orderer's file",
    'Metrics:\n  provder: statsd\n',
    'a.yaml:2: Metrics.provder: is not known; did you mean Provider?',
  ],
];
for (const [whose, text, problem] of UNKNOWN) {
  test(`an unknown key in ${whose} is a problem: ${problem}`, (t) => {
    t.deepEqual(read(t, text).problems, [problem]);
  });
}

for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
  test(`the key ${key} is unknown like any other`, (t) => {
    t.deepEqual(read(t, `operations:\n  ${key}: {listenAddress: x}\n`).problems, [
      `a.yaml:2: operations.${key}: is not known; known here: listenAddress, tls`,
    ]);
  });
}

test('what a peer has under vm is left alone, in its own file and pasted into ours', (t) => {
  const vm = 'vm:\n  docker:\n    attachStdout: false\n    hostConfig:\n      Dns: [a]\n';
  t.deepEqual(read(t, vm).problems, []);
  t.deepEqual(read(t, `peer: {}\n${vm}  future: {a: 1}\n`).problems, []);
});

test('keys that an orderer accepts without effect are left alone in its file only', (t) => {
  const tls = 'operations: {tls: {RootCAs: [a], TLSHandshakeTimeShift: 1s}}\n';
  t.deepEqual(read(t, `General: {}\n${tls}`), { dialect: 'orderer', values: new Map(), problems: [] });
  t.is(read(t, `peer: {}\n${tls}`).problems.length, 2);
});

test('a section where a value should be, and the reverse, are problems', (t) => {
  t.deepEqual(
    read(t, 'operations:\n  listenAddress: {a: 1}\n  tls: true\nmetrics: [1]\nplugins: {a: 1}\n').problems,
    [
      'a.yaml:2: operations.listenAddress: must be a value, not a section',
      'a.yaml:3: operations.tls: must be a section, not a value',
      'a.yaml:4: metrics: must be a section, not a value',
      'a.yaml:5: plugins: must be a list, not a section',
    ],
  );
});

test('empty sections and keys without a value are as if they were not there', (t) => {
  const { values, problems } = read(t, 'operations:\n  tls:\n  listenAddress:\nmetrics: {}\nvm: ~\n');
  t.deepEqual([...values.keys(), ...problems], []);
});

test('one key in two spellings is a problem', (t) => {
  t.deepEqual(read(t, 'operations: {listenAddress: ":1"}\nOPERATIONS:\n  LISTENADDRESS: ":2"\n').problems, [
    'a.yaml:2: OPERATIONS: is the same key as operations',
    'a.yaml:3: OPERATIONS.LISTENADDRESS: is the same key as operations.listenAddress',
  ]);
});

test('a key that a merge key brought has the line of the section it was brought to', (t) => {
  const { values } = read(t, 'peer: &b {provider: statsd}\nmetrics:\n  <<: *b\n');
  t.is(values.get('metrics.provider')?.origin, 'a.yaml:2');
});
