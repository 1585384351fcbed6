// Checks one config by itself: what orderers would refuse to load, and what is harmful or will be soon.

import { NO_BYTES } from '../config/element.js';
import type { FabricVersion } from '../config/capabilities.js';
import type { ConfigFile } from '../config/file.js';
import { MspCache, setupChannelMsps } from '../msp/channel-msps.js';
import { consenterFaults } from './facts/consenters.js';
import type { Proposal } from './facts/proposal.js';
import { stateOf } from './facts/state.js';
import { applyingTo, isDecodable, type Finding } from './finding.js';
import { bftPolicyHazards } from './hazards/bft.js';
import { hazardsIn } from './hazards/index.js';
import { configFindings } from './stages/index.js';

/** How to check. */
export interface CheckOptions {
  /** The clock. */
  readonly now: Date;
  /** The version of the orderers; 3.0 if it is not given. */
  readonly fabric?: FabricVersion | undefined;
}

/** What was found in a config. Everything in it can be written as JSON. */
export interface ConfigCheck {
  /** Null if the config does not name it. */
  readonly channel: string | null;
  /** The number of the block; null if the config is not in a block. */
  readonly block: string | null;
  /** In the order of severity: refused, danger, warning. */
  readonly findings: readonly Finding[];
}

/** How long before its end a certificate is reported, in milliseconds: 30 days. */
const SOON = 30 * 24 * 60 * 60 * 1000;

/** Checks a config, for example that of a block to join with. */
export async function checkConfig(
  { config, channel, number }: ConfigFile,
  { now, fabric = '3.0' }: CheckOptions,
): Promise<ConfigCheck> {
  const msps = await setupChannelMsps(config, new MspCache(fabric));
  const after = stateOf(config, msps, now);
  const proposal: Proposal = {
    channel: channel ?? '',
    before: config,
    update: { channelId: channel ?? '', bytes: NO_BYTES },
    applied: { config, changes: [], removed: [], faults: [] },
    fabric,
  };
  const faults = await consenterFaults(after, after, fabric);
  const refusals = configFindings({ proposal, mspFaults: msps.faults, after, consenterFaults: faults });
  const findings = refusals.map((finding) => withoutPrefix(finding, applyingTo(proposal.channel)));
  if (isDecodable(refusals)) {
    const hazards = [...bftPolicyHazards(after), ...hazardsIn(after, msps.faults)];
    const known = new Set(hazards.map(({ text }) => text));
    const later = hazardsIn({ ...after, now: new Date(now.getTime() + SOON) }, msps.faults);
    const soon = later.filter(({ text }) => !known.has(text));
    findings.push(
      ...hazards,
      ...soon.map((each) => ({ ...each, text: each.text.replace(' expired on ', ' expires on ') })),
    );
  }
  return { channel: channel ?? null, block: number === undefined ? null : String(number), findings };
}

/** The orderer's text without what is about an update. */
function withoutPrefix(finding: Finding, prefix: string): Finding {
  const { orderer } = finding;
  return orderer?.startsWith(prefix) === true
    ? { ...finding, orderer: orderer.slice(prefix.length) }
    : finding;
}
