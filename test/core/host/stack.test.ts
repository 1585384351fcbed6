// The place of an error in a plugin.

import test, { type ExecutionContext } from 'ava';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { framesOf, placesIn, sourcePath, stackOf } from '../../../core/host/stack.js';
import { temporaryFolder } from '../../helpers/folder.js';

const CASES: readonly (readonly [frame: string, place: string | undefined, file?: string])[] = [
  ['    at file:///a/b.js:1:2', 'file:///a/b.js:1:2', '/a/b.js'],
  ['    at work (file:///a%20b/c.js:1:2)', 'file:///a%20b/c.js:1:2', '/a b/c.js'],
  ['    at async Object.work [as check] (/a/b.ts:10:20)', '/a/b.ts:10:20', '/a/b.ts'],
  ['    at /a/b.js:1:2', '/a/b.js:1:2', '/a/b.js'],
  ['    at node:internal/timers:1:2', undefined],
  ['Error: cannot read /a/b.js:1:2', undefined],
  ['    at work (/a/b.js)', undefined],
];

for (const [frame, place, file] of CASES)
  test(`the frame '${frame.trim()}' has ${place === undefined ? 'no place' : `the place ${place}`}`, (t) => {
    t.deepEqual(placesIn(`Error: x\n${frame}\n    at <anonymous>`), place === undefined ? [] : [place]);
    t.deepEqual(
      framesOf(frame).map((each) => each.file),
      file === undefined ? [] : [file],
    );
  });

for (const line of ['/', ' /', '/a:1', '(/', '    at /a:1:2 '])
  test(`a message that repeats '${line}' a million times is read once`, (t) => {
    t.deepEqual(placesIn(`Error: x\n    at ${line.repeat(1e6)}\n    at work (/own.js:1:2)`), ['/own.js:1:2']);
  });

// ava enables source maps.
test('the path of a module with a source map is the path of its source', (t) => {
  const file = fileURLToPath(import.meta.url);
  const path = sourcePath(file);
  t.is(path, join(file, '../../../../../test/core/host/stack.test.ts'));
  t.true(new Error('stack').stack?.includes(path));
});

test('the path of a module without a source map is unchanged', (t) => {
  t.is(sourcePath('/no/such/plugin.js'), '/no/such/plugin.js');
});

/** The stack of an error of a compiled module without a comment about its source map, for which Node.js loads none. */
async function stackIn(
  t: ExecutionContext,
  map: string | object,
): Promise<{ folder: string; stack: string }> {
  const folder = temporaryFolder(t, {
    'dist/check.mjs': "export const check = () => {\n  throw new Error('no ledger');\n};\n",
    'dist/check.mjs.map': typeof map === 'string' ? map : JSON.stringify(map),
  });
  const { check } = (await import(pathToFileURL(join(folder, 'dist/check.mjs')).href)) as {
    check: () => void;
  };
  return { folder, stack: stackOf(t.throws(check)) };
}

const MAP = { version: 3, sources: ['../src/check.ts'], names: [], mappings: 'AAIA;EAEE' };

test('a stack has the places in the source of a compiled module, from the file of its source map', async (t) => {
  const { folder, stack } = await stackIn(t, MAP);
  t.regex(stack, /^Error: no ledger\n/);
  t.is(placesIn(stack)[0], `${folder}/src/check.ts:7:9`);
  t.is(sourcePath(join(folder, 'dist/check.mjs')), join(folder, 'src/check.ts'));
});

for (const [what, map] of [
  ['is not JSON', 'no map'],
  ['has no sources', { version: 3 }],
  ['has a source that is not a file', { ...MAP, sources: ['https://example.com/check.ts'] }],
  ['has no mappings', { ...MAP, mappings: '' }],
] as const)
  test(`a stack has the places in a compiled module whose source map ${what}`, async (t) => {
    const { folder, stack } = await stackIn(t, map);
    t.regex(stack, new RegExp(`${folder}/dist/check\\.mjs:2:9`));
  });
