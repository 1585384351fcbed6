// Endorser transactions and the read-write sets in them.

import { Refusal, type Readable } from '../message.js';
import type { OpaqueRules, RulesByMessage } from '../opaque-rules.js';

/** rwset.TxReadWriteSet.DataModel */
const KV = 0;

function rwsetOf(namespace: Readable): string | Refusal {
  const model = namespace.parent!.int('data_model');
  return model === KV ? 'kvrwset.KVRWSet' : new Refusal(`unknown data model: ${String(model)}`);
}

// Fabric's protoext/rwsetext does not open the hashed read-write set of a collection.
const collectionInTransaction: OpaqueRules = { goType: '*rwsetext.DynamicCollectionHashedReadWriteSet' };

const namespaceInTransaction: OpaqueRules = {
  goType: '*rwsetext.DynamicNsReadWriteSet',
  opens: { rwset: rwsetOf },
  nested: { collection_hashed_rwset: () => collectionInTransaction },
};

export const transaction: RulesByMessage = {
  'protos.TransactionAction': {
    goType: '*peerext.TransactionAction',
    opens: { header: 'common.SignatureHeader', payload: 'protos.ChaincodeActionPayload' },
  },
  'protos.ChaincodeActionPayload': {
    goType: '*peerext.ChaincodeActionPayload',
    opens: { chaincode_proposal_payload: 'protos.ChaincodeProposalPayload' },
  },
  'protos.ChaincodeProposalPayload': {
    goType: '*peerext.ChaincodeProposalPayload',
    opens: { input: 'protos.ChaincodeInvocationSpec' },
  },
  'protos.ChaincodeEndorsedAction': {
    goType: '*peerext.ChaincodeEndorsedAction',
    opens: { proposal_response_payload: 'protos.ProposalResponsePayload' },
  },
  'protos.ProposalResponsePayload': {
    goType: '*peerext.ProposalResponsePayload',
    opens: { extension: 'protos.ChaincodeAction' },
  },
  'protos.ChaincodeAction': {
    goType: '*peerext.ChaincodeAction',
    opens: { results: 'rwset.TxReadWriteSet', events: 'protos.ChaincodeEvent' },
  },
  'rwset.TxReadWriteSet': {
    goType: '*rwsetext.TxReadWriteSet',
    nested: { ns_rwset: () => namespaceInTransaction },
  },
};
