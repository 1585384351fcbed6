// Unusual encodings of the wire format: which are accepted, and which are refused.

import test from 'ava';
import { computeUpdate } from '../../../translator/update/index.js';
import { fails, MALFORMED, NO_DIFFERENCES, NOT_UTF8 } from '../../helpers/update-error.js';
import { bytesOf, delimited, mapEntry } from '../../helpers/wire.js';

const OTHER = bytesOf('12032a015a');

const root = (...parts: readonly (string | Uint8Array)[]): Buffer => delimited(2, ...parts);
const value = (...parts: readonly (string | Uint8Array)[]): Buffer => root(mapEntry(3, 'a', ...parts));
const policy = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  root(mapEntry(4, 'a', delimited(2, ...parts)));

const EQUAL: readonly (readonly [what: string, unusual: Buffer, usual: Buffer])[] = [
  ['a channel group in two parts is merged', bytesOf('12032a014112020803'), root('08032a0141')],
  [
    'the parts of a channel group are merged by name, and the last element of a name is used',
    bytesOf(value('120141'), root(mapEntry(3, 'a', '0805'), mapEntry(3, 'b'))),
    root(mapEntry(3, 'a', '0805'), mapEntry(3, 'b')),
  ],
  [
    'of two groups with the same name, the last one is used',
    root(mapEntry(2, 'G', '2a0141'), mapEntry(2, 'G', '0801')),
    root(mapEntry(2, 'G', '0801')),
  ],
  [
    'an entry without a key has the empty name',
    root(delimited(3, '12020801')),
    root(mapEntry(3, '', '0801')),
  ],
  ['an entry without a value is an empty element', root(delimited(3, '0a0161')), value()],
  ['an empty entry is an empty element with the empty name', root('1a00'), root(mapEntry(3, ''))],
  ['an entry with two keys has the last key', root(delimited(3, '0a01620a01611200')), value()],
  [
    'the values of an entry with two values are merged',
    root(delimited(3, '1203120141', '0a0161', '12020803')),
    value('0803120141'),
  ],
  ['an entry may have its value before its key', root(delimited(3, '12020803', '0a0161')), value('0803')],
  [
    'the values of a group entry with two values are merged',
    root(delimited(2, '12020803', '12032a0141', '0a0161')),
    root(mapEntry(2, 'a', '08032a0141')),
  ],
  [
    'unknown fields of an entry are dropped',
    root(delimited(3, '0a0161', '1200', '1a0178', '0801', '1001')),
    value(),
  ],
  ['the last version is used', root('08010802'), root('0802')],
  ['the last mod_policy of a group is used', root('2a01412a0142'), root('2a0142')],
  ['the last content of a value is used', value('120141120142'), value('120142')],
  ['a known number with another wire type is unknown in a config', bytesOf('1001', root()), root()],
  [
    'a known number with another wire type is unknown in a group',
    root('0a0141', '1001', '1801', '2001', '2801'),
    root(),
  ],
  ['a known number with another wire type is unknown in a value', value('0a0141', '1001', '1801'), value()],
  [
    'a known number with another wire type is unknown in the entry of a policy',
    root(mapEntry(4, 'a', '0a0141', '1001', '1801')),
    root(mapEntry(4, 'a')),
  ],
  [
    'unknown fields of all wire types are dropped',
    root('3007', '390102030405060708', '3a03616263', '3d01020304', '0801'),
    root('0801'),
  ],
  [
    'unknown groups are dropped with their content',
    root('33', '3b3c', '0801', '120141', '0d01020304', '34', '0801'),
    root('0801'),
  ],
  ['the sequence is dropped', bytesOf('0803', root('0801'), '0805'), root('0801')],
  ['an overlong tag', root('aa80808080808080800001', '41'), root('2a0141')],
  ['an overlong length', bytesOf('1283808080808080808000', '2a0141'), root('2a0141')],
  ['an overlong version', root('0885808080808080808000'), root('0805')],
  [
    'a version of 64 bits',
    root('08ffffffffffffffffff01'),
    root('0880808080808080808001', '08ffffffffffffffffff01'),
  ],
  ['a policy in two parts is merged', root(mapEntry(4, 'a', '12020801', '1203120141')), policy('0801120141')],
  ['the type of a policy has 32 bits', policy('088180808010'), policy('0801')],
  ['a negative type of a policy may be short', policy('08ffffffff0f'), policy('08ffffffffffffffffff01')],
  ['a policy with only default values equals an empty policy', policy('08001200'), policy()],
  ['reordered unknown fields of a policy', policy('1801', '2001'), policy('2001', '1801')],
  ['unknown fields of a policy before known ones', policy('1801', '0801'), policy('0801', '1801')],
  ['an overlong tag of an unknown field of a policy', policy('988000', '01'), policy('1801')],
];

