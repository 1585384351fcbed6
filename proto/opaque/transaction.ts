// Endorser transactions (specification section 6.1).

import type { Treatments } from '../treatment.js';

export const transaction: Treatments = {
  'protos.TransactionAction': {
    go: '*peerext.TransactionAction',
    opens: { header: 'common.SignatureHeader', payload: 'protos.ChaincodeActionPayload' },
  },
  'protos.ChaincodeActionPayload': {
    go: '*peerext.ChaincodeActionPayload',
    opens: { chaincode_proposal_payload: 'protos.ChaincodeProposalPayload' },
  },
  'protos.ChaincodeProposalPayload': {
    go: '*peerext.ChaincodeProposalPayload',
    opens: { input: 'protos.ChaincodeInvocationSpec' },
  },
  'protos.ChaincodeEndorsedAction': {
    go: '*peerext.ChaincodeEndorsedAction',
    opens: { proposal_response_payload: 'protos.ProposalResponsePayload' },
  },
  'protos.ProposalResponsePayload': {
    go: '*peerext.ProposalResponsePayload',
    opens: { extension: 'protos.ChaincodeAction' },
  },
  'protos.ChaincodeAction': {
    go: '*peerext.ChaincodeAction',
    opens: { results: 'rwset.TxReadWriteSet', events: 'protos.ChaincodeEvent' },
  },
};
