// Finds the signatures that an update still needs.

import { finish, type Steps } from '../../long-call.js';
import { evaluateRule, newUse, undo, type SignerList, type Use } from '../evaluate.js';
import type { Evaluation } from '../evaluation.js';
import type { Judgement } from '../judge.js';
import {
  IMPOSSIBLE,
  needOfIdentity,
  needOfMeta,
  needOfSignaturePolicy,
  NOTHING,
  some,
  type CanSatisfy,
  type Need,
} from './need.js';
import type { PolicyNode } from '../policies.js';
import type { Member, MemberSet } from './member-sets.js';
import { minimalSignerSets, oneSignerSet } from './sets.js';
import type { PolicyIdentity, SignatureRule, SignaturePolicy } from '../signature-policy.js';

/** An unsatisfied policy. */
export interface MissingOfPolicy {
  readonly policy: PolicyNode;
  /** Its need besides the existing signatures; `nothing` if they would satisfy it in another order. */
  readonly need: Need;
}

/** The needs of an update besides the existing signatures. */
export interface Missing {
  /** Elements that nobody can change, because their policy is missing. */
  readonly frozen: readonly Judgement[];
  readonly policies: readonly MissingOfPolicy[];
  /** The combined need of all policies. */
  readonly need: Need;
  /** The minimal sets of further signatures, smallest first; undefined if there are too many to list. */
  readonly sets: readonly MemberSet[] | undefined;
  /** One small set of further signatures; undefined if no signatures suffice. */
  readonly example: MemberSet | undefined;
}

/** Finds the signatures that an update still needs. Use `findOrder` to find an order of the signatures that satisfies the policies. */
export const findMissing = (
  judgements: readonly Judgement[],
  evaluation: Evaluation,
  canSatisfy: CanSatisfy,
): Missing => finish(findMissingInSteps(judgements, evaluation, canSatisfy));

/** Like {@link findMissing}, for long calls: one step for each policy. */
export function* findMissingInSteps(
  judgements: readonly Judgement[],
  evaluation: Evaluation,
  canSatisfy: CanSatisfy,
): Steps<Missing> {
  const frozen: Judgement[] = [];
  const unsatisfied = new Set<PolicyNode>();
  for (const judgement of judgements) {
    const { resolution } = judgement;
    if (judgement.satisfied) continue;
    if (resolution.kind === 'found') unsatisfied.add(resolution.policy);
    else frozen.push(judgement);
  }
  const policies: MissingOfPolicy[] = [];
  for (const policy of unsatisfied) {
    yield;
    policies.push({ policy, need: remainingNeed(policy, evaluation, canSatisfy) });
  }
  const needs = policies.map(({ need }) => need);
  const need = frozen.length > 0 ? IMPOSSIBLE : some(needs.length, needs, true);
  yield;
  const sets = minimalSignerSets(need);
  yield;
  return { frozen, policies, need, sets, example: oneSignerSet(need) };
}

/** The need of an unsatisfied policy besides the existing signatures. */
export function remainingNeed(node: PolicyNode, evaluation: Evaluation, canSatisfy: CanSatisfy): Need {
  if (node.kind === 'signature') return remainingOfSignatures(node.policy, evaluation.list, canSatisfy);
  // An unknown rule is satisfied only while no group satisfies its policy, so further signatures do not help.
  if (node.threshold === 0) return IMPOSSIBLE;
  return needOfMeta(node, (policy) =>
    evaluation.satisfied(policy) ? NOTHING : remainingNeed(policy, evaluation, canSatisfy),
  );
}

function remainingOfSignatures(policy: SignaturePolicy, list: SignerList, canSatisfy: CanSatisfy): Need {
  const sets = minimalSignerSets(needOfSignaturePolicy(policy, canSatisfy));
  if (sets === undefined) return remainingOfRule(policy, list, canSatisfy);
  return some(
    1,
    sets.map((set) => {
      const rest = withoutSigners(set, list);
      return some(rest.length, rest.map(toNeed), false);
    }),
    true,
  );
}

const toNeed = ({ principal, key }: Member): Need => ({ kind: 'principal', principal, key });

/** Larger sets are matched in order, without a search. */
const MAX_PAIRS = 200_000;

/** Removes members that the existing signers cover, each signer for one member. */
function withoutSigners(set: MemberSet, { signers }: SignerList): MemberSet {
  const memberOf = new Map<number, number>();
  const candidates = new Map<string, number[]>();
  const candidatesOf = ({ key, principal }: Member): number[] => {
    let found = candidates.get(key);
    if (found === undefined) {
      found = [...signers.keys()].filter((at) => signers[at]!.satisfies(principal));
      candidates.set(key, found);
    }
    return found;
  };
  const search = set.length * signers.length <= MAX_PAIRS;
  const failed = new Set<string>();
  // Maximum matching of members and signers, with augmenting paths.
  const assign = (member: number, visited: Set<number>): boolean => {
    for (const signer of candidatesOf(set[member]!)) {
      if (visited.has(signer)) continue;
      visited.add(signer);
      const before = memberOf.get(signer);
      if (before !== undefined && !(search && assign(before, visited))) continue;
      memberOf.set(signer, member);
      return true;
    }
    return false;
  };
  const missing = new Set<number>();
  // Signers are matched with any member of an MSP last, so that the missing signatures are those that most users can make.
  const order = [...set.keys()].toSorted(
    (a, b) => Number(isAnyMember(set[a]!)) - Number(isAnyMember(set[b]!)),
  );
  for (const member of order) {
    const { key } = set[member]!;
    if (!failed.has(key) && assign(member, new Set())) continue;
    failed.add(key);
    missing.add(member);
  }
  return set.filter((_, member) => missing.has(member));
}

const isAnyMember = ({ principal }: Member): boolean =>
  principal.kind === 'role' && principal.role === 'member';

/** The need of a policy with too many sets: failed rules need all of their signatures. */
function remainingOfRule(policy: SignaturePolicy, list: SignerList, canSatisfy: CanSatisfy): Need {
  const needs = new Map<PolicyIdentity, Need>();
  const use = newUse(list);
  const ofRule = (rule: SignatureRule): Need => {
    if (rule.kind === 'signedBy') {
      const identity = policy.identities[rule.index];
      return identity === undefined ? IMPOSSIBLE : needOfIdentity(identity, needs, canSatisfy);
    }
    return rule.kind === 'empty' ? IMPOSSIBLE : some(rule.n, rule.rules.map(ofNested), false);
  };
  const ofNested = (rule: SignatureRule): Need =>
    satisfied(rule, policy, list, use) ? NOTHING : ofRule(rule);
  return policy.rule === undefined ? IMPOSSIBLE : ofRule(policy.rule);
}

function satisfied(rule: SignatureRule, policy: SignaturePolicy, list: SignerList, use: Use): boolean {
  const before = use.trail.length;
  if (evaluateRule(rule, policy, list, use)) return true;
  undo(use, before);
  return false;
}
