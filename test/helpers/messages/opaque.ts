// The messages in opaque bytes fields, for the generator of random messages.

/** Field values: the message in a bytes field, or the number or string that determines that message. */
export type Variant = Readonly<Record<string, string | { readonly is: number | string }>>;

const is = (value: number | string): { is: number | string } => ({ is: value });

/** Field values with which the opaque bytes of a message can be opened. */
export const VARIANTS: ReadonlyMap<string, readonly Variant[]> = new Map<string, Variant[]>([
  ['common.BlockData', [{ data: 'common.Envelope' }]],
  ['common.Envelope', [{ payload: 'common.Payload' }]],
  ['common.Header', [{ channel_header: 'common.ChannelHeader', signature_header: 'common.SignatureHeader' }]],
  ['common.ChannelHeader', [{ type: is(3), extension: 'protos.ChaincodeHeaderExtension' }]],
  ['common.SignatureHeader', [{ creator: 'msp.SerializedIdentity' }]],
  ['common.ConfigSignature', [{ signature_header: 'common.SignatureHeader' }]],
  ['common.ConfigUpdateEnvelope', [{ config_update: 'common.ConfigUpdate' }]],
  [
    'common.Policy',
    [
      { type: is(1), value: 'common.SignaturePolicyEnvelope' },
      { type: is(3), value: 'common.ImplicitMetaPolicy' },
    ],
  ],
  [
    'common.MSPPrincipal',
    [
      { principal_classification: is(0), principal: 'common.MSPRole' },
      { principal_classification: is(1), principal: 'common.OrganizationUnit' },
      { principal_classification: is(2), principal: 'msp.SerializedIdentity' },
    ],
  ],
  [
    'msp.MSPConfig',
    [
      { type: is(0), config: 'msp.FabricMSPConfig' },
      { type: is(1), config: 'msp.IdemixMSPConfig' },
    ],
  ],
  [
    'orderer.ConsensusType',
    [
      { type: is('etcdraft'), metadata: 'etcdraft.ConfigMetadata' },
      { type: is('BFT'), metadata: 'orderer.smartbft.Options' },
    ],
  ],
  [
    'protos.TransactionAction',
    [{ header: 'common.SignatureHeader', payload: 'protos.ChaincodeActionPayload' }],
  ],
  ['protos.ChaincodeActionPayload', [{ chaincode_proposal_payload: 'protos.ChaincodeProposalPayload' }]],
  ['protos.ChaincodeProposalPayload', [{ input: 'protos.ChaincodeInvocationSpec' }]],
  ['protos.ChaincodeEndorsedAction', [{ proposal_response_payload: 'protos.ProposalResponsePayload' }]],
  ['protos.ProposalResponsePayload', [{ extension: 'protos.ChaincodeAction' }]],
  ['protos.ChaincodeAction', [{ results: 'rwset.TxReadWriteSet', events: 'protos.ChaincodeEvent' }]],
]);

/** The message in a configuration value, by name. */
export const CONFIG_VALUES: Readonly<Record<string, string>> = {
  HashingAlgorithm: 'common.HashingAlgorithm',
  OrdererAddresses: 'common.OrdererAddresses',
  Capabilities: 'common.Capabilities',
  ConsensusType: 'orderer.ConsensusType',
  BatchSize: 'orderer.BatchSize',
  ChannelRestrictions: 'orderer.ChannelRestrictions',
  Orderers: 'common.Orderers',
  Endpoints: 'common.OrdererAddresses',
  ACLs: 'protos.ACLs',
  MSP: 'msp.MSPConfig',
  AnchorPeers: 'protos.AnchorPeers',
  ChannelCreationPolicy: 'common.Policy',
};

/** The group names of a configuration tree. */
export const GROUPS: readonly string[] = ['Application', 'Orderer', 'Consortiums'];
