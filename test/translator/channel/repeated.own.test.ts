// Merging repeated messages takes steps proportional to the size of the input. The test counts the copied bytes
// and the elements of which the order is checked.

import test from 'ava';
import { createSandbox } from 'sinon';
import { readConfig, readConfigFile } from '../../../translator/channel/index.js';
import { orderersOf } from '../../../translator/orderer/orderers-of.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { TranslateError } from '../../../proto/index.js';
import { bytesOf, delimited, mapEntry } from '../../helpers/wire.js';

/** The bytes that a function copies with `set` of byte arrays, and the map entries that it iterates over. */
function stepsOf(run: () => unknown): { readonly copied: number; readonly visited: number } {
  const steps = { copied: 0, visited: 0 };
  const arrays = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const set = Reflect.get(arrays, 'set') as (...args: readonly unknown[]) => void;
  const keys = Reflect.get(Map.prototype, 'keys') as () => MapIterator<unknown>;
  const sandbox = createSandbox();
  sandbox.replace(arrays, 'set', function (this: Uint8Array, source: ArrayLike<number>, offset?: number) {
    steps.copied += source.length;
    set.call(this, source, offset);
  });
  sandbox.replace(Map.prototype, 'keys', function (this: Map<unknown, unknown>) {
    steps.visited += this.size;
    return keys.call(this);
  });
  try {
    run();
  } finally {
    sandbox.restore();
  }
  return steps;
}

const VALUES = 500;

const values = (): Buffer[] => Array.from({ length: VALUES }, (_, index) => mapEntry(3, `V${index}`));

/** The sequence of the bytes, several times. */
const times = (count: number, part: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => part));

/** The version of an element, as a separate message. */
const VERSION = delimited(2, '0801');

/** A config with one of its messages in many parts. */
const CONFIGS: readonly (readonly [what: string, config: (repeats: number) => Buffer])[] = [
  ['the channel group', (repeats) => bytesOf(delimited(2, ...values()), times(repeats, VERSION))],
  [
    'a group',
    (repeats) =>
      delimited(
        2,
        delimited(2, delimited(1, Buffer.from('G')), delimited(2, ...values()), times(repeats, VERSION)),
      ),
  ],
  [
    'a value',
    (repeats) => delimited(2, delimited(3, delimited(2, '1264', Buffer.alloc(100)), times(repeats, VERSION))),
  ],
  [
    'a policy',
    (repeats) => delimited(2, delimited(4, delimited(2, '1a64', Buffer.alloc(100)), times(repeats, VERSION))),
  ],
];

for (const repeats of [1000, 2000, 4000])
  for (const [what, config] of CONFIGS)
    test(`a config with ${what} in ${repeats} parts is read without copying, and each order is checked once`, (t) => {
      const bytes = config(repeats);
      const { copied, visited } = stepsOf(() => readConfig(bytes));
      t.is(copied, 0);
      t.true(visited <= VALUES + 1, `${visited} elements`);
    });

for (const repeats of [1000, 2000, 4000])
  test(`an update of a config with a channel group in ${repeats} parts copies each byte of the input a few times`, (t) => {
    const original = CONFIGS[0]![1](repeats);
    const updated = bytesOf(original, delimited(2, mapEntry(3, 'W')));
    const { copied, visited } = stepsOf(() => computeUpdate(original, updated, 'mychannel'));
    t.true(copied <= 4 * original.length, `${copied} bytes`);
    t.true(visited <= 10 * VALUES, `${visited} elements`);
  });

/** A config block whose config envelope has these bytes. */
function blockOf(configEnvelope: Buffer): Buffer {
  const channelHeader = bytesOf('0801', delimited(4, Buffer.from('mychannel')));
  const payload = bytesOf(delimited(1, delimited(1, channelHeader)), delimited(2, configEnvelope));
  return bytesOf(
    delimited(1, '0805'),
    delimited(2, delimited(1, delimited(1, payload))),
    delimited(3, delimited(1)),
  );
}

for (const repeats of [1000, 2000, 4000])
  test(`a config of a block in ${repeats} parts is copied once`, (t) => {
    const config = bytesOf(delimited(2, ...values()), '0803');
    const block = blockOf(bytesOf(delimited(1, config), times(repeats, delimited(1, '0804'))));
    let sequence: bigint | undefined;
    const { copied } = stepsOf(() => {
      sequence = readConfigFile(block).config.sequence;
    });
    t.is(sequence, 4n);
    t.is(copied, config.length + 2 * repeats);
  });

for (const certificates of [1000, 2000, 4000])
  test(`${certificates} TLS root certificates of an orderer organisation are copied once`, (t) => {
    const msp = delimited(2, bytesOf(times(certificates, delimited(9, '61'))));
    const endpoints = delimited(1, Buffer.from('orderer:7050'));
    const organization = mapEntry(
      2,
      'Org',
      mapEntry(3, 'MSP', delimited(2, msp)),
      mapEntry(3, 'Endpoints', delimited(2, endpoints)),
    );
    const config = readConfig(delimited(2, mapEntry(2, 'Orderer', organization)));
    let size: number | undefined;
    const { copied } = stepsOf(() => {
      size = orderersOf(config)[0]?.cas.length;
    });
    t.is(size, 2 * certificates);
    t.is(copied, 2 * certificates);
  });

test('the parts of an element are its bytes in their order', (t) => {
  const entry = delimited(
    3,
    delimited(2, '0802'),
    delimited(2),
    delimited(2, '1a0161'),
    delimited(2, '0803'),
  );
  const value = readConfig(delimited(2, entry)).channelGroup.values.get('')!;
  t.is(Buffer.from(value.bytes).toString('hex'), '08021a01610803');
  t.is(value.version, 3n);
});

const REFUSED: readonly (readonly [what: string, config: Buffer])[] = [
  ['channel groups', times(25_002, bytesOf('1200'))],
  ['values of one name', delimited(2, delimited(3, times(25_001, bytesOf('1200'))))],
  ['unknown fields', delimited(2, times(25_001, bytesOf('7800')))],
];

for (const [what, config] of REFUSED)
  test(`a config with more than 25,000 ${what} is refused`, (t) => {
    const error = t.throws(() => readConfig(config), { instanceOf: TranslateError });
    t.is(error.code, 'TOO_LARGE');
  });

test('a config of a block in more than 500,000 parts is refused', (t) => {
  const parts = times(500_001, bytesOf('0a00'));
  const error = t.throws(() => readConfigFile(blockOf(parts)), { instanceOf: TranslateError });
  t.is(error.code, 'TOO_LARGE');
  t.is(error.message, 'more than 500000 values in one message');
});
