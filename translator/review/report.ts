// Makes the result of a review.

import { consentersOf, membershipChange, quorumLoss } from '../channel/index.js';
import { describeNeed, describePolicy, identityWords } from '../documents/index.js';
import { policiesOf as policiesIn, findPolicy, type PolicyNode } from '../policy/index.js';
import {
  isDecodable,
  nameOf,
  submitterPolicy,
  toFinding,
  type CheckedSignature,
  type Facts,
  type RawFinding,
} from '../rules/index.js';
import { majorityChanges } from '../state/index.js';
import { nextSteps, unknowns } from './next-steps.js';
import type {
  Review,
  ReviewedBranch,
  ReviewedElement,
  ReviewedPolicy,
  ReviewedSignature,
  Submitter,
} from './result.js';

/** @param areVersionsGiven whether the versions of the nodes were given */
export function report(facts: Facts, found: readonly RawFinding[], areVersionsGiven: boolean): Review {
  const { block } = facts;
  const steps = nextSteps(facts, found, areVersionsGiven);
  return {
    channel: facts.channel,
    fingerprint: facts.fingerprint,
    block: block.number === undefined ? null : String(block.number),
    fits: !found.some(({ rule }) => rule.isMisfit === true),
    accepted: !found.some(
      ({ severity, rule }) => severity === 'refused' || severity === 'unsigned' || rule.isOpen === true,
    ),
    acceptedIf: isDecodable(found) ? acceptedIf(facts) : null,
    appliedIn: null,
    elements: elementsOf(facts),
    policies: policiesOf(facts),
    signatures: signaturesOf(facts),
    submitter: submitterOf(facts, found),
    majorities: isDecodable(found) ? majorityChanges(facts.before, facts.after) : [],
    findings: found.map(toFinding),
    next: steps.map(({ text }) => text),
    steps,
    unknown: unknowns(facts, found, areVersionsGiven),
  };
}

/** Fabric's orderer/consensus/etcdraft/chain.go, `ValidateConsensusMetadata`: the consenters that are alive must stay a quorum. */
function acceptedIf({ before, after, active }: Facts): Review['acceptedIf'] {
  const [old, now] = [before, after].map(({ channel }) =>
    channel.orderer.isBft ? [] : consentersOf(channel),
  );
  const change = membershipChange(old!, now!);
  const of = old!.length;
  if (active !== undefined || of < 2 || quorumLoss(change, 0, true) === 'no') return null;
  let alive = of;
  while (alive > 1 && quorumLoss(change, alive - 1, true) === 'no') alive -= 1;
  return { alive, of };
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

/** A listed admin counts, even if the identity is not valid otherwise. */
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

function submitterOf({ before, submitter }: Facts, found: readonly RawFinding[]): Submitter {
  const path = submitterPolicy(before.channel);
  const satisfied =
    findPolicy(before.policies.root, path) !== undefined &&
    !found.some(({ rule }) => rule.isOfSubmitter === true);
  return {
    policy: path,
    signature: submitter === undefined ? null : signatureOf(submitter, satisfied),
    satisfied,
  };
}

/** The groups with policies that count, in the order of the policy; none for a signature policy. */
function branchesOf(policy: PolicyNode, facts: Facts): readonly ReviewedBranch[] {
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
function signersFor(policy: PolicyNode, { signatures, signersOf }: Facts): readonly string[] {
  const counting = signersOf.get(policy);
  if (counting === undefined || counting.size === 0) return [];
  return signatures.flatMap((signature, index) =>
    signature.identity !== undefined && counting.has(signature.identity) ? [nameOf(signature, index)] : [],
  );
}
