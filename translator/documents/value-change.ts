// One change of a value, and its text.

import { onOneLine } from '../../core/common/text/one-line.js';

/** A consenter, a certificate of one, or a certificate of an MSP. */
export interface ChangedEntry {
  readonly kind:
    | 'consenter'
    | 'certificate'
    | 'CA'
    | 'intermediate CA'
    | 'admin'
    | 'TLS CA'
    | 'TLS intermediate CA';
  /** The address of a consenter, the name in a certificate. */
  readonly name: string;
  /** The SHA-256 of a certificate, in hexadecimal; absent for a consenter, and if it cannot be read. */
  readonly sha256?: string;
}

/** A change of a value: of a field, an entry of a list, or a consenter. Its texts are shown as they are. */
export interface ValueChange {
  readonly change: keyof typeof TEXTS;
  /** The name of the field or entry: `maxMessageCount`, `consenter o1.example.com:7050`; absent for a policy. */
  readonly label?: string;
  /** Absent if it is new. */
  readonly before?: string;
  /** Absent if it is removed. */
  readonly after?: string;
  /** The consenter or certificate that is added, removed or replaced. */
  readonly entry?: ChangedEntry;
  /**
   * `before` and `after` in short: of a policy whose rule changes, without its groups, `MAJORITY Admins`; of organisational units of an MSP,
   * without the hash of their CA.
   */
  readonly rules?: { readonly before?: string; readonly after?: string };
  /** The change has no words; a review reports it as a danger. */
  readonly hidden?: true;
}

type Parts = Pick<ValueChange, 'label' | 'before' | 'after'>;

const beforeLabel = (label: string | undefined, text: string): string =>
  label === undefined ? text : `${label} ${text}`;
const inBrackets = (text: string | undefined): string => (text === undefined ? '' : ` (${text})`);

/** The texts of changes. */
const TEXTS = {
  /** One content becomes another one. */
  changed: ({ label, before, after }: Parts) => beforeLabel(label, `${before} → ${after}`),
  added: ({ label, after }: Parts) => `${label} added${inBrackets(after)}`,
  removed: ({ label, before }: Parts) => `${label} removed${inBrackets(before)}`,
  replaced: ({ label, before, after }: Parts) => `${label} replaced (${before} → ${after})`,
  /** A consenter has another address. */
  moved: ({ label, before, after }: Parts) => `${label} ${before} moves to ${after}`,
  reordered: ({ label }: Parts) => (label === undefined ? 'reordered' : `${label}: reordered`),
  /** A resource gets a policy, or its default policy again. */
  'acl-added': ({ label, after }: Parts) => `${label} needs ${after}`,
  'acl-removed': ({ label }: Parts) => `${label} removed, the default applies`,
  /** The whole content of a new or removed element. */
  content: ({ label, before, after }: Parts) => beforeLabel(label, `${after ?? before}`),
  hidden: ({ label }: Parts) => beforeLabel(label, 'changed in a way that is not shown'),
} as const;

/** A change as a short text: `maxMessageCount 10 → 20`. */
export const changeText = ({ change, ...parts }: ValueChange): string => TEXTS[change](parts);

/** A change without words. */
export const hiddenChange = (label?: string): ValueChange => ({
  change: 'hidden',
  ...(label !== undefined && { label }),
  hidden: true,
});

/** The changes of a list: `a removed`, `b added`. An entry that occurs twice counts twice. */
export function listChanges(before: readonly string[], after: readonly string[]): ValueChange[] {
  const changes = [
    ...without(before, after).map((each) => ({ change: 'removed' as const, label: onOneLine(each) })),
    ...without(after, before).map((each) => ({ change: 'added' as const, label: onOneLine(each) })),
  ];
  if (changes.length > 0) return changes;
  return before.every((each, index) => each === after[index]) ? [] : [{ change: 'reordered' }];
}

/** The first list, without one entry for each equal entry of the other list. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of other) counts.set(each, (counts.get(each) ?? 0) + 1);
  return list.filter((each) => {
    const count = counts.get(each) ?? 0;
    counts.set(each, count - 1);
    return count <= 0;
  });
}

/** Fields by name. */
export type Fields = Readonly<Record<string, string | number | bigint | boolean>>;

/** The changes of fields: `maxMessageCount 10 → 20`. */
export function fieldChanges(before: Fields | undefined, after: Fields | undefined): ValueChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((label) => {
    const [old = '', now = ''] = [before?.[label], after?.[label]].map((value) =>
      value === undefined ? 'none' : onOneLine(String(value)),
    );
    return old === now ? [] : [{ change: 'changed' as const, label, before: old, after: now }];
  });
}
