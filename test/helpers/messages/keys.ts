// Keys of maps that break careless programs, and texts like them.

import * as fc from 'fast-check';

/** Names of JavaScript's own, keys that look like numbers, empty and very long ones, and others that UTF-16 sorts in another way. */
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

/** Texts in UTF-8; the hostile ones among them, but for the longest. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(...HOSTILE_KEYS.filter(({ length }) => length < 100)),
);
