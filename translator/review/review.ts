// Reviews a config update: by the rules of each program that the nodes may run.

import type { Envelope, ConfigFile } from '../channel/index.js';
import { MspCache, rulesOf } from '../msp/index.js';
import {
  compareVersions,
  differingRules,
  findInUpdate,
  gatherFacts,
  type FoundBy,
  type ReviewOptions,
  type Severity,
} from '../rules/index.js';
import { report } from './report.js';
import type { Review } from './result.js';

const SEVERITIES: readonly Severity[] = ['refused', 'danger', 'unsigned', 'warning'];

/**
 * Reviews a config update against the config of its channel.
 *
 * @throws TranslateError BAD_BYTES if a value of the current config does not parse, BAD_VERSION for an unknown version of Fabric
 */
export async function review(
  file: Envelope,
  block: ConfigFile,
  { fabric = [], msps = new MspCache(), ...options }: ReviewOptions,
): Promise<Review> {
  const [newest, ...older] = rulesOf(fabric);
  const facts = await gatherFacts(file, block, { ...options, msps }, newest);
  const found = await findInUpdate(facts);
  const all: FoundBy[] = [{ rules: newest, found }];
  const differing = await differingRules(facts, [newest, ...older]);
  for (const rules of older) {
    const isSame = !differing.includes(rules);
    all.push({
      rules,
      found: isSame ? found : await findInUpdate(await gatherFacts(file, block, { ...options, msps }, rules)),
    });
  }
  const reported = [...found, ...compareVersions(all, fabric)];
  return report(
    facts,
    SEVERITIES.flatMap((severity) => reported.filter((each) => each.severity === severity)),
    fabric.length > 0,
  );
}
