// The library, imported as by another program.

import { readFileSync } from 'node:fs';
import test from 'ava';
import * as library from 'fabric-ops-agent/translator';
import { computeUpdate, decode, encode, messageNames, TranslateError } from 'fabric-ops-agent/translator';

const config = (modPolicy: string): Uint8Array =>
  encode('common.Config', JSON.stringify({ channel_group: { mod_policy: modPolicy } }));

test('messages are converted to JSON and back', (t) => {
  const bytes = encode('common.LastConfig', '{"index":"7"}');
  t.deepEqual([...bytes], [8, 7]);
  t.is(decode('common.LastConfig', bytes), '{\n\t"index": "7"\n}\n');
});

test('an update is computed', (t) => {
  const update = computeUpdate(config('A'), config('B'), 'ch');
  const { channel_id: channel } = JSON.parse(decode('common.ConfigUpdate', update)) as { channel_id: string };
  t.is(channel, 'ch');
});

test('messageNames lists the names of all messages, sorted', (t) => {
  const names = messageNames();
  t.true(names.includes('common.Block'));
  t.deepEqual(names, names.toSorted());
});

const GENESIS = '{"config":{"channel_group":{"version":"1"}}}';

for (const [code, call] of [
  ['UNKNOWN_TYPE', () => decode('common.Nope', Buffer.alloc(0))],
  ['BAD_BYTES', () => decode('common.Block', Buffer.from('garbage'))],
  ['BAD_JSON', () => encode('common.Block', '{')],
  ['BAD_FIELD', () => encode('common.LastConfig', '{"index":"x"}')],
  ['WRONG_MESSAGE', () => computeUpdate(encode('common.ConfigEnvelope', GENESIS), config('A'), '')],
  ['NO_CHANNEL_GROUP', () => computeUpdate(Buffer.alloc(0), config('A'), '')],
  ['NO_DIFFERENCES', () => computeUpdate(config('A'), config('A'), '')],
] as const) {
  test(`the error has the code ${code}`, (t) => {
    const error = t.throws(call, { instanceOf: TranslateError });
    t.is(error?.code, code);
  });
}

const README = readFileSync('translator/README.md', 'utf8');
/** The rows of the first table after a text. */
const tableAfter = (text: string): string =>
  README.split(text)[1]!
    .trimStart()
    .split('\n\n')
    .find((block) => block.startsWith('|'))!;
const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
};

test('the README lists every function of the root by its command', (t) => {
  const cells = tableAfter('The functions of the root, by the command that uses them:')
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ')[1]!);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  t.deepEqual(named.toSorted(), Object.keys(library).toSorted());
});

test('the README lists every subpath of the library with functions that it has', async (t) => {
  const rows = [
    ...tableAfter('and the functions that no command needs:').matchAll(
      /^\| `(fabric-ops-agent\/[\w/-]+)` +\| (.+)$/gm,
    ),
  ];
  const modules = Object.keys(exports).filter((path) => path.startsWith('./translator'));
  t.deepEqual(
    rows.map(([, module = '']) => module).toSorted(),
    modules.map((path) => `fabric-ops-agent${path.slice(1)}`).toSorted(),
  );
  for (const [, module = '', text = ''] of rows) {
    const exported = Object.keys((await import(module)) as object);
    const named = [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    t.deepEqual(
      named.filter((name) => !exported.includes(name)),
      [],
      module,
    );
  }
});
