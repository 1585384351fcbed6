// Where in a plugin an error happened.

import test from 'ava';
import { framesOf, placesIn, sourcePath } from '../../../core/host/stack.js';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
test('the path of a module with a source map is that of its source', (t) => {
  const file = fileURLToPath(import.meta.url);
  const path = sourcePath(file);
  t.is(path, join(file, '../../../../../test/core/host/stack.test.ts'));
  t.true(new Error('stack').stack?.includes(path));
});

test('the path of a module without a source map is unchanged', (t) => {
  t.is(sourcePath('/no/such/plugin.js'), '/no/such/plugin.js');
});
