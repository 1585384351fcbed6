// Errors of encode: Fabric's error text, the path of the field, the code.

import test from 'ava';
import { encode } from '../../proto/index.js';
import { errorOf } from '../helpers/codec.js';

type Row = readonly [type: string, json: string, path: string, message: string];

function rejects(rows: readonly Row[], code: string): void {
  for (const [type, json, path, message] of rows) {
    test(`${type} ${json}: ${message}`, (t) => {
      t.deepEqual(
        errorOf(() => encode(type, json)),
        { code, message, path },
      );
      // With text after the document, parseJson is used; the error is the same.
      t.deepEqual(
        errorOf(() => encode(type, `${json} x`)),
        { code, message, path },
      );
    });
  }
}

const HEADER = '*common.BlockHeader: proto: ';
const ADDRESSES = '*common.OrdererAddresses: proto: ';
const INPUT = '*peer.ChaincodeInput: proto: ';
const POLICY = '*common.SignaturePolicy: proto: ';
const CHANNEL = '*commonext.ChannelHeader: proto: ';

/** Plain fields. */
const PLAIN: readonly Row[] = [
  ['common.BlockHeader', '{"zzz":1}', 'zzz', `${HEADER}unknown field "zzz" in common.BlockHeader`],
  ['common.BlockHeader', '{"zzz":null}', 'zzz', `${HEADER}unknown field "zzz" in common.BlockHeader`],
  ['common.BlockHeader', '{"":1}', '', `${HEADER}unknown field "" in common.BlockHeader`],
  [
    'common.BlockHeader',
    '{"PreviousHash":""}',
    'PreviousHash',
    `${HEADER}unknown field "PreviousHash" in common.BlockHeader`,
  ],
  ['common.BlockHeader', '{"NUMBER":1}', 'NUMBER', `${HEADER}unknown field "NUMBER" in common.BlockHeader`],
  [
    'common.BlockHeader',
    '{"__proto__":1}',
    '__proto__',
    `${HEADER}unknown field "__proto__" in common.BlockHeader`,
  ],
  [
    'common.BlockHeader',
    '{"constructor":{}}',
    'constructor',
    `${HEADER}unknown field "constructor" in common.BlockHeader`,
  ],
  [
    'common.BlockHeader',
    '{"previous_hash":"YQ==","previousHash":"YQ=="}',
    'previous_hash',
    `${HEADER}duplicate field "previous_hash"`,
  ],
  [
    'common.BlockHeader',
    '{"previous_hash":null,"previousHash":"YQ=="}',
    'previous_hash',
    `${HEADER}duplicate field "previous_hash"`,
  ],
  ['common.BlockHeader', '{"number":true}', 'number', `${HEADER}invalid value for uint64 type: true`],
  ['common.BlockHeader', '{"number":"x"}', 'number', `${HEADER}invalid value for uint64 type: "x"`],
  ['common.BlockHeader', '{"number":-1}', 'number', `${HEADER}invalid value for uint64 type: -1`],
  ['common.BlockHeader', '{"number":1.5}', 'number', `${HEADER}invalid value for uint64 type: 1.5`],
  [
    'common.BlockHeader',
    '{"number":18446744073709551616}',
    'number',
    `${HEADER}invalid value for uint64 type: 18446744073709551616`,
  ],
  [
    'common.BlockHeader',
    '{"number":4.99999999999999999}',
    'number',
    `${HEADER}invalid value for uint64 type: 4.99999999999999999`,
  ],
  ['common.BlockHeader', '{"number":1e-400}', 'number', `${HEADER}invalid value for uint64 type: 1e-400`],
  [
    'common.BlockHeader',
    '{"number":4999999999999999999999e-21}',
    'number',
    `${HEADER}invalid value for uint64 type: 4999999999999999999999e-21`,
  ],
  ['common.BlockHeader', '{"number":[]}', 'number', `${HEADER}invalid value for uint64 type: [`],
  ['common.BlockHeader', '{"number":{}}', 'number', `${HEADER}invalid value for uint64 type: {`],
  [
    'common.BlockHeader',
    '{"previous_hash":"Y Q=="}',
    'previous_hash',
    `${HEADER}invalid value for bytes type: "Y Q=="`,
  ],
  [
    'common.BlockHeader',
    '{"previousHash":[1,2]}',
    'previous_hash',
    `${HEADER}invalid value for bytes type: [`,
  ],
  ['common.BlockHeader', '{"previous_hash":5}', 'previous_hash', `${HEADER}invalid value for bytes type: 5`],
  [
    'common.HashingAlgorithm',
    '{"name":5}',
    'name',
    '*common.HashingAlgorithm: proto: invalid value for string type: 5',
  ],
  [
    'common.HashingAlgorithm',
    '{"name":12345678901234567890}',
    'name',
    '*common.HashingAlgorithm: proto: invalid value for string type: 12345678901234567890',
  ],
  [
    'msp.FabricNodeOUs',
    '{"enable":"true"}',
    'enable',
    '*msp.FabricNodeOUs: proto: invalid value for bool type: "true"',
  ],
  [
    'msp.FabricNodeOUs',
    '{"enable":0}',
    'enable',
    '*msp.FabricNodeOUs: proto: invalid value for bool type: 0',
  ],
  [
    'orderer.BroadcastResponse',
    '{"status":"FOO"}',
    'status',
    '*orderer.BroadcastResponse: proto: invalid value for enum type: "FOO"',
  ],
  [
    'orderer.BroadcastResponse',
    '{"status":"200"}',
    'status',
    '*orderer.BroadcastResponse: proto: invalid value for enum type: "200"',
  ],
  [
    'orderer.BroadcastResponse',
    '{"status":"constructor"}',
    'status',
    '*orderer.BroadcastResponse: proto: invalid value for enum type: "constructor"',
  ],
  ['common.ChannelHeader', '{"type":"CONFIG"}', 'type', `${CHANNEL}invalid value for int32 type: "CONFIG"`],
  [
    'common.ChannelHeader',
    '{"type":2147483648}',
    'type',
    `${CHANNEL}invalid value for int32 type: 2147483648`,
  ],
  // Fabric's program takes the number before the first delimiter: 99, 10 and 7.
  ...[
    [
      'orderer.BatchSize',
      'absolute_max_bytes',
      '"99 MB"',
      '*orderer.BatchSize: proto: invalid value for uint32 type: "99 MB"',
    ],
    [
      'orderer.BatchSize',
      'max_message_count',
      '"10,000"',
      '*orderer.BatchSize: proto: invalid value for uint32 type: "10,000"',
    ],
    ['common.ChannelHeader', 'epoch', '"7/2"', `${CHANNEL}invalid value for uint64 type: "7/2"`],
    ['common.ChannelHeader', 'type', '"7 "', `${CHANNEL}invalid value for int32 type: "7 "`],
  ].map(
    ([type = '', field = '', value = '', message = '']) =>
      [type, `{"${field}":${value}}`, field, message] as const,
  ),
  [
    'common.ChannelHeader',
    '{"timestamp":"1970-01-01"}',
    'timestamp',
    `${CHANNEL}invalid google.protobuf.Timestamp value "1970-01-01"`,
  ],
  [
    'common.ChannelHeader',
    '{"timestamp":"0000-12-31T23:59:59Z"}',
    'timestamp',
    `${CHANNEL}google.protobuf.Timestamp value out of range: "0000-12-31T23:59:59Z"`,
  ],
  [
    'common.ChannelHeader',
    '{"timestamp":"9999-12-31T23:59:59-00:01"}',
    'timestamp',
    `${CHANNEL}google.protobuf.Timestamp value out of range: "9999-12-31T23:59:59-00:01"`,
  ],
  [
    'common.ChannelHeader',
    '{"timestamp":5}',
    'timestamp',
    `${CHANNEL}syntax error: unexpected token 5 for timestamp`,
  ],
  [
    'common.ChannelHeader',
    '{"timestamp":{}}',
    'timestamp',
    `${CHANNEL}syntax error: unexpected token { for timestamp`,
  ],
  [
    'common.OrdererAddresses',
    '{"addresses":"a"}',
    'addresses',
    `${ADDRESSES}syntax error: unexpected token "a" for addresses`,
  ],
  [
    'common.OrdererAddresses',
    '{"addresses":{}}',
    'addresses',
    `${ADDRESSES}syntax error: unexpected token { for addresses`,
  ],
  [
    'common.OrdererAddresses',
    '{"addresses":["a",null]}',
    'addresses[1]',
    `${ADDRESSES}invalid value for string type: null`,
  ],
  [
    'protos.ChaincodeInput',
    '{"decorations":[]}',
    'decorations',
    `${INPUT}syntax error: unexpected token [ for decorations`,
  ],
  [
    'protos.ChaincodeInput',
    '{"decorations":{"a":null}}',
    'decorations["a"]',
    `${INPUT}invalid value for bytes type: null`,
  ],
  [
    'protos.ChaincodeInput',
    '{"decorations":{"__proto__":"x"}}',
    'decorations["__proto__"]',
    `${INPUT}invalid value for bytes type: "x"`,
  ],
  ['protos.ChaincodeInput', '{"args":["YQ==","?"]}', 'args[1]', `${INPUT}invalid value for bytes type: "?"`],
  [
    'common.SignaturePolicy',
    '{"signed_by":1,"n_out_of":{}}',
    'signed_by',
    `${POLICY}error parsing "signed_by", oneof common.SignaturePolicy.Type is already set`,
  ],
  [
    'common.SignaturePolicy',
    '{"nOutOf":{},"signed_by":1}',
    'signed_by',
    `${POLICY}error parsing "signed_by", oneof common.SignaturePolicy.Type is already set`,
  ],
  [
    'common.SignaturePolicy',
    '{"nOutOf":{},"signedBy":1}',
    'signedBy',
    `${POLICY}error parsing "signedBy", oneof common.SignaturePolicy.Type is already set`,
  ],
  [
    'common.SignaturePolicy',
    '{"n_out_of":[]}',
    'n_out_of',
    `${POLICY}syntax error: unexpected token [ for n_out_of`,
  ],
  [
    'common.SignaturePolicy',
    '{"n_out_of":{"rules":{}}}',
    'n_out_of.rules',
    `${POLICY}syntax error: unexpected token { for rules`,
  ],
  [
    'common.SignaturePolicy',
    '{"n_out_of":{"rules":[null]}}',
    'n_out_of.rules[0]',
    `${POLICY}syntax error: unexpected token null for rules`,
  ],
  [
    'common.SignaturePolicy',
    '{"n_out_of":{"rules":[{},{"n":1}]}}',
    'n_out_of.rules[1].n',
    `${POLICY}unknown field "n" in common.SignaturePolicy`,
  ],
  [
    'protos.BlockAndPrivateData',
    '{"private_data_map":{"x":{}}}',
    'private_data_map',
    '*peer.BlockAndPrivateData: proto: invalid value for uint64 key: "x"',
  ],
  [
    'protos.BlockAndPrivateData',
    '{"private_data_map":{"":{}}}',
    'private_data_map',
    '*peer.BlockAndPrivateData: proto: invalid value for uint64 key: ""',
  ],
  [
    'protos.BlockAndPrivateData',
    '{"private_data_map":{"-1":{}}}',
    'private_data_map',
    '*peer.BlockAndPrivateData: proto: invalid value for uint64 key: "-1"',
  ],
  [
    'protos.BlockAndPrivateData',
    '{"private_data_map":{"05":{}}}',
    'private_data_map',
    '*peer.BlockAndPrivateData: proto: invalid value for uint64 key: "05"',
  ],
  [
    'protos.BlockAndPrivateData',
    '{"private_data_map":{"1e1":{}}}',
    'private_data_map',
    '*peer.BlockAndPrivateData: proto: invalid value for uint64 key: "1e1"',
  ],
  [
    'protos.BlockAndPrivateData',
    '{"private_data_map":{"18446744073709551616":{}}}',
    'private_data_map',
    '*peer.BlockAndPrivateData: proto: invalid value for uint64 key: "18446744073709551616"',
  ],
  [
    'protos.BlockAndPrivateData',
    '{"private_data_map":{"5":null}}',
    'private_data_map["5"]',
    '*peer.BlockAndPrivateData: proto: syntax error: unexpected token null for private_data_map',
  ],
];
rejects(PLAIN, 'BAD_FIELD');

