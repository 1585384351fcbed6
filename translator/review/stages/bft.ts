// Stage: what BFT consenters check before they order a config (Fabric's orderer/consensus/smartbft/configverifier.go).

import { sameBytes } from '../../../proto/bytes.js';
import {
  channelOf,
  bftQuorum,
  blockValidationPolicy,
  type ConfigGroup,
  type Policy,
  readBftOptions,
  ROTATION_ON,
  valueOf,
  valueOrEmpty,
} from '../../channel/index.js';
import { attempt } from '../../../proto/errors.js';
import type { Proposal } from '../facts/proposal.js';
import type { Finding } from '../../documents/index.js';
import { refused, type Refusal } from '../finding.js';

const PATH = '/Channel/Orderer';

/** Fabric sends these texts with the status SERVICE_UNAVAILABLE and without a prefix. */
export const bftFindings = (proposal: Proposal): Finding[] =>
  findings(proposal, policyRefusals).concat(bftOptionFindings(proposal));

/** Those that orderers refuse in a config by itself, too: they load any consenters and BlockValidation, see `bftPolicyFindings`. */
export const bftOptionFindings = (proposal: Proposal): Finding[] => findings(proposal, optionRefusals);

function findings({ before, applied }: Proposal, refusalsOf: (orderer: ConfigGroup) => Refusal[]): Finding[] {
  const { group: orderer } = channelOf(applied.config).orderer;
  if (!channelOf(before).orderer.isBft || orderer === undefined) return [];
  return refusalsOf(orderer).map((refusal) => refused('', refusal));
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
        data: {},
      },
    ];
  const path = `${PATH}/BlockValidation`;
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
        data: { required: null },
      },
    ];
  if (samePolicy(entry.policy, blockValidationPolicy(mapping))) return [];
  return [
    {
      id: 'bft-block-validation',
      orderer: 'block validation policy should be a signature policy: …',
      path,
      data: { required: { quorum: bftQuorum(mapping.length).quorum, consenters: mapping.length } },
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
  return attempt(
    (): Refusal[] =>
      readBftOptions(metadata).leaderRotation === ROTATION_ON
        ? [
            {
              id: 'bft-rotation',
              orderer: 'leader rotation must be turned off for this version or be unspecified',
              path,
              data: {},
            },
          ]
        : [],
    ({ message }) => [
      {
        id: 'bft-options',
        orderer: `invalid options encoded in consensus metadata: ${message}`,
        path,
        data: {},
      },
    ],
  );
}
