import { Buffer as NodeBuffer } from 'node:buffer';
import test from 'ava';
import { Buffer } from '../../proto/browser-buffer.js';

const TEXTS = ['', 'a', 'ab', 'abc', 'Zürich', '€ 20', '😀', 'x'.repeat(20_000)];

const plain = (bytes: Uint8Array): readonly number[] => [...bytes];

for (const text of TEXTS.map((each) => [each, each.slice(0, 10)] as const)) {
  test(`the bytes of ${JSON.stringify(text[1])} are as in Node.js`, (t) => {
    t.deepEqual(plain(Buffer.from(text[0])), plain(NodeBuffer.from(text[0])));
    t.is(Buffer.byteLength(text[0]), NodeBuffer.byteLength(text[0]));
  });

  test(`base64 of ${JSON.stringify(text[1])} is as in Node.js, in both directions`, (t) => {
    const base64 = NodeBuffer.from(text[0]).toString('base64');
    t.is(Buffer.from(text[0]).toString('base64'), base64);
    t.deepEqual(plain(Buffer.from(base64, 'base64')), plain(NodeBuffer.from(text[0])));
  });
}

for (const text of ['YW', 'YWI', 'YW Jj', 'Y!Wﬀ', '-_-_', '+/+/', 'YQ==YQ==', 'Y', '====', 'YWJj\n'])
  test(`the base64 ${JSON.stringify(text)} is read as in Node.js`, (t) => {
    t.deepEqual(plain(Buffer.from(text, 'base64')), plain(NodeBuffer.from(text, 'base64')));
  });

test('UTF-16 becomes a text', (t) => {
  const units = Buffer.allocUnsafe(8);
  let end = units.writeUInt16LE(0x41, 0);
  end = units.writeUInt16LE(0xdcff, end);
  t.is(units.toString('utf16le', 0, end), 'A\udcff');
});

for (const [text, encoding] of [
  ['abc', 'latin1'],
  ['€', 'utf8'],
  ['YWJj', 'base64'],
  ['YW!j', 'base64'],
] as const)
  test(`${text} is written as ${encoding} as in Node.js`, (t) => {
    const [own, node] = [Buffer.allocUnsafe(6), NodeBuffer.alloc(6)];
    t.is(own.write(text, 1, 3, encoding), node.write(text, 1, 3, encoding));
    t.deepEqual(plain(own), plain(node));
  });

test('a view shares its bytes, a part of it is a Buffer, and a copy is not shared', (t) => {
  const bytes = Uint8Array.from([1, 2, 3, 4]);
  const view = Buffer.from(bytes.buffer, 1, 2);
  bytes[1] = 9;
  t.deepEqual(plain(view), [9, 3]);
  t.true(Buffer.isBuffer(view.subarray(1)));
  t.false(Buffer.isBuffer(bytes));
  const larger = Buffer.allocUnsafe(3).fill(0);
  view.copy(larger, 2, 1);
  t.deepEqual(plain(larger), [0, 0, 3]);
});
