// Merges the signatures of several users on one config update.

import { is, requireTypes } from '../../proto/arguments.js';
import { concatBytes, sameBytes, toLatin1 } from '../../proto/bytes.js';
import {
  creatorOf,
  readEnvelope,
  requireReadableHeaders,
  unsignedEnvelope,
  type Envelope,
  type UpdateSignature,
} from '../channel/index.js';
import {
  readCertificate,
  readEcdsaSignature,
  readSerializedIdentity,
  verifyEcdsa,
  verifyEd25519,
} from '../msp/index.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { decodePem } from '../../core/common/certificates/pem.js';
import { requireSignable } from './sign.js';

/** Orders signatures so that they satisfy the policies of a channel, if possible. */
export type SignatureOrder = (
  update: Uint8Array,
  signatures: readonly UpdateSignature[],
) => Promise<readonly UpdateSignature[]>;

/** The result of merging. */
export interface Merged {
  /** An envelope without the signature of a submitter. */
  readonly envelope: Uint8Array;
  readonly signatures: readonly UpdateSignature[];
  /** The number of dropped signatures: further ones of the same signer. */
  readonly duplicates: number;
}

/**
 * Merges envelopes with the same config update. Signatures keep the order of the envelopes, unless `order` changes it. Of several
 * signatures of one signer, the first valid one is kept.
 *
 * @throws TranslateError if an input is not such an envelope, if updates or channels differ (the message counts inputs from 1), or as
 *   {@link requireSignable}
 */
export async function mergeEnvelopes(
  envelopes: readonly Uint8Array[],
  order?: SignatureOrder,
): Promise<Merged> {
  requireTypes({ envelopes, order }, { envelopes: is.list(is.bytes), order: is.optional(is.method) });
  const inputs = envelopes.map(readInput);
  const [first, ...others] = inputs;
  if (first === undefined) throw new TranslateError('WRONG_MESSAGE', 'there is nothing to merge');
  const { bytes: update } = first.update;
  for (const [index, other] of others.entries()) {
    if (other.channel !== first.channel)
      throw new TranslateError(
        'DIFFERENT_UPDATES',
        `input 1 is for channel ${JSON.stringify(first.channel)}, input ${index + 2} for channel ${JSON.stringify(other.channel)}; signatures can be merged for one channel only`,
      );
    if (!sameBytes(other.update.bytes, update))
      throw new TranslateError(
        'DIFFERENT_UPDATES',
        `inputs 1 and ${index + 2} contain different config updates; signatures can be merged on the same update only`,
      );
  }
  requireSignable(first);
  const all = inputs.flatMap(({ signatures }) => signatures);
  const kept = await withoutDuplicates(all, update);
  const signatures = (await order?.(update, kept)) ?? kept;
  return {
    envelope: unsignedEnvelope({ channel: first.channel ?? '', update, signatures }),
    signatures,
    duplicates: all.length - kept.length,
  };
}

function readInput(bytes: Uint8Array): Envelope {
  const envelope = readEnvelope(bytes);
  requireReadableHeaders(envelope);
  return envelope;
}

async function withoutDuplicates(
  signatures: readonly UpdateSignature[],
  update: Uint8Array,
): Promise<readonly UpdateSignature[]> {
  const bySigner = new Map<string, UpdateSignature[]>();
  for (const signature of signatures) {
    const signer = toLatin1(creatorOf(signature.header));
    const same = bySigner.get(signer);
    if (same === undefined) bySigner.set(signer, [signature]);
    else if (!same.some(({ bytes }) => sameBytes(bytes, signature.bytes))) same.push(signature);
  }
  const kept: UpdateSignature[] = [];
  for (const same of bySigner.values())
    kept.push(same.length === 1 ? same[0]! : await firstValid(same, update));
  return kept;
}

async function firstValid(
  signatures: readonly UpdateSignature[],
  update: Uint8Array,
): Promise<UpdateSignature> {
  for (const each of signatures) if (await isValid(each, update)) return each;
  return signatures[0]!;
}

/** Whether a signature is valid for the certificate of its signer, in any MSP. */
const isValid = async ({ header, signature }: UpdateSignature, update: Uint8Array): Promise<boolean> =>
  attempt(
    async () => {
      const block = decodePem(readSerializedIdentity(creatorOf(header)).certificate);
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
    },
    () => false,
  );
