import test from 'ava';
import { isBelow, ownerOf } from '../../../../core/common/text/component-owner.js';

const NAMES = ['peer1', 'peer10', 'peer1/a', 'peer1/a/disk', 'peer'];
for (const [component, owner] of [
  ['peer1', 'peer1'],
  ['peer1/height', 'peer1'],
  ['peer10', 'peer10'],
  ['peer10/height/ch1', 'peer10'],
  ['peer1/a', 'peer1/a'],
  ['peer1/a/height', 'peer1/a'],
  ['peer1/a/disk/data', 'peer1/a/disk'],
  ['peer1/ab', 'peer1'],
  ['peer/height', 'peer'],
  ['peer100', undefined],
  ['peer2/height', undefined],
  ['a/peer1', undefined],
  ['', undefined],
] as const)
  test(`of ${NAMES.join(', ')}, the component '${component}' belongs to ${owner ?? 'none'}, in any order`, (t) => {
    t.is(ownerOf(component, NAMES), owner);
    t.is(ownerOf(component, NAMES.toReversed()), owner);
  });

test('a component is below itself and below names that end before a slash', (t) => {
  t.deepEqual(
    ['a', 'a/b', 'ab', 'b/a'].map((component) => isBelow(component, 'a')),
    [true, true, false, false],
  );
});
