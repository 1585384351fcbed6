// DER: what is not in its one allowed form is refused, as by Go.

import test from 'ava';
import {
  bitStringOf,
  booleanOf,
  context,
  ElementReader,
  oidOf,
  readElements,
} from '../../../../core/common/certificates/der.js';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hexOf = (found: Uint8Array): string => Buffer.from(found).toString('hex');

for (const [what, hex, content] of [
  ['without content', '05 00', ''],
  ['of 127 bytes', `04 7f ${'61'.repeat(127)}`, '61'.repeat(127)],
  ['of 128 bytes', `04 81 80 ${'61'.repeat(128)}`, '61'.repeat(128)],
  ['of 256 bytes', `04 82 0100 ${'61'.repeat(256)}`, '61'.repeat(256)],
  ['of the tag 30', '1e 01 61', '61'],
  ['of a tag with more bytes', '1f 01 61', undefined],
  ['of a constructed tag with more bytes', 'bf 81 01 00', undefined],
  ['without a length', '04', undefined],
  ['of indefinite length', '30 80 00 00', undefined],
  ['that ends early', '04 02 61', undefined],
  ['whose length ends early', '04 82 01', undefined],
  ['with a length of one byte in the long form', `04 81 7f ${'61'.repeat(127)}`, undefined],
  ['with a length that begins with a zero', `04 82 0080 ${'61'.repeat(128)}`, undefined],
  ['with a length of five bytes', `04 85 0000000100 ${'61'.repeat(256)}`, undefined],
  ['of almost 4 GiB that has one byte', '04 84 ffffffff 61', undefined],
] as const)
  test(`an element ${what} is ${content === undefined ? 'not DER' : 'read'}`, (t) => {
    const given = bytes(hex);
    const found = new ElementReader(given).next();
    t.is(found && hexOf(found.content), content);
    t.is(found && hexOf(found.raw), content === undefined ? undefined : hexOf(given));
    if (content === undefined) t.throws(() => readElements(given), { message: 'an element is not DER' });
    else t.deepEqual(readElements(given), [found!]);
  });

test('elements are read one after the other, and what is not read is the rest', (t) => {
  const reader = new ElementReader(bytes('02 01 07 30 00 04'));
  t.deepEqual([reader.isEmpty, reader.nextTag], [false, 0x02]);
  t.is(reader.next()?.tag, 0x02);
  t.deepEqual([hexOf(reader.rest), reader.nextTag], ['300004', 0x30]);
  t.is(reader.next()?.tag, 0x30);
  t.is(reader.next(), undefined);
  // An element that is not DER stays unread.
  t.deepEqual([hexOf(reader.rest), reader.isEmpty], ['04', false]);
  const empty = new ElementReader(bytes(''));
  t.deepEqual([empty.isEmpty, empty.nextTag, empty.next()], [true, undefined, undefined]);
  t.deepEqual(readElements(bytes('')), []);
});

test('the tag of a context-specific element has the number, and a bit if it is constructed', (t) => {
  t.deepEqual([context(3, true), context(3, false), context(0, true)], [0xa3, 0x83, 0xa0]);
});

for (const [hex, value] of [
  ['00', false],
  ['ff', true],
  ['01', undefined],
  ['', undefined],
  ['ffff', undefined],
  ['0000', undefined],
] as const)
  test(`a BOOLEAN with the bytes '${hex}' is ${value ?? 'refused'}`, (t) => {
    t.is(booleanOf(bytes(hex)), value);
  });

for (const [hex, id] of [
  ['2a864886f70d01010b', '1.2.840.113549.1.1.11'],
  ['551d0e', '2.5.29.14'],
  ['27', '0.39'],
  ['28', '1.0'],
  ['4f', '1.39'],
  ['50', '2.0'],
  ['8837', '2.999'],
  // The largest component that Go reads.
  ['2a87ffffff7f', '1.2.2147483647'],
  ['2a8880808000', undefined],
  ['', undefined],
  // Unfinished, and with a byte more than necessary.
  ['2a86', undefined],
  ['2a8001', undefined],
  ['802a', undefined],
] as const)
  test(`an OBJECT IDENTIFIER with the bytes '${hex}' is ${id ?? 'refused'}`, (t) => {
    t.is(oidOf(bytes(hex)), id);
  });

for (const [hex, found] of [
  ['00', ['', 0]],
  ['00ff', ['ff', 0]],
  ['0780', ['80', 7]],
  ['0306', undefined],
  ['0308', ['08', 3]],
  ['0800', undefined],
  ['01', undefined],
  ['', undefined],
] as const)
  test(`a BIT STRING with the bytes '${hex}' has ${found === undefined ? 'no valid form' : `${found[1]} unused bits`}`, (t) => {
    const value = bitStringOf(bytes(hex));
    t.deepEqual(value && [hexOf(value.bytes), value.unused], found && [...found]);
  });
