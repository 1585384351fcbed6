// The documents of the participation API.

import test from 'ava';
import { channelInfo, channelNames } from '../../../../plugins/health/participation/channels.js';

const list = (count: number, systemChannel: object | null = null): string =>
  JSON.stringify({
    systemChannel,
    channels: Array.from({ length: count }, (_, index) => ({ name: `ch${index + 1}` })),
  });

for (const [what, text, names] of [
  ['no channels', '{"systemChannel":null,"channels":null}', []],
  ['an empty list', '{"channels":[]}', []],
  ['two channels', list(2), ['ch1', 'ch2']],
  ['a system channel', list(1, { name: 'sys' }), ['sys', 'ch1']],
] as const)
  test(`the names of ${what} are [${names.join(', ')}]`, (t) => {
    t.deepEqual(channelNames(text), [...names]);
  });

test('1,000 channels are checked, 1,001 are too many, and the system channel counts', (t) => {
  t.is(channelNames(list(1000)).length, 1000);
  t.is(channelNames(list(999, { name: 'sys' })).length, 1000);
  const message = 'the orderer has 1001 channels; at most 1000 are checked';
  t.throws(() => channelNames(list(1001)), { message });
  t.throws(() => channelNames(list(1000, { name: 'sys' })), { message });
});

test('a name of a channel has at most 249 characters, as in Fabric', (t) => {
  const [longest, longer] = ['c'.repeat(249), 'c'.repeat(250)];
  t.deepEqual(channelNames(JSON.stringify({ channels: [{ name: longest }] })), [longest]);
  t.is(channelInfo(JSON.stringify({ name: longest, status: 'active', height: 7 })).name, longest);
  t.throws(() => channelNames(JSON.stringify({ channels: [{ name: longer }] })), {
    message: /^unexpected response/,
  });
  t.throws(() => channelInfo(JSON.stringify({ name: longer, status: 'active', height: 7 })), {
    message: /^unexpected response/,
  });
});

const INVALID = 'unexpected response: expected a document of the participation API, found ';
for (const text of [
  'null',
  '[]7',
  '"ch1"',
  '{"channels":{}}',
  '{"channels":[null]}',
  '{"channels":[{"name":""}]}',
  '{"channels":[{"name":7}]}',
  '{"systemChannel":{},"channels":null}',
])
  test(`a list ${text} is refused`, (t) => {
    t.throws(() => channelNames(text), { message: `${INVALID}${text}` });
  });

test('a channel has a name, a status and a height', (t) => {
  t.deepEqual(channelInfo('{"name":"ch1","status":"active","height":7,"more":1}'), {
    name: 'ch1',
    status: 'active',
    height: 7,
  });
});

for (const text of [
  '{"name":1,"status":"active","height":7}',
  '{"name":"ch1","status":2,"height":7}',
  '{"name":"ch1","status":"active","height":"7"}',
  '{"name":"ch1","status":"active"}',
  '',
])
  test(`a channel ${text === '' ? 'without text' : text} is refused`, (t) => {
    t.throws(() => channelInfo(text), { message: `${INVALID}${text === '' ? 'an empty body' : text}` });
  });
