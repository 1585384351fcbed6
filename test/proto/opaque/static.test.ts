// Bytes fields that always hold the same message type, and fields that stay base64.

import test from 'ava';
import { descriptorOf } from '../../../proto/descriptor.js';
import { encode, messageNames } from '../../../proto/index.js';
import { resolveName } from '../../../proto/registry.js';
import { bytesField, hex } from '../../helpers/codec.js';
import { decoded, opens, type JsonObject } from '../../helpers/opaque.js';

const STATIC: readonly (readonly [type: string, field: string, content: string, inner: JsonObject])[] = [
  ['common.Envelope', 'payload', 'common.Payload', { header: {} }],
  ['common.Header', 'channel_header', 'common.ChannelHeader', { type: 1, channel_id: 'ch' }],
  ['common.Header', 'signature_header', 'common.SignatureHeader', { nonce: 'AQI=' }],
  ['common.SignatureHeader', 'creator', 'msp.SerializedIdentity', { mspid: 'Org1', id_bytes: 'CgA=' }],
  ['common.ConfigUpdateEnvelope', 'config_update', 'common.ConfigUpdate', { channel_id: 'ch' }],
  ['common.ConfigSignature', 'signature_header', 'common.SignatureHeader', { nonce: 'AQI=' }],
  ['protos.TransactionAction', 'header', 'common.SignatureHeader', { nonce: 'AQI=' }],
  ['protos.TransactionAction', 'payload', 'protos.ChaincodeActionPayload', { action: {} }],
  [
    'protos.ChaincodeActionPayload',
    'chaincode_proposal_payload',
    'protos.ChaincodeProposalPayload',
    { TransientMap: { a: '' } },
  ],
  ['protos.ChaincodeProposalPayload', 'input', 'protos.ChaincodeInvocationSpec', { chaincode_spec: {} }],
  [
    'protos.ChaincodeEndorsedAction',
    'proposal_response_payload',
    'protos.ProposalResponsePayload',
    { proposal_hash: 'AQI=' },
  ],
  ['protos.ProposalResponsePayload', 'extension', 'protos.ChaincodeAction', { response: {} }],
  ['protos.ChaincodeAction', 'results', 'rwset.TxReadWriteSet', { ns_rwset: [{}] }],
  ['protos.ChaincodeAction', 'events', 'protos.ChaincodeEvent', { tx_id: 'tx', payload: 'CgA=' }],
];
for (const [type, field, content, inner] of STATIC) {
  test(`${type}.${field} holds ${content}`, (t) => {
    opens(t, type, field, content, inner);
    t.is(decoded(type, Buffer.alloc(0))[field], null);
    t.is(encode(type, JSON.stringify({ [field]: {} })).length, 0);
    t.is(encode(type, JSON.stringify({ [field]: null })).length, 0);
  });
}

test('all elements of common.BlockData.data hold common.Envelope', (t) => {
  const json = '{"data":[{"signature":"AQI="},{},{"payload":{"header":{}}}]}';
  const data = encode('common.BlockData', json);
  t.is(Buffer.from(data).toString('hex'), '0a04120201020a000a040a020a00');
  t.deepEqual(decoded('common.BlockData', data), {
    data: [
      { payload: null, signature: 'AQI=' },
      { payload: null, signature: '' },
      {
        payload: { data: null, header: { channel_header: null, signature_header: null } },
        signature: '',
      },
    ],
  });
});

/** All fields that are opened, sorted. Add a test in this directory for a new one. */
const OPENED = [
  'common.BlockData.data',
  'common.ChannelHeader.extension',
  'common.ConfigSignature.signature_header',
  'common.ConfigUpdate.isolated_data',
  'common.ConfigUpdateEnvelope.config_update',
  'common.Envelope.payload',
  'common.Header.channel_header',
  'common.Header.signature_header',
  'common.MSPPrincipal.principal',
  'common.Payload.data',
  'common.Policy.value',
  'common.SignatureHeader.creator',
  'msp.MSPConfig.config',
  'orderer.ConsensusType.metadata',
  'protos.ChaincodeAction.events',
  'protos.ChaincodeAction.results',
  'protos.ChaincodeActionPayload.chaincode_proposal_payload',
  'protos.ChaincodeEndorsedAction.proposal_response_payload',
  'protos.ChaincodeProposalPayload.input',
  'protos.ProposalResponsePayload.extension',
  'protos.TransactionAction.header',
  'protos.TransactionAction.payload',
];
test('no other bytes fields are opened', (t) => {
  const names = new Set(messageNames().map(resolveName));
  const opened = [...names].flatMap((name) =>
    descriptorOf(name)
      .fields.filter(({ content }) => content !== undefined)
      .map((field) => `${name}.${field.name}`),
  );
  t.deepEqual(opened.toSorted(), OPENED);
});

