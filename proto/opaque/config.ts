// Configurations, their updates, and the messages in their values and policies.

import { Refusal, type Readable } from '../message.js';
import type { RulesByMessage } from '../opaque-rules.js';
import { channelGroup } from './channel-groups.js';

const MSP_CONFIGS: ReadonlyMap<number, string> = new Map([
  [0, 'msp.FabricMSPConfig'],
  [1, 'msp.IdemixMSPConfig'],
]);

const PRINCIPALS: ReadonlyMap<number, string> = new Map([
  [0, 'common.MSPRole'],
  [1, 'common.OrganizationUnit'],
  [2, 'msp.SerializedIdentity'],
]);

const POLICIES: ReadonlyMap<number, string> = new Map([
  [1, 'common.SignaturePolicyEnvelope'],
  [3, 'common.ImplicitMetaPolicy'],
]);

const CONSENSUS_METADATA: ReadonlyMap<unknown, string> = new Map([
  ['etcdraft', 'etcdraft.ConfigMetadata'],
  ['BFT', 'orderer.smartbft.Options'],
]);

function mspConfigOf(msp: Readable): string | Refusal {
  const type = msp.int('type');
  return MSP_CONFIGS.get(type) ?? new Refusal(`unable to decode MSP type: ${String(type)}`);
}

function principalOf(principal: Readable): string | Refusal {
  const field = principal.descriptor.byName.get('principal_classification')!;
  const number = principal.int('principal_classification');
  const name = field.enum!.names.get(number) ?? String(number);
  return PRINCIPALS.get(number) ?? new Refusal(`unable to decode MSP type: ${name}`);
}

function policyOf(policy: Readable): string | Refusal {
  const type = policy.int('type');
  return POLICIES.get(type) ?? new Refusal(`unable to decode policy type: ${String(type)}`);
}

export const config: RulesByMessage = {
  'common.Config': { goType: '*commonext.Config', nested: { channel_group: () => channelGroup } },
  'common.ConfigUpdateEnvelope': {
    goType: '*commonext.ConfigUpdateEnvelope',
    opens: { config_update: 'common.ConfigUpdate' },
  },
  'common.ConfigUpdate': {
    goType: '*commonext.ConfigUpdate',
    nested: { read_set: () => channelGroup, write_set: () => channelGroup },
    opens: { isolated_data: (_update, key) => new Refusal(`Unknown map key: ${key}`) },
  },
  'common.ConfigSignature': {
    goType: '*commonext.ConfigSignature',
    opens: { signature_header: 'common.SignatureHeader' },
  },
  'common.Policy': { goType: '*commonext.Policy', opens: { value: policyOf } },
  'common.MSPPrincipal': { goType: '*mspext.MSPPrincipal', opens: { principal: principalOf } },
  'msp.MSPConfig': { goType: '*mspext.MSPConfig', opens: { config: mspConfigOf } },
  'orderer.ConsensusType': {
    goType: '*ordererext.ConsensusType',
    // Fabric 3.0 reads the metadata of all other types as a message without fields.
    opens: { metadata: (type) => CONSENSUS_METADATA.get(type.get('type')) ?? 'google.protobuf.Empty' },
  },
};
