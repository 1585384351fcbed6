// Go type names in errors.

import test from 'ava';
import { goTypeOf } from '../../proto/go-type.js';
import { descriptorOf } from '../../proto/descriptor.js';
import { messageNames } from '../../proto/index.js';
import { resolveName } from '../../proto/registry.js';

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