const ENVELOPE = bytesField(2, 'sig');
const PRINCIPAL = bytesField(2, bytesField(1, 'Org1'));
const POLICY = bytesField(3, PRINCIPAL);

/** Opened messages below a oneof, and the path to bytes that stay base64 there. */
const BELOW_ONEOFS: readonly (readonly [
  type: string,
  data: Buffer,
  path: readonly (string | number)[],
  shown: string,
])[] = [
  [
    'orderer.DeliverResponse',
    bytesField(2, bytesField(2, bytesField(1, ENVELOPE))),
    ['block', 'data', 'data', 0],
    ENVELOPE.toString('base64'),
  ],
  [
    'protos.DeliverResponse',
    bytesField(2, bytesField(2, bytesField(1, ENVELOPE))),
    ['block', 'data', 'data', 0],
    ENVELOPE.toString('base64'),
  ],
  [
    'protos.DeliverResponse',
    bytesField(4, bytesField(1, bytesField(2, bytesField(1, ENVELOPE)))),
    ['block_and_private_data', 'block', 'data', 'data', 0],
    ENVELOPE.toString('base64'),
  ],
  [
    'common.CollectionPolicyConfig',
    bytesField(1, POLICY),
    ['signature_policy', 'identities', 0, 'principal'],
    'CgRPcmcx',
  ],
  [
    'protos.ApplicationPolicy',
    bytesField(1, POLICY),
    ['signature_policy', 'identities', 0, 'principal'],
    'CgRPcmcx',
  ],
  [
    'orderer.StepRequest',
    bytesField(2, bytesField(3, bytesField(1, hex('0a00')))),
    ['submit_request', 'payload', 'payload'],
    'CgA=',
  ],
];
for (const [type, data, path, shown] of BELOW_ONEOFS) {
  test(`bytes below a oneof stay base64 in both directions: ${type} ${path.join('.')}`, (t) => {
    const json = decoded(type, data);
    let found: unknown = json;
    for (const step of path) found = (found as Record<string | number, unknown>)[step];
    t.is(found, shown);
    t.is(Buffer.from(encode(type, JSON.stringify(json))).toString('hex'), data.toString('hex'));
  });
}

/** Messages with fields of opened message types. */
const REACHED: readonly (readonly [type: string, data: Buffer, path: readonly (string | number)[]])[] = [
  [
    'protos.ProcessedTransaction',
    bytesField(1, bytesField(1, bytesField(1, bytesField(1, hex('0803'))))),
    ['transactionEnvelope', 'payload', 'header', 'channel_header', 'type'],
  ],
  [
    'common.ConfigEnvelope',
    bytesField(2, bytesField(1, bytesField(1, bytesField(1, hex('0803'))))),
    ['last_update', 'payload', 'header', 'channel_header', 'type'],
  ],
  [
    'orderer.SubmitRequest',
    bytesField(3, bytesField(1, bytesField(1, bytesField(1, hex('0803'))))),
    ['payload', 'payload', 'header', 'channel_header', 'type'],
  ],
  [
    'protos.BlockAndPrivateData',
    bytesField(1, bytesField(2, bytesField(1, bytesField(1, bytesField(1, bytesField(1, hex('0803'))))))),
    ['block', 'data', 'data', 0, 'payload', 'header', 'channel_header', 'type'],
  ],
];
for (const [type, data, path] of REACHED) {
  test(`opens bytes below fields of other messages: ${type} ${path.join('.')}`, (t) => {
    let found: unknown = decoded(type, data);
    for (const step of path) found = (found as Record<string | number, unknown>)[step];
    t.is(found, 3);
  });
}
