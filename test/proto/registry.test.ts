// Known message and enum names, the errors for unknown ones, and the Go types in errors.

import test from 'ava';
import { descriptorOf } from '../../proto/descriptor.js';
import { messageNames } from '../../proto/index.js';
import { enumOf, fieldsOf, goTypeOf, resolveName } from '../../proto/registry.js';
import { FABRIC_NAMES, LINKED_NAMES, NEWER_NAMES } from '../helpers/message-names.js';
import { errorOf } from '../helpers/codec.js';

test('messageNames has the names of Fabric and the linked libraries and common.Configuration, sorted', (t) => {
  const fabric = Object.entries(FABRIC_NAMES).flatMap(([group, names]) =>
    names.map((name) => `${group}.${name}`),
  );
  const all = new Set([...fabric, ...LINKED_NAMES, ...NEWER_NAMES, 'common.Configuration']);
  t.deepEqual(messageNames(), [...all].toSorted());
});

test('each name resolves to a message of the schema', (t) => {
  for (const name of messageNames()) {
    const known = resolveName(name);
    t.is(known, name === 'common.Configuration' ? 'common.Config' : name);
    t.true(Array.isArray(fieldsOf(known)));
  }
});

const UNKNOWN: readonly (readonly [name: string, hint: string])[] = [
  ['', ''],
  ['.', ''],
  ['Block', ' (did you mean common.Block?)'],
  ['block', ' (did you mean common.Block?)'],
  ['common.block', ' (did you mean common.Block?)'],
  ['.common.Block', ' (did you mean common.Block?)'],
  ['common.Blok', ' (did you mean common.Block?)'],
  ['peer.Transaction', ' (did you mean protos.Transaction?)'],
  ['peer.ProcessedTransaction', ' (did you mean protos.ProcessedTransaction?)'],
  ['msp.MSPPrincipal', ' (did you mean common.MSPPrincipal?)'],
  ['smartbft.Options', ' (did you mean etcdraft.Options, orderer.smartbft.Options?)'],
  ['lifecycle.InstallChaincodeArgs', ''],
  ['common.ConfigGroup.GroupsEntry', ''],
  ['google.protobuf.Struct', ''],
  ['__proto__', ''],
  ['constructor', ''],
  ['toString', ''],
  ['hasOwnProperty', ''],
];
for (const [name, hint] of UNKNOWN) {
  test(`'${name}' is not found${hint}`, (t) => {
    t.deepEqual(
      errorOf(() => resolveName(name)),
      { code: 'UNKNOWN_TYPE', message: `proto: not found${hint}`, path: '' },
    );
  });
}

test('the name of an enum is not a message', (t) => {
  t.deepEqual(
    errorOf(() => resolveName('common.HeaderType')),
    { code: 'UNKNOWN_TYPE', message: 'proto: found wrong type: got enum, want message', path: '' },
  );
});

test('enumOf has the values by name and number; other names are unknown', (t) => {
  const status = enumOf('common.Status');
  t.is(status?.numbers.get('SUCCESS'), 200);
  t.is(status?.names.get(200), 'SUCCESS');
  t.is(status?.names.get(201), undefined);
  t.is(status?.numbers.get('constructor'), undefined);
  for (const name of ['', '__proto__', 'constructor', 'common.Block', 'string'])
    t.is(enumOf(name), undefined);
});

const TYPES: readonly (readonly [message: string, go: string])[] = [
  ['common.Block', '*common.Block'],
  ['common.SignaturePolicy.NOutOf', '*common.SignaturePolicy_NOutOf'],
  ['common.MSPRole', '*msp.MSPRole'],
  ['common.OrganizationUnit', '*msp.OrganizationUnit'],
  ['msp.FabricMSPConfig', '*msp.FabricMSPConfig'],
  ['orderer.BatchSize', '*orderer.BatchSize'],
  ['orderer.smartbft.Options', '*smartbft.Options'],
  ['etcdraft.Options', '*etcdraft.Options'],
  ['protos.Transaction', '*peer.Transaction'],
  ['rwset.NsReadWriteSet', '*rwset.NsReadWriteSet'],
  ['kvrwset.KVRWSet', '*kvrwset.KVRWSet'],
  ['google.protobuf.Timestamp', '*timestamppb.Timestamp'],
  ['google.protobuf.Duration', '*durationpb.Duration'],
  ['google.protobuf.Empty', '*emptypb.Empty'],
  ['google.protobuf.Any', '*anypb.Any'],
  ['google.rpc.Status', '*status.Status'],
  ['grpc.binarylog.v1.GrpcLogEntry', '*grpc_binarylog_v1.GrpcLogEntry'],
];
for (const [message, go] of TYPES) {
  test(`${message} is ${go}`, (t) => {
    t.is(goTypeOf(message), go);
    t.is(descriptorOf(message).goType, go);
  });
}

/** The messages with a type in one of Fabric's protoext packages. */
const PROTOEXT: Readonly<Record<string, readonly string[]>> = {
  commonext: [
    'common.BlockData',
    'common.ChannelHeader',
    'common.Config',
    'common.ConfigSignature',
    'common.ConfigUpdate',
    'common.ConfigUpdateEnvelope',
    'common.Envelope',
    'common.Header',
    'common.Payload',
    'common.Policy',
    'common.SignatureHeader',
  ],
  mspext: ['common.MSPPrincipal', 'msp.MSPConfig'],
  ordererext: ['orderer.ConsensusType'],
  peerext: [
    'protos.ChaincodeAction',
    'protos.ChaincodeActionPayload',
    'protos.ChaincodeEndorsedAction',
    'protos.ChaincodeProposalPayload',
    'protos.ProposalResponsePayload',
    'protos.TransactionAction',
  ],
  rwsetext: ['rwset.TxReadWriteSet'],
};
for (const [group, messages] of Object.entries(PROTOEXT)) {
  test(`the messages with a Go type in ${group}`, (t) => {
    const found = messageNames().filter((name) =>
      descriptorOf(resolveName(name)).goType.startsWith(`*${group}.`),
    );
    t.deepEqual(
      found.filter((name) => name !== 'common.Configuration'),
      messages,
    );
  });
}
