// Nested groups, up to the limit and one level more.

import test from 'ava';
import { computeUpdate } from '../../../translator/update/index.js';
import { fails, MALFORMED, NO_DIFFERENCES, TOO_DEEP } from '../../helpers/update-error.js';
import { beginOfEntry, bytesOf, delimited, mapEntry } from '../../helpers/wire.js';

const OTHER = bytesOf('12032a015a');

const root = (...parts: readonly (string | Uint8Array)[]): Buffer => delimited(2, ...parts);

/** The fields of a group with nested groups: `groups` levels including itself, the innermost with the given fields. */
function chain(groups: number, innermost: string | Uint8Array = ''): Buffer {
  const parts = [bytesOf(innermost)];
  let size = parts[0]!.length;
  for (let level = 1; level < groups; level += 1) {
    // Only the bytes before the inner group, so that the inner group is not copied at each level.
    const begin = beginOfEntry(2, 'a', size);
    parts.push(begin);
    size += begin.length;
  }
  return Buffer.concat(parts.toReversed());
}

test('9,999 nested groups are compared and written', (t) => {
  const update = computeUpdate(root(chain(9999)), root(chain(9999, '2a0141')), 'c');
  t.true(
    bytesOf('0a0163', delimited(2, chain(9999)), delimited(3, chain(9999, '08012a0141'))).equals(update),
  );
});

test('9,999 nested new groups are written', (t) => {
  const update = computeUpdate(root(), root(chain(9999, '2a0141')), 'c');
  t.true(bytesOf('0a0163', '1200', delimited(3, '0801', chain(9999, '2a0141'))).equals(update));
});

for (const [what, bytes] of [
  ['10,000 nested groups', root(chain(10_000))],
  ['a value in the last of 9,999 nested groups', root(chain(9999, mapEntry(3, 'a')))],
  ['a policy in the last of 9,998 nested groups', root(chain(9998, mapEntry(4, 'a', '1200')))],
] as const) {
  test(`${what} are nested too deep`, (t) => {
    fails(t, bytes, OTHER, ['BAD_BYTES', 'original', TOO_DEEP]);
    fails(t, OTHER, bytes, ['BAD_BYTES', 'updated', TOO_DEEP]);
  });
}

test('a policy in the last of 9,997 nested groups is not nested too deep', (t) => {
  fails(
    t,
    root(chain(9997, mapEntry(4, 'a', '1200'))),
    root(chain(9997, mapEntry(4, 'a', '1200'))),
    NO_DIFFERENCES,
  );
});

test('unknown groups may be nested 10,001 levels deep, not more', (t) => {
  const groups = (count: number): Buffer => root('33'.repeat(count), '34'.repeat(count));
  fails(t, groups(10_001), root(), NO_DIFFERENCES);
  fails(t, groups(10_002), root(), ['BAD_BYTES', 'original', MALFORMED]);
});
