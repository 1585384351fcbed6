// Stage: what BFT consenters check before they order a config (Fabric's orderer/consensus/smartbft/configverifier.go).

import { blockValidationPolicy, bftQuorum } from '../../config/block-validation.js';
import { sameBytes } from '../../config/bytes.js';
import type { ConfigGroup, Policy } from '../../config/element.js';
import { readBftOptions, valueOf, valueOrEmpty } from '../../config/values.js';
import { TranslateError } from '../../../proto/errors.js';
import type { Proposal } from '../facts/proposal.js';
import { refused, type Finding, type Refusal } from '../finding.js';

const PATH = '/Channel/Orderer';
const ROTATION_ON = 2;

/** Fabric sends these texts with the status SERVICE_UNAVAILABLE and without a prefix. */
export function bftFindings({ before, applied }: Proposal): Finding[] {
  const type = valueOrEmpty(before.channelGroup.groups.get('Orderer'), 'orderer', 'ConsensusType').type;
  const orderer = applied.config.channelGroup.groups.get('Orderer');
  if (type !== 'BFT' || orderer === undefined) return [];
  return [...policyRefusals(orderer), ...optionRefusals(orderer)].map((refusal) => refused('', refusal));
}

/** Whether BlockValidation, with the consenters, is what a BFT orderer requires at each config update. */
export function policyRefusals(orderer: ConfigGroup): Refusal[] {
  const mapping = valueOf(orderer, 'orderer', 'Orderers')?.consenterMapping;
  if (mapping === undefined)
    return [
      {
        id: 'bft-consenters-missing',
        orderer: "no values in 'Orderer' group",
        path: `${PATH}/Orderers`,
        text: 'the value Orderers with the BFT consenters is missing',
        todo: 'set the value Orderers',
      },
    ];
  const path = `${PATH}/BlockValidation`;
  const todo = 'set BlockValidation in the same update so that it fits the consenters';
  const entry = orderer.policies.get('BlockValidation');
  if (entry === undefined)
    return [
      {
        id: 'bft-block-validation',
        orderer:
          orderer.policies.size === 0
            ? "empty policies in 'Orderer' group"
            : "block validation policy is not found in the policies of 'Orderer' group",
        path,
        text: 'the policy BlockValidation is missing',
        todo,
      },
    ];
  if (samePolicy(entry.policy, blockValidationPolicy(mapping))) return [];
  return [
    {
      id: 'bft-block-validation',
      orderer: 'block validation policy should be a signature policy: …',
      path,
      text: `BlockValidation must require ${bftQuorum(mapping.length).quorum} of the ${mapping.length} identities of the consenters, in the order of Orderers`,
      todo,
    },
  ];
}

const samePolicy = (actual: Policy | undefined, expected: Policy): boolean =>
  actual !== undefined &&
  actual.type === expected.type &&
  (actual.unknown ?? []).length === 0 &&
  sameBytes(actual.value, expected.value);

function optionRefusals(orderer: ConfigGroup): Refusal[] {
  const path = `${PATH}/ConsensusType`;
  const { metadata } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  try {
    if (readBftOptions(metadata).leaderRotation !== ROTATION_ON) return [];
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return [
      {
        id: 'bft-options',
        orderer: `invalid options encoded in consensus metadata: ${error.message}`,
        path,
        text: 'the BFT options do not parse',
        todo: 'set the metadata again from its JSON form',
      },
    ];
  }
  return [
    {
      id: 'bft-rotation',
      orderer: 'leader rotation must be turned off for this version or be unspecified',
      path,
      text: 'leader_rotation is on, which the orderers do not support',
      todo: 'set leader_rotation to ROTATION_OFF',
    },
  ];
}
