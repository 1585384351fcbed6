// JSON text -> serialized message: examples of all forms of fields and documents.

import test from 'ava';
import { decode, encode, messageNames } from '../../proto/index.js';
import { errorOf } from '../helpers/codec.js';

const START = 'error unmarshaling intermediate JSON: ';

/** The encoded document in hexadecimal. */
function digits(type: string, json: string | Uint8Array): string {
  return Buffer.from(encode(type, json)).toString('hex');
}

const EXAMPLES: readonly (readonly [type: string, json: string, digits: string])[] = [
  ['common.BlockHeader', '{"number":18446744073709551615}', '08ffffffffffffffffff01'],
  ['common.BlockHeader', '{"previousHash":"YQ=="}', '120161'],
  ['common.Block', '{"header":{},"data":{},"metadata":{}}', '0a0012001a00'],
  ['common.Block', '{"header":null}', ''],
  ['common.BlockData', '{"data":[{},{"signature":"YQ=="}]}', '0a000a03120161'],
  ['common.SignaturePolicy', '{"signed_by":0}', '0800'],
  ['common.SignaturePolicy', '{"n_out_of":{"n":1,"rules":[{"signed_by":0}]}}', '1206080112020800'],
  ['common.Policy', '{"type":"3","value":{"rule":"MAJORITY"}}', '080312021002'],
  [
    'common.Payload',
    '{"data":{"config":{"sequence":"1"}},"header":{"channel_header":{"type":1}}}',
    '0a040a02080112040a020801',
  ],
  ['common.Payload', '{"data":{"version":"3"},"header":{}}', '0a0012020803'],
  [
    'common.Config',
    '{"channel_group":{"values":{"Foo":{"value":null,"version":"4"}}}}',
    '120b1a090a03466f6f12020804',
  ],
  [
    'common.Config',
    '{"channel_group":{"values":{"Capabilities":{"value":{"capabilities":{"V2_0":{},"A":{}}}}}}}',
    '12251a230a0c4361706162696c6974696573121312110a050a014112000a080a0456325f301200',
  ],
  [
    'common.Config',
    '{"channel_group":{"policies":{"A":{"policy":{"type":1,"value":{"rule":{"n_out_of":{"n":1,"rules":[{"signed_by":0}]}},"identities":[{"principal":{"role":"ADMIN","msp_identifier":"O"}}]}}}}}}',
    '1220221e0a01411219121708011213120812060801120208001a0712050a014f1001',
  ],
  ['common.ChannelHeader', '{"type":3,"extension":{"chaincode_id":{"name":"a"}}}', '08033a051203120161'],
  [
    'common.ChannelHeader',
    '{"timestamp":"1969-12-31T23:59:59.5Z"}',
    '1a1108ffffffffffffffffff011080cab5ee01',
  ],
  [
    'rwset.TxReadWriteSet',
    '{"ns_rwset":[{"namespace":"a","rwset":{"reads":[{"key":"k","version":null}]},"collection_hashed_rwset":[{"collection_name":"c","hashed_rwset":"YQ=="}]}]}',
    '12120a016112050a030a016b1a060a0163120161',
  ],
  ['protos.ChaincodeProposalPayload', '{"TransientMap":{"b":""}}', '12050a01621200'],
  ['etcdraft.BlockMetadata', '{"consenter_ids":["1",2,"300"]}', '0a040102ac02'],
  ['common.HashingAlgorithm', '{"name":"\\ud800"}', '0a03efbfbd'],
  // Both names of a traversed field.
  ['common.Header', '{"channel_header":{"type":3}}', '0a020803'],
  ['common.Header', '{"channelHeader":"CAM="}', '0a020803'],
  ['common.Header', '{"channelHeader":"CAM=","channel_header":{"type":4}}', '0a020804'],
  ['common.Header', '{"channelHeader":"CAM=","channel_header":null}', '0a020803'],
  ['common.Header', '{"channelHeader":"CAM=","channel_header":{}}', ''],
  ['common.Config', '{"channelGroup":{"values":{"X":{"value":"YQ=="}}}}', '120a1a080a01581203120161'],
  ['common.Payload', '{"header":{"channelHeader":"CAM="},"data":{}}', '0a040a020803'],
  [
    'common.Payload',
    '{"header":{"channelHeader":"CAE="},"data":{"config":{"sequence":"1"}}}',
    '0a040a02080112040a020801',
  ],
  // Bytes given as base64 are not changed, unknown fields included.
  ['common.Payload', '{"header":{"channelHeader":"CAGgBgE="},"data":{}}', '0a070a050801a00601'],
  // Empty and null values.
  ['common.BlockData', '{}', ''],
  ['common.BlockData', '{"data":[]}', ''],
  ['common.Envelope', '{"payload":{}}', ''],
  ['common.Envelope', '{"payload":null,"signature":null}', ''],
  ['common.BlockHeader', '{"number":null,"data_hash":null,"previous_hash":""}', ''],
  ['common.BlockHeader', '{"number":0}', ''],
  ['common.BlockHeader', '{"number":-0}', ''],
  ['common.HashingAlgorithm', '{"name":null}', ''],
  ['msp.FabricNodeOUs', '{"enable":null}', ''],
  ['msp.FabricNodeOUs', '{"enable":false}', ''],
  ['common.ChannelHeader', '{"timestamp":null,"extension":null}', ''],
  ['common.ChannelHeader', '{"timestamp":"1970-01-01T00:00:00Z"}', '1a00'],
  ['orderer.BroadcastResponse', '{"status":null}', ''],
  ['etcdraft.BlockMetadata', '{"consenter_ids":null}', ''],
  ['etcdraft.BlockMetadata', '{"consenter_ids":[]}', ''],
  ['common.OrdererAddresses', '{"addresses":null}', ''],
  ['common.OrdererAddresses', '{"addresses":[""]}', '0a00'],
  ['protos.ChaincodeInput', '{"decorations":null}', ''],
  ['common.SignaturePolicy', '{"n_out_of":null}', ''],
  ['common.SignaturePolicy', '{"n_out_of":null,"signed_by":1}', '0801'],
  ['common.SignaturePolicy', '{"n_out_of":{}}', '1200'],
  ['protos.BlockAndPrivateData', '{"private_data_map":null}', ''],
  [
    'protos.BlockAndPrivateData',
    '{"private_data_map":{"18446744073709551615":{},"9":{},"10":{}}}',
    '1204080912001204080a1200120d08ffffffffffffffffff011200',
  ],
  // Scalars.
  ['common.BlockHeader', '{"number":"9007199254740993"}', '088180808080808010'],
  ['common.BlockHeader', '{"number":9007199254740993}', '088180808080808010'],
  ['common.BlockHeader', '{"number":1e19}', '088080a0cfc8e0c8e38a01'],
  ['common.BlockHeader', '{"number":50e-1}', '0805'],
  ['common.ChannelHeader', '{"type":-1}', '08ffffffffffffffffff01'],
  ['orderer.BroadcastResponse', '{"status":"SUCCESS"}', '08c801'],
  ['orderer.BroadcastResponse', '{"status":201}', '08c901'],
  ['orderer.BroadcastResponse', '{"status":-1}', '08ffffffffffffffffff01'],
  ['msp.FabricNodeOUs', '{"enable":true}', '0801'],
  ['common.BlockHeader', '{"previous_hash":"-_8"}', '1202fbff'],
  ['common.ChannelHeader', '{"timestamp":"1970-01-01T1:00:00,5+01:00"}', '1a061080cab5ee01'],
];
for (const [type, json, expected] of EXAMPLES) {
  test(`${type} ${json} is ${expected === '' ? 'no bytes' : expected}`, (t) => {
    t.is(digits(type, json), expected);
    t.is(digits(type, Buffer.from(json)), expected);
    // Text after the document is ignored, but then parseJson is used.
    t.is(digits(type, `${json} and more`), expected);
  });
}

