// Implicit meta policies and their bytes: common.ImplicitMetaPolicy.

import { TranslateError } from '../../proto/errors.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { CommonImplicitMetaPolicy } from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';

/** The rules by their number in `common.ImplicitMetaPolicy.Rule`. */
export const META_RULES = ['ANY', 'ALL', 'MAJORITY'] as const;

/** A `common.ImplicitMetaPolicy`. */
export interface ImplicitMetaPolicy {
  /** The number of the rule; {@link META_RULES} names the known ones. */
  readonly rule: number;
  /** The name or path of the sub-policy in each nested group. */
  readonly subPolicy: string;
}

/**
 * Reads a serialized `common.ImplicitMetaPolicy`.
 *
 * @throws TranslateError BAD_BYTES
 */
export const readImplicitMeta = (bytes: Uint8Array): ImplicitMetaPolicy =>
  readMessage(CommonImplicitMetaPolicy, bytes);

/** The bytes of an implicit meta policy, as Fabric writes them. */
export const writeImplicitMeta = (policy: ImplicitMetaPolicy): Uint8Array =>
  writeMessage(CommonImplicitMetaPolicy, policy);

/**
 * The number of groups that must satisfy the sub-policy. 0 for an unknown rule: Fabric then requires that no group satisfies it (Fabric:
 * `common/policies/implicitmeta.go`, NewImplicitMetaPolicy).
 */
export function thresholdOf(rule: number, groups: number): number {
  if (groups === 0) return 0;
  switch (META_RULES[rule]) {
    case 'ANY':
      return 1;
    case 'ALL':
      return groups;
    case 'MAJORITY':
      return Math.floor(groups / 2) + 1;
    case undefined:
      break;
  }
  return 0;
}

const FORM = /^(\S+) (\S+)$/;
const LONGEST = 10_000;
const SHOWN = 60;

/**
 * Parses `ANY Readers`, `ALL Writers` or `MAJORITY Admins`: a rule in upper case, one space, the name of the sub-policy (Fabric:
 * `common/policies/implicitmetaparser.go`). Unlike Fabric, it requires a name.
 *
 * @throws TranslateError BAD_POLICY
 */
export function parseImplicitMeta(text: string): ImplicitMetaPolicy {
  const found = `found '${onOneLine(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)}'`;
  const [, name = '', subPolicy = ''] = (text.length > LONGEST ? undefined : FORM.exec(text)) ?? [];
  if (name === '') {
    const hint = /^\S+ \S+ \(.*\)$/.test(text) ? '; remove the part in parentheses' : '';
    throw new TranslateError(
      'BAD_POLICY',
      `implicit meta policy: ${found}, expected a rule, one space and the name of a policy, such as MAJORITY Admins${hint}`,
    );
  }
  const rule = (META_RULES as readonly string[]).indexOf(name);
  if (rule === -1)
    throw new TranslateError(
      'BAD_POLICY',
      `implicit meta policy: unknown rule '${onOneLine(name.slice(0, SHOWN))}', allowed are ${META_RULES.join(', ')}`,
    );
  return { rule, subPolicy };
}

/** The text of an implicit meta policy. {@link parseImplicitMeta} parses it if the rule is known and the name has no whitespace. */
export function printImplicitMeta({ rule, subPolicy }: ImplicitMetaPolicy): string {
  return `${META_RULES[rule] ?? `rule ${String(rule)} of`} ${subPolicy === '' ? "''" : onOneLine(subPolicy)}`;
}
