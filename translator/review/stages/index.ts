// The stages of an orderer in Fabric's order (orderer/common/msgprocessor/standardchannel.go, multichannel/chainsupport.go). Fabric
// stops at the first stage that refuses; a review goes on, so that everything can be corrected at once.

import type { Facts } from '../facts/gather.js';
import type { Proposal } from '../facts/proposal.js';
import type { Finding } from '../../documents/index.js';
import { isDecodable } from '../finding.js';
import { authorizationFindings } from './authorization.js';
import { bftFindings, bftOptionFindings } from './bft.js';
import { bundleFindings, consenterCertificateFindings } from './bundle.js';
import { channelConfigFindings } from './channel-config.js';
import { maintenanceFindings } from './maintenance.js';
import { raftMetadataFindings } from './raft-metadata.js';
import { finalSizeFindings, requestSizeFindings, submissionFindings } from './submission.js';
import { successionFindings } from './succession.js';
import { unsupportedCapabilityFindings } from './unsupported-capabilities.js';
import { channelFindings, understoodFindings, versionFindings } from './update.js';

/** A stage: what the orderer refuses. */
type Stage = (proposal: Proposal, facts: Facts | undefined) => readonly Finding[];

/** A stage that needs certificates, signatures, policies or the envelope. */
const withFacts =
  (check: (facts: Facts) => readonly Finding[]): Stage =>
  (_, facts) =>
    facts === undefined ? [] : check(facts);

const STAGES: readonly Stage[] = [
  withFacts(understoodFindings),
  withFacts(channelFindings),
  withFacts(submissionFindings),
  versionFindings,
  withFacts(authorizationFindings),
  channelConfigFindings,
  withFacts(bundleFindings),
  unsupportedCapabilityFindings,
  successionFindings,
  withFacts(consenterCertificateFindings),
  raftMetadataFindings,
  maintenanceFindings,
  bftFindings,
  withFacts(finalSizeFindings),
  withFacts(requestSizeFindings),
];

/** What orderers refuse in a config by itself, whatever made it. */
export function configFindings(
  facts: Pick<Facts, 'proposal' | 'mspFaults' | 'after' | 'consenterFaults'>,
): Finding[] {
  const { proposal } = facts;
  const values = channelConfigFindings(proposal);
  if (!isDecodable(values)) return values;
  return [
    ...values,
    ...bundleFindings(facts),
    ...unsupportedCapabilityFindings(proposal),
    ...consenterCertificateFindings(facts),
    ...raftMetadataFindings(proposal),
    ...bftOptionFindings(proposal),
  ];
}

/** Runs all stages in order; without facts, those that need only the config and the update. */
export function runStages(proposal: Proposal, facts?: Facts): Finding[] {
  const findings: Finding[] = [];
  for (const stage of STAGES) {
    findings.push(...stage(proposal, facts));
    if (!isDecodable(findings)) break;
  }
  return findings;
}