for (const [what, unusual, usual] of EQUAL) {
  test(`${what}: ${unusual.toString('hex')} equals ${usual.toString('hex')}`, (t) => {
    t.deepEqual(computeUpdate(unusual, OTHER, 'c'), computeUpdate(usual, OTHER, 'c'));
    fails(t, unusual, usual, NO_DIFFERENCES);
    fails(t, usual, unusual, NO_DIFFERENCES);
  });
}

const DIFFERENT: readonly (readonly [what: string, left: Buffer, right: Buffer])[] = [
  ['unknown fields of a policy are compared', policy('0801'), policy('0801', '1801')],
  [
    'unknown fields of a policy with one number keep their order',
    policy('1801', '1802'),
    policy('1802', '1801'),
  ],
  ['unknown fields of a policy differ by number', policy('1801'), policy('2001')],
  [
    'unknown fields of a policy differ by wire type',
    policy('188080808080808000'),
    policy('198080808080808000'),
  ],
  ['unknown fields of a policy differ by their bytes', policy('1801'), policy('188100')],
  ['a known number with another wire type is an unknown field of a policy', policy('0a0141'), policy()],
  ['a missing policy differs from an empty one', root(mapEntry(4, 'a')), policy()],
  ['a byte order mark is part of a name', root(mapEntry(3, '\ufeffa')), root(mapEntry(3, 'a'))],
  ['a byte order mark is part of a mod_policy', root('2a04efbbbf41'), root('2a0141')],
];

for (const [what, left, right] of DIFFERENT) {
  test(`${what}: ${left.toString('hex')} differs from ${right.toString('hex')}`, (t) => {
    t.true(computeUpdate(left, right, 'c').length > 0);
    t.true(computeUpdate(right, left, 'c').length > 0);
  });
}

const policyEntry = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  mapEntry(4, 'a', delimited(2, ...parts));

const KEPT: readonly (readonly [what: string, added: Buffer, kept: Buffer])[] = [
  [
    'known fields of a policy are first, unknown ones keep their order',
    policyEntry('2001', '1801', '120141', '0803'),
    policyEntry('0803120141', '2001', '1801'),
  ],
  [
    'groups in a policy are unchanged',
    policyEntry('1b', '088100', '1c', '0803'),
    policyEntry('0803', '1b', '088100', '1c'),
  ],
  ['only the tag of an unknown field is normalised', policyEntry('988000', '8100'), policyEntry('188100')],
  ['a negative type has ten bytes', policyEntry('08ffffffff0f'), policyEntry('08ffffffffffffffffff01')],
  ['the content of a value is copied', mapEntry(3, 'a', '1204ff00ff00'), mapEntry(3, 'a', '1204ff00ff00')],
];

for (const [what, added, kept] of KEPT) {
  test(`${what}: ${added.toString('hex')} is written as ${kept.toString('hex')}`, (t) => {
    t.is(
      Buffer.from(computeUpdate(root(), root(added), 'c')).toString('hex'),
      bytesOf('0a0163', '1200', delimited(3, '0801', kept)).toString('hex'),
    );
  });
}

