// Reviews a config update: facts, what orderers refuse (stages), what they accept although it is harmful (dangers), report.

import type { Envelope, ConfigFile } from '../channel/index.js';
import { MspCache, rulesOf } from '../msp/index.js';
import { gatherFacts, type Facts, type ReviewOptions } from './facts/gather.js';
import type { Finding, Severity, Review } from '../documents/index.js';
import { dangersOf } from './dangers/index.js';
import { signatureFindings } from './dangers/signatures.js';
import { differingRules, versionFindings } from './dangers/versions.js';
import { isDecodable } from './finding.js';
import { report } from './report.js';
import { runStages } from './stages/index.js';

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
  const findings = await findingsOf(facts);
  const verdicts = [{ rules: newest, findings }];
  const differing = await differingRules(facts, [newest, ...older]);
  for (const rules of older) {
    const isSame = !differing.includes(rules);
    verdicts.push({
      rules,
      findings: isSame
        ? findings
        : await findingsOf(await gatherFacts(file, block, { ...options, msps }, rules)),
    });
  }
  const all = [...findings, ...versionFindings(verdicts, fabric)];
  return report(
    facts,
    SEVERITIES.flatMap((severity) => all.filter((finding) => finding.severity === severity)),
    fabric.length > 0,
  );
}

async function findingsOf(facts: Facts): Promise<readonly Finding[]> {
  const refusals = runStages(facts.proposal, facts);
  const dangers = isDecodable(refusals) ? await dangersOf(facts) : [];
  return [...refusals, ...dangers, ...signatureFindings(facts)];
}
