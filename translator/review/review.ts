// Reviews a config update: by the rules of each program that the nodes may run.

import { is, requireTypes } from '../../proto/arguments.js';
import { type Envelope, type ConfigFile, resultTypes } from '../channel/index.js';
import { LongCall, CALL } from '../long-call.js';
import { MspCache, rulesOf, type Rules } from '../msp/index.js';
import {
  checkSize,
  compareVersions,
  differingRules,
  findInUpdate,
  gatherFacts,
  type Facts,
  type FoundBy,
  type RawFinding,
  type ReviewOptions,
  type Severity,
} from '../rules/index.js';
import { appliedIn, appliedReview } from './applied.js';
import { report } from './report.js';
import type { Review } from './result.js';

const SEVERITIES: readonly Severity[] = ['refused', 'danger', 'unsigned', 'warning'];
/** The usual share of the rules in a review, in hundredths. */
const RULES = 30;

const OPTIONS = is.only({
  now: is.optional(is.date),
  // rulesOf checks the versions.
  fabric: is.any,
  active: is.any,
  orderers: is.optional(is.list(is.record({}))),
  submitter: is.optional(is.bytes),
  isNewest: is.optional(is.bool),
  msps: is.any,
  ...CALL,
});

/**
 * Reviews a config update against the config of its channel.
 *
 * @throws the reason of `signal` if it aborts
 * @throws TranslateError BAD_BYTES if a value of the current config does not parse, BAD_VERSION for an unknown version of Fabric
 */
export async function review(
  file: Envelope,
  block: ConfigFile,
  options: ReviewOptions = {},
): Promise<Review> {
  requireTypes(
    { file, block, options },
    { file: resultTypes.envelope, block: resultTypes.configFile, options: OPTIONS },
  );
  const { now = new Date(), fabric = [], msps = new MspCache(), signal, onProgress, ...others } = options;
  const [newest, ...older] = rulesOf(fabric);
  const call = new LongCall({ signal, onProgress }, 1 + older.length);
  await checkSize(file, call);
  const applied = appliedIn(file, block);
  if (applied !== null) {
    call.begin('rules', RULES);
    call.endRun(1 + older.length);
    return appliedReview(file, block, applied);
  }
  const reviewBy = async (rules: Rules): Promise<{ facts: Facts; found: readonly RawFinding[] }> => {
    const facts = await gatherFacts(file, block, { ...others, now, msps }, rules, call);
    call.begin('rules', RULES);
    return { facts, found: await findInUpdate(facts) };
  };
  const { facts, found } = await reviewBy(newest);
  const all: FoundBy[] = [{ rules: newest, found }];
  const differing = await differingRules(facts, [newest, ...older]);
  for (const rules of older) {
    call.endRun(all.length);
    const isSame = !differing.includes(rules);
    all.push({ rules, found: isSame ? found : (await reviewBy(rules)).found });
  }
  const reported = [...found, ...compareVersions(all, fabric)];
  await call.pause();
  const result = report(
    facts,
    SEVERITIES.flatMap((severity) => reported.filter((each) => each.severity === severity)),
    fabric.length > 0,
  );
  call.endRun(all.length);
  return result;
}
