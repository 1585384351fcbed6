// Times, numbers and points in certificates, which MSPs of Fabric 3.0.0 and 3.1.5 read or refuse in the same way.

import test from 'ava';
import { GENERALIZED_TIME, UTC_TIME } from '../../../core/common/certificates/der.js';
import { integerOf, rfc3339, timeOf } from '../../../translator/msp/der.js';
import { CURVES, pointFault } from '../../../translator/msp/ecdsa.js';

const NO_TIME = undefined;
const IA5_STRING = 0x16;

const TIMES: readonly (readonly [tag: number, text: string, time: string | undefined])[] = [
  [UTC_TIME, '260101000000Z', '2026-01-01T00:00:00Z'],
  [UTC_TIME, '2601020304Z', '2026-01-02T03:04:00Z'],
  [UTC_TIME, '490101000000Z', '2049-01-01T00:00:00Z'],
  [UTC_TIME, '500101000000Z', '1950-01-01T00:00:00Z'],
  [UTC_TIME, '260101000000+0100', '2025-12-31T23:00:00Z'],
  [UTC_TIME, '260101000000-0130', '2026-01-01T01:30:00Z'],
  [UTC_TIME, '2601010000+0100', '2025-12-31T23:00:00Z'],
  [UTC_TIME, '260101000000+0059', '2025-12-31T23:01:00Z'],
  [UTC_TIME, '260101000000+0000', NO_TIME],
  [UTC_TIME, '260101000000+0160', NO_TIME],
  [UTC_TIME, '260101000000+0101', '2025-12-31T22:59:00Z'],
  [UTC_TIME, '260101000000+0159', '2025-12-31T22:01:00Z'],
  [UTC_TIME, '260101000000+2400', '2025-12-31T00:00:00Z'],
  [UTC_TIME, '260101000000+2500', NO_TIME],
  [UTC_TIME, '260101000000', NO_TIME],
  [UTC_TIME, '260101235959Z', '2026-01-01T23:59:59Z'],
  [UTC_TIME, '260101000060Z', NO_TIME],
  [UTC_TIME, '260101006000Z', NO_TIME],
  [UTC_TIME, '260101240000Z', NO_TIME],
  [UTC_TIME, '260230000000Z', NO_TIME],
  [UTC_TIME, '280229000000Z', '2028-02-29T00:00:00Z'],
  [UTC_TIME, '260100000000Z', NO_TIME],
  [UTC_TIME, '261301000000Z', NO_TIME],
  [GENERALIZED_TIME, '20260101000000Z', '2026-01-01T00:00:00Z'],
  [GENERALIZED_TIME, '20260101000000+0100', '2025-12-31T23:00:00Z'],
  [GENERALIZED_TIME, '20260101000000.5Z', NO_TIME],
  [GENERALIZED_TIME, '202601010000Z', NO_TIME],
  [IA5_STRING, '260101000000Z', NO_TIME],
];
for (const [tag, text, expected] of TIMES)
  test(`an element with the tag ${tag} and the text ${text} is ${expected ?? 'no time'}`, (t) => {
    const time = timeOf({ tag, content: Buffer.from(text), raw: Buffer.of() });
    t.is(time && rfc3339(time), expected);
  });

test('a time that does not exist is written as a text, and fractions of a second are left out', (t) => {
  t.is(rfc3339(new Date(Number.NaN)), 'invalid time');
  t.is(rfc3339(new Date('2026-01-02T03:04:05.999Z')), '2026-01-02T03:04:05Z');
});

for (const [digits, number] of [
  ['', undefined],
  ['00', 0n],
  ['01', 1n],
  ['7f', 127n],
  ['80', -128n],
  ['ff', -1n],
  ['0080', 128n],
  ['00ff', 255n],
  ['ff7f', -129n],
  // Not the shortest form.
  ['0001', undefined],
  ['007f', undefined],
  ['ff80', undefined],
] as const)
  test(`an INTEGER with the bytes ${digits === '' ? 'of none' : digits} is ${number ?? 'refused'}`, (t) => {
    t.is(integerOf(Buffer.from(digits, 'hex')), number);
  });

const named = (name: string): (typeof CURVES)[number] => CURVES.find((each) => each.name === name)!;
const bytesOf = (number: bigint, size: number): Buffer =>
  Buffer.from(number.toString(16).padStart(2 * size, '0'), 'hex');

for (const [name, element] of [
  ['P-256', 'invalid P256 element encoding'],
  ['P-384', 'invalid P384Element encoding'],
  ['P-224', 'invalid P224Element encoding'],
] as const)
  test(`points of ${name} are checked: their form, size and coordinates, and that they are on the curve`, (t) => {
    const curve = named(name);
    const { size, prime } = curve;
    const short = name.replace('-', '');
    const zero = Buffer.alloc(size);
    const point = (first: number, ...parts: readonly Buffer[]): Buffer =>
      Buffer.concat([Buffer.of(first), ...parts]);
    t.is(pointFault(point(2, zero), curve), 'ecdsa: invalid uncompressed public key');
    t.is(pointFault(point(4, zero), curve), `invalid ${short} point encoding`);
    t.is(pointFault(point(4, zero, zero, Buffer.of(0)), curve), `invalid ${short} point encoding`);
    t.is(pointFault(point(4, zero, zero), curve), `${short} point not on curve`);
    t.is(pointFault(point(4, bytesOf(prime - 1n, size), zero), curve), `${short} point not on curve`);
    t.is(pointFault(point(4, bytesOf(prime, size), zero), curve), element);
    t.is(pointFault(point(4, zero, bytesOf(prime, size)), curve), element);
  });
