// Finds the policy for a changed element, and evaluates it (Fabric: common/configtx/update.go, policyForItem and
// verifyDeltaSet).

import type { ElementKind, GroupPath } from '../channel/index.js';
import { finish, type Steps } from '../long-call.js';
import type { Evaluation } from './evaluation.js';
import { findPolicy, GoPanic, type Policies, type PolicyGroup, type PolicyNode } from './policies.js';

/** A changed element of a config, for example a `Change` of `applyUpdate`. */
export interface ChangedElement {
  readonly kind: ElementKind;
  /** Fabric's name of the element: `[Value]  /Channel/Orderer/BatchSize`. */
  readonly key: string;
  /** `/Channel/Orderer/BatchSize` */
  readonly path: string;
  /** The names below the channel: `['Orderer', 'BatchSize']`. */
  readonly names: GroupPath;
  /** The element in the current config; undefined for a new element, which needs no policy. */
  readonly before: { readonly modPolicy: string } | undefined;
}

/** The policy of a changed element. */
export type Resolution =
  /** For a new element, the policy of its group decides. */
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly policy: PolicyNode }
  /** Nobody can change the element. */
  | { readonly kind: 'missing' }
  /** Nobody can change the element: Fabric panics with this text. */
  | { readonly kind: 'panic'; readonly text: string };

/** The verdict on a changed element. */
export interface Judgement {
  readonly element: ChangedElement;
  readonly resolution: Resolution;
  readonly satisfied: boolean;
  /** Fabric's error, without its prefix; undefined if the policy is satisfied. */
  readonly error: string | undefined;
}

/** The distinct policies for the judged elements. */
export const policiesOf = (judgements: readonly Judgement[]): PolicyNode[] => [
  ...new Set(
    judgements.flatMap(({ resolution }) => (resolution.kind === 'found' ? [resolution.policy] : [])),
  ),
];

/** Finds the policy for a changed element in the policies of the current config. */
export function resolvePolicy(policies: Policies, element: ChangedElement): Resolution {
  if (element.before === undefined) return { kind: 'none' };
  const { modPolicy } = element.before;
  const group = startOf(policies.root, element, modPolicy);
  try {
    const policy = group === undefined ? undefined : findPolicy(group, modPolicy);
    return policy === undefined ? { kind: 'missing' } : { kind: 'found', policy };
  } catch (error) {
    if (error instanceof GoPanic) return { kind: 'panic', text: error.message };
    throw error;
  }
}

/** The group at which a path begins: the root for an absolute path, otherwise the containing group, or the group itself. */
function startOf(
  root: PolicyGroup,
  { kind, names }: ChangedElement,
  modPolicy: string,
): PolicyGroup | undefined {
  if (modPolicy.startsWith('/')) return root;
  let found: PolicyGroup | undefined = root;
  for (const name of kind === 'group' ? names : names.slice(0, -1)) found = found?.groups.get(name);
  return found;
}

/** Evaluates the policies of the current config for the changed elements. */
export const judge = (
  policies: Policies,
  elements: readonly ChangedElement[],
  evaluation: Evaluation,
): Judgement[] => finish(judgeInSteps(policies, elements, evaluation));

/** Like {@link judge}, for long calls: one step for each element. */
export function* judgeInSteps(
  policies: Policies,
  elements: readonly ChangedElement[],
  evaluation: Evaluation,
): Steps<Judgement[]> {
  const judgements: Judgement[] = [];
  for (const element of elements) {
    yield;
    const resolution = resolvePolicy(policies, element);
    const error = errorOf(element, resolution, evaluation);
    judgements.push({ element, resolution, satisfied: error === undefined, error });
  }
  return judgements;
}

function errorOf(
  { key, before }: ChangedElement,
  resolution: Resolution,
  evaluation: Evaluation,
): string | undefined {
  switch (resolution.kind) {
    case 'none':
      return undefined;
    case 'missing':
      return `unexpected missing policy ${before?.modPolicy ?? ''} for item ${key}`;
    case 'panic':
      return resolution.text;
    case 'found':
      break;
  }
  const error = evaluation.errorOf(resolution.policy);
  return error === undefined ? undefined : `policy for ${key} not satisfied: ${error}`;
}
