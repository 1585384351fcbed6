// ECDSA signatures that Go's encoding/asn1 reads or refuses, with its texts: Fabric prints them for a signature that is not valid.

import test from 'ava';
import { readEcdsaSignature } from '../../../translator/msp/ecdsa.js';

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');

const TOO_LARGE = 'structure error: base 128 integer too large';
const TRUNCATED = 'syntax error: truncated tag or length';
const PARAMETERS =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';
const noSequence = (header: string, at: number): string =>
  `structure error: tags don't match (16 vs {${header}}) ${PARAMETERS} ECDSASignature @${at}`;
const noInteger = (header: string, at: number): string =>
  `structure error: tags don't match (2 vs {${header}}) ${PARAMETERS}  @${at}`;

/** The fault after `asn1: `. */
const FAULTS: readonly (readonly [bytes: string, fault: string])[] = [
  ['', 'syntax error: sequence truncated'],
  ['30', TRUNCATED],
  ['30 05 00', 'syntax error: data truncated'],
  ['10 00', noSequence('class:0 tag:16 length:0 isCompound:false', 2)],
  ['31 00', noSequence('class:0 tag:17 length:0 isCompound:true', 2)],
  ['70 03', noSequence('class:1 tag:16 length:3 isCompound:true', 2)],
  ['b0 00', noSequence('class:2 tag:16 length:0 isCompound:true', 2)],
  // Lengths.
  ['30 80', 'syntax error: indefinite length found (not DER)'],
  ['30 81', TRUNCATED],
  ['30 82 01', TRUNCATED],
  ['30 81 7f', 'structure error: non-minimal length'],
  ['30 81 80', 'syntax error: data truncated'],
  ['31 81 80', noSequence('class:0 tag:17 length:128 isCompound:true', 3)],
  ['31 82 01 02', noSequence('class:0 tag:17 length:258 isCompound:true', 4)],
  ['30 82 00 ff', 'structure error: superfluous leading zeros in length'],
  ['31 84 7f ff ff 01', noSequence('class:0 tag:17 length:2147483393 isCompound:true', 6)],
  ['30 84 80 00 00 00', 'structure error: length too large'],
  ['30 84 80 00 00', TRUNCATED],
  // Tags of several bytes.
  ['3f', 'syntax error: truncated base 128 integer'],
  ['3f 80 1f 00', 'syntax error: integer is not minimally encoded'],
  ['3f 81 80 00 00', noSequence('class:0 tag:16384 length:0 isCompound:true', 5)],
  ['3f 1e 00', 'syntax error: non-minimal tag'],
  ['3f 1f 00', noSequence('class:0 tag:31 length:0 isCompound:true', 3)],
  ['3f 1f', TRUNCATED],
  ['3f 87 ff ff ff 7f 00', noSequence('class:0 tag:2147483647 length:0 isCompound:true', 7)],
  ['3f 88 80 80 80 00 00', TOO_LARGE],
  ['3f 81 81 81 81 81 01', TOO_LARGE],
  ['3f 81 81 81 81 81', 'syntax error: truncated base 128 integer'],
  // The integers.
  ['30 00', 'syntax error: sequence truncated'],
  ['30 03 02 01 01', 'syntax error: sequence truncated'],
  ['30 03 02 02 01', 'syntax error: data truncated'],
  ['30 05 02 00 02 01 01', 'structure error: empty integer'],
  ['30 07 02 02 00 01 02 01 01', 'structure error: integer not minimally-encoded'],
  ['30 06 22 01 01 02 01 01', noInteger('class:0 tag:2 length:1 isCompound:true', 2)],
  ['30 06 02 01 01 04 01 01', noInteger('class:0 tag:4 length:1 isCompound:false', 5)],
  ['30 06 02 01 01 82 01 01', noInteger('class:2 tag:2 length:1 isCompound:false', 5)],
];
for (const [bytes, fault] of FAULTS)
  test(`the bytes [${bytes}] are not a signature: ${fault}`, (t) => {
    t.is(readEcdsaSignature(hex(bytes)), `failed unmashalling signature [asn1: ${fault}]`);
  });

for (const [bytes, fault] of [
  ['30 06 02 01 00 02 01 00', 'invalid signature, R must be larger than zero'],
  ['30 06 02 01 ff 02 01 01', 'invalid signature, R must be larger than zero'],
  ['30 06 02 01 01 02 01 00', 'invalid signature, S must be larger than zero'],
  ['30 06 02 01 01 02 01 80', 'invalid signature, S must be larger than zero'],
] as const)
  test(`the bytes [${bytes}] are not a signature: ${fault}`, (t) => {
    t.is(readEcdsaSignature(hex(bytes)), fault);
  });

for (const [what, bytes] of [
  ['two integers', '30 07 02 02 00 80 02 01 01'],
  ['a length of two bytes', `30 81 80 02 02 00 80 02 01 01 ${'00'.repeat(121)}`],
  ['a third integer', '30 0a 02 02 00 80 02 01 01 02 01 05'],
  ['a byte after the sequence', '30 07 02 02 00 80 02 01 01 00'],
] as const)
  test(`a signature with ${what} is read`, (t) => {
    t.deepEqual(readEcdsaSignature(hex(bytes)), { r: 128n, s: 1n });
  });