const BLOCK = '*common.Block: ';
const DATA = 'error in PopulateFrom for field data for message *common.Block: *commonext.BlockData: ';
const GROUP = '*common.ConfigGroup: ';

/** Traversed fields. */
const TRAVERSED: readonly Row[] = [
  [
    'common.Header',
    '{"channel_header":"CAM="}',
    'channel_header',
    '*commonext.Header: expected field channel_header for message *commonext.Header to be assignable from map[string]interface {} but was not.  Is string',
  ],
  [
    'common.Header',
    '{"channel_header":""}',
    'channel_header',
    '*commonext.Header: expected field channel_header for message *commonext.Header to be assignable from map[string]interface {} but was not.  Is string',
  ],
  [
    'common.Block',
    '{"header":"x"}',
    'header',
    `${BLOCK}expected field header for message *common.Block to be assignable from map[string]interface {} but was not.  Is string`,
  ],
  [
    'common.Block',
    '{"header":true}',
    'header',
    `${BLOCK}expected field header for message *common.Block to be assignable from map[string]interface {} but was not.  Is bool`,
  ],
  [
    'common.Block',
    '{"header":5}',
    'header',
    `${BLOCK}expected field header for message *common.Block to be assignable from map[string]interface {} but was not.  Is json.Number`,
  ],
  [
    'common.Block',
    '{"header":[]}',
    'header',
    `${BLOCK}expected field header for message *common.Block to be assignable from map[string]interface {} but was not.  Is []interface {}`,
  ],
  [
    'common.BlockData',
    '{"data":null}',
    'data',
    '*commonext.BlockData: expected slice field data for message *commonext.BlockData to be assignable from []interface{} but was not. Got <nil>',
  ],
  [
    'common.BlockData',
    '{"data":{}}',
    'data',
    '*commonext.BlockData: expected slice field data for message *commonext.BlockData to be assignable from []interface{} but was not. Got map[string]interface {}',
  ],
  [
    'common.BlockData',
    '{"data":["x"]}',
    'data[0]',
    '*commonext.BlockData: expected slice field data value at index 0 for message *commonext.BlockData to be assignable from map[string]interface {} but was not.  Is string',
  ],
  [
    'common.BlockData',
    '{"data":[{},null]}',
    'data[1]',
    '*commonext.BlockData: expected slice field data value at index 1 for message *commonext.BlockData to be assignable from map[string]interface {} but was not.  Is <nil>',
  ],
  [
    'common.ConfigGroup',
    '{"values":[]}',
    'values',
    `${GROUP}expected map field values for message *common.ConfigGroup to be assignable from map[string]interface{} but was not. Got []interface {}`,
  ],
  [
    'common.ConfigGroup',
    '{"values":null}',
    'values',
    `${GROUP}expected map field values for message *common.ConfigGroup to be assignable from map[string]interface{} but was not. Got <nil>`,
  ],
  [
    'common.ConfigGroup',
    '{"values":{"a":5}}',
    'values["a"]',
    `${GROUP}expected map field values value for a for message *common.ConfigGroup to be assignable from map[string]interface {} but was not.  Is json.Number`,
  ],
  [
    'common.ConfigGroup',
    '{"values":{"__proto__":null}}',
    'values["__proto__"]',
    `${GROUP}expected map field values value for __proto__ for message *common.ConfigGroup to be assignable from map[string]interface {} but was not.  Is <nil>`,
  ],
  // The error names all messages and fields on the way.
  [
    'common.Block',
    '{"header":{"number":"x"}}',
    'header.number',
    `${BLOCK}error in PopulateFrom for field header for message *common.Block: *common.BlockHeader: proto: invalid value for uint64 type: "x"`,
  ],
  [
    'common.Block',
    '{"data":{"data":[{},{"payload":{"zzz":1}}]}}',
    'data.data[1].payload.zzz',
    `${BLOCK}${DATA}error in PopulateFrom for slice field data at index 1 for message *commonext.BlockData: *commonext.Envelope: error in PopulateFrom for field payload for message *commonext.Envelope: *commonext.Payload: proto: unknown field "zzz" in common.Payload`,
  ],
  [
    'common.ConfigGroup',
    '{"groups":{"a":{"values":{"b\\"":{"version":"x"}}}}}',
    String.raw`groups["a"].values["b\""].version`,
    `${GROUP}error in PopulateFrom for map field groups with key a for message *common.ConfigGroup: ${GROUP}error in PopulateFrom for map field values with key b" for message *common.ConfigGroup: *common.ConfigValue: proto: invalid value for uint64 type: "x"`,
  ],
  // It names no messages below a oneof.
  [
    'common.SignaturePolicyEnvelope',
    '{"rule":{"n_out_of":{"n":true}}}',
    'rule.n_out_of.n',
    '*common.SignaturePolicyEnvelope: error in PopulateFrom for field rule for message *common.SignaturePolicyEnvelope: *common.SignaturePolicy: proto: invalid value for int32 type: true',
  ],
  // It names no messages below a field given by its camelCase name.
  [
    'common.Config',
    '{"channelGroup":{"values":{"a":{"value":{}}}}}',
    'channel_group.values["a"].value',
    '*commonext.Config: proto: invalid value for bytes type: {',
  ],
];
rejects(TRAVERSED, 'BAD_FIELD');

