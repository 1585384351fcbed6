// The schema table that the build makes: its names, and the fields that are not in the published package.

import test from 'ava';
import { compact, expanded, HIDDEN, type FieldRow } from '../../proto/schema-table.js';
import {
  FABRIC_NAMES,
  LINKED_NAMES,
  NEWER_NAMES,
  ONLY_IN_2_5,
  ONLY_IN_3_0,
  PACKAGES_WITHOUT_NAMES,
} from '../helpers/message-names.js';
import { readSchemaTable } from '../helpers/schema.js';

const table = readSchemaTable();
const namesOf = (packageName: string): string[] =>
  Object.keys(table.messages).filter((name) => /^[a-z0-9.]+(?=\.[A-Z])/.exec(name)?.[0] === packageName);

for (const [name, count] of [
  ['common', 47],
  ['etcdraft', 5],
  ['kvrwset', 13],
  ['msp', 11],
  ['orderer', 31],
  ['orderer.smartbft', 1],
  ['protos', 73],
  ['rwset', 6],
] as const) {
  test(`package ${name} has the ${count} messages that configtxlator resolves, and newer ones`, (t) => {
    const resolved = (FABRIC_NAMES[name] ?? []).map((short) => `${name}.${short}`);
    t.is(resolved.length, count);
    const newer = NEWER_NAMES.filter((each) => each.startsWith(`${name}.`));
    t.deepEqual(namesOf(name).sort(), [...resolved, ...newer].sort());
  });
}

test('2.5.12 resolves 175 Fabric messages, 3.0.0 resolves 182', (t) => {
  const all = Object.entries(FABRIC_NAMES).flatMap(([name, short]) => short.map((each) => `${name}.${each}`));
  t.is(new Set(all).size, 187);
  t.is(all.filter((name) => !ONLY_IN_3_0.includes(name)).length, 175);
  t.is(all.filter((name) => !ONLY_IN_2_5.includes(name)).length, 182);
});

test('has the messages of the libraries that are linked into configtxlator', (t) => {
  const linked = Object.keys(table.messages).filter((name) => /^(?:google|grpc)\./.test(name));
  t.deepEqual(linked.sort(), [...LINKED_NAMES]);
});

test('all other messages are in packages of which configtxlator resolves no name', (t) => {
  const packages = new Set(Object.keys(table.messages).map((name) => name.replace(/\.[A-Z].*/, '')));
  for (const name of [...Object.keys(FABRIC_NAMES), 'google.protobuf', 'google.rpc', 'grpc.binarylog.v1'])
    t.true(packages.delete(name), name);
  t.deepEqual([...packages].sort(), [...PACKAGES_WITHOUT_NAMES]);
});

test('all messages have a file; enums and map entries are not messages', (t) => {
  t.deepEqual(Object.keys(table.files), Object.keys(table.messages));
  t.is(table.files['common.SignaturePolicy.NOutOf'], 'common/policies.proto');
  t.is(table.files['common.MSPPrincipal'], 'msp/msp_principal.proto');
  t.is(table.files['protos.Transaction'], 'peer/transaction.proto');
  t.deepEqual(
    Object.keys(table.messages).filter((name) => name in table.enums || name.endsWith('Entry')),
    ['grpc.binarylog.v1.GrpcLogEntry', 'grpc.binarylog.v1.MetadataEntry', 'kvrwset.KVMetadataEntry'],
  );
});

