// Merges the signatures of several people on one config update.

import { concatBytes } from '../../proto/concat-bytes.js';
import { sameBytes, toLatin1 } from '../channel/bytes.js';
import { readCertificate } from '../msp/certificate.js';
import { readEcdsaSignature } from '../msp/ecdsa.js';
import { TranslateError } from '../../proto/errors.js';
import { decodePem } from '../../core/common/certificates/pem.js';
import { readSerializedIdentity } from '../msp/serialized-identity.js';
import { verifyEcdsa, verifyEd25519 } from '../msp/verify.js';
import {
  readUpdateEnvelope,
  requireUnderstood,
  writeUpdateEnvelope,
  type ConfigSignature,
} from './envelope.js';

/** Puts signatures into an order that satisfies the policies of a channel, where there is one. */
export type SignatureOrder = (
  update: Uint8Array,
  signatures: readonly ConfigSignature[],
) => Promise<readonly ConfigSignature[]>;

/** The result of merging. */
export interface Merged {
  /** An envelope that is not signed by a submitter. */
  readonly envelope: Uint8Array;
  readonly signatures: readonly ConfigSignature[];
  /** The number of signatures that were dropped because their signer has another one. */
  readonly duplicates: number;
}

/**
 * Merges envelopes with the same config update. Signatures stay in the order of the envelopes, unless `order` changes it. Of several
 * signatures by one signer, the first valid one stays.
 *
 * @throws TranslateError if an input is not such an envelope, or if the updates or channels differ; the message counts inputs from 1
 */
export async function mergeEnvelopes(
  envelopes: readonly Uint8Array[],
  order?: SignatureOrder,
): Promise<Merged> {
  const inputs = envelopes.map((bytes) => readUpdateEnvelope(bytes));
  const [first, ...others] = inputs;
  if (first === undefined) throw new TranslateError('WRONG_MESSAGE', 'there is nothing to merge');
  for (const [index, other] of others.entries()) {
    if (other.channelId !== first.channelId)
      throw new TranslateError(
        'DIFFERENT_UPDATES',
        `input 1 is for channel ${JSON.stringify(first.channelId)}, input ${index + 2} for channel ${JSON.stringify(other.channelId)}; signatures can be merged for one channel only`,
      );
    if (!sameBytes(other.update, first.update))
      throw new TranslateError(
        'DIFFERENT_UPDATES',
        `inputs 1 and ${index + 2} contain different config updates; signatures can be merged on the same update only`,
      );
  }
  requireUnderstood(first.update);
  const all = inputs.flatMap(({ signatures }) => signatures);
  const kept = await withoutDuplicates(all, first.update);
  const signatures = (await order?.(first.update, kept)) ?? kept;
  return {
    envelope: writeUpdateEnvelope({ ...first, signatures }),
    signatures,
    duplicates: all.length - kept.length,
  };
}

async function withoutDuplicates(
  signatures: readonly ConfigSignature[],
  update: Uint8Array,
): Promise<readonly ConfigSignature[]> {
  const bySigner = new Map<string, ConfigSignature[]>();
  for (const signature of signatures) {
    const signer = toLatin1(signature.creator);
    const same = bySigner.get(signer);
    if (same === undefined) bySigner.set(signer, [signature]);
    else if (!same.some(({ raw }) => sameBytes(raw, signature.raw))) same.push(signature);
  }
  const kept: ConfigSignature[] = [];
  for (const same of bySigner.values())
    kept.push(same.length === 1 ? same[0]! : await firstValid(same, update));
  return kept;
}

async function firstValid(
  signatures: readonly ConfigSignature[],
  update: Uint8Array,
): Promise<ConfigSignature> {
  for (const each of signatures) if (await isValid(each, update)) return each;
  return signatures[0]!;
}

/** Whether a signature is valid for the certificate of its signer, whatever MSP that belongs to. */
async function isValid(
  { creator, header, signature }: ConfigSignature,
  update: Uint8Array,
): Promise<boolean> {
  try {
    const block = decodePem(readSerializedIdentity(creator).certificate);
    if (block === undefined) return false;
    const { publicKey } = readCertificate(block.bytes);
    const message = concatBytes(header, update);
    if (publicKey.type === 'Ed25519') return await verifyEd25519(publicKey, signature, message);
    const pair = readEcdsaSignature(signature);
    return (
      publicKey.type === 'ECDSA' &&
      typeof pair !== 'string' &&
      (await verifyEcdsa(publicKey, 'SHA-256', pair, message))
    );
  } catch (error) {
    if (error instanceof TranslateError) return false;
    throw error;
  }
}
