// Reviews a config update: facts, what orderers refuse (stages), what they accept although it is harmful (dangers), report.

import type { Envelope } from '../channel/envelope.js';
import type { ConfigFile } from '../channel/file.js';
import { gatherFacts, type ReviewOptions } from './facts/gather.js';
import type { Severity } from '../describe/findings/index.js';
import { dangersOf } from './dangers/index.js';
import { signatureFindings } from './dangers/signatures.js';
import { isDecodable } from './finding.js';
import { report } from './report.js';
import type { Review } from '../describe/review.js';
import { runStages } from './stages/index.js';

const SEVERITIES: readonly Severity[] = ['refused', 'danger', 'unsigned', 'warning'];

/**
 * Reviews a config update against the config of its channel.
 *
 * @throws TranslateError BAD_BYTES if a value of the current config does not parse
 */
export async function review(file: Envelope, block: ConfigFile, options: ReviewOptions): Promise<Review> {
  const facts = await gatherFacts(file, block, options);
  const refusals = runStages(facts.proposal, facts);
  const dangers = isDecodable(refusals) ? dangersOf(facts) : [];
  const findings = [...refusals, ...dangers, ...signatureFindings(facts)];
  return report(
    facts,
    SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity)),
  );
}
