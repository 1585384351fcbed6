// Content of a policy that has no effect and that its text does not show.

import { attempt } from '../../proto/errors.js';
import { sameBytes } from '../../proto/bytes.js';
import type { Policy } from '../channel/index.js';
import { MESSAGE_LIMITS } from '../../proto/limits.js';
import { canonicalFault } from '../../proto/typed.js';
import { CommonImplicitMetaPolicy, CommonSignaturePolicyEnvelope } from '../../proto/messages.js';
import { POLICY_TYPE } from './policies.js';
import { writePrincipal } from './principal-bytes.js';
import {
  readSignaturePolicy,
  type PolicyIdentity,
  type SignatureRule,
  type SignaturePolicy,
} from './signature-policy.js';

/** Describes content that the text of a policy does not show; undefined if there is none, or if the policy does not parse. */
export function unknownPolicyContent({ type, value }: Policy): string | undefined {
  if (type === POLICY_TYPE.implicitMeta) return canonicalFault(CommonImplicitMetaPolicy, value);
  if (type !== POLICY_TYPE.signature) return undefined;
  return attempt(
    () =>
      // readSignaturePolicy reads the rules.
      canonicalFault(CommonSignaturePolicyEnvelope, value, MESSAGE_LIMITS) ??
      inSignaturePolicy(readSignaturePolicy(value)),
    () => undefined,
  );
}

function inSignaturePolicy({ rule, identities }: SignaturePolicy): string | undefined {
  const named = new Set<number>();
  if (rule !== undefined) collectIdentities(rule, named);
  if (!identities.every((_, index) => named.has(index)))
    return 'the policy has an identity that no rule names';
  return identities.every(isShown)
    ? undefined
    : 'the policy has an identity with content that is not understood';
}

function collectIdentities(rule: SignatureRule, named: Set<number>): void {
  if (rule.kind === 'signedBy') named.add(rule.index);
  if (rule.kind === 'outOf') for (const each of rule.rules) collectIdentities(each, named);
}

const isShown = ({ principal, bytes }: PolicyIdentity): boolean =>
  principal.kind !== 'unknown' && sameBytes(writePrincipal(principal), bytes);
