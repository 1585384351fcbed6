// Groups with policies, and signers with roles, for tests.

import { makeGroup, makePolicy } from '../../translator/channel/make.js';
import type { ConfigGroup } from '../../translator/channel/element.js';
import {
  parseImplicitMeta,
  parseSignaturePolicy,
  writeImplicitMeta,
  writeSignaturePolicy,
  type Signer,
} from '../../translator/policy/index.js';

/** Policies by name: texts, or type and bytes. Groups by name. */
export interface GroupSketch {
  readonly groups?: Readonly<Record<string, GroupSketch>>;
  readonly policies?: Readonly<Record<string, string | readonly [number, Uint8Array] | undefined>>;
}

/** A group of a sketch. */
export function groupOf({ groups = {}, policies = {} }: GroupSketch): ConfigGroup {
  return makeGroup({
    groups: new Map(Object.entries(groups).map(([name, group]) => [name, groupOf(group)])),
    policies: new Map(
      Object.entries(policies).map(([name, policy]) => {
        const parts = typeof policy === 'string' ? parse(policy) : policy;
        return [name, makePolicy(parts === undefined ? {} : { policy: { type: parts[0], value: parts[1] } })];
      }),
    ),
  });
}

function parse(text: string): readonly [number, Uint8Array] {
  return /^[A-Z]+ /.test(text)
    ? [3, writeImplicitMeta(parseImplicitMeta(text))]
    : [1, writeSignaturePolicy(parseSignaturePolicy(text))];
}

/** A signer with a role: `Org1.admin`, and a number if there are several. It is a member of its MSP, too. */
export function signer(name: string): Signer {
  const [mspid, role, number = ''] = name.split('.');
  return {
    mspid: mspid!,
    id: `${role}${number}`,
    satisfies: (principal) =>
      principal.kind === 'role' &&
      principal.mspid === mspid &&
      (principal.role === 'member' || principal.role === role),
  };
}

/** Signers of a list of names. */
export const signers = (names: string): Signer[] =>
  names.split(' ').flatMap((name) => (name === '' ? [] : [signer(name)]));