// Fields of messages that are not published, that exist in one version only, or that have an unusual form.
const FIELDS: readonly (readonly [string, readonly FieldRow[]])[] = [
  [
    'orderer.KafkaMessage',
    [
      [1, 'regular', 'regular', 'orderer.KafkaMessageRegular', 'oneof', 'Type'],
      [2, 'time_to_cut', 'timeToCut', 'orderer.KafkaMessageTimeToCut', 'oneof', 'Type'],
      [3, 'connect', 'connect', 'orderer.KafkaMessageConnect', 'oneof', 'Type'],
    ],
  ],
  [
    'orderer.KafkaMessageRegular',
    [
      [1, 'payload', 'payload', 'bytes', ''],
      [2, 'config_seq', 'configSeq', 'uint64', ''],
      [3, 'class', 'class', 'orderer.KafkaMessageRegular.Class', ''],
      [4, 'original_offset', 'originalOffset', 'int64', ''],
    ],
  ],
  ['orderer.KafkaMessageTimeToCut', [[1, 'block_number', 'blockNumber', 'uint64', '']]],
  ['orderer.KafkaMessageConnect', [[1, 'payload', 'payload', 'bytes', '']]],
  [
    'orderer.KafkaMetadata',
    [
      [1, 'last_offset_persisted', 'lastOffsetPersisted', 'int64', ''],
      [2, 'last_original_offset_processed', 'lastOriginalOffsetProcessed', 'int64', ''],
      [3, 'last_resubmitted_config_offset', 'lastResubmittedConfigOffset', 'int64', ''],
    ],
  ],
  [
    'orderer.BlockAttestation',
    [
      [1, 'header', 'header', 'common.BlockHeader', ''],
      [2, 'metadata', 'metadata', 'common.BlockMetadata', ''],
    ],
  ],
  [
    'orderer.BlockAttestationResponse',
    [
      [1, 'status', 'status', 'common.Status', 'oneof', 'Type'],
      [2, 'block_attestation', 'blockAttestation', 'orderer.BlockAttestation', 'oneof', 'Type'],
    ],
  ],
  [
    'common.MetadataSignature',
    [
      [1, 'signature_header', 'signatureHeader', 'bytes', ''],
      [2, 'signature', 'signature', 'bytes', ''],
      [3, 'identifier_header', 'identifierHeader', 'bytes', ''],
    ],
  ],
  [
    'common.ConfigUpdate',
    [
      [1, 'channel_id', 'channelId', 'string', ''],
      [2, 'read_set', 'readSet', 'common.ConfigGroup', ''],
      [3, 'write_set', 'writeSet', 'common.ConfigGroup', ''],
      [5, 'isolated_data', 'isolatedData', 'bytes', 'map', 'string'],
    ],
  ],
  [
    'protos.BlockAndPrivateData',
    [
      [1, 'block', 'block', 'common.Block', ''],
      [2, 'private_data_map', 'privateDataMap', 'rwset.TxPvtReadWriteSet', 'map', 'uint64'],
    ],
  ],
  [
    'protos.ChaincodeInput',
    [
      [1, 'args', 'args', 'bytes', 'list'],
      [2, 'decorations', 'decorations', 'bytes', 'map', 'string'],
      [3, 'is_init', 'isInit', 'bool', ''],
    ],
  ],
  ['orderer.SeekNewest', []],
];

for (const [name, rows] of FIELDS) {
  test(`the fields of ${name}`, (t) => {
    t.deepEqual(table.messages[name], rows);
  });
}

for (const [message, name, jsonName] of [
  ['gossip.StateInfo', 'channel_MAC', 'channelMAC'],
  ['protos.ChaincodeProposalPayload', 'TransientMap', 'TransientMap'],
  ['protos.ProcessedTransaction', 'transactionEnvelope', 'transactionEnvelope'],
  ['protos.GetStateByRange', 'startKey', 'startKey'],
  ['lifecycle.StateData', 'Int64', 'Int64'],
  ['common.SignaturePolicy', 'n_out_of', 'nOutOf'],
  ['msp.FabricMSPConfig', 'fabric_node_ous', 'fabricNodeOus'],
] as const) {
  test(`the JSON name of ${message}.${name} is ${jsonName}`, (t) => {
    const row = table.messages[message]?.find(([, field]) => field === name);
    t.is(row?.[2], jsonName);
  });
}

test('enum values are in declaration order', (t) => {
  t.deepEqual(Object.entries(table.enums['protos.MetaDataKeys'] ?? {}), [
    ['VALIDATION_PARAMETER', 0],
    ['VALIDATION_PARAMETER_V2', 1],
  ]);
  t.deepEqual(Object.entries(table.enums['orderer.KafkaMessageRegular.Class'] ?? {}), [
    ['UNKNOWN', 0],
    ['NORMAL', 1],
    ['CONFIG', 2],
  ]);
});

test('the form for browsers has all messages and enums that configtxlator resolves, and everything that they contain', (t) => {
  const { messages, enums } = expanded(compact(table));
  const resolved = <Value>(all: Record<string, Value>): Record<string, Value> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !HIDDEN.test(name)));
  t.deepEqual(messages, resolved(table.messages));
  t.deepEqual(enums, resolved(table.enums));
  const types = Object.values(messages).flatMap((rows) => rows.map(([, , , type]) => type));
  t.deepEqual(
    types.filter((type) => type.includes('.') && messages[type] === undefined && enums[type] === undefined),
    [],
  );
});
