// The errors of computeUpdate and their order, and input that does not affect the update.

import test from 'ava';
import { computeUpdate } from '../../../translator/update/index.js';
import { configBytes, type GroupObject } from '../../helpers/config.js';
import { fails, MALFORMED, NO_DIFFERENCES } from '../../helpers/update-error.js';
import { bytesOf } from '../../helpers/wire.js';

const VALUE = { version: '4', value: 'AQ==', mod_policy: 'Admins' };
const OTHER = { version: '9', value: 'Ag==', mod_policy: 'Writers' };
const POLICY = { version: '6', policy: { type: 3, value: 'AQ==' }, mod_policy: 'Admins' };

const SAME: readonly (readonly [what: string, original: GroupObject, updated: GroupObject])[] = [
  ['equal trees', { version: '3', values: { a: VALUE } }, { version: '3', values: { a: VALUE } }],
  ['empty trees', {}, {}],
  [
    'trees that differ by versions',
    { version: '1', groups: { G: { values: { a: VALUE }, policies: { p: POLICY } } } },
    {
      version: '2',
      groups: {
        G: {
          version: '5',
          values: { a: { ...VALUE, version: '0' } },
          policies: { p: { ...POLICY, version: '0' } },
        },
      },
    },
  ],
  [
    'a value without content and one with empty content',
    { values: { a: {} } },
    { values: { a: { value: '' } } },
  ],
  ['two entries without a policy', { policies: { p: {} } }, { policies: { p: { version: '1' } } }],
];

for (const [what, original, updated] of SAME) {
  test(`there are no differences between ${what}`, (t) => {
    fails(t, configBytes(original), configBytes(updated, '9'), NO_DIFFERENCES);
  });
}

test('a missing channel group is reported with its side, the original first', (t) => {
  const group = configBytes({});
  const message = (side: string): string => `no channel group included for ${side} config`;
  fails(t, bytesOf(), group, ['NO_CHANNEL_GROUP', 'original', message('original')]);
  fails(t, bytesOf('0805'), bytesOf('0805'), ['NO_CHANNEL_GROUP', 'original', message('original')]);
  fails(t, group, bytesOf(), ['NO_CHANNEL_GROUP', 'updated', message('updated')]);
});

test('invalid bytes are reported before a missing channel group, and both before the channel name', (t) => {
  fails(t, bytesOf(), bytesOf('07'), ['BAD_BYTES', 'updated', MALFORMED]);
  fails(t, bytesOf('07'), bytesOf('07'), ['BAD_BYTES', 'original', MALFORMED]);
  fails(t, configBytes({}), configBytes({}), NO_DIFFERENCES, '\ud800');
});

test('equal input gives equal bytes, also in a view of a larger Buffer', (t) => {
  const [original, updated] = [
    configBytes({ values: { b: VALUE, a: OTHER } }),
    configBytes({ values: { c: VALUE } }),
  ];
  const update = computeUpdate(original, updated, 'ch');
  const within = Buffer.concat([Buffer.from('xx'), original, Buffer.from('xx')]);
  t.deepEqual(computeUpdate(within.subarray(2, -2), Buffer.from(updated), 'ch'), update);
  t.is(Object.getPrototypeOf(update), Uint8Array.prototype);
});