test('fields are written in number order, map entries in key order', (t) => {
  const keys = ['\u{1f600}', '\uffff', 'toString', '9', '10', '__proto__', '', 'constructor'];
  const entriesOfKeys = keys.map((key) => `${JSON.stringify(key)}:{}`);
  const encodeAll = (entries: readonly string[]): string =>
    digits('common.Capabilities', `{"capabilities":{${entries.join()}}}`);
  const sorted = ['', '10', '9', '__proto__', 'constructor', 'toString', '\uffff', '\u{1f600}'];
  const expected = sorted.map((key) => {
    const name = Buffer.from(key);
    return Buffer.concat([
      Buffer.from([0x0a, name.length + 4, 0x0a, name.length]),
      name,
      Buffer.from([0x12, 0]),
    ]);
  });
  t.is(encodeAll(entriesOfKeys), Buffer.concat(expected).toString('hex'));
  t.is(encodeAll(entriesOfKeys.toReversed()), encodeAll(entriesOfKeys));
  t.is(
    digits('common.BlockHeader', '{"data_hash":"Yw==","previous_hash":"Yg==","number":1}'),
    '08011201621a0163',
  );
});

test('an empty object is encoded as no bytes, except for messages with a string as JSON form', (t) => {
  for (const name of messageNames()) {
    if (name === 'google.protobuf.Timestamp' || name === 'google.protobuf.Duration') {
      const go = name === 'google.protobuf.Timestamp' ? '*timestamppb.Timestamp' : '*durationpb.Duration';
      t.deepEqual(
        errorOf(() => encode(name, '{}')),
        { code: 'BAD_FIELD', message: `${go}: proto: syntax error (line 1:1): unexpected token {`, path: '' },
      );
    } else t.is(digits(name, '{}'), '', name);
  }
});

