// Random messages and documents: only TranslateErrors are thrown, and decoded messages can be encoded.

import test from 'ava';
import * as fc from 'fast-check';
import { decode, encode, messageNames, TranslateError } from '../../proto/index.js';
import { bytesField, numberField } from '../helpers/codec.js';

const RUNS = { numRuns: 600 };
const names = messageNames().filter((name) => !/^google\.protobuf\.(?:Timestamp|Duration)$/.test(name));
const anyName = fc.constantFrom(
  ...names,
  'common.Block',
  'common.Envelope',
  'common.Config',
  'common.ConfigUpdate',
);

/** Nested fields with low numbers. Most are valid in the message types they are decoded as. */
const { fields } = fc.letrec<{ fields: Buffer; field: Buffer }>((tie) => ({
  fields: fc.array(tie('field'), { maxLength: 4 }).map((list) => Buffer.concat(list)),
  field: fc.oneof(
    { depthSize: 'large', withCrossShrink: true },
    fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
      .map(([n, value]) => numberField(n, value)),
    fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -1, max: 5 }))
      .map(([n, value]) => numberField(n, value)),
    fc
      .tuple(
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('MSP', 'Application', 'etcdraft', '', '__proto__'),
      )
      .map(([n, text]) => bytesField(n, text)),
    fc.tuple(fc.integer({ min: 1, max: 9 }), tie('fields')).map(([n, inner]) => bytesField(n, inner)),
    fc.tuple(fc.integer({ min: 1, max: 9 }), tie('fields')).map(([n, inner]) => bytesField(n, inner)),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
  ),
}));

/** The result of an operation; undefined for a TranslateError. */
function resultOf<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}

test('bytes are decoded or rejected; the text is encoded and decodes to the same text again', (t) => {
  let decoded = 0;
  const property = fc.property(anyName, fields, (name, data) => {
    const first = resultOf(() => decode(name, data));
    if (first === undefined) return;
    decoded++;
    const bytes = encode(name, first);
    // The first time, bytes with nothing but unknown fields become empty.
    const text = decode(name, bytes);
    t.deepEqual(encode(name, text), bytes);
    t.is(decode(name, encode(name, text)), text);
  });
  fc.assert(property, RUNS);
  t.true(decoded > RUNS.numRuns / 4);
});

/** Valid and invalid JSON values of fields. */
const { json } = fc.letrec<{ json: string; object: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom('null', 'true', '""', '"YQ=="', '"YQ"', '"PEER"', '"1970-01-01T00:00:00Z"', '"\\ud800"'),
    fc.constantFrom(
      '0',
      '-0',
      '5',
      '5.0',
      '1e2',
      '50e-1',
      '1.5',
      '4294967296',
      '4294967297',
      '9007199254740993',
      '1e19',
      '-1',
      '"-1"',
      '4.99999999999999999',
      '1e-400',
    ),
    fc.array(tie('json'), { maxLength: 3 }).map((list) => `[${list.join()}]`),
    tie('object'),
    tie('object'),
  ),
  object: fc
    .array(
      fc.tuple(
        fc.constantFrom(
          'type',
          'value',
          'data',
          'header',
          'channel_header',
          'channelHeader',
          'payload',
          'n_out_of',
          'signed_by',
          'rules',
          'groups',
          'values',
          'version',
          'Application',
          'MSP',
          '__proto__',
          'a',
          '5',
        ),
        tie('json'),
      ),
      { maxLength: 4 },
    )
    .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`),
}));

/** The bytes in hexadecimal digits, or code, path and text of the error. */
function outcome(name: string, text: string): string {
  try {
    return Buffer.from(encode(name, text)).toString('hex');
  } catch (error) {
    if (error instanceof TranslateError) return `${error.code} ${error.path} ${error.message}`;
    throw error;
  }
}

test('a document has the same result with JSON.parse and with parseJson', (t) => {
  const property = fc.property(anyName, json, (name, text) => {
    // After JSON.parse, an error may show a number in another form.
    const withoutNumber = (result: string): string =>
      result.replace(/(invalid value .*?: |unexpected token )-?[\d.e+-]+/, '$1…');
    t.is(withoutNumber(outcome(name, text)), withoutNumber(outcome(name, `${text} x`)));
  });
  fc.assert(property, { numRuns: 2000 });
});
