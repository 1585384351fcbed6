// Groups within groups, up to what is allowed and one more.

import test from 'ava';
import { computeUpdate } from '../../../translator/update/index.js';
import { fails, MALFORMED, NO_DIFFERENCES, TOO_DEEP } from '../../helpers/update-error.js';
import { beginOfEntry, bytesOf, delimited, mapEntry } from '../../helpers/wire.js';

const OTHER = bytesOf('12032a015a');

const root = (...parts: readonly (string | Uint8Array)[]): Buffer => delimited(2, ...parts);

/** The fields of a group that has groups within groups: so many with itself, the innermost with the given fields. */
function chain(groups: number, innermost: string | Uint8Array = ''): Buffer {
  const parts = [bytesOf(innermost)];
  let size = parts[0]!.length;
  for (let level = 1; level < groups; level += 1) {
    // What stands before the inner group, all of which would be copied with it.
    const begin = beginOfEntry(2, 'a', size);
    parts.push(begin);
    size += begin.length;
  }
  return Buffer.concat(parts.toReversed());
}

test('9,999 groups below each other are compared and written', (t) => {
  const update = computeUpdate(root(chain(9999)), root(chain(9999, '2a0141')), 'c');
  t.true(
    bytesOf('0a0163', delimited(2, chain(9999)), delimited(3, chain(9999, '08012a0141'))).equals(update),
  );
});

test('9,999 new groups below each other are written', (t) => {
  const update = computeUpdate(root(), root(chain(9999, '2a0141')), 'c');
  t.true(bytesOf('0a0163', '1200', delimited(3, '0801', chain(9999, '2a0141'))).equals(update));
});

for (const [what, bytes] of [
  ['10,000 groups', root(chain(10_000))],
  ['a value in the last of 9,999 groups', root(chain(9999, mapEntry(3, 'a')))],
  ['a policy in the last of 9,998 groups', root(chain(9998, mapEntry(4, 'a', '1200')))],
] as const) {
  test(`${what} below each other are too deep`, (t) => {
    fails(t, bytes, OTHER, ['BAD_BYTES', 'original', TOO_DEEP]);
    fails(t, OTHER, bytes, ['BAD_BYTES', 'updated', TOO_DEEP]);
  });
}

test('a policy in the last of 9,997 groups is not too deep', (t) => {
  fails(
    t,
    root(chain(9997, mapEntry(4, 'a', '1200'))),
    root(chain(9997, mapEntry(4, 'a', '1200'))),
    NO_DIFFERENCES,
  );
});

test('unknown groups nest 10,001 deep and no deeper', (t) => {
  const groups = (count: number): Buffer => root('33'.repeat(count), '34'.repeat(count));
  fails(t, groups(10_001), root(), NO_DIFFERENCES);
  fails(t, groups(10_002), root(), ['BAD_BYTES', 'original', MALFORMED]);
});
