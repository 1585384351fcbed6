// The stages of an orderer in Fabric's order (orderer/common/msgprocessor/standardchannel.go, multichannel/chainsupport.go). Fabric
// stops at the first stage that refuses; a review goes on, so that everything can be corrected at once.

import { bftFindings } from './bft.js';
import { channelConfigFindings } from './channel-config.js';
import type { Finding, Proposal } from '../finding.js';
import { maintenanceFindings } from './maintenance.js';
import { raftMetadataFindings } from './raft-metadata.js';
import { successionFindings } from './succession.js';
import { unsupportedCapabilityFindings } from './unsupported-capabilities.js';
import { versionFindings } from './versions.js';

/** A stage: what the orderer refuses in a proposal. */
export type Stage = (proposal: Proposal) => readonly Finding[];

/** Stages that need certificates, signatures or policies; they run where Fabric runs them. */
export interface SignatureStages {
  /** Size, expiry and Writers, before everything. */
  readonly initial: readonly Stage[];
  /** The mod_policies of the changed elements, after the versions. */
  readonly signatures: readonly Stage[];
  /** MSPs and policies of the resulting config, after its values. */
  readonly bundle: readonly Stage[];
  /** TLS certificates of consenters, before the change of members. */
  readonly consenters: readonly Stage[];
}

/** Findings that stop the stages after them: what they need does not parse. */
const FINAL: ReadonlySet<string> = new Set(['value-garbage']);

/** Runs all stages in order. */
export function runStages(proposal: Proposal, stages: Partial<SignatureStages> = {}): Finding[] {
  const { initial = [], signatures = [], bundle = [], consenters = [] } = stages;
  const findings: Finding[] = [];
  const inOrder: readonly Stage[] = [
    ...initial,
    versionFindings,
    ...signatures,
    channelConfigFindings,
    ...bundle,
    unsupportedCapabilityFindings,
    successionFindings,
    ...consenters,
    raftMetadataFindings,
    maintenanceFindings,
    bftFindings,
  ];
  for (const stage of inOrder) {
    findings.push(...stage(proposal));
    if (findings.some(({ id }) => FINAL.has(id))) break;
  }
  return findings;
}
