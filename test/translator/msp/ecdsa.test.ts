// The DER of ECDSA signatures, and low s.

import test from 'ava';
import {
  CURVES,
  derBitString,
  derHeader,
  derInteger,
  halfOrder,
  isLowS,
  toLowS,
  toP1363,
} from '../../../translator/msp/ecdsa.js';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

for (const [length, header] of [
  [0, '3000'],
  [127, '307f'],
  [128, '308180'],
  [255, '3081ff'],
  [256, '30820100'],
  [65_535, '3082ffff'],
  [65_536, '3083010000'],
] as const)
  test(`the DER of a sequence with ${length} bytes begins with ${header}`, (t) => {
    t.is(hexOf(derHeader(0x30, length)), header);
  });

for (const [value, bytes] of [
  [0n, '020100'],
  [1n, '020101'],
  [127n, '02017f'],
  [128n, '02020080'],
  [255n, '020200ff'],
  [256n, '02020100'],
  [32_767n, '02027fff'],
  [32_768n, '0203008000'],
] as const)
  test(`the DER of the integer ${value} is ${bytes}`, (t) => {
    t.is(hexOf(derInteger(value)), bytes);
  });

test('the DER of a bit string has no unused bits', (t) => {
  t.is(hexOf(derBitString(Buffer.of(0x81, 0xff))), '03030081ff');
  t.is(hexOf(derBitString(Buffer.of())), '030100');
});

for (const curve of CURVES) {
  const { name, order, size } = curve;
  test(`an s of at most half of the order of ${name} is low, a higher one is replaced by the order minus s`, (t) => {
    const half = (order - 1n) / 2n;
    t.is(halfOrder(curve), half);
    for (const [s, low] of [
      [1n, 1n],
      [half, half],
      [half + 1n, half],
      [order - 1n, 1n],
    ] as const) {
      t.is(isLowS({ r: 5n, s }, curve), s === low);
      t.deepEqual(toLowS({ r: 5n, s }, curve), { r: 5n, s: low });
    }
  });

  test(`r and s of ${name} are below its order, with ${size} bytes each`, (t) => {
    const last = order - 1n;
    const digits = (value: bigint): string => value.toString(16).padStart(2 * size, '0');
    t.is(hexOf(toP1363({ r: last, s: 1n }, curve)!), digits(last) + digits(1n));
    t.is(hexOf(toP1363({ r: 1n, s: last }, curve)!), digits(1n) + digits(last));
    t.is(toP1363({ r: order, s: 1n }, curve), undefined);
    t.is(toP1363({ r: 1n, s: order }, curve), undefined);
  });
}
