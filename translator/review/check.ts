// Checks one config by itself: what orderers would refuse to load, and what is harmful or will be soon.

import type { FabricVersion } from '../channel/capabilities.js';
import type { ConfigFile } from '../channel/file.js';
import { MspCache, setupChannelMsps } from '../msp/channel-msps.js';
import { consenterFaults, unreachableConsenters } from './facts/consenters.js';
import type { Proposal } from './facts/proposal.js';
import { stateOf } from './facts/state.js';
import type { Finding } from '../describe/findings/index.js';
import type { ConfigCheck } from '../describe/review.js';
import { isDecodable } from './finding.js';
import { bftPolicyFindings, unreachableFindings } from './dangers/consenters.js';
import { dangersIn } from './dangers/index.js';
import { configFindings } from './stages/index.js';

/** How to check. */
export interface CheckOptions {
  /** The clock. */
  readonly now: Date;
  /** The version of the orderers; 3.0 if it is not given. */
  readonly fabric?: FabricVersion | undefined;
}

/** How long before its end a certificate is reported, in milliseconds: 30 days. */
const SOON = 30 * 24 * 60 * 60 * 1000;

/** Checks a config, for example that of a block to join with. */
export async function checkConfig(
  { config, channel, number }: ConfigFile,
  { now, fabric = '3.0' }: CheckOptions,
): Promise<ConfigCheck> {
  const msps = await setupChannelMsps(config, new MspCache(fabric));
  const after = stateOf(config, msps, now, new Date(now.getTime() + SOON));
  const proposal: Proposal = {
    channel: channel ?? '',
    before: config,
    update: undefined,
    applied: { config, changes: [], removed: [], faults: [] },
    fabric,
  };
  const faults = await consenterFaults(after, after, fabric);
  const findings = configFindings({ proposal, mspFaults: msps.faults, after, consenterFaults: faults });
  if (isDecodable(findings)) {
    const unreachable = await unreachableConsenters(after);
    const dangers = [
      ...bftPolicyFindings(after),
      ...unreachableFindings({ unreachable }),
      ...dangersIn(after, msps.faults),
    ];
    findings.push(...dangers.filter((each) => !expiresSoon(each)), ...dangers.filter(expiresSoon));
  }
  return { channel: channel ?? null, block: number === undefined ? null : String(number), findings };
}

const expiresSoon = ({ data }: Finding): boolean => 'isExpired' in data && !data.isExpired;
