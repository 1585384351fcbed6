// Signature policies and their bytes: common.SignaturePolicyEnvelope.

import { toLatin1 } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import {
  CommonSignaturePolicy,
  CommonSignaturePolicyEnvelope,
  CommonSignaturePolicyNOutOf,
} from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import { readPrincipal } from './principal-bytes.js';
import type { Principal } from '../msp/index.js';

/** The maximum nesting of gates. Fabric's limit is the depth of protobuf messages, 5,000 gates. */
export const MAX_DEPTH = 1000;

/** The maximum number of rules and of principals in one policy. */
export const MAX_RULES = 500_000;

/** A `common.SignaturePolicy`. Numbers are signed 32-bit integers. */
export type SignatureRule =
  | { readonly kind: 'signedBy'; readonly index: number }
  | { readonly kind: 'outOf'; readonly n: number; readonly rules: readonly SignatureRule[] }
  /** Neither is set; Fabric does not compile such a policy. */
  | { readonly kind: 'empty' };

/** An entry of `identities`: a principal and its bytes, a `common.MSPPrincipal`. Entries with equal bytes are the same object. */
export interface PolicyIdentity {
  readonly principal: Principal;
  readonly bytes: Uint8Array;
}

/** A `common.SignaturePolicyEnvelope`. */
export interface SignaturePolicy {
  readonly version: number;
  /** Undefined if the message has no rule. */
  readonly rule: SignatureRule | undefined;
  /** The principals that `signedBy` rules refer to by index. */
  readonly identities: readonly PolicyIdentity[];
}

interface Reading {
  rules: number;
}

/**
 * Reads a serialized `common.SignaturePolicyEnvelope`.
 *
 * @throws TranslateError BAD_BYTES; TOO_LARGE beyond {@link MAX_DEPTH} or {@link MAX_RULES}
 */
export function readSignaturePolicy(bytes: Uint8Array): SignaturePolicy {
  const { version, rule, identities } = readMessage(CommonSignaturePolicyEnvelope, bytes, [
    'rule',
    'identities',
  ]);
  count(identities.length - 1);
  const known = new Map<string, PolicyIdentity>();
  return {
    version,
    rule: rule === undefined ? undefined : readRule({ rules: 0 }, rule, 1),
    identities: identities.map((each) => internIdentity(known, each)),
  };
}

function internIdentity(known: Map<string, PolicyIdentity>, bytes: Uint8Array): PolicyIdentity {
  const key = toLatin1(bytes);
  let identity = known.get(key);
  if (identity === undefined) {
    identity = { principal: readPrincipal(bytes), bytes };
    known.set(key, identity);
  }
  return identity;
}

function count(before: number): void {
  if (before >= MAX_RULES)
    throw new TranslateError(
      'TOO_LARGE',
      `a signature policy has more than ${String(MAX_RULES)} rules or principals`,
    );
}

/** Reads level by level, because rules may be nested deep. */
function readRule(reading: Reading, bytes: Uint8Array, depth: number): SignatureRule {
  count(reading.rules++);
  const { signedBy, nOutOf } = readMessage(CommonSignaturePolicy, bytes, ['nOutOf']);
  if (signedBy !== undefined) return { kind: 'signedBy', index: signedBy };
  if (nOutOf === undefined) return { kind: 'empty' };
  if (depth > MAX_DEPTH)
    throw new TranslateError(
      'TOO_LARGE',
      `the gates of a signature policy are nested more than ${String(MAX_DEPTH)} levels deep`,
    );
  const { n, rules } = readMessage(CommonSignaturePolicyNOutOf, nOutOf, ['rules']);
  return { kind: 'outOf', n, rules: rules.map((each) => readRule(reading, each, depth + 1)) };
}

/** The bytes of a signature policy, as Fabric writes them. */
export function writeSignaturePolicy({ version, rule, identities }: SignaturePolicy): Uint8Array {
  return writeMessage(CommonSignaturePolicyEnvelope, {
    version,
    rule: rule && writeRule(rule),
    identities: identities.map(({ bytes }) => bytes),
  });
}

/** Writes each gate separately: one call for all needs too much stack for deeply nested gates. */
function writeRule(rule: SignatureRule): Uint8Array {
  if (rule.kind === 'signedBy') return writeMessage(CommonSignaturePolicy, { signedBy: rule.index });
  if (rule.kind === 'empty') return new Uint8Array();
  const rules = rule.rules.map(writeRule);
  return writeMessage(CommonSignaturePolicy, { nOutOf: { n: rule.n, rules } });
}