const DOCUMENTS: readonly (readonly [title: string, json: string | Buffer, message: string])[] = [
  ['no text', '', `${START}EOF`],
  ['whitespace', ' \n\t\r', `${START}EOF`],
  ['a truncated object', '{"header":', `${START}unexpected EOF`],
  ['a word', 'Garbage', `${START}invalid character 'G' looking for beginning of value`],
  [
    'a byte order mark',
    Buffer.from('\ufeff{}'),
    `${START}invalid character 'ï' looking for beginning of value`,
  ],
  [
    'bytes',
    Buffer.from([0x0a, 0x00]),
    `${START}${String.raw`invalid character '\x00' looking for beginning of value`}`,
  ],
  [
    'a byte that is not UTF-8',
    Buffer.from([0xff]),
    `${START}invalid character 'ÿ' looking for beginning of value`,
  ],
  ['[]', '[]', `${START}json: cannot unmarshal array into Go value of type map[string]interface {}`],
  ['"x"', '"x"', `${START}json: cannot unmarshal string into Go value of type map[string]interface {}`],
  ['1', '1', `${START}json: cannot unmarshal number into Go value of type map[string]interface {}`],
  ['1 x', '1 x', `${START}json: cannot unmarshal number into Go value of type map[string]interface {}`],
  ['true', 'true', `${START}json: cannot unmarshal bool into Go value of type map[string]interface {}`],
  ['null', 'null', '*common.Block: proto: syntax error (line 1:1): unexpected token null'],
];
for (const [title, json, message] of DOCUMENTS) {
  test(`rejects ${title}: ${message}`, (t) => {
    t.deepEqual(
      errorOf(() => encode('common.Block', json)),
      { code: 'BAD_JSON', message, path: '' },
    );
  });
}

for (const rest of [' garbage', '{}', ',', '}', '\u0000', '\ufeff']) {
  test(`ignores text after the document: ${JSON.stringify(rest)}`, (t) => {
    t.is(digits('common.BlockHeader', `{"number":1}${rest}`), '0801');
  });
}

