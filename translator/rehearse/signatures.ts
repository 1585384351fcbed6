// The signatures of the original of an update, made again for its copy.

import { createPublicKey, verify } from 'node:crypto';
import { concatBytes, NO_BYTES } from '../../proto/bytes.js';
import { attempt } from '../../proto/errors.js';
import {
  CommonConfigUpdateEnvelope,
  CommonEnvelope,
  CommonHeader,
  CommonPayload,
  CommonSignatureHeader,
} from '../../proto/messages.js';
import { readMessage, replaceFields } from '../../proto/typed.js';
import { creatorOf, type Envelope, isSigned, makeSignature, unsignedEnvelope } from '../channel/index.js';
import {
  certificateIn,
  decodePem,
  readCertificate,
  readEcdsaSignature,
  readSerializedIdentity,
  toLowS,
  writeEcdsaSignature,
} from '../msp/index.js';
import { rewriteIdentity } from './rewrite.js';
import type { RewrittenChannel } from './rewritten-channel.js';

/**
 * The envelope of a copied update with the copies of its signatures, in their order. The copy of a signature that is not valid, or whose
 * signer cannot be read, is not valid either.
 *
 * @param update the serialized `common.ConfigUpdate` of the copy
 * @returns unsigned, if the original is
 */
export function signAgain(original: Envelope, update: Uint8Array, { pki, by }: RewrittenChannel): Uint8Array {
  const { submission } = original;
  const again = (
    header: Uint8Array,
    before: Uint8Array,
    signature: Uint8Array,
    after: (header: Uint8Array) => Uint8Array,
  ) => {
    const creator = creatorIn(header);
    const copied =
      creator === undefined ? header : withCreator(header, rewriteIdentity(creator, 'a signature', by));
    const certificate = creator && certificateOf(creator);
    const isValid = certificate !== undefined && isSignatureOf(certificate, before, signature);
    const made = isValid ? pki.sign(certificate, after(copied)) : undefined;
    // The original signature is not valid for another message.
    return { header: copied, signature: made ?? signature };
  };
  const signatures = original.signatures.map(({ header, signature }) => {
    const message = concatBytes(header, original.update.bytes);
    const copy = again(header, message, signature, (copied) => concatBytes(copied, update));
    return makeSignature(copy.header, copy.signature);
  });
  const channel = original.channel ?? original.update.channelId;
  if (submission === undefined) return unsignedEnvelope({ channel, update, signatures });
  const payloadWith = (header: Uint8Array): Uint8Array =>
    copiedPayload(
      submission.payload,
      header,
      update,
      signatures.map(({ bytes }) => bytes),
    );
  const submitted = again(submission.header, submission.payload, submission.signature, payloadWith);
  return replaceFields(CommonEnvelope, original.bytes, {
    payload: payloadWith(submitted.header),
    signature: isSigned(original) ? submitted.signature : NO_BYTES,
  });
}

/** A payload with another update; its channel header and unknown fields stay. */
function copiedPayload(
  payload: Uint8Array,
  signatureHeader: Uint8Array,
  configUpdate: Uint8Array,
  signatures: readonly Uint8Array[],
): Uint8Array {
  const { header = NO_BYTES, data } = readMessage(CommonPayload, payload, ['header']);
  return replaceFields(CommonPayload, payload, {
    header: replaceFields(CommonHeader, header, { signatureHeader }),
    data: replaceFields(CommonConfigUpdateEnvelope, data, { configUpdate, signatures }),
  });
}

const creatorIn = (header: Uint8Array): Uint8Array | undefined =>
  attempt(
    () => creatorOf(header),
    () => undefined,
  );

const withCreator = (header: Uint8Array, creator: Uint8Array): Uint8Array =>
  replaceFields(CommonSignatureHeader, header, { creator });

/** The certificate in a serialized identity, in DER; undefined if there is none. */
const certificateOf = (creator: Uint8Array): Uint8Array | undefined =>
  attempt(
    () => {
      const { certificate } = readSerializedIdentity(creator);
      return certificateIn(certificate, '1.22') === undefined ? undefined : decodePem(certificate)?.bytes;
    },
    () => undefined,
  );

/** Whether Fabric accepts a signature (bccsp/sw/ecdsa.go, `verifyECDSA`), whoever the signer is. */
function isSignatureOf(der: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const { publicKey } = readCertificate(der, '1.22');
  if (publicKey.type !== 'ECDSA' && publicKey.type !== 'Ed25519') return false;
  const key = createPublicKey({ key: Buffer.from(publicKey.spki), format: 'der', type: 'spki' });
  if (publicKey.type === 'Ed25519') return verify(undefined, message, key, signature);
  const pair = readEcdsaSignature(signature);
  return (
    typeof pair !== 'string' &&
    toLowS(pair, publicKey.curve).s === pair.s &&
    // Go ignores bytes after the signature.
    verify('sha256', message, key, writeEcdsaSignature(pair))
  );
}
