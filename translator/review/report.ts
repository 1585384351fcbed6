// Makes the result of a review.

import {
  describeNeed,
  describePolicy,
  type Finding,
  type FindingId,
  type Review,
  type ReviewedBranch,
  type ReviewedElement,
  type ReviewedPolicy,
  type ReviewedSignature,
  type Submitter,
  identityWords,
} from '../documents/index.js';
import { policiesOf as policiesIn, findPolicy, type PolicyNode } from '../policy/index.js';
import type { Facts } from './facts/gather.js';
import { majorityChanges } from '../state/index.js';
import { isDecodable } from './finding.js';
import { nextSteps, unknowns } from './next-steps.js';
import { nameOf, type CheckedSignature } from './facts/signers.js';
import { submitterPolicy } from './stages/submission.js';

/** The findings that say that the update was not computed from the config. */
const MISFITS = new Set<FindingId>([
  'channel-mismatch',
  'update-channel',
  'update-read-set',
  'update-version',
]);

/** @param areVersionsGiven whether the versions of the nodes were given */
export function report(facts: Facts, findings: readonly Finding[], areVersionsGiven: boolean): Review {
  const { proposal, block } = facts;
  return {
    channel: proposal.channel,
    fingerprint: facts.fingerprint,
    block: block.number === undefined ? null : String(block.number),
    fits: !findings.some(({ id }) => MISFITS.has(id)),
    accepted: !findings.some(
      ({ severity, id }) => severity === 'refused' || severity === 'unsigned' || id === 'msp-not-judged',
    ),
    elements: elementsOf(facts),
    policies: policiesOf(facts),
    signatures: signaturesOf(facts),
    submitter: submitterOf(facts, findings),
    majorities: isDecodable(findings) ? majorityChanges(facts.before, facts.after) : [],
    findings,
    next: nextSteps(facts, findings, areVersionsGiven),
    unknown: unknowns(facts, findings, areVersionsGiven),
  };
}

function elementsOf(facts: Facts): ReviewedElement[] {
  const { changes, judgements } = facts;
  const judged = new Map(judgements.map((judgement) => [judgement.element.key, judgement]));
  return changes.map(({ placed, change, words, data }) => {
    const judgement = change === 'removed' ? undefined : judged.get(placed.key);
    const policy = judgement?.resolution.kind === 'found' ? judgement.resolution.policy : undefined;
    return {
      element: placed.path,
      kind: placed.kind,
      change,
      policy: policy?.path ?? null,
      satisfied: judgement?.satisfied ?? true,
      signers: policy === undefined ? [] : signersFor(policy, facts),
      words,
      data,
    };
  });
}

function policiesOf(facts: Facts): ReviewedPolicy[] {
  const { judgements, evaluation, missing } = facts;
  const needs = new Map(missing.policies.map(({ policy, need }) => [policy, need]));
  return policiesIn(judgements).map((policy) => {
    const need = needs.get(policy);
    return {
      policy: policy.path,
      text: describePolicy(policy, identityWords),
      satisfied: evaluation.satisfied(policy),
      ...countOf(policy, (each) => evaluation.satisfied(each)),
      missing: need === undefined ? null : describeNeed(need, identityWords),
      signers: signersFor(policy, facts),
      branches: branchesOf(policy, facts),
    };
  });
}

function countOf(
  policy: PolicyNode,
  isSatisfied: (policy: PolicyNode) => boolean,
): Pick<ReviewedPolicy, 'have' | 'need'> {
  if (policy.kind !== 'implicitMeta') return { have: null, need: null };
  const have = policy.groups.filter(
    (group) => group.policy !== undefined && isSatisfied(group.policy),
  ).length;
  return { have, need: policy.threshold };
}

const signaturesOf = ({ signatures, countsFor }: Facts): ReviewedSignature[] =>
  signatures.map((signature, index) => ({
    ...signatureOf(signature, countsFor[index]!.length > 0),
    countsFor: countsFor[index]!,
  }));

/** A listed admin counts although the identity is not valid otherwise. */
function signatureOf(
  { mspid, subject, notAfter, identity, problem }: CheckedSignature,
  counts: boolean,
): Omit<ReviewedSignature, 'countsFor'> {
  const reason = problem ?? (counts ? undefined : identity?.validationError);
  return {
    mspid,
    subject,
    notAfter: notAfter?.toISOString() ?? null,
    valid: reason === undefined,
    problem: reason ?? null,
  };
}

function submitterOf({ before, submitter }: Facts, findings: readonly Finding[]): Submitter {
  const path = submitterPolicy(before.config);
  const satisfied =
    findPolicy(before.policies.root, path) !== undefined &&
    !findings.some(({ id }) => id.startsWith('submitter-') || id === 'writers-missing');
  return {
    policy: path,
    signature: submitter === undefined ? null : signatureOf(submitter, satisfied),
    satisfied,
  };
}

/** The groups whose policies count, in the order of the policy; none for a signature policy. */
export function branchesOf(policy: PolicyNode, facts: Facts): readonly ReviewedBranch[] {
  if (policy.kind !== 'implicitMeta') return [];
  return policy.groups.map(({ name, policy: inner }) => ({
    group: name,
    policy: inner?.path ?? null,
    text: inner === undefined ? '' : describePolicy(inner, identityWords),
    satisfied: inner !== undefined && facts.evaluation.satisfied(inner),
    signers: inner === undefined ? [] : signersFor(inner, facts),
    branches: inner === undefined ? [] : branchesOf(inner, facts),
  }));
}

/** The names of the signers that count for a policy. */
export function signersFor(policy: PolicyNode, { signatures, signersOf }: Facts): readonly string[] {
  const counting = signersOf.get(policy);
  if (counting === undefined || counting.size === 0) return [];
  return signatures.flatMap((signature, index) =>
    signature.identity !== undefined && counting.has(signature.identity) ? [nameOf(signature, index)] : [],
  );
}
