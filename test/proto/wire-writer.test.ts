// The writer of the wire format, which writes from the end.

import test from 'ava';
import { bigintToInt64, int64ToBigint } from '../../proto/wire.js';
import { WireWriter } from '../../proto/wire-writer.js';
import { hex, varint } from '../helpers/codec.js';
import { cpuTimeOf } from '../helpers/stopwatch.js';

function written(write: (writer: WireWriter) => void): string {
  const writer = new WireWriter();
  write(writer);
  return writer.written.toString('hex');
}

test('later values are in front of earlier ones', (t) => {
  const bytes = written((writer) => {
    writer.bytes(hex('0102'));
    writer.uint32(0x12);
    writer.string('é');
    writer.uint32(0x0a);
  });
  t.is(bytes, '0a02c3a912020102');
});

test('delimit adds the length of all bytes since a position, and the tag', (t) => {
  const bytes = written((writer) => {
    writer.uint32(5);
    const start = writer.length;
    writer.raw(hex('010203'));
    writer.delimit(start, 0x1a);
  });
  t.is(bytes, '1a0301020305');
});

for (const value of [0, 127, 128, 16_383, 16_384, 2 ** 28, 2 ** 31, 2 ** 32 - 1]) {
  test(`uint32 ${String(value)}`, (t) => {
    t.is(
      written((writer) => writer.uint32(value)),
      varint(value).toString('hex'),
    );
  });
}

for (const value of [0, 1, 2 ** 31 - 1, -1, -(2 ** 31)]) {
  test(`int32 ${String(value)}`, (t) => {
    t.is(
      written((writer) => writer.int32(value)),
      varint(value).toString('hex'),
    );
  });
}

for (const value of [0n, 127n, 2n ** 32n, 2n ** 35n - 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n, -1n]) {
  test(`varint64 ${String(value)}`, (t) => {
    t.is(
      written((writer) => writer.varint64(bigintToInt64(value))),
      varint(value).toString('hex'),
    );
    t.is(int64ToBigint(bigintToInt64(value)), BigInt.asUintN(64, value));
  });
}

for (const text of ['', 'a'.repeat(39), 'a'.repeat(41), `${'a'.repeat(38)}é`, '\u{1f600}'.repeat(20)]) {
  test(`a string of ${String(text.length)} UTF-16 units: ${text.slice(-3)}`, (t) => {
    const bytes = Buffer.from(text);
    const expected = Buffer.concat([varint(bytes.length), bytes]);
    t.is(
      written((writer) => writer.string(text)),
      expected.toString('hex'),
    );
  });
}

test('grows beyond its initial size', (t) => {
  const parts = Array.from({ length: 2000 }, (_, index) => Buffer.alloc(index % 50, index));
  const bytes = written((writer) => {
    for (const part of parts) writer.raw(part);
  });
  t.is(bytes, Buffer.concat(parts.toReversed()).toString('hex'));
});

test('takes linear time for nested messages', (t) => {
  const writer = new WireWriter();
  writer.bytes(Buffer.alloc(10_000_000));
  const time = cpuTimeOf(() => {
    for (let depth = 0; depth < 10_000; depth++) writer.delimit(0, 0x12);
  });
  // protobufjs's writer takes 8 seconds for this: it moves ten megabytes at each level.
  t.true(time < 1000, `${time} ms`);
  t.true(writer.length > 10_040_000);
});