/** The error reported first: unknown and plain fields, then traversed fields in protolator's order. */
const FIRST: readonly (readonly [type: string, json: string, path: string])[] = [
  ['common.ConfigEnvelope', '{"last_update":5,"config":5,"zzz":1}', 'zzz'],
  ['common.ConfigEnvelope', '{"last_update":5,"config":5}', 'config'],
  ['common.Envelope', '{"payload":5,"signature":5}', 'signature'],
  ['common.Payload', '{"data":5,"header":5}', 'header'],
  ['common.Payload', '{"data":5,"header":{"signature_header":5}}', 'header.signature_header'],
  ['common.ConfigGroup', '{"values":5,"groups":5,"version":"x"}', 'version'],
  ['common.ConfigUpdate', '{"isolated_data":5,"read_set":5,"channel_id":"c"}', 'isolated_data'],
  ['common.BlockData', '{"data":[{"payload":5},5]}', 'data[0].payload'],
  [
    'msp.FabricMSPConfig',
    '{"organizational_unit_identifiers":[{"certificate":5}],"crypto_config":{"signature_hash_family":5}}',
    'crypto_config.signature_hash_family',
  ],
];
for (const [type, json, path] of FIRST) {
  test(`${type} ${json}: the first error is at ${path}`, (t) => {
    t.is(errorOf(() => encode(type, json)).path, path);
  });
}

test('errors show the first 80 characters of a value', (t) => {
  t.is(
    errorOf(() => encode('common.BlockHeader', `{"previous_hash":"${'?'.repeat(100)}"}`)).message,
    `${HEADER}invalid value for bytes type: "${'?'.repeat(79)}…`,
  );
});
