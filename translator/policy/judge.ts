// Which policy judges a changed element, and whether it is satisfied (Fabric: common/configtx/update.go, policyForItem and
// verifyDeltaSet).

import type { Evaluation } from './evaluation.js';
import { findPolicy, GoPanic, type Policies, type PolicyGroup, type PolicyNode } from './policies.js';

/** A changed element of a config. */
export interface ChangedElement {
  readonly kind: 'group' | 'value' | 'policy';
  /** The names of the groups that contain it, without the root group. Empty for the root group itself, too. */
  readonly groups: readonly string[];
  /** Its name; `Channel` for the root group. */
  readonly name: string;
  /** The mod_policy that it has in the current config; undefined for a new element, which needs no policy. */
  readonly modPolicy: string | undefined;
  /** Whether it is the root group. */
  readonly root?: boolean;
}

/** The policy of a changed element. */
export type Resolution =
  /** A new element: the policy of the group that it is added to decides. */
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly policy: PolicyNode }
  /** Nobody can change the element. */
  | { readonly kind: 'missing' }
  /** Nobody can change the element: Fabric panics, with this text. */
  | { readonly kind: 'panic'; readonly text: string };

/** The verdict on a changed element. */
export interface Judgement {
  readonly element: ChangedElement;
  /** The element as Fabric names it: `[Value]  /Channel/Orderer/BatchSize`. */
  readonly key: string;
  readonly resolution: Resolution;
  readonly satisfied: boolean;
  /** Fabric's error, without the text before it; undefined if it is satisfied. */
  readonly error: string | undefined;
}

const PREFIX = { group: '[Group]  ', value: '[Value]  ', policy: '[Policy] ' } as const;

/** The name of an element in Fabric's errors. */
export function keyOfElement({ kind, groups, name, root }: ChangedElement): string {
  return PREFIX[kind] + (root === true ? '/Channel' : ['/Channel', ...groups, name].join('/'));
}

/** Finds the policy of a changed element in the policies of the current config. */
export function resolvePolicy(policies: Policies, element: ChangedElement): Resolution {
  const { modPolicy } = element;
  if (modPolicy === undefined) return { kind: 'none' };
  const group = startOf(policies.root, element, modPolicy);
  try {
    const policy = group === undefined ? undefined : findPolicy(group, modPolicy);
    return policy === undefined ? { kind: 'missing' } : { kind: 'found', policy };
  } catch (error) {
    if (error instanceof GoPanic) return { kind: 'panic', text: error.message };
    throw error;
  }
}

/** The group that a path begins at: the root if it is absolute, else the containing group, which is a group itself. */
function startOf(
  root: PolicyGroup,
  { kind, groups, name, root: isRoot }: ChangedElement,
  modPolicy: string,
): PolicyGroup | undefined {
  if (modPolicy.startsWith('/') || isRoot === true) return root;
  const names = kind === 'group' ? [...groups, name] : groups;
  let found: PolicyGroup | undefined = root;
  for (const each of names) found = found?.groups.get(each);
  return found;
}

/** Judges the changed elements with the policies of the current config. */
export function judge(
  policies: Policies,
  elements: readonly ChangedElement[],
  evaluation: Evaluation,
): Judgement[] {
  return elements.map((element) => {
    const resolution = resolvePolicy(policies, element);
    const key = keyOfElement(element);
    const error = errorOf(element, key, resolution, evaluation);
    return { element, key, resolution, satisfied: error === undefined, error };
  });
}

function errorOf(
  { modPolicy = '' }: ChangedElement,
  key: string,
  resolution: Resolution,
  evaluation: Evaluation,
): string | undefined {
  switch (resolution.kind) {
    case 'none':
      return undefined;
    case 'missing':
      return `unexpected missing policy ${modPolicy} for item ${key}`;
    case 'panic':
      return resolution.text;
    case 'found': {
      const error = evaluation.errorOf(resolution.policy);
      return error === undefined ? undefined : `policy for ${key} not satisfied: ${error}`;
    }
  }
}
