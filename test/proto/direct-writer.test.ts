// Documents are written directly or through a message; the result is the same.

import test from 'ava';
import { encode } from '../../proto/index.js';
import { bothWays, changedDocuments, directly, recordedDocuments } from '../helpers/encoded-twice.js';

const DOCUMENTS = 2000;
const SEED = 1;

const nestedPolicy = (depth: number): string =>
  '{"n_out_of":{"rules":['.repeat(depth) + '{"signed_by":1}' + ']}}'.repeat(depth);

/** Written directly: type, document, bytes in hexadecimal digits. */
const USUAL = [
  ['common.Config', '{}', ''],
  ['common.Config', '{"channel_group":null,"sequence":"0"}', ''],
  ['common.Config', '{"sequence":"3"}', '0803'],
  ['common.Config', '{"sequence":1000}', '08e807'],
  ['common.Config', '{"sequence":"18446744073709551615"}', '08ffffffffffffffffff01'],
  ['common.BlockHeader', '{"previous_hash":"","number":"1","data_hash":"YQ=="}', '08011a0161'],
  ['common.OrdererAddresses', '{"addresses":["a","","é"]}', '0a01610a000a02c3a9'],
  ['common.OrdererAddresses', `{"addresses":["${'é'.repeat(64)}"]}`, `0a8001${'c3a9'.repeat(64)}`],
  ['common.ChannelHeader', '{"type":-1}', '08ffffffffffffffffff01'],
  ['common.ChannelHeader', '{"timestamp":"1970-01-01T00:00:00Z"}', '1a00'],
  [
    'common.ChannelHeader',
    '{"timestamp":"1969-12-31T23:59:59.5Z"}',
    '1a1108ffffffffffffffffff011080cab5ee01',
  ],
  ['common.SignaturePolicy', '{"n_out_of":null,"signed_by":0}', '0800'],
  [
    'common.Capabilities',
    '{"capabilities":{"V2_0":{},"10":{},"9":{}}}',
    '0a060a02313012000a050a013912000a080a0456325f301200',
  ],
  [
    'common.Payload',
    '{"data":{"config":{"sequence":"1"}},"header":{"channel_header":{"type":1}}}',
    '0a040a02080112040a020801',
  ],
  ['common.Payload', '{"data":"YQ==","header":{"channel_header":{"type":9}}}', '0a040a020809120161'],
  ['common.Payload', '{"data":"YQ==","header":null}', '120161'],
  ['common.Payload', '{"data":{},"header":{"channel_header":null}}', '0a00'],
  ['common.BlockData', '{"data":[{},{}]}', '0a000a00'],
  [
    'common.Config',
    '{"channel_group":{"values":{"Unknown":{"value":"YQ=="}}}}',
    '12101a0e0a07556e6b6e6f776e1203120161',
  ],
] as const;

for (const [type, text, bytes] of USUAL) {
  test(`${type} ${text} is written directly`, (t) => {
    t.is(directly({ type, text }), bytes);
    t.is(Buffer.from(encode(type, text)).toString('hex'), bytes);
  });
}

/** Left to the way through a message. */
const UNUSUAL = [
  ['an unknown field', 'common.Config', '{"zzz":1}'],
  ['a camelCase name', 'common.BlockHeader', '{"dataHash":"YQ=="}'],
  ['null for a list of messages', 'common.ConfigUpdateEnvelope', '{"signatures":null}'],
  ['a wrong type', 'common.Config', '{"sequence":true}'],
  ['a digit for a boolean', 'msp.FabricOUIdentifier', '{"certificate":1}'],
  ['digits for an enum', 'common.ImplicitMetaPolicy', '{"rule":"1"}'],
  ['two members of a oneof', 'common.SignaturePolicy', '{"signed_by":0,"n_out_of":{}}'],
  ['a number that JSON.parse may round', 'common.Config', '{"sequence":9007199254740993}'],
  ['base64 of bytes that are opened', 'common.Envelope', '{"payload":"Bw=="}'],
  ['base64 without padding', 'common.BlockHeader', '{"data_hash":"YQ"}'],
  ['base64 of the alphabet for URLs', 'common.BlockHeader', '{"data_hash":"_-8="}'],
  ['base64 with a line break', 'common.BlockHeader', String.raw`{"data_hash":"YQ=\n"}`],
  ['an object for bytes that are never opened', 'common.Payload', '{"data":{}}'],
  ['65 nested messages', 'common.SignaturePolicy', nestedPolicy(32)],
] as const;

for (const [what, type, text] of UNUSUAL) {
  test(`${what} is left to the way through a message: ${type} ${text.slice(0, 80)}`, (t) => {
    t.is(directly({ type, text }), undefined);
    const { encoded, throughMessage } = bothWays({ type, text })!;
    t.is(encoded, throughMessage);
  });
}

test('63 nested messages are written directly', (t) => {
  const document = { type: 'common.SignaturePolicy', text: nestedPolicy(31) };
  t.is(directly(document), bothWays(document)!.throughMessage);
});

test('the buffer grows from any size', (t) => {
  const text = JSON.stringify({ addresses: Array.from({ length: 100 }, (_, index) => 'a'.repeat(index)) });
  const document = { type: 'common.OrdererAddresses', text };
  for (const size of [0, 1, 100, 5000]) t.is(directly(document, size), bothWays(document)!.throughMessage);
});

test('recorded documents have the same bytes or error both ways, and nearly all valid ones are written directly', (t) => {
  let valid = 0;
  let direct = 0;
  for (const document of recordedDocuments()) {
    const ways = bothWays(document);
    if (ways === undefined) continue;
    t.is(ways.encoded, ways.throughMessage, document.text.slice(0, 200));
    if (ways.encoded.includes(' ')) continue;
    valid++;
    if (directly(document) !== undefined) direct++;
  }
  t.true(direct > 0.8 * valid, `${direct} of ${valid}`);
});

test(`${DOCUMENTS} random and changed documents have the same bytes or error both ways`, (t) => {
  for (const document of changedDocuments(SEED, DOCUMENTS)) {
    const ways = bothWays(document);
    if (ways !== undefined) t.is(ways.encoded, ways.throughMessage, `${document.type} ${document.text}`);
  }
});
