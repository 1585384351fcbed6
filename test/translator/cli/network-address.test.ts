// Addresses of channels: orderers and a channel name.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { parseNetworkAddress } from '../../../translator/cli/network-address.js';

for (const [text, orderers, isTls] of [
  ['grpcs://o:7050/c', ['o:7050'], true],
  ['grpc://127.0.0.1:1,[::1]:2/c', ['127.0.0.1:1', '[::1]:2'], false],
] as const)
  test(`the address ${text}`, (t) => {
    t.deepEqual(parseNetworkAddress(text), { orderers, channel: 'c', isTls });
  });

for (const [text, what] of [
  ['grpcs://o:7050', ''],
  ['grpcs://o:7050/', ''],
  ['grpcs:///c', ''],
  ['grpcs://o/c', ': "o" is not HOST:PORT'],
  ['grpcs://o:0/c', ': "o:0" is not HOST:PORT'],
  ['grpcs://o:65536/c', ': "o:65536" is not HOST:PORT'],
  ['grpcs://o:1,/c', ': "" is not HOST:PORT'],
  ['grpcs://o:1/c/d', ''],
] as const)
  test(`${text} is not an address`, (t) => {
    const error = t.throws(() => parseNetworkAddress(text), { instanceOf: TranslateError });
    t.deepEqual(
      [error?.code, error?.message],
      [
        'BAD_ADDRESS',
        `${text} is not the address of a channel${what}; write grpcs://HOST:PORT/CHANNEL, or several HOST:PORT with commas`,
      ],
    );
  });
