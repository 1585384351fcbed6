// Reviews a config update: what it changes, who must sign, what an orderer would refuse, and what it would accept with damage.

import type { ConfigFile, UpdateFile } from '../config/file.js';
import { findOrder } from '../policy/order.js';
import { authorizationFindings } from './stages/authorization.js';
import { bundleFindings } from './stages/bundle.js';
import { consenterCertificateFindings } from './stages/consenter-certificates.js';
import { countsFor, gatherFacts, type Facts, type ReviewOptions } from './facts/gather.js';
import { finalSizeFindings } from './stages/final-size.js';
import { refused, type Finding, type Severity } from './finding.js';
import { hazardsOf } from './hazards/index.js';
import { signatureHazards } from './hazards/signatures.js';
import { report } from './report/report.js';
import type { Review } from './report/result.js';
import { runStages } from './stages/index.js';
import { submissionFindings } from './stages/submission.js';
import { identityWords } from '../describe/certificate.js';

const SEVERITIES: readonly Severity[] = ['refused', 'unsigned', 'danger', 'warning'];

/**
 * Reviews a config update against the config of its channel.
 *
 * @throws TranslateError BAD_BYTES if a value of the current config does not parse
 */
export async function review(file: UpdateFile, block: ConfigFile, options: ReviewOptions): Promise<Review> {
  const facts = await gatherFacts(file, block, options);
  const { before, after, proposal, signatures } = facts;
  const stages = [...channelFindings(file, block), ...(await stageFindings(facts))];
  const isReadable = !stages.some(({ id }) => id === 'value-garbage');
  const findings = [
    ...stages,
    ...(isReadable ? finalSizeFindings(before.config, after.config, file.envelope) : []),
    ...(isReadable ? hazardsOf(before, after, proposal.applied) : []),
    ...signatureHazards(signatures, countsFor(facts), options.now),
  ];
  return report(
    facts,
    SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity)),
  );
}

/** An orderer finds the channel by the header of the envelope. */
function channelFindings(file: UpdateFile, block: ConfigFile): Finding[] {
  if (file.channel === undefined || block.channel === undefined || file.channel === block.channel) return [];
  return [
    refused('', {
      id: 'channel-other',
      orderer: 'channel does not exist',
      path: '',
      text: `the envelope is for the channel ${JSON.stringify(file.channel)}, the block is of ${JSON.stringify(block.channel)}`,
      todo: 'use a block of the channel, or correct the channel_id of the envelope',
    }),
  ];
}

async function stageFindings(facts: Facts): Promise<Finding[]> {
  const { proposal, file, before, after, signatures, submitter, judgements, evaluation, missing } = facts;
  const { channel, applied } = proposal;
  const { now } = after;
  const isSatisfied = judgements.every(({ satisfied }) => satisfied);
  const deciding = judgements.flatMap(({ resolution }) =>
    resolution.kind === 'found' ? [resolution.policy] : [],
  );
  const order = isSatisfied ? undefined : findOrder([...new Set(deciding)], evaluation.list).order;
  const authorization = authorizationFindings({
    channel,
    judgements,
    missing,
    hasOrder: order !== undefined,
    signatures,
    nameIdentity: identityWords,
  });
  const bundle = bundleFindings(channel, { policies: after.policies, mspFaults: facts.mspFaults });
  const isReadable = !runStages(proposal).some(({ id }) => id === 'value-garbage');
  const configs = { before: before.config, after: applied.config };
  const consenters = isReadable ? await consenterCertificateFindings(channel, configs, after.msps, now) : [];
  return runStages(proposal, {
    initial: [
      () =>
        submissionFindings({
          before: before.config,
          policies: before.policies,
          envelope: file.envelope,
          submitter,
          isComplete: submitter !== undefined && submitter.isAssumed !== true,
          now,
        }),
    ],
    signatures: [() => authorization],
    bundle: [() => bundle],
    consenters: [() => consenters],
  });
}
