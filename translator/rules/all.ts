// All checks in the order of Fabric's stages, and their rules.

import { acls } from './application.js';
import { eachAddress, lostAnchors, movedAddresses } from './addresses.js';
import { bftConsenters, bftPolicy, bftPolicyAfterSwitch, bftPolicyOfConfig } from './bft.js';
import { bftOptionValues, refusedBftOptions } from './bft-options.js';
import { blockSignatures } from './block-validation.js';
import { bundle, consenterCertificates } from './bundle.js';
import {
  changedCapabilities,
  lifecycleOfConfig,
  unknownCapabilities,
  unsupportedCapabilities,
} from './capabilities.js';
import { channelConfig } from './channel-config.js';
import { changedConsenters, eachConsenter, unreachable } from './consenters.js';
import { addedBlockSigners } from './block-signers.js';
import { control } from './control.js';
import { join } from './join.js';
import { maintenance, migrationSteps } from './migration.js';
import { mspChanges } from './msp-changes.js';
import { batchBytes, batchInterval, consensus } from './orderer.js';
import { eachOrganization } from './organizations.js';
import { eachPolicy, missingPolicies, modPolicies, removedPolicies } from './policies.js';
import { raftMembership } from './raft-metadata.js';
import { raftOptionValues } from './raft-options.js';
import { wordsOf, type RawFinding, type Losing, type Rule, type Severity } from './rule.js';
import { SERVICE_RULES, neededServices } from './services.js';
import { authorization, cutOff, signatures } from './signatures.js';
import { expiration, finalSize, messageSize, requestSize, writers } from './submission.js';
import { succession } from './succession.js';
import { channelOfEnvelope, effects, notShown, understood, versions } from './update.js';
import { VERSION_RULES } from './versions.js';

/**
 * The stages of refusals, in Fabric's order (orderer/common/msgprocessor/standardchannel.go, multichannel/chainsupport.go). Fabric stops at
 * the first stage that refuses; a review goes on, so that everything can be corrected at once.
 */
export const STAGES = [
  understood,
  channelOfEnvelope,
  messageSize,
  expiration,
  writers,
  versions,
  authorization,
  channelConfig,
  bundle,
  unsupportedCapabilities,
  succession,
  consenterCertificates,
  raftMembership,
  maintenance,
  bftPolicy,
  refusedBftOptions,
  finalSize,
  requestSize,
] as const;

/** The checks for harm in a config. A review leaves out findings that the config before the update has. */
export const OF_CONFIG = [
  batchBytes,
  batchInterval,
  unknownCapabilities,
  consensus,
  raftOptionValues,
  eachConsenter,
  bftConsenters,
  bftOptionValues,
  blockSignatures,
  eachAddress,
  eachOrganization,
  eachPolicy,
  modPolicies,
  acls,
] as const;

/** The checks for harm in a change. */
export const OF_CHANGE = [
  lostAnchors,
  movedAddresses,
  bftPolicyAfterSwitch,
  changedConsenters,
  unreachable,
  changedCapabilities,
  migrationSteps,
  removedPolicies,
  mspChanges,
  cutOff,
  control,
  addedBlockSigners,
  notShown,
  effects,
] as const;

/** The checks for a config by itself only: what must exist on every channel. */
export const OF_STATE = [bftPolicyOfConfig, missingPolicies, lifecycleOfConfig, neededServices] as const;

const CHECKS = [...STAGES, ...OF_CONFIG, ...OF_CHANGE, ...OF_STATE, join, signatures] as const;

type AnyRule =
  | (typeof CHECKS)[number]['rules'][number]
  | (typeof SERVICE_RULES)[number]
  | (typeof VERSION_RULES)[number];

/** All rules, each once, by id. */
export const RULES: ReadonlyMap<string, AnyRule> = new Map(
  [...CHECKS.flatMap(({ rules }): readonly AnyRule[] => rules), ...SERVICE_RULES, ...VERSION_RULES].map(
    (rule) => [rule.id, rule],
  ),
);

/** Whether an id is of findings that can be dangers, and of which none leaves open whether orderers accept the update. */
export function canBeAllowed(id: string): boolean {
  const rule = RULES.get(id);
  return rule !== undefined && rule.isOpen !== true && rule.severities.includes('danger');
}

/** The id of a finding. */
export type FindingId = AnyRule['id'];

type FindingOf<One> =
  One extends Rule<infer Id, infer Data, infer Tells>
    ? {
        /** The kind of finding, for programs and for the table in the documentation. */
        readonly id: Id;
        readonly severity: Severity;
        /** One plain sentence without a period. */
        readonly text: string;
        /** The text in a headline, if `text` is too long to be read in a few seconds. */
        readonly short?: string;
        /** The orderer's text, after the status. `…` at its end stands for a dump of messages or certificates. */
        readonly orderer?: string;
        /** The element, for example `/Channel/Orderer/BatchSize`; empty if the finding is not about one. */
        readonly path: string;
        /** The correction, without a period. */
        readonly todo: string;
        /** The data in `text` and `todo`: JSON values. Times are in ISO 8601, 64-bit numbers are decimal texts. */
        readonly data: Tells extends true ? Data & Losing : Data;
        /** The rule of another finding that this one follows from; it counts only if that one is allowed. */
        readonly explainedBy?: string;
      }
    : never;

/** A finding about a config update or a config. Its id determines the type of its data. */
export type Finding = FindingOf<AnyRule>;

/** The data of the findings with an id. */
export type FindingData<Id extends FindingId = FindingId> = Extract<Finding, { readonly id: Id }>['data'];

/** A finding in words. */
export function toFinding(found: RawFinding): Finding {
  const { rule, severity, orderer, path, data, explainedBy } = found;
  const { text, todo, short } = wordsOf(found);
  const finding = {
    id: rule.id,
    severity,
    text,
    ...(short !== undefined && { short }),
    ...(orderer !== undefined && { orderer }),
    path,
    todo,
    data,
    ...(explainedBy !== undefined && { explainedBy }),
  };
  // A rule makes findings with its own id and data. The compiler cannot infer the rule here.
  return finding as Finding;
}
