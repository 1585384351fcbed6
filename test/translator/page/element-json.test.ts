// The JSON of an element, its path for jq, and its bytes in words.

import { spawnSync } from 'node:child_process';
import test from 'ava';
import { elementJson, jqPath, jsonOfConfig, readableBytes } from '../../../translator/page/element-json.js';
import { rowsOf } from '../../../translator/page/rows.js';
import { CONFIG } from '../../helpers/edits.js';

const ROWS = rowsOf(CONFIG.channelGroup, new Date('2026-11-24T00:00:00Z'));
const JSON_OF_CONFIG = jsonOfConfig(CONFIG);

test('every row has the element that jq finds with its path', (t) => {
  const paths = ROWS.map(jqPath);
  const { stdout, status } = spawnSync('jq', ['-c', paths.join(',')], {
    input: JSON.stringify(JSON_OF_CONFIG),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  t.is(status, 0);
  const found = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  t.is(found.length, ROWS.length);
  for (const [index, row] of ROWS.entries())
    t.deepEqual(elementJson(JSON_OF_CONFIG, row), found[index] as never, row.path);
});

for (const [names, kind, path] of [
  [['Channel'], 'group', '.channel_group'],
  [['Channel', 'Orderer', 'BatchSize'], 'value', '.channel_group.groups.Orderer.values.BatchSize'],
  [['Channel', 'org-1.x'], 'group', '.channel_group.groups["org-1.x"]'],
  [['Channel', 'a"b/c', 'Admins'], 'policy', '.channel_group.groups["a\\"b/c"].policies.Admins'],
] as const)
  test(`the path of ${names.join(', ')} for jq`, (t) => t.is(jqPath({ names, kind }), path));

test('a missing element has no JSON, also with the name of a property of all objects', (t) => {
  t.is(elementJson(JSON_OF_CONFIG, { names: ['Channel', 'constructor'], kind: 'group' }), undefined);
});

test('certificates, other PEM and other bytes are readable', (t) => {
  const row = ROWS.find(({ path }) => path === '/Channel/Application/full/MSP')!;
  const bytes = readableBytes(elementJson(JSON_OF_CONFIG, row)!);
  const textAt = (place: string): string | undefined => bytes.find((each) => each.place === place)?.text;
  t.regex(
    textAt('value.config.root_certs.0')!,
    /^CN=.*, issuer CN=.*, \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d, P-256/,
  );
  t.is(textAt('value.config.revocation_list.0'), 'X509 CRL');
  const hex = Buffer.alloc(40, 0xab);
  t.deepEqual(readableBytes({ a: [hex.toString('base64'), 'not base64'] }), [
    { place: 'a.0', text: `40 bytes: ${'ab'.repeat(32)}…` },
  ]);
  const pem = Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n').toString(
    'base64',
  );
  t.regex(readableBytes([pem])[0]!.text, /^a certificate that cannot be read: /);
});

/** Texts of base64 that hold so many bytes. */
const base64 = (bytes: number): string => Buffer.alloc(bytes, 0xab).toString('base64');

for (const [what, element, expected] of [
  ['16 characters', base64(12), `12 bytes: ${'ab'.repeat(12)}`],
  ['fewer characters, which may be a name', base64(9), undefined],
  ['a length that is no multiple of 4', base64(12) + 'ab', undefined],
  ['32 bytes', base64(32), `32 bytes: ${'ab'.repeat(32)}`],
  ['33 bytes', base64(33), `33 bytes: ${'ab'.repeat(32)}…`],
] as const)
  test(`base64 with ${what} is ${expected ?? 'not read'}`, (t) => {
    t.deepEqual(
      readableBytes({ a: { b: element } }),
      expected === undefined ? [] : [{ place: 'a.b', text: expected }],
    );
  });

test('the bytes of a text alone have no place, and at most 100 texts are read', (t) => {
  t.deepEqual(readableBytes(base64(12)), [{ place: '', text: `12 bytes: ${'ab'.repeat(12)}` }]);
  t.is(readableBytes(Array.from({ length: 101 }, () => base64(12))).length, 100);
  t.deepEqual(readableBytes([null, true, 5, {}]), []);
});

test('several PEM blocks in one text are named together', (t) => {
  const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
  t.is(readableBytes(Buffer.from(key + key).toString('base64'))[0]?.text, 'PRIVATE KEY; PRIVATE KEY');
});
