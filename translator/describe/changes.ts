// What an update changes, element by element, in words.

import type { Applied, Placed } from '../config/apply.js';
import { groupAt, namesBelowChannel, parentPath } from '../config/element-path.js';
import type { Config, ConfigGroup, ConfigValue } from '../config/element.js';
import { sameContent } from '../config/same-content.js';
import { describePolicy } from './policy.js';
import { findPolicy, type Policies } from '../policy/policies.js';
import { valueChanges } from './value-changes.js';
import { identityWords } from './certificate.js';
import { listChanges, REORDERED } from './differences.js';
import { NOT_SHOWN } from './not-shown.js';

/** The mod_policy of most elements; a new element with another one says so. */
const USUAL = 'Admins';

/** A config and its policies. */
export interface Described {
  readonly config: Config;
  readonly policies: Policies;
}

/** An element that an update adds, changes or removes. */
export interface ElementChange {
  readonly placed: Placed;
  readonly change: 'new' | 'modified' | 'removed';
  /** Short texts, for example `maxMessageCount 10 → 20`. */
  readonly words: readonly string[];
}

/** The changes of an update, in its order, then what it removes. */
export function describeChanges(applied: Applied, before: Described, after: Described): ElementChange[] {
  return [
    ...applied.changes.map((change) => ({
      placed: change,
      change: change.change,
      words: wordsOf(change, change.change, before, after, change.before),
    })),
    ...applied.removed.map((placed) => ({
      placed,
      change: 'removed' as const,
      words: wordsOf(placed, 'removed', before, after, undefined),
    })),
  ];
}

function wordsOf(
  { kind, path, element }: Placed,
  change: ElementChange['change'],
  before: Described,
  after: Described,
  old: Placed['element'] | undefined,
): string[] {
  const words = contentWords(kind, path, change, before, after);
  const { modPolicy } = element;
  if (change === 'modified' && words.length === 0 && !sameContent(kind, element, old!)) words.push(NOT_SHOWN);
  if (old !== undefined && old.modPolicy !== modPolicy)
    words.push(
      `mod_policy ${old.modPolicy === '' ? 'none' : old.modPolicy} → ${modPolicy === '' ? 'none' : modPolicy}`,
    );
  if (change === 'modified') return words.length > 0 ? words : ['the same content with a new version'];
  if (change === 'new' && kind === 'value' && words.length === 0 && (element as ConfigValue).value.length > 0)
    words.push(NOT_SHOWN);
  if (change === 'new' && modPolicy !== USUAL)
    words.push(`mod_policy ${modPolicy === '' ? 'none' : modPolicy}`);
  const verb = change === 'new' ? 'added' : 'removed';
  const detail = words.length === 0 ? '' : `: ${words.join('; ')}`;
  return [kind === 'value' ? `${verb}${detail}` : `${kind} ${verb}${detail}`];
}

function contentWords(
  kind: Placed['kind'],
  path: string,
  change: ElementChange['change'],
  before: Described,
  after: Described,
): string[] {
  if (kind === 'value') {
    if (change === 'removed') return [];
    return valueChanges(namesBelowChannel(path), [
      change === 'new' ? undefined : groupAt(before.config.channelGroup, parentPath(path)),
      groupAt(after.config.channelGroup, parentPath(path)),
    ]);
  }
  if (kind === 'policy') return policyWords(path, change, before, after);
  if (change !== 'modified') return [];
  return memberWords(groupAt(before.config.channelGroup, path), groupAt(after.config.channelGroup, path));
}

function policyWords(
  path: string,
  change: ElementChange['change'],
  before: Described,
  after: Described,
): string[] {
  const [old, now] = [before, after].map(({ policies }) => {
    const policy = findPolicy(policies.root, path);
    return policy === undefined ? undefined : describePolicy(policy, identityWords);
  });
  if (change === 'removed') return old === undefined ? [] : [old];
  if (now === undefined) return [NOT_A_POLICY];
  if (old === undefined) return [now];
  return old === now ? [] : [`${old} → ${now}`];
}

/** Fabric refuses such a policy. */
const NOT_A_POLICY = 'not a valid policy';

function memberWords(before: ConfigGroup | undefined, after: ConfigGroup | undefined): string[] {
  const names = (group: ConfigGroup | undefined): string[] => [
    ...(group?.groups.keys() ?? []),
    ...[...(group?.values.keys() ?? [])].map((name) => `value ${name}`),
    ...[...(group?.policies.keys() ?? [])].map((name) => `policy ${name}`),
  ];
  return listChanges(names(before), names(after)).filter((words) => words !== REORDERED);
}
