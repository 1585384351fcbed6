import test from 'ava';
import { decodeToPieces } from '../../proto/to-json.js';
import { decode, encode, type Bounds } from '../../proto/index.js';
import { bytesField } from '../helpers/codec.js';

const ADDRESS = bytesField(1, '<'.repeat(200_000));

test('JSON over maxOutput is refused, also within one long string', (t) => {
  for (const run of [decode, decodeToPieces])
    t.throws(() => run('common.OrdererAddresses', ADDRESS, { maxOutput: 1_000_000 }), {
      code: 'TOO_LARGE',
      message: 'the JSON of this message has more than 1000000 bytes',
    });
});

test('pieces are the text of decode', (t) => {
  const text = Buffer.concat(decodeToPieces('common.OrdererAddresses', ADDRESS)).toString();
  t.is(text, decode('common.OrdererAddresses', ADDRESS));
  t.is(text, `{\n\t"addresses": [\n\t\t"${String.raw`\u003c`.repeat(200_000)}"\n\t]\n}\n`);
  const emoji = bytesField(1, `x${'😀'.repeat(100_000)}`);
  const expected = `{\n\t"addresses": [\n\t\t"x${'😀'.repeat(100_000)}"\n\t]\n}\n`;
  t.is(Buffer.concat(decodeToPieces('common.OrdererAddresses', emoji)).toString(), expected);
});

test('more values than one for each 128 bytes of maxOutput are refused', (t) => {
  const addresses = Buffer.concat(Array.from({ length: 11 }, () => bytesField(1, '')));
  const bounds = { maxOutput: 1280 };
  const error = { code: 'TOO_LARGE', message: 'more than 10 values' };
  t.throws(() => decode('common.OrdererAddresses', addresses, bounds), error);
  t.throws(() => encode('common.OrdererAddresses', `{"addresses":[${'"",'.repeat(10)}""]}`, bounds), {
    code: 'TOO_LARGE',
    message: 'error unmarshaling intermediate JSON: more than 10 values',
  });
});

test('a message that a map entry repeats counts as a value each time', (t) => {
  // common.ConfigGroup.values
  const entry = bytesField(3, Buffer.from('1200'.repeat(11), 'hex'));
  t.throws(() => decode('common.ConfigGroup', entry, { maxOutput: 1280 }), {
    code: 'TOO_LARGE',
    message: 'more than 10 values',
  });
});

const LARGE_OUTPUT = { maxOutput: 400_000_000 };

const SMALL_ELEMENTS: readonly (readonly [what: string, type: string, element: string])[] = [
  ['empty signatures', 'common.ConfigUpdateEnvelope', '1200'],
  ['signatures with empty headers', 'common.ConfigUpdateEnvelope', '12020a00'],
  ['empty envelopes', 'common.BlockData', '0a00'],
  ['envelopes with empty payloads', 'common.BlockData', '0a040a020a00'],
];

for (const [what, type, element] of SMALL_ELEMENTS)
  test(`a message of 600 KB has at most 118,750 values, and ${what} count`, (t) => {
    const bytes = Buffer.alloc(600_000, element, 'hex');
    const error = { code: 'TOO_LARGE', message: 'more than 118750 values' };
    t.throws(() => decode(type, bytes, LARGE_OUTPUT), error);
  });

test('a document of 600 KB has at most 137,500 values', (t) => {
  const head = '{"signatures":[{}';
  const text = `${head}${',{}'.repeat(199_994)}]}`;
  t.is(text.length, 600_001);
  t.throws(() => encode('common.ConfigUpdateEnvelope', text, LARGE_OUTPUT), {
    code: 'TOO_LARGE',
    message: 'error unmarshaling intermediate JSON: more than 137500 values',
  });
});

const ERRORS: readonly (readonly [what: string, text: string, error: { code: string; message: string }])[] = [
  [
    'too many values before an unknown field',
    `{"signatures":[{}${',{}'.repeat(199_994)}],"zzz":1}`,
    { code: 'TOO_LARGE', message: 'error unmarshaling intermediate JSON: more than 137500 values' },
  ],
  [
    'an unknown field in a document of few values',
    `{"zzz":"${'a'.repeat(600_000)}"}`,
    {
      code: 'BAD_FIELD',
      message: '*commonext.ConfigUpdateEnvelope: proto: unknown field "zzz" in common.ConfigUpdateEnvelope',
    },
  ],
  [
    'a document that ends early',
    `{"config_update":"${'a'.repeat(600_000)}`,
    { code: 'BAD_JSON', message: 'error unmarshaling intermediate JSON: unexpected EOF' },
  ],
];
for (const [what, text, error] of ERRORS)
  test(`the error of JSON of 600 KB with bounds: ${what}`, (t) => {
    t.throws(() => encode('common.ConfigUpdateEnvelope', text, LARGE_OUTPUT), error);
  });

test('JSON of 600 KB is encoded with bounds to the same bytes as without', (t) => {
  // 40,000 commas and brackets in a string are not values.
  const text = JSON.stringify({ addresses: ['a'.repeat(500_000), ',['.repeat(20_000), '1', ''] });
  const encoded = (document: string, bounds?: Bounds): Buffer =>
    Buffer.from(encode('common.OrdererAddresses', document, bounds));
  t.true(encoded(text, LARGE_OUTPUT).equals(encoded(text)));
  const commas = JSON.stringify({ addresses: [','.repeat(400_000)] });
  t.true(encoded(commas, LARGE_OUTPUT).equals(encoded(commas)));
});
