// The library, imported as by another program.

import { readFileSync } from 'node:fs';
import test from 'ava';
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

const README = readFileSync('translator/public/README.md', 'utf8');
/** The rows of the first table after a text. */
const tableAfter = (text: string): string =>
  README.split(text)[1]!
    .trimStart()
    .split('\n\n')
    .find((block) => block.startsWith('|'))!;
const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
};

/** The functions of a module of the package; its errors are in the documents of the errors. */
const functionsOf = async (module: string): Promise<string[]> =>
  Object.keys((await import(module)) as object).filter((name) => name !== 'TranslateError');

/** The names in code in a text. */
const namesIn = (text: string): string[] => [...text.matchAll(/`(\w+)(?:\.\w+)?`/g)].map(([, name]) => name!);

const ROWS = tableAfter('function is in one subpath:')
  .split('\n')
  .slice(2)
  .map((row) => row.split(' | '));
const MODULES = ROWS.map(([module = '']) => /`(.+)`/.exec(module)![1]!);

test('the README lists every subpath of the library', (t) => {
  const modules = Object.keys(exports).filter((path) => path.startsWith('./translator'));
  t.deepEqual(MODULES.toSorted(), modules.map((path) => `fabric-ops-agent${path.slice(1)}`).toSorted());
});

for (const [index, module] of MODULES.entries())
  test(`the README lists every function of ${module}`, async (t) => {
    t.deepEqual(namesIn(ROWS[index]![2]!).toSorted(), (await functionsOf(module)).toSorted());
  });

test('each function of the library is in one subpath, and the root has only functions of subpaths', async (t) => {
  const [ofRoot = [], ...ofSubpaths] = await Promise.all(MODULES.map(functionsOf));
  const all = ofSubpaths.flat();
  t.deepEqual(
    all.filter((name, index) => all.indexOf(name) !== index),
    [],
  );
  t.deepEqual(
    ofRoot.filter((name) => !all.includes(name)),
    [],
  );
});