const REFUSED: readonly (readonly [what: string, bytes: Buffer, message: string])[] = [
  ['field number 0', bytesOf('00'), MALFORMED],
  ['field number 0 in a group', root('0000'), MALFORMED],
  ['field number 0 in an unknown group', root('33000134'), MALFORMED],
  ['a field number above 2^29 - 1', root('8080808010', '00'), MALFORMED],
  ['a field number above 2^31 - 1 in an unknown group', root('33', '8080808040', '00', '34'), MALFORMED],
  ['wire type 6', root('36'), MALFORMED],
  ['wire type 7', root('37'), MALFORMED],
  ['the end of a group without its start', root('34'), MALFORMED],
  ['the end of another group', root('333c'), MALFORMED],
  ['a group without an end', root('330801'), MALFORMED],
  ['a group that ends after its message', bytesOf(root('33'), '34'), MALFORMED],
  ['a truncated tag', root('aa'), MALFORMED],
  ['a truncated length', bytesOf('1280'), MALFORMED],
  ['a length beyond the end', bytesOf('120108'), MALFORMED],
  ['a length of 2^64 - 1', bytesOf('12ffffffffffffffffff01'), MALFORMED],
  ['a length beyond the end of the parent message', bytesOf(root('2a0341'), '4242'), MALFORMED],
  ['a string beyond the end of the parent message, UTF-8 or not', bytesOf(root('2a0341'), 'ffff'), MALFORMED],
  ['a truncated version', root('0880'), MALFORMED],
  ['a version of 65 bits', root('0880808080808080808002'), MALFORMED],
  ['a version of eleven bytes', root('088080808080808080808000'), MALFORMED],
  ['a truncated 32-bit value', root('3d010203'), MALFORMED],
  ['a truncated 64-bit value', root('3901020304050607'), MALFORMED],
  ['a policy that is not a message', policy('07'), MALFORMED],
  ['an entry that is not a message', root(delimited(3, '07')), MALFORMED],
  ['a name that is not UTF-8', root(delimited(3, '0a01ff')), NOT_UTF8],
  ['a name of a group that is not UTF-8', root(delimited(2, '0a01ff')), NOT_UTF8],
  ['a mod_policy of a group that is not UTF-8', root('2a02c328'), NOT_UTF8],
  ['a mod_policy of a value that is not UTF-8', value('1a0180'), NOT_UTF8],
  ['a mod_policy of a policy that is not UTF-8', root(mapEntry(4, 'a', '1a0180')), NOT_UTF8],
  ['overlong UTF-8', root('2a02c080'), NOT_UTF8],
  ['an encoded surrogate', root('2a03eda080'), NOT_UTF8],
  ['a character above U+10FFFF', root('2a04f4908080'), NOT_UTF8],
  ['a truncated character', root('2a02e282'), NOT_UTF8],
  ['an invalid string before malformed bytes', root('2a01ff', '07'), NOT_UTF8],
  ['malformed bytes before an invalid string', root('07', '2a01ff'), MALFORMED],
  ['an invalid name that is replaced later', root(delimited(3, '0a01ff', '0a0161')), NOT_UTF8],
];

for (const [what, bytes, message] of REFUSED) {
  test(`${what} is refused with “${message}”: ${bytes.toString('hex')}`, (t) => {
    fails(t, bytes, OTHER, ['BAD_BYTES', 'original', message]);
    fails(t, OTHER, bytes, ['BAD_BYTES', 'updated', message]);
  });
}

test('a config truncated at any byte is refused', (t) => {
  const whole = root(
    '0805',
    mapEntry(2, 'G', '2a0141'),
    mapEntry(3, 'a', '120141'),
    mapEntry(4, 'p', '12020801'),
  );
  for (let length = 1; length < whole.length; length += 1)
    fails(t, whole.subarray(0, length), OTHER, ['BAD_BYTES', 'original', MALFORMED]);
});

test('the input is not modified, and the update does not share memory with it', (t) => {
  const [original, updated] = [value('120141'), value('120142')];
  const copies = [Buffer.from(original), Buffer.from(updated)];
  const update = computeUpdate(original, updated, 'c');
  t.deepEqual([original, updated], copies);
  const before = Buffer.from(update);
  updated.fill(0);
  t.deepEqual(Buffer.from(update), before);
  t.is(update.byteLength, update.buffer.byteLength);
});
