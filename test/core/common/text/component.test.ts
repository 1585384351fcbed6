import test from 'ava';
import { isBelow, ownerOf, partsOf } from '../../../../core/common/text/component.js';

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

const KNOWN = {
  nodes: ['o1', 'o1/a', 'peer0'],
  checks: ['o1', 'o1/consensus', 'peer0/certificates', 'channels', 'docker'],
  channels: new Set(['ch1', 'disk']),
};

for (const [component, node, check, part, channel] of [
  ['o1', 'o1', 'o1', undefined, undefined],
  ['o1/consensus/ch1', 'o1', 'o1/consensus', 'ch1', 'ch1'],
  ['o1/a/height/ch1', 'o1/a', 'o1', 'a/height/ch1', undefined],
  ['peer0/height/ch1', 'peer0', 'peer0/height', 'ch1', 'ch1'],
  ['peer0/disk', 'peer0', 'peer0/disk', undefined, undefined],
  ['peer0/certificates//msp/a.pem', 'peer0', 'peer0/certificates', '/msp/a.pem', undefined],
  ['channels/ch2', undefined, 'channels', 'ch2', 'ch2'],
  ['docker', undefined, 'docker', undefined, undefined],
] as const)
  test(`what ${component} consists of: ${[node, check, part, channel].map(String).join(', ')}`, (t) => {
    t.deepEqual(partsOf(component, KNOWN), {
      component,
      node,
      check,
      part,
      channel,
      isChannel: component === 'channels/ch2',
    });
  });
