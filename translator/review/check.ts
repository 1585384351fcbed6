// Checks one config by itself: refusals of orderers to load it, and values that are harmful now or soon.

import { is, requireTypes } from '../../proto/arguments.js';
import { type ConfigFile, resultTypes } from '../channel/index.js';
import { LongCall, type CallOptions, CALL } from '../long-call.js';
import { rulesOf, type Program } from '../msp/index.js';
import {
  compareVersions,
  differingRules,
  findInConfigAlone,
  toFinding,
  type RawFinding,
  type FoundBy,
} from '../rules/index.js';
import { ChannelState } from '../state/index.js';
import type { ConfigCheck } from './result.js';

/** Options of a check. */
export interface CheckOptions extends CallOptions {
  /** The time of the check. @default the current time */
  readonly now?: Date | undefined;
  /** The versions of the nodes, as in `ReviewOptions`. */
  readonly fabric?: readonly string[] | undefined;
}

/** The time before its expiry when a certificate is reported, in milliseconds: 30 days. */
const SOON = 30 * 24 * 60 * 60 * 1000;
/** The usual shares of a check, in hundredths. */
const MSPS = 70;
const RULES = 30;

const OPTIONS = is.only({
  now: is.optional(is.date),
  // rulesOf checks the versions.
  fabric: is.any,
  ...CALL,
});

/**
 * Checks a config, for example from a block to join with.
 *
 * @throws the reason of `signal` if it aborts
 * @throws TranslateError BAD_VERSION for an unknown version of Fabric
 */
export async function checkConfig(file: ConfigFile, options: CheckOptions = {}): Promise<ConfigCheck> {
  requireTypes({ file, options }, { file: resultTypes.configFile, options: OPTIONS });
  const { now = new Date(), fabric = [], signal, onProgress } = options;
  const { channel, number } = file;
  const [newest, ...older] = rulesOf(fabric);
  const call = new LongCall({ signal, onProgress }, 1 + older.length);
  const { found, after } = await checkBy(file, now, newest, call);
  const all: FoundBy[] = [{ rules: newest, found }];
  const differing = await differingRules({ after }, [newest, ...older]);
  for (const rules of older) {
    call.endRun(all.length);
    const isSame = !differing.includes(rules);
    all.push({ rules, found: isSame ? found : (await checkBy(file, now, rules, call)).found });
  }
  call.endRun(all.length);
  return {
    channel: channel ?? null,
    block: number === undefined ? null : String(number),
    findings: [...found, ...compareVersions(all, fabric)].map(toFinding),
  };
}

/** Checks a config by the rules of one program. */
async function checkBy(
  file: ConfigFile,
  now: Date,
  program: Program,
  call: LongCall,
): Promise<{ readonly found: readonly RawFinding[]; readonly after: ChannelState }> {
  const { config, channel = '' } = file;
  const after = new ChannelState(config, { program, now, horizon: new Date(now.getTime() + SOON), call });
  call.begin('msps', MSPS);
  await after.msps;
  await after.readAhead();
  call.begin('rules', RULES);
  const applied = { config, changes: [], removed: [], faults: [] };
  const proposal = { channel, before: after, after, update: undefined, applied };
  return { found: await findInConfigAlone(proposal, { file, fabric: program.fabric }), after };
}
