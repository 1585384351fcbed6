// Hostile map keys are preserved, are sorted by their UTF-8 bytes, and do not change objects of the program.

import test from 'ava';
import { decode, encode, TranslateError } from '../../proto/index.js';
import { canonical } from '../helpers/messages/canonical.js';
import { HOSTILE_KEYS } from '../helpers/messages/keys.js';
import { LENGTH_DELIMITED, tagged } from '../helpers/messages/wire.js';

/** Map fields: message, field, number, and the JSON of an empty value. */
const MAPS = [
  ['common.Capabilities', 'capabilities', 1, '{}'],
  ['protos.ACLs', 'acls', 1, '{"policy_ref":""}'],
  ['protos.ChaincodeInput', 'decorations', 2, '""'],
  ['common.ConfigUpdate', 'isolated_data', 5, '""'],
  ['common.ConfigGroup', 'policies', 4, '{"mod_policy":"","policy":null,"version":"0"}'],
] as const;

/** A map field with an empty value under each key. */
const writeMap = (number: number, keys: readonly string[]): Buffer =>
  Buffer.concat(
    keys.map((key) => {
      const keyField = tagged(1, LENGTH_DELIMITED, Buffer.from(key));
      return tagged(number, LENGTH_DELIMITED, Buffer.concat([keyField, Buffer.from([0x12, 0x00])]));
    }),
  );

/** The map keys in the order of the text. JSON.parse would move keys that look like numbers to the front. */
const keysOf = (json: string): string[] =>
  [...json.matchAll(/^\t\t("(?:[^"\\]|\\.)*"):/gm)].map(([, key]) => JSON.parse(key ?? '') as string);

/** Bytes as text: ava takes long to compare arrays of many bytes. */
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A key in a test title. */
const title = (key: string): string =>
  key.length > 100
    ? `of ${key.length} characters`
    : JSON.stringify(key).replace(/[^\x20-\x7e]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);

for (const [type, field, number, empty] of MAPS) {
  for (const key of HOSTILE_KEYS) {
    test(`${type}: the key ${title(key)} of ${field} is preserved`, (t) => {
      const bytes = writeMap(number, [key]);
      const json = decode(type, bytes);
      t.deepEqual(keysOf(json), [key]);
      t.is(hex(encode(type, json)), hex(bytes));
      t.is(hex(encode(type, `{"${field}":{${JSON.stringify(key)}:${empty}}}`)), hex(bytes));
    });
  }

  test(`${type}: the keys of ${field} are sorted by their bytes, in JSON and in bytes`, (t) => {
    const bytes = writeMap(number, HOSTILE_KEYS.toReversed());
    const sorted = HOSTILE_KEYS.map((key) => Buffer.from(key))
      .toSorted((a, b) => Buffer.compare(a, b))
      .map(String);
    t.deepEqual(keysOf(decode(type, bytes)), sorted);
    const entries = HOSTILE_KEYS.map((key) => `${JSON.stringify(key)}:${empty}`).join(',');
    t.is(hex(encode(type, `{"${field}":{${entries}}}`)), hex(canonical(type, bytes)));
  });
}

for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
  test(`a field ${title(name)} is an unknown field`, (t) => {
    const error = t.throws(() => encode('common.BlockHeader', `{${JSON.stringify(name)}:{}}`), {
      instanceOf: TranslateError,
    });
    t.is(error?.message, `*common.BlockHeader: proto: unknown field "${name}" in common.BlockHeader`);
    t.is(error?.code, 'BAD_FIELD');
  });

  test(`${title(name)} is an unknown message`, (t) => {
    for (const translate of [() => decode(name, Buffer.alloc(0)), () => encode(name, '{}')]) {
      const error = t.throws(translate, { instanceOf: TranslateError });
      t.is(error?.code, 'UNKNOWN_TYPE');
      t.regex(error?.message ?? '', /^proto: not found/);
    }
  });
}
