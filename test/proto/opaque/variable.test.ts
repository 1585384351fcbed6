// Fields whose content depends on another field of the message (specification section 6.2), in blocks, policies,
// membership service providers and consensus types.

import test from 'ava';
import { encode } from '../../../proto/index.js';
import { bytesField, numberField, refusal } from '../../helpers/codec.js';
import { decoded, opens, type JsonObject } from '../../helpers/opaque.js';

type Choice = readonly [
  title: string,
  type: string,
  field: string,
  around: JsonObject,
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
    'a header without channel header',
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
for (const [title, type, field, around, content, inner] of OPENED) {
  test(`${type}.${field}, ${title}: ${content}`, (t) => {
    opens(t, type, field, content, inner, around);
  });
}

type Unknown = readonly [type: string, field: string, around: JsonObject, reason: string];

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

const STAY: readonly Unknown[] = [
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
for (const [type, field, around, reason] of STAY) {
  test(`${type} ${JSON.stringify(around)}: ${field} stays base64, anything else is refused: ${reason}`, (t) => {
    const bytes = encode(type, JSON.stringify({ ...around, [field]: 'CgA=' }));
    t.is(decoded(type, bytes)[field], 'CgA=');
    // Without bytes nothing has to be known.
    t.is(decoded(type, encode(type, JSON.stringify({ ...around, [field]: null })))[field], null);
    const go = GO[type]!;
    for (const value of [{}, { a: 1 }, [], 5, true, 'no base64']) {
      t.deepEqual(
        refusal(() => encode(type, JSON.stringify({ ...around, [field]: value }))),
        {
          code: 'BAD_FIELD',
          message: `${go}: error in PopulateFrom for field ${field} for message ${go}: ${reason}`,
          path: field,
        },
      );
    }
  });
}

test('the type counts wherever it stands in the document', (t) => {
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

test('a channel header that is none leaves the data base64', (t) => {
  const data = Buffer.concat([bytesField(1, bytesField(1, 'none')), bytesField(2, numberField(1, 1))]);
  t.is(decoded('common.Payload', data)['data'], 'CAE=');
  t.deepEqual(
    refusal(() => encode('common.Payload', '{"header":{"channel_header":"bm9uZQ=="},"data":{}}')).message,
    '*commonext.Payload: error in PopulateFrom for field data for message *commonext.Payload: ' +
      'cannot determine payload type when channel_header is not a valid message',
  );
});

for (const type of ['', 'solo', 'kafka', 'Etcdraft', 'bft', '__proto__', 'constructor']) {
  test(`metadata of the consensus type '${type}' are an empty object, their bytes are lost`, (t) => {
    const bytes = Buffer.concat([bytesField(1, type), bytesField(2, numberField(1, 1))]);
    t.deepEqual(decoded('orderer.ConsensusType', bytes)['metadata'], {});
    t.deepEqual(
      encode('orderer.ConsensusType', JSON.stringify({ type, metadata: {} })),
      encode('orderer.ConsensusType', JSON.stringify({ type })),
    );
    t.deepEqual(
      refusal(() => encode('orderer.ConsensusType', JSON.stringify({ type, metadata: { a: 1 } }))),
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
