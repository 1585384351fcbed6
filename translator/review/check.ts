// Checks one config by itself: what orderers would refuse to load, and what is harmful or will be soon.

import type { ConfigFile } from '../channel/index.js';
import { rulesOf, type Program } from '../msp/index.js';
import { consenterFaults, unreachableConsenters } from './facts/consenters.js';
import type { Proposal } from './facts/proposal.js';
import { readPoliciesAhead } from '../policy/index.js';
import { ChannelState } from '../state/index.js';
import type { Finding, ConfigCheck } from '../documents/index.js';
import { isDecodable } from './finding.js';
import { bftPolicyFindings, unreachableFindings } from './dangers/consenters.js';
import { dangersIn } from './dangers/index.js';
import { differingRules, versionFindings } from './dangers/versions.js';
import { configFindings } from './stages/index.js';
import { joinFindings } from './stages/join.js';

/** How to check. */
export interface CheckOptions {
  /** The clock. */
  readonly now: Date;
  /** The versions of the nodes, as in `ReviewOptions`. */
  readonly fabric?: readonly string[] | undefined;
}

/** How long before its end a certificate is reported, in milliseconds: 30 days. */
const SOON = 30 * 24 * 60 * 60 * 1000;

/**
 * Checks a config, for example that of a block to join with.
 *
 * @throws TranslateError BAD_VERSION for an unknown version of Fabric
 */
export async function checkConfig(
  file: ConfigFile,
  { now, fabric = [] }: CheckOptions,
): Promise<ConfigCheck> {
  const { channel, number } = file;
  const [newest, ...older] = rulesOf(fabric);
  const { findings, after } = await checkBy(file, now, newest);
  const verdicts = [{ rules: newest, findings }];
  const differing = await differingRules({ after }, [newest, ...older]);
  for (const rules of older) {
    const isSame = !differing.includes(rules);
    verdicts.push({ rules, findings: isSame ? findings : (await checkBy(file, now, rules)).findings });
  }
  return {
    channel: channel ?? null,
    block: number === undefined ? null : String(number),
    findings: [...findings, ...versionFindings(verdicts, fabric)],
  };
}

/** Checks a config by the rules of one program. */
async function checkBy(
  file: ConfigFile,
  now: Date,
  program: Program,
): Promise<{ readonly findings: readonly Finding[]; readonly after: ChannelState }> {
  const { config, channel } = file;
  const after = new ChannelState(config, { program, now, horizon: new Date(now.getTime() + SOON) });
  const { faults: mspFaults } = await after.msps;
  await readPoliciesAhead(config.channelGroup);
  const proposal: Proposal = {
    channel: channel ?? '',
    before: config,
    update: undefined,
    applied: { config, changes: [], removed: [], faults: [] },
    fabric: program.fabric,
    bft: program.bft,
  };
  const faults = await consenterFaults(after, after);
  const findings = configFindings({ proposal, mspFaults, after, consenterFaults: faults });
  if (isDecodable(findings)) {
    findings.unshift(...joinFindings(file, program.fabric));
    const unreachable = await unreachableConsenters(after);
    const dangers = [
      ...bftPolicyFindings(after),
      ...unreachableFindings({ unreachable, after }),
      ...(await dangersIn(after, mspFaults)),
    ];
    findings.push(...dangers.filter((each) => !expiresSoon(each)), ...dangers.filter(expiresSoon));
  }
  return { findings, after };
}

const expiresSoon = ({ data }: Finding): boolean => 'isExpired' in data && !data.isExpired;
