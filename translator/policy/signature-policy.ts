// Signature policies and their bytes: common.SignaturePolicyEnvelope.

import { TranslateError } from '../../proto/errors.js';
import type { WireReader } from '../../proto/wire.js';
import type { WireWriter } from '../../proto/wire-writer.js';
import { readFields, readNested } from '../config/read-fields.js';
import { writeInt, written } from '../config/write-message.js';
import { readPrincipal } from './principal-bytes.js';
import type { Principal } from './principal.js';
import { ENVELOPE_IDENTITY, ENVELOPE_RULE, ENVELOPE_VERSION, N, N_OUT_OF, RULE, SIGNED_BY } from './tags.js';

/** Gates may be nested up to this depth. Fabric's limit is the depth of protobuf messages, 5,000 gates. */
export const MAX_DEPTH = 1000;

/** Maximum number of rules and of principals in one policy. */
export const MAX_RULES = 500_000;

/** A `common.SignaturePolicy`. Numbers are signed 32-bit integers. */
export type Rule =
  | { readonly kind: 'signedBy'; readonly index: number }
  | { readonly kind: 'outOf'; readonly n: number; readonly rules: readonly Rule[] }
  /** Neither is set: Fabric does not compile such a policy. */
  | { readonly kind: 'empty' };

/** An entry of `identities`: a principal and its bytes, a `common.MSPPrincipal`. Entries with equal bytes are the same object. */
export interface Identity {
  readonly principal: Principal;
  readonly bytes: Uint8Array;
}

/** A `common.SignaturePolicyEnvelope`. */
export interface SignaturePolicy {
  readonly version: number;
  /** Undefined if the message has none. */
  readonly rule: Rule | undefined;
  /** The principals that `signedBy` rules refer to by index. */
  readonly identities: readonly Identity[];
}

interface MutableGate {
  kind: 'outOf';
  n: number;
  rules: Rule[];
}

/** A rule that is being read: a message may come in several parts. */
interface Slot {
  rule: Rule | MutableGate;
}

interface Reading {
  rules: number;
}

/**
 * Reads a serialized `common.SignaturePolicyEnvelope`.
 *
 * @throws WireError if the bytes are not wire format
 * @throws TranslateError TOO_LARGE beyond {@link MAX_DEPTH} or {@link MAX_RULES}
 */
export function readSignaturePolicy(bytes: Uint8Array): SignaturePolicy {
  let version = 0;
  let slot: Slot | undefined;
  const identities: Identity[] = [];
  const known = new Map<string, Identity>();
  const reading: Reading = { rules: 0 };
  readFields(bytes, (tag, reader) => {
    if (tag === ENVELOPE_VERSION) version = reader.uint32() | 0;
    else if (tag === ENVELOPE_RULE) readRule(reading, reader, (slot ??= { rule: { kind: 'empty' } }), 1);
    else if (tag === ENVELOPE_IDENTITY) {
      count(identities.length);
      identities.push(internIdentity(known, reader.bytes()));
    } else return false;
    return true;
  });
  return { version, rule: slot?.rule, identities };
}

function internIdentity(known: Map<string, Identity>, bytes: Uint8Array): Identity {
  const key = keyOf(bytes);
  let identity = known.get(key);
  if (identity === undefined) {
    identity = { principal: readPrincipal(bytes), bytes };
    known.set(key, identity);
  }
  return identity;
}

/** A string that is equal for equal bytes. */
export function keyOf(bytes: Uint8Array): string {
  let key = '';
  for (const byte of bytes) key += String.fromCharCode(byte);
  return key;
}

function count(before: number): void {
  if (before >= MAX_RULES)
    throw new TranslateError(
      'TOO_LARGE',
      `a signature policy has more than ${String(MAX_RULES)} rules or principals`,
    );
}

function readRule(reading: Reading, reader: WireReader, slot: Slot, depth: number): void {
  count(reading.rules++);
  readNested(reader, (tag) => {
    if (tag === SIGNED_BY) slot.rule = { kind: 'signedBy', index: reader.uint32() | 0 };
    else if (tag === N_OUT_OF) {
      const gate: MutableGate =
        slot.rule.kind === 'outOf' ? (slot.rule as MutableGate) : { kind: 'outOf', n: 0, rules: [] };
      slot.rule = gate;
      readGate(reading, reader, gate, depth);
    } else return false;
    return true;
  });
}

function readGate(reading: Reading, reader: WireReader, gate: MutableGate, depth: number): void {
  if (depth > MAX_DEPTH)
    throw new TranslateError(
      'TOO_LARGE',
      `the gates of a signature policy are nested more than ${String(MAX_DEPTH)} levels deep`,
    );
  readNested(reader, (tag) => {
    if (tag === N) gate.n = reader.uint32() | 0;
    else if (tag === RULE) {
      const slot: Slot = { rule: { kind: 'empty' } };
      readRule(reading, reader, slot, depth + 1);
      gate.rules.push(slot.rule);
    } else return false;
    return true;
  });
}

/** The bytes of a signature policy, as Fabric writes them. */
export function writeSignaturePolicy({ version, rule, identities }: SignaturePolicy): Uint8Array {
  return written((writer) => {
    for (const { bytes } of identities.toReversed()) {
      writer.bytes(bytes);
      writer.uint32(ENVELOPE_IDENTITY);
    }
    if (rule !== undefined) writeRule(writer, rule, ENVELOPE_RULE);
    writeInt(writer, ENVELOPE_VERSION, version);
  });
}

function writeRule(writer: WireWriter, rule: Rule, tag: number): void {
  const start = writer.length;
  if (rule.kind === 'signedBy') {
    writer.int32(rule.index);
    writer.uint32(SIGNED_BY);
  } else if (rule.kind === 'outOf') {
    for (const nested of rule.rules.toReversed()) writeRule(writer, nested, RULE);
    writeInt(writer, N, rule.n);
    writer.delimit(start, N_OUT_OF);
  }
  writer.delimit(start, tag);
}
