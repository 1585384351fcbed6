// Map keys and strings that programs often handle incorrectly.

import * as fc from 'fast-check';

/** Property names of JavaScript objects, keys that look like numbers, empty and very long keys, and keys that sort differently in UTF-16. */
export const HOSTILE_KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '9',
  '10',
  '01',
  '-1',
  '4294967295',
  '\u{1f600}',
  '\uff5e',
  '\ufeff',
  '\u2028',
  'e\u0301',
  '\u00e9',
  'a\u0000b',
  '"\\/<>&',
  'x'.repeat(64 * 1024),
];

/** Any code point that is not half of a surrogate pair. The unit `binary` of fast-check builds a table of all of them, which takes seconds. */
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

/** Strings of any code points. */
export const anyString = (maxLength?: number): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, ...(maxLength !== undefined && { maxLength }) });

/** Random strings and hostile keys, without the longest. */
export const text: fc.Arbitrary<string> = fc.oneof(
  anyString(12),
  fc.constantFrom(...HOSTILE_KEYS.filter(({ length }) => length < 100)),
);
