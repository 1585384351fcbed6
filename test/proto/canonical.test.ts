// Messages with one meaning only.

import test from 'ava';
import { canonicalFault } from '../../proto/typed.js';
import { CommonConfigUpdate, CommonSignaturePolicyEnvelope } from '../../proto/messages.js';

const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex');

const CASES: readonly (readonly [what: string, hex: string, fault: string | undefined])[] = [
  ['nothing', '', undefined],
  ['a name', '0a 01 41', undefined],
  ['reordered fields', '1a 00 0a 01 41', undefined],
  ['a zero value', '0a 00', undefined],
  ['an unknown field', '0a 01 41 9a 06 00', 'common.ConfigUpdate has an unknown field 99'],
  ['a field with another wire type', '08 01', 'common.ConfigUpdate has an unknown field 1'],
  ['a field twice', '0a 01 41 0a 01 42', 'common.ConfigUpdate has the field channel_id more than once'],
  ['a long tag', '8a 00 01 41', 'common.ConfigUpdate has a number that is longer than necessary'],
  ['a long length', '0a 81 00 41', 'common.ConfigUpdate has a number that is longer than necessary'],
  ['an unknown field in a group', '1a 02 78 01', 'common.ConfigGroup has an unknown field 15'],
  [
    'a name of a map twice',
    '1a 0c 12 04 0a 00 12 00 12 04 0a 00 12 00',
    'common.ConfigGroup has two entries of groups with one name',
  ],
  [
    'an entry with two names',
    '1a 0a 12 08 0a 01 41 0a 01 42 12 00',
    'an entry of groups in common.ConfigGroup has its key or value more than once',
  ],
  [
    'an entry with an unknown field',
    '1a 06 12 04 0a 00 18 01',
    'an entry of groups in common.ConfigGroup has an unknown field',
  ],
  ['a truncated length', '0a', 'proto: cannot parse invalid wire-format data'],
  ['a truncated field', '0a 05 41', 'proto: cannot parse invalid wire-format data'],
];

for (const [what, hex, fault] of CASES)
  test(`${what}, ${hex || 'no bytes'}: ${fault ?? 'no fault'}`, (t) => {
    t.is(canonicalFault(CommonConfigUpdate, bytes(hex)), fault);
  });

test('a rule of a signature policy with both of its forms has a fault', (t) => {
  t.is(
    canonicalFault(CommonSignaturePolicyEnvelope, bytes('12 04 08 00 12 00')),
    'common.SignaturePolicy has the field n_out_of more than once',
  );
});

/** A field with a length. */
function field(tag: number, content: Buffer): Buffer {
  const size: number[] = [];
  let rest = content.length;
  for (; rest > 127; rest >>>= 7) size.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([tag, ...size, rest]), content]);
}

for (const [levels, fault] of [
  [62, undefined],
  [63, 'proto: exceeded maximum recursion depth'],
] as const)
  test(`groups that are nested ${levels} levels deep: ${fault ?? 'no fault'}`, (t) => {
    let group: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < levels; depth++) group = field(0x12, field(0x12, group));
    t.is(canonicalFault(CommonConfigUpdate, field(0x1a, group)), fault);
  });