const BYTES: readonly (readonly [title: string, name: string, expected: string])[] = [
  ['each byte of a truncated character becomes U+FFFD', 'e282', 'efbfbdefbfbd'],
  ['an invalid byte', '61ff62', '61efbfbd62'],
  ['an invalid byte after an unpaired escaped surrogate', '5c756438336480', 'efbfbdefbfbd'],
  ['an unpaired escaped surrogate', '5c7564383030', 'efbfbd'],
  ['a character of four bytes', 'f09f9880', 'f09f9880'],
];
for (const [title, name, expected] of BYTES) {
  test(`${title}: ${name}`, (t) => {
    const json = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(name, 'hex'), Buffer.from('"}')]);
    const length = (expected.length / 2).toString(16).padStart(2, '0');
    t.is(digits('common.HashingAlgorithm', json), `0a${length}${expected}`);
  });
}

test('the last value of a duplicate key is used; objects are not merged', (t) => {
  t.is(digits('common.BlockHeader', '{"number":1,"number":2}'), '0802');
  t.is(digits('common.Block', '{"header":{"number":1},"header":{}}'), '0a00');
  t.is(digits('common.Block', '{"header":{"number":1},"header":null}'), '');
});

test('encodes a map key of 64 KB', (t) => {
  const key = 'k'.repeat(65_536);
  const bytes = encode('common.Capabilities', `{"capabilities":{"${key}":{}}}`);
  t.is(bytes.length, 65_546);
  t.true(decode('common.Capabilities', bytes).includes(`"${key}": {}`));
});

test('rejects a million digits in linear time; the error shows a truncated value', (t) => {
  const json = `{"number":1${'0'.repeat(1_000_000)}1}`;
  t.deepEqual(
    errorOf(() => encode('common.BlockHeader', json)),
    {
      code: 'BAD_FIELD',
      message: `*common.BlockHeader: proto: invalid value for uint64 type: 1${'0'.repeat(79)}…`,
      path: 'number',
    },
  );
});

const TOO_DEEP = `${START}invalid character `;
const groupsJson = (depth: number, innermost = '{}'): string =>
  `${'{"groups":{"a":'.repeat(depth)}${innermost}${'}}'.repeat(depth)}`;
const rulesJson = (depth: number, innermost = '{"signed_by":0}'): string =>
  `${'{"n_out_of":{"rules":['.repeat(depth)}${innermost}${']}}'.repeat(depth)}`;

for (const [what, type, json, opening] of [
  ['4,999 groups', 'common.ConfigGroup', groupsJson(4999), undefined],
  ['5,000 groups', 'common.ConfigGroup', groupsJson(5000), '{'],
  ['3,333 rules', 'common.SignaturePolicy', rulesJson(3333), undefined],
  ['3,334 rules', 'common.SignaturePolicy', rulesJson(3334), '{'],
  ['a map in 4,999 groups', 'common.ConfigGroup', groupsJson(4999, '{"values":{}}'), undefined],
  [
    'a map in 4,999 groups of a config',
    'common.Config',
    `{"channel_group":${groupsJson(4999, '{"values":{}}')}}`,
    '{',
  ],
  [
    'a list in 3,332 rules of a policy',
    'common.Policy',
    `{"type":1,"value":{"rule":${rulesJson(3331, '{"n_out_of":{"rules":[]}}')}}}`,
    undefined,
  ],
  [
    'a list in 3,333 rules of a policy',
    'common.Policy',
    `{"type":1,"value":{"rule":${rulesJson(3332, '{"n_out_of":{"rules":[]}}')}}}`,
    '[',
  ],
] as const)
  test(`documents are nested at most 10,000 levels deep: ${what} are ${opening === undefined ? 'encoded' : 'refused'}`, (t) => {
    for (const text of [json, `${json} x`])
      if (opening === undefined) t.notThrows(() => encode(type, text));
      else
        t.deepEqual(
          errorOf(() => encode(type, text)),
          { code: 'TOO_LARGE', message: `${TOO_DEEP}'${opening}' exceeded max depth`, path: '' },
        );
  });
