// Envelopes with a config update: reads them without changing the bytes that are signed, and writes them.

import type { UpdateFile } from '../channel/file.js';
import { attempt } from '../../proto/attempt.js';
import { TranslateError } from '../../proto/errors.js';
import {
  CommonChannelHeader,
  CommonConfigSignature,
  CommonConfigUpdate,
  CommonConfigUpdateEnvelope,
  CommonEnvelope,
  CommonHeader,
  CommonPayload,
  CommonSignatureHeader,
} from '../../proto/messages.js';
import {
  canonicalFault,
  type MessageType,
  readMessage,
  type WithRaw,
  writeMessage,
} from '../../proto/typed.js';

/** A signature on a config update (`common.ConfigSignature`). */
export interface ConfigSignature {
  /** The serialized `common.ConfigSignature`. */
  readonly raw: Uint8Array;
  /** The serialized `common.SignatureHeader`, which is signed as well. */
  readonly header: Uint8Array;
  /** The `msp.SerializedIdentity` in the header. */
  readonly creator: Uint8Array;
  readonly signature: Uint8Array;
}

/** The content of an envelope with a config update. */
export interface UpdateEnvelope {
  readonly channelId: string;
  /** The serialized `common.ConfigUpdate`. */
  readonly update: Uint8Array;
  /** In the order of the envelope, which matters for policies. */
  readonly signatures: readonly ConfigSignature[];
  /** The signature over the payload, and who made it; undefined if the envelope is not signed. */
  readonly outer: OuterSignature | undefined;
}

