// Signs config updates as `peer channel signconfigtx` does (internal/peer/channel/create.go).

import { concatBytes } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import { CommonConfigUpdate, CommonEnvelope, CommonSignatureHeader } from '../../proto/messages.js';
import { canonicalFault, writeMessage } from '../../proto/typed.js';
import {
  type ConfigUpdate,
  makeSignature,
  readEnvelope,
  requireReadableHeaders,
  writePayload,
  type EnvelopeContent,
} from '../channel/index.js';
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
  const { channel, update, signatures } = readSignable(envelope);
  if (channel === '')
    throw new TranslateError('WRONG_MESSAGE', 'an envelope without a channel id; it must name the channel');
  const header = headerOf(signer);
  const signature = makeSignature(header, await signer.sign(concatBytes(header, update)));
  return signPayload({ channel, update, signatures: [...signatures, signature] }, signer, now);
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
  return signPayload(readSignable(envelope), signer, now);
}

/** The content of an envelope that may be signed. @throws TranslateError */
function readSignable(bytes: Uint8Array): EnvelopeContent {
  const envelope = readEnvelope(bytes);
  requireReadableHeaders(envelope);
  const { channel = '', update, signatures } = envelope;
  requireUnderstood(update);
  return { channel, update: update.bytes, signatures };
}

/**
 * Refuses an update with content that is not understood: with a signature on it, an attacker could have the signature of something else.
 *
 * @throws TranslateError NOT_UNDERSTOOD
 */
export function requireUnderstood({ writeSet, bytes }: ConfigUpdate): void {
  const fault = writeSet === undefined ? 'it has no write set' : canonicalFault(CommonConfigUpdate, bytes);
  if (fault !== undefined)
    throw new TranslateError('NOT_UNDERSTOOD', `the config update is not understood: ${fault}`);
}

async function signPayload(
  content: EnvelopeContent,
  signer: SigningIdentity,
  now: Date,
): Promise<Uint8Array> {
  const payload = writePayload(content, { signatureHeader: headerOf(signer), now });
  return writeMessage(CommonEnvelope, { payload, signature: await signer.sign(payload) });
}

/** A `common.SignatureHeader` with a new nonce. */
export function headerOf({ creator }: Pick<SigningIdentity, 'creator'>): Uint8Array {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_SIZE));
  return writeMessage(CommonSignatureHeader, { creator, nonce });
}
