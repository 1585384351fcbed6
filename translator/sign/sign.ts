// Signs config updates as `peer channel signconfigtx` does (internal/peer/channel/create.go).

import { concatBytes } from '../../proto/concat-bytes.js';
import {
  makeSignature,
  readUpdateEnvelope,
  requireUnderstood,
  signedPayload,
  writeEnvelope,
  writeSignatureHeader,
} from './envelope.js';
import { TranslateError } from '../../proto/errors.js';
import type { SigningIdentity } from './signing-identity.js';

/** protoutil/commonutils.go, `CreateNonce` */
const NONCE_SIZE = 24;

/**
 * Appends a signature to an envelope with a config update, and signs the envelope as its submitter.
 *
 * @returns a new envelope
 * @throws TranslateError if the bytes are not such an envelope
 */
export async function signEnvelope(
  envelope: Uint8Array,
  signer: SigningIdentity,
  now: Date,
): Promise<Uint8Array> {
  const { channelId, update, signatures } = readUpdateEnvelope(envelope);
  requireUnderstood(update);
  if (channelId === '')
    throw new TranslateError('WRONG_MESSAGE', 'an envelope without a channel id; it must name the channel');
  const header = headerOf(signer);
  const signature = makeSignature(header, signer.creator, await signer.sign(concatBytes(header, update)));
  const content = { channelId, update, signatures: [...signatures, signature] };
  const payload = signedPayload(content, headerOf(signer), now);
  return writeEnvelope(payload, await signer.sign(payload));
}

/**
 * Signs an envelope as its submitter. The signatures on the update stay as they are.
 *
 * @returns a new envelope
 * @throws TranslateError if the bytes are not such an envelope
 */
export async function signAsSubmitter(
  envelope: Uint8Array,
  signer: SigningIdentity,
  now: Date,
): Promise<Uint8Array> {
  const content = readUpdateEnvelope(envelope);
  requireUnderstood(content.update);
  const payload = signedPayload(content, headerOf(signer), now);
  return writeEnvelope(payload, await signer.sign(payload));
}

/** A `common.SignatureHeader` with a new nonce. */
function headerOf({ creator }: SigningIdentity): Uint8Array {
  return writeSignatureHeader(creator, crypto.getRandomValues(new Uint8Array(NONCE_SIZE)));
}