/** The signature of the submitter over the payload of an envelope. */
export interface OuterSignature {
  readonly creator: Uint8Array;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** `common.HeaderType.CONFIG_UPDATE` */
const CONFIG_UPDATE = 2;

/**
 * Reads an envelope (internal/peer/channel/create.go, `sanityCheckAndSignConfigTx`).
 *
 * @throws TranslateError if it is something else; the message says what is wrong
 */
export function readUpdateEnvelope(envelope: Uint8Array): UpdateEnvelope {
  const { payload, signature } = readPart('the envelope', CommonEnvelope, envelope);
  const { header, data } = readPart('the payload of the envelope', CommonPayload, payload, ['header']);
  const { channelHeader, signatureHeader } = readPart(
    'the header of the payload',
    CommonHeader,
    header ?? new Uint8Array(),
  );
  if (channelHeader.length === 0)
    throw new TranslateError('WRONG_MESSAGE', 'not an envelope: there is no channel header');
  const { type, channelId } = readPart('the channel header', CommonChannelHeader, channelHeader);
  if (type !== CONFIG_UPDATE)
    throw new TranslateError(
      'WRONG_MESSAGE',
      `an envelope of type ${type}${type === 1 ? ' (a config)' : ''}; an envelope of type ${CONFIG_UPDATE} (a config update) is needed`,
    );
  const content = readPart('the config update envelope', CommonConfigUpdateEnvelope, data, ['signatures']);
  const { creator } = readPart('the signature header', CommonSignatureHeader, signatureHeader);
  const isSigned = signature.length > 0 || creator.length > 0;
  return {
    channelId,
    update: content.configUpdate,
    signatures: content.signatures.map(readSignature),
    outer: isSigned ? { creator, payload, signature } : undefined,
  };
}

/**
 * Refuses an update with content that is not understood: with a signature on it, an attacker could have the signature of something else.
 *
 * @param update a serialized `common.ConfigUpdate`
 * @throws TranslateError NOT_UNDERSTOOD
 */
export function requireUnderstood(update: Uint8Array): void {
  const { writeSet } = readPart('the config update', CommonConfigUpdate, update, ['readSet', 'writeSet']);
  const fault = writeSet === undefined ? 'it has no write set' : canonicalFault(CommonConfigUpdate, update);
  if (fault !== undefined)
    throw new TranslateError('NOT_UNDERSTOOD', `the config update is not understood: ${fault}`);
}

/** What is in an envelope besides the signature of its submitter. */
type Content = Pick<UpdateEnvelope, 'channelId' | 'update' | 'signatures'>;

/** An unsigned envelope of a serialized `common.ConfigUpdate`, with the signatures on the update. */
export function writeUpdateEnvelope(content: Content): Uint8Array {
  return writeEnvelope(payloadOf(content, undefined), new Uint8Array());
}

/**
 * An envelope of an update that was read from another form: a `common.ConfigUpdate`, or a `common.ConfigUpdateEnvelope` with its signatures.
 *
 * @throws TranslateError if a signature header cannot be read
 */
export function envelopeOfUpdate({ update, signatures }: UpdateFile): Uint8Array {
  const made = signatures.map(({ header, signature }) => {
    const { creator } = readPart('a signature header', CommonSignatureHeader, header);
    return makeSignature(header, creator, signature);
  });
  return writeUpdateEnvelope({ channelId: update.channelId, update: update.bytes, signatures: made });
}

/** A `common.Envelope`. */
export const writeEnvelope = (payload: Uint8Array, signature: Uint8Array): Uint8Array =>
  writeMessage(CommonEnvelope, { payload, signature });

/** A `common.SignatureHeader`. */
export const writeSignatureHeader = (creator: Uint8Array, nonce: Uint8Array): Uint8Array =>
  writeMessage(CommonSignatureHeader, { creator, nonce });

/** The payload of a signed envelope: the header names the signer and the time. */
export const signedPayload = (content: Content, signatureHeader: Uint8Array, now: Date): Uint8Array =>
  payloadOf(content, { signatureHeader, now });

/** The id of the channel in a serialized `common.ConfigUpdate`. @throws TranslateError if the bytes are not a message */
export function channelOfUpdate(update: Uint8Array): string {
  return readPart('the config update', CommonConfigUpdate, update, ['readSet', 'writeSet']).channelId;
}

/** A `common.ConfigSignature`, serialized and as fields. */
export function makeSignature(
  header: Uint8Array,
  creator: Uint8Array,
  signature: Uint8Array,
): ConfigSignature {
  const raw = writeMessage(CommonConfigSignature, { signatureHeader: header, signature });
  return { raw, header, creator, signature };
}

function readSignature(raw: Uint8Array): ConfigSignature {
  const { signatureHeader, signature } = readPart('a signature', CommonConfigSignature, raw);
  const { creator } = readPart('a signature header', CommonSignatureHeader, signatureHeader);
  return { raw, header: signatureHeader, creator, signature };
}

/** Who signs an envelope, and when. */
interface Signing {
  readonly signatureHeader: Uint8Array;
  readonly now: Date;
}

function payloadOf({ channelId, update, signatures }: Content, signing: Signing | undefined): Uint8Array {
  const channelHeader = writeMessage(CommonChannelHeader, {
    type: CONFIG_UPDATE,
    // Fabric writes no nanoseconds (protoutil/commonutils.go, `MakeChannelHeader`).
    timestamp: signing && { seconds: BigInt(Math.floor(signing.now.getTime() / 1000)) },
    channelId,
  });
  return writeMessage(CommonPayload, {
    header: { channelHeader, signatureHeader: signing?.signatureHeader },
    data: writeMessage(CommonConfigUpdateEnvelope, {
      configUpdate: update,
      signatures: signatures.map(({ raw }) => raw),
    }),
  });
}

function readPart<T extends object, K extends keyof T & string = never>(
  what: string,
  type: MessageType<T>,
  serialized: Uint8Array,
  raw?: readonly K[],
): WithRaw<T, K> {
  return attempt(
    () => readMessage(type, serialized, raw),
    ({ message }): never => {
      throw new TranslateError('WRONG_MESSAGE', `${what} cannot be read: ${message}`);
    },
  );
}
