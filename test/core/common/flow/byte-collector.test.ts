import { spy } from 'sinon';
import test from 'ava';
import { ByteCollector } from '../../../../core/common/flow/byte-collector.js';

const CASES: readonly (readonly [
  pieces: readonly string[],
  max: number,
  fit: readonly boolean[],
  kept: string,
])[] = [
  [[], 5, [], ''],
  [[''], 5, [true], ''],
  [['abc'], 5, [true], 'abc'],
  [['ab', '', 'cde'], 5, [true, true, true], 'abcde'],
  [['ab', 'cdef'], 5, [true, false], 'abcde'],
  [['abcdef'], 5, [false], 'abcde'],
  [['abcde', 'f', ''], 5, [true, false, true], 'abcde'],
  [['a'], 0, [false], ''],
];
for (const [pieces, max, fit, kept] of CASES)
  test(`of the pieces ${JSON.stringify(pieces)}, with at most ${max} bytes, ${JSON.stringify(kept)} is kept`, (t) => {
    const collector = new ByteCollector(max);
    t.deepEqual(
      pieces.map((piece) => collector.add(Buffer.from(piece))),
      fit,
    );
    t.is(collector.bytes().toString(), kept);
    t.is(collector.size, kept.length);
  });

for (const size of [1, 3, 1000, 4096, 70_000, 3_000_000])
  test(`pieces of ${size} bytes are joined in their order`, (t) => {
    const all = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, index) => index * 7));
    const collector = new ByteCollector(all.length);
    for (let at = 0; at < all.length; at += size) t.true(collector.add(all.subarray(at, at + size)));
    t.true(collector.bytes().equals(all));
  });

test('the bytes of a piece are copied: the reader may use its buffer again', (t) => {
  const collector = new ByteCollector(10);
  const buffer = Buffer.from('abc');
  collector.add(buffer);
  buffer.fill('x');
  t.is(collector.bytes().toString(), 'abc');
});

test('after clear the collector is empty and collects again', (t) => {
  const collector = new ByteCollector(10_000);
  collector.add(Buffer.alloc(9_000));
  collector.clear();
  t.is(collector.size, 0);
  t.true(collector.add(Buffer.from('ab')));
  t.is(collector.bytes().toString(), 'ab');
});

test.serial('12 MB in pieces of one byte take 20 blocks and at most 1 MiB more than their bytes', (t) => {
  const allocate = spy(Buffer, 'allocUnsafeSlow');
  t.teardown(() => allocate.restore());
  const collector = new ByteCollector(100_000_000);
  const piece = Buffer.from('a');
  for (let count = 0; count < 12_000_000; count += 1) collector.add(piece);
  const sizes = allocate.args.map(([size]) => size);
  t.is(sizes.length, 20);
  t.true(sizes.reduce((sum, size) => sum + size, 0) <= 12_000_000 + 1024 * 1024);
});
