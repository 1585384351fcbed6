// Signs config updates as `peer channel signconfigtx` does (internal/peer/channel/create.go).

import { showValue } from '../../core/common/text/value.js';
import { concatBytes } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import { CommonEnvelope, CommonSignatureHeader } from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import {
  CHANNEL_NAMES,
  isChannelName,
  makeSignature,
  readEnvelope,
  requireReadableHeaders,
  updateFault,
  writePayload,
  type Envelope,
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
  const header = headerOf(signer);
  const signature = makeSignature(header, await signer.sign(concatBytes(header, update)));
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
  now: Date,
): Promise<Uint8Array> {
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
  return writeMessage(CommonEnvelope, { payload, signature: await signer.sign(payload) });
}

/** A `common.SignatureHeader` with a new nonce. */
export function headerOf({ creator }: Pick<SigningIdentity, 'creator'>): Uint8Array {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_SIZE));
  return writeMessage(CommonSignatureHeader, { creator, nonce });
}
