// Bytes fields with a content type that depends on another field of the message.

import test from 'ava';
import { encode } from '../../../proto/index.js';
import { bytesField, numberField, errorOf } from '../../helpers/codec.js';
import { decoded, opens, type JsonObject } from '../../helpers/opaque.js';

type Choice = readonly [
  title: string,
  type: string,
  field: string,
  otherFields: JsonObject,
  content: string,
  inner: JsonObject,
];

const channelHeader = (type: number): JsonObject => ({ header: { channel_header: { type } } });

const OPENED: readonly Choice[] = [
  [
    'type 0',
    'common.Payload',
    'data',
    channelHeader(0),
    'common.ConfigValue',
    { value: 'CgA=', version: '1' },
  ],
  [
    'a header without a channel header',
    'common.Payload',
    'data',
    { header: {} },
    'common.ConfigValue',
    { version: '1' },
  ],
  ['type 1', 'common.Payload', 'data', channelHeader(1), 'common.ConfigEnvelope', { config: {} }],
  ['type 2', 'common.Payload', 'data', channelHeader(2), 'common.ConfigUpdateEnvelope', { signatures: [{}] }],
  ['type 3', 'common.Payload', 'data', channelHeader(3), 'protos.Transaction', { actions: [{}] }],
  ['type 4', 'common.Payload', 'data', channelHeader(4), 'common.Envelope', { signature: 'AQ==' }],
  [
    'type 3',
    'common.ChannelHeader',
    'extension',
    { type: 3 },
    'protos.ChaincodeHeaderExtension',
    { chaincode_id: {} },
  ],
  ['type 1', 'common.Policy', 'value', { type: 1 }, 'common.SignaturePolicyEnvelope', { version: 1 }],
  ['type 3', 'common.Policy', 'value', { type: 3 }, 'common.ImplicitMetaPolicy', { rule: 'MAJORITY' }],
  ['type 0', 'msp.MSPConfig', 'config', { type: 0 }, 'msp.FabricMSPConfig', { name: 'Org1' }],
  ['no type', 'msp.MSPConfig', 'config', {}, 'msp.FabricMSPConfig', { root_certs: ['CgA='] }],
  ['type 1', 'msp.MSPConfig', 'config', { type: 1 }, 'msp.IdemixMSPConfig', { ipk: 'CgA=' }],
  [
    'ROLE',
    'common.MSPPrincipal',
    'principal',
    { principal_classification: 'ROLE' },
    'common.MSPRole',
    { role: 'PEER' },
  ],
  [
    'ORGANIZATION_UNIT',
    'common.MSPPrincipal',
    'principal',
    { principal_classification: 1 },
    'common.OrganizationUnit',
    { msp_identifier: 'O' },
  ],
  [
    'IDENTITY',
    'common.MSPPrincipal',
    'principal',
    { principal_classification: 'IDENTITY' },
    'msp.SerializedIdentity',
    { mspid: 'O' },
  ],
  [
    'etcdraft',
    'orderer.ConsensusType',
    'metadata',
    { type: 'etcdraft' },
    'etcdraft.ConfigMetadata',
    { consenters: [{ host: 'a' }] },
  ],
  [
    'BFT',
    'orderer.ConsensusType',
    'metadata',
    { type: 'BFT' },
    'orderer.smartbft.Options',
    { request_batch_max_count: '100' },
  ],
];
for (const [title, type, field, otherFields, content, inner] of OPENED) {
  test(`${type}.${field}, ${title}: ${content}`, (t) => {
    opens(t, type, field, content, inner, otherFields);
  });
}

type Unknown = readonly [type: string, field: string, otherFields: JsonObject, reason: string];

const payloadType = (type: number): Unknown => [
  'common.Payload',
  'data',
  channelHeader(type),
  `decoding type ${String(type)} is unimplemented`,
];
const extension = (type: number): Unknown => [
  'common.ChannelHeader',
  'extension',
  { type },
  'channel header extension only valid for endorser transactions',
];
const policy = (type: number): Unknown => [
  'common.Policy',
  'value',
  { type },
  `unable to decode policy type: ${String(type)}`,
];
const msp = (type: number): Unknown => [
  'msp.MSPConfig',
  'config',
  { type },
  `unable to decode MSP type: ${String(type)}`,
];
const principal = (kind: number | string): Unknown => [
  'common.MSPPrincipal',
  'principal',
  { principal_classification: kind },
  `unable to decode MSP type: ${String(kind)}`,
];

const NOT_OPENED: readonly Unknown[] = [
  ['common.Payload', 'data', {}, 'cannot determine payload type when header is missing'],
  ...[5, 6, 7, 8, 9, 10, 99, -1].map(payloadType),
  ...[0, 1, 2, 4, -1].map(extension),
  ...[0, 2, 4, -1].map(policy),
  ...[2, 3, -1].map(msp),
  ...['ANONYMITY', 'COMBINED', 5, -1].map(principal),
];
const GO: Readonly<Record<string, string>> = {
  'common.Payload': '*commonext.Payload',
  'common.ChannelHeader': '*commonext.ChannelHeader',
  'common.Policy': '*commonext.Policy',
  'msp.MSPConfig': '*mspext.MSPConfig',
  'common.MSPPrincipal': '*mspext.MSPPrincipal',
};
for (const [type, field, otherFields, reason] of NOT_OPENED) {
  test(`${type} ${JSON.stringify(otherFields)}: ${field} stays base64, other values are rejected: ${reason}`, (t) => {
    const bytes = encode(type, JSON.stringify({ ...otherFields, [field]: 'CgA=' }));
    t.is(decoded(type, bytes)[field], 'CgA=');
    // Without bytes, the type does not matter.
    t.is(decoded(type, encode(type, JSON.stringify({ ...otherFields, [field]: null })))[field], null);
    const go = GO[type]!;
    for (const value of [{}, { a: 1 }, [], 5, true, 'no base64']) {
      t.deepEqual(
        errorOf(() => encode(type, JSON.stringify({ ...otherFields, [field]: value }))),
        {
          code: 'BAD_FIELD',
          message: `${go}: error in PopulateFrom for field ${field} for message ${go}: ${reason}`,
          path: field,
        },
      );
    }
  });
}

