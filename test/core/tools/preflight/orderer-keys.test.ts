// Keys of orderer.yaml that a version refuses. test/e2e/preflight-keys.test.ts compares every key with the programs of Fabric.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { preflight } from '../../../../core/tools/preflight/preflight.js';
import { temporaryFolder } from '../../../helpers/folder.js';

const KAFKA = "'' has invalid keys: Kafka";
const ONLY_2 = 'remove Kafka, which only Fabric 2 has';

const CASES: readonly (readonly [
  yaml: string,
  variables: Readonly<Record<string, string>>,
  versions: readonly string[],
  prints: readonly string[],
])[] = [
  ['Kafka: {Retry: {ShortInterval: 5s}}', {}, ['3.0.0', '3.1.5'], [KAFKA]],
  ['Kafka: {Retry: {ShortInterval: 5s}}', {}, ['2.5.0', '2.5.16'], []],
  ['Kafka: {Foo: 1}', {}, ['2.5.16'], ["'Kafka' has invalid keys: Foo"]],
  [
    'Kafka: {Retry: {Consumer: {RetryMax: 1}}}',
    {},
    ['2.5.16'],
    ["'Kafka.Retry.Consumer' has invalid keys: RetryMax"],
  ],
  ['General: {Throttling: {Rate: 1}}', {}, ['2.5.16'], ["'General' has invalid keys: Throttling"]],
  ['General: {Throttling: {Rate: 1}}', {}, ['3.1.5'], []],
  // A key without a value is no key.
  ['Kafka:', {}, ['3.1.5'], []],
  ['Kafka: ~', {}, ['3.1.5'], []],
  ['Kafka: {}', {}, ['3.1.5'], [KAFKA]],
  ['Kafka: ""', {}, ['3.1.5'], [KAFKA]],
  ['Kafka: false', {}, ['3.1.5'], [KAFKA]],
  ['Kafka: {Retry: }', {}, ['3.1.5'], [KAFKA]],
  // A variable gives a value only to a key in the file.
  ['Kafka:', { ORDERER_KAFKA: 'x' }, ['3.1.5'], [KAFKA]],
  ['Kafka:', { ORDERER_KAFKA: '' }, ['3.1.5'], []],
  ['Kafka:', { ORDERER_KAFKA_FILE: '/x' }, ['3.1.5'], [KAFKA]],
  ['Debug: {Foo: }', { ORDERER_DEBUG_FOO: '1' }, ['3.1.5'], ["'Debug' has invalid keys: Foo"]],
  ['Debug: {}', { ORDERER_DEBUG_FOO: '1', ORDERER_KAFKA_RETRY: 'x' }, ['2.5.16', '3.1.5'], []],
  // Case is ignored, and the exact spelling counts if a key is there twice.
  ['debug: {broadcasttracedir: x}', {}, ['2.5.16', '3.1.5'], []],
  ['debug: {foo: x}', {}, ['3.1.5'], ["'Debug' has invalid keys: foo"]],
  ['Debug: {}\ndebug: {}', {}, ['3.1.5'], ["'' has invalid keys: debug"]],
  ['debug: {}\nDebug: {}', {}, ['3.1.5'], ["'' has invalid keys: debug"]],
  ['General.ListenPort: 7', {}, ['3.1.5'], ["'' has invalid keys: General.ListenPort"]],
  ['x-common: &a {Enabled: false}\nOperations: {TLS: *a}', {}, ['3.1.5'], ["'' has invalid keys: x-common"]],
  [
    'Operations: {TLS: {<<: {Enabled: false, Foo: 1}}}',
    {},
    ['3.1.5'],
    ["'Operations.TLS' has invalid keys: Foo"],
  ],
  [
    'Debug: {Foo: 1, Bar: 2, zeta: 3}\nX: 1\nAbc: 1',
    {},
    ['3.1.5'],
    ["'' has invalid keys: Abc, X", "'Debug' has invalid keys: Bar, Foo, zeta"],
  ],
  ['Consensus: {Foo: {Bar: 1}}', {}, ['2.5.16', '3.1.5'], []],
  ['General: {BCCSP: {Foo: 1, SW: {Bar: 2}}}', {}, ['2.5.16', '3.1.5'], []],
  ['Debug: {BroadcastTraceDir: {File: /etc/hostname, Foo: 1}}', {}, ['3.1.5'], []],
];

for (const [yaml, variables, versions, prints] of CASES)
  for (const version of versions)
    test(`an orderer of ${version} with ${JSON.stringify(yaml)} ${JSON.stringify(variables)}: ${prints.join('; ') || 'no unknown key'}`, async (t) => {
      const cwd = temporaryFolder(t);
      writeFileSync(
        join(cwd, 'orderer.yaml'),
        `${yaml.includes('General:') ? '' : 'General: {}\n'}${yaml}\n`,
      );
      const { causes } = await preflight({ file: 'orderer.yaml', variables, cwd, version });
      t.deepEqual(
        causes.flatMap((each) => (each.id === 'unknown-keys' ? [each.prints] : [])),
        [...prints],
      );
    });

test('an unknown key of orderer.yaml is named with its line and its remedy', async (t) => {
  const cwd = temporaryFolder(t, {
    'orderer.yaml':
      'General:\n  ListenPrt: 1\n  GenesisProfile: x\n  listenport: 1\n  ListenPort: 2\nKafka:\n  Verbose: true\n',
  });
  const findings = async (version: string | undefined) => {
    const { causes } = await preflight({ file: 'orderer.yaml', variables: {}, cwd, version });
    return causes
      .filter(({ id }) => id === 'unknown-keys')
      .map(({ severity, where, means, todo }) => [severity, where, means, todo]);
  };
  const means = 'an orderer of Fabric 3 refuses a file with keys that it does not know';
  const [kafka, general] = await findings('3.1');
  t.deepEqual(kafka, ['cause', 'orderer.yaml:6: Kafka', means, ONLY_2]);
  t.is(general?.[1], 'orderer.yaml:3: General.GenesisProfile');
  t.regex(
    general?.[3] ?? '',
    /^remove or correct GenesisProfile: .*; remove or correct ListenPrt: did you mean ListenPort\?; remove listenport: the file has ListenPort twice$/,
  );
  t.deepEqual(
    (await findings(undefined)).map(([severity, where]) => [severity, where]),
    [
      ['cause', 'orderer.yaml:3: General.GenesisProfile'],
      ['warning', 'orderer.yaml:6: Kafka'],
    ],
  );
});

test('a peer accepts unknown keys of core.yaml', async (t) => {
  const cwd = temporaryFolder(t, { 'core.yaml': 'peer: {Foo: 1}\nKafka: {}\n' });
  const { causes } = await preflight({ file: 'core.yaml', variables: {}, cwd, version: '3.1.5' });
  t.false(causes.some(({ id }) => id === 'unknown-keys'));
});
