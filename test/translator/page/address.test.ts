// The addresses of the parts of the channel page.

import test from 'ava';
import { addressOf, fragmentOf } from '../../../translator/page/address.js';

for (const [fragment, isDemo, place, name] of [
  ['#takeover.pb', false, 'review', 'takeover.pb'],
  ['#a%20b%23.pb', false, 'review', 'a b#.pb'],
  ['#channel', false, 'channel', ''],
  ['#identities', false, 'identities', ''],
  ['#history', false, 'history', ''],
  ['#edit', false, 'edit', ''],
  ['#Application/Org1', false, 'channel', 'Application/Org1'],
  ['#demo', true, 'review', ''],
  ['#demo/takeover.pb', true, 'review', 'takeover.pb'],
  ['#demo/channel', true, 'channel', ''],
] as const)
  test(`${fragment} is the address of ${place} ${name}`, (t) => {
    t.deepEqual(addressOf(fragment), { isDemo, place, name });
    t.is(fragmentOf({ isDemo, place, name }), fragment);
  });

test('without a fragment there is no address, and a damaged one is a name', (t) => {
  t.is(addressOf(''), undefined);
  t.is(addressOf('#'), undefined);
  t.deepEqual(addressOf('#%ff.pb'), { isDemo: false, place: 'review', name: '%ff.pb' });
});