test('the type is found at any position in the document', (t) => {
  t.deepEqual(
    encode('common.Policy', '{"value":{"rule":1},"type":3}'),
    encode('common.Policy', '{"type":3,"value":{"rule":1}}'),
  );
  const data = { data: { config: { sequence: '1' } } };
  t.deepEqual(
    encode('common.Payload', JSON.stringify({ ...data, ...channelHeader(1) })),
    encode('common.Payload', JSON.stringify({ ...channelHeader(1), ...data })),
  );
});

test('the data stays base64 if the channel header is invalid', (t) => {
  const data = Buffer.concat([bytesField(1, bytesField(1, 'none')), bytesField(2, numberField(1, 1))]);
  t.is(decoded('common.Payload', data)['data'], 'CAE=');
  t.deepEqual(
    errorOf(() => encode('common.Payload', '{"header":{"channel_header":"bm9uZQ=="},"data":{}}')).message,
    '*commonext.Payload: error in PopulateFrom for field data for message *commonext.Payload: ' +
      'cannot determine payload type when channel_header is not a valid message',
  );
});

for (const type of ['', 'solo', 'kafka', 'Etcdraft', 'bft', '__proto__', 'constructor']) {
  test(`metadata of the consensus type '${type}' is an empty object; its bytes are lost`, (t) => {
    const bytes = Buffer.concat([bytesField(1, type), bytesField(2, numberField(1, 1))]);
    t.deepEqual(decoded('orderer.ConsensusType', bytes)['metadata'], {});
    t.deepEqual(
      encode('orderer.ConsensusType', JSON.stringify({ type, metadata: {} })),
      encode('orderer.ConsensusType', JSON.stringify({ type })),
    );
    t.deepEqual(
      errorOf(() => encode('orderer.ConsensusType', JSON.stringify({ type, metadata: { a: 1 } }))),
      {
        code: 'BAD_FIELD',
        message:
          '*ordererext.ConsensusType: error in PopulateFrom for field metadata for message *ordererext.ConsensusType: ' +
          '*emptypb.Empty: proto: unknown field "a" in google.protobuf.Empty',
        path: 'metadata.a',
      },
    );
  });
}

const PAYLOAD = '*commonext.Payload: error in PopulateFrom for field data for message *commonext.Payload: ';

/** Documents with a missing or wrong type in the header. */
const WRONG_TYPE: readonly (readonly [type: number | undefined, data: JsonObject, message: string])[] = [
  [
    undefined,
    { config_update: {} },
    '*common.ConfigValue: proto: unknown field "config_update" in common.ConfigValue; channel_header.type must be 2 for a payload with this field',
  ],
  [
    1,
    { signatures: [] },
    '*common.ConfigEnvelope: proto: unknown field "signatures" in common.ConfigEnvelope; channel_header.type must be 2 for a payload with this field',
  ],
  [
    2,
    { config: {} },
    '*commonext.ConfigUpdateEnvelope: proto: unknown field "config" in common.ConfigUpdateEnvelope; channel_header.type must be 1 for a payload with this field',
  ],
  [
    0,
    { actions: [] },
    '*common.ConfigValue: proto: unknown field "actions" in common.ConfigValue; channel_header.type must be 3 for a payload with this field',
  ],
  [
    1,
    { payload: {} },
    '*common.ConfigEnvelope: proto: unknown field "payload" in common.ConfigEnvelope; channel_header.type must be 4 for a payload with this field',
  ],
  [
    0,
    { last_update: {} },
    '*common.ConfigValue: proto: unknown field "last_update" in common.ConfigValue; channel_header.type must be 1 for a payload with this field',
  ],
  [
    2,
    { zzz: 1 },
    '*commonext.ConfigUpdateEnvelope: proto: unknown field "zzz" in common.ConfigUpdateEnvelope',
  ],
];
for (const [type, data, message] of WRONG_TYPE) {
  const [field = ''] = Object.keys(data);
  test(`data with the field ${field} and type ${String(type)}: ${message}`, (t) => {
    const channelHeaderOf = type === undefined ? { channel_id: 'ch' } : { type };
    const document = { header: { channel_header: channelHeaderOf }, data };
    t.deepEqual(
      errorOf(() => encode('common.Payload', JSON.stringify(document))),
      { code: 'BAD_FIELD', message: PAYLOAD + message, path: `data.${field}` },
    );
  });
}

test('an unknown field further inside the data has no hint', (t) => {
  const document = { header: { channel_header: { type: 2 } }, data: { config_update: { config: {} } } };
  const { message } = errorOf(() => encode('common.Payload', JSON.stringify(document)));
  t.true(message.endsWith('proto: unknown field "config" in common.ConfigUpdate'));
});
