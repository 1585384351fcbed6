// Signs config updates as `peer channel signconfigtx` does (internal/peer/channel/create.go).

import { is, requireTypes } from '../../proto/arguments.js';
import { showValue } from '../../core/common/text/value.js';
import { concatBytes, fromLatin1 } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import { CommonEnvelope, CommonSignatureHeader } from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import {
  CHANNEL_NAMES,
  isChannelName,
  makeSignature,
  readEnvelope,
  requireReadableHeaders,
  unsignedEnvelope,
  updateFault,
  writePayload,
  type Envelope,
  type EnvelopeContent,
} from '../channel/index.js';
import { digest } from '../crypto/index.js';
import { acceptedSignature, signatureOf } from './signature.js';
import type { SignerIdentity, SigningIdentity } from './signing-identity.js';

/** protoutil/commonutils.go, `CreateNonce` */
const NONCE_SIZE = 24;
const CREATOR = is.record({ creator: is.bytes });
const SIGNER = is.named(
  'a result of readSigner',
  is.record({ creator: is.bytes, certificate: is.record({}) }),
);
const SIGNING = is.named(
  'a result of readSigningIdentity',
  is.record({ creator: is.bytes, sign: is.method }),
);

/**
 * Appends a signature to an envelope with a config update, and signs the envelope as its submitter.
 *
 * @returns a new envelope
 * @throws TranslateError if the bytes are not such an envelope
 */
export async function signEnvelope(
  envelope: Uint8Array,
  signer: SigningIdentity,
  now = new Date(),
): Promise<Uint8Array> {
  requireTypes({ envelope, signer, now }, { envelope: is.bytes, signer: SIGNING, now: is.date });
  const { channel, update, signatures } = readSignable(envelope);
  const header = headerOf(signer);
  const signature = makeSignature(header, await signatureOf(signer, concatBytes(header, update)));
  return signPayload({ channel, update, signatures: [...signatures, signature] }, signer, now);
}

/**
 * Signs an envelope as its submitter. The signatures on the update are unchanged.
 *
 * @returns a new envelope
 * @throws TranslateError if the bytes are not such an envelope
 */
export async function signAsSubmitter(
  envelope: Uint8Array,
  signer: SigningIdentity,
  now = new Date(),
): Promise<Uint8Array> {
  requireTypes({ envelope, signer, now }, { envelope: is.bytes, signer: SIGNING, now: is.date });
  return signPayload(readSignable(envelope), signer, now);
}

/** The content of an envelope that may be signed. @throws TranslateError */
function readSignable(bytes: Uint8Array): EnvelopeContent {
  const envelope = readEnvelope(bytes);
  requireReadableHeaders(envelope);
  requireSignable(envelope);
  const { channel = '', update, signatures } = envelope;
  return { channel, update: update.bytes, signatures };
}

/**
 * Refuses an update with a second meaning. A signature covers its header followed by the update. The bytes of a channel id can be a whole
 * `common.Header`, so that the signed bytes are also a `common.Payload`, for example of a transaction, and an attacker could use the
 * signature for it. A valid channel name cannot contain such bytes.
 *
 * @throws TranslateError WRONG_CHANNEL if the channel id is not a valid name, or differs from the envelope; NOT_UNDERSTOOD if the update
 *   has unknown content
 */
export function requireSignable({ channel = '', update }: Pick<Envelope, 'channel' | 'update'>): void {
  const { channelId, writeSet } = update;
  const wrong = (message: string): TranslateError => new TranslateError('WRONG_CHANNEL', message);
  if (channel === '') throw wrong('it names no channel');
  if (channel !== channelId)
    throw wrong(
      `the envelope is for the channel ${showValue(channel)}, its config update for the channel ${showValue(channelId)}`,
    );
  if (!isChannelName(channel))
    throw wrong(`${showValue(channel)} is not a valid channel name: ${CHANNEL_NAMES}`);
  const fault = writeSet === undefined ? 'it has no write set' : updateFault(update);
  if (fault !== undefined)
    throw new TranslateError('NOT_UNDERSTOOD', `the config update is not understood: ${fault}`);
}

async function signPayload(
  content: EnvelopeContent,
  signer: SigningIdentity,
  now: Date,
): Promise<Uint8Array> {
  const payload = writePayload(content, { signatureHeader: headerOf(signer), now });
  return writeMessage(CommonEnvelope, { payload, signature: await signatureOf(signer, payload) });
}

/** A `common.SignatureHeader` with a new nonce. */
export function headerOf({ creator }: Pick<SignerIdentity, 'creator'>): Uint8Array {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_SIZE));
  return writeMessage(CommonSignatureHeader, { creator, nonce });
}

/**
 * The bytes that a key elsewhere has to sign for {@link addSignature}: ECDSA signs their SHA-256. They depend on the update and the signer
 * only, so that the signature alone has to come back.
 *
 * @throws TranslateError if the bytes are not an envelope with a config update that may be signed
 */
export function messageToSign(envelope: Uint8Array, signer: Pick<SignerIdentity, 'creator'>): Uint8Array {
  requireTypes({ envelope, signer }, { envelope: is.bytes, signer: CREATOR });
  const { update } = readSignable(envelope);
  return concatBytes(fixedHeaderOf(signer, update), update);
}

/**
 * Appends a signature that was made elsewhere over {@link messageToSign}. The envelope gets no submitter.
 *
 * @param signature DER, or r and s without DER; as bytes, hexadecimal or base64; with high or low s
 * @returns a new envelope
 * @throws TranslateError BAD_SIGNATURE if it does not belong to the update and the certificate of the signer
 */
export async function addSignature(
  envelope: Uint8Array,
  signer: SignerIdentity,
  signature: Uint8Array,
): Promise<Uint8Array> {
  requireTypes({ envelope, signer, signature }, { envelope: is.bytes, signer: SIGNER, signature: is.bytes });
  const { channel, update, signatures } = readSignable(envelope);
  const header = fixedHeaderOf(signer, update);
  const message = concatBytes(header, update);
  const accepted = makeSignature(header, await acceptedSignature(signer.certificate, message, signature));
  return unsignedEnvelope({ channel, update, signatures: [...signatures, accepted] });
}

const PURPOSE = fromLatin1('nonce of a config signature');

/** A `common.SignatureHeader` with a nonce that depends on the update and the signer. Orderers do not read the nonce of such a header. */
function fixedHeaderOf({ creator }: Pick<SignerIdentity, 'creator'>, update: Uint8Array): Uint8Array {
  const nonce = digest('SHA-256', [PURPOSE, digest('SHA-256', [creator]), update]).subarray(0, NONCE_SIZE);
  return writeMessage(CommonSignatureHeader, { creator, nonce });
}
