// Envelopes with a config update: reads them without changing the bytes that are signed, and writes them.

import { TranslateError } from '../../proto/errors.js';
import { BYTES, bigintToInt64, VARINT } from '../../proto/wire.js';
import { concatBytes } from '../config/bytes.js';
import { tagOf } from '../config/fields.js';
import { bytes, chunks, int32, readAs, text, type MessageOf, type Shape } from '../config/message.js';
import { writeBytes, writeInt, writeMessage, writeString, written } from '../config/write-message.js';
import { SignError } from './errors.js';

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

const envelopeShape = { payload: bytes(1), signature: bytes(2) };
/** A list: protobuf requires that several headers are merged. */
const payloadShape = { headers: chunks(1), data: bytes(2) };
/** A list: tells an absent channel header from an empty one. */
const headerShape = { channelHeaders: chunks(1), signatureHeader: bytes(2) };
const channelHeaderShape = { type: int32(1), channelId: text(4) };
const signatureHeaderShape = { creator: bytes(1) };
const contentShape = { update: bytes(1), signatures: chunks(2) };
const signatureShape = { header: bytes(1), signature: bytes(2) };
const updateShape = { channelId: text(1) };

// common.Envelope and common.ConfigSignature
const SIGNATURE = tagOf(2, BYTES);
const ENVELOPE_PAYLOAD = tagOf(1, BYTES);
const SIGNATURE_HEADER = tagOf(1, BYTES);
// common.Payload
const PAYLOAD_HEADER = tagOf(1, BYTES);
const PAYLOAD_DATA = tagOf(2, BYTES);
// common.Header
const HEADER_CHANNEL = tagOf(1, BYTES);
const HEADER_SIGNATURE = tagOf(2, BYTES);
// common.ChannelHeader
const CHANNEL_TYPE = tagOf(1, VARINT);
const CHANNEL_TIME = tagOf(3, BYTES);
const CHANNEL_ID = tagOf(4, BYTES);
const SECONDS = tagOf(1, VARINT);
// common.SignatureHeader
const CREATOR = tagOf(1, BYTES);
const NONCE = tagOf(2, BYTES);
// common.ConfigUpdateEnvelope
const CONTENT_UPDATE = tagOf(1, BYTES);
const CONTENT_SIGNATURE = tagOf(2, BYTES);

/**
 * Reads an envelope (internal/peer/channel/create.go, `sanityCheckAndSignConfigTx`).
 *
 * @throws SignError if it is something else; the message says what is wrong
 */
export function readUpdateEnvelope(envelope: Uint8Array): UpdateEnvelope {
  const { payload, signature } = readPart('the envelope', envelopeShape, envelope);
  const { headers, data } = readPart('the payload of the envelope', payloadShape, payload);
  const header = readPart('the header of the payload', headerShape, concatBytes(...headers));
  const channelHeader = header.channelHeaders.at(-1);
  if (channelHeader === undefined)
    throw new SignError('WRONG_MESSAGE', 'not an envelope: there is no channel header');
  const { type, channelId } = readPart('the channel header', channelHeaderShape, channelHeader);
  if (type !== CONFIG_UPDATE)
    throw new SignError(
      'WRONG_MESSAGE',
      `an envelope of type ${type}${type === 1 ? ' (a config)' : ''}; an envelope of type ${CONFIG_UPDATE} (a config update) is needed`,
    );
  const { update, signatures } = readPart('the config update envelope', contentShape, data);
  const { creator } = readPart('the signature header', signatureHeaderShape, header.signatureHeader);
  const isSigned = signature.length > 0 || creator.length > 0;
  return {
    channelId,
    update,
    signatures: signatures.map(readSignature),
    outer: isSigned ? { creator, payload, signature } : undefined,
  };
}

/** What is in an envelope besides the signature of its submitter. */
type Content = Pick<UpdateEnvelope, 'channelId' | 'update' | 'signatures'>;

/** An unsigned envelope of a serialized `common.ConfigUpdate`, with the signatures on the update. */
export function writeUpdateEnvelope(content: Content): Uint8Array {
  const header = written((writer) =>
    writeMessage(writer, HEADER_CHANNEL, channelHeaderOf(content.channelId, undefined)),
  );
  return writeEnvelope(payloadOf(header, content), new Uint8Array());
}

/** A `common.Envelope`. */
export function writeEnvelope(payload: Uint8Array, signature: Uint8Array): Uint8Array {
  return written((writer) => {
    writeBytes(writer, SIGNATURE, signature);
    writeBytes(writer, ENVELOPE_PAYLOAD, payload);
  });
}

/** A `common.SignatureHeader`. */
export function writeSignatureHeader(creator: Uint8Array, nonce: Uint8Array): Uint8Array {
  return written((writer) => {
    writeBytes(writer, NONCE, nonce);
    writeBytes(writer, CREATOR, creator);
  });
}

/** The payload of a signed envelope: the header names the signer and the time. */
export function signedPayload(content: Content, signatureHeader: Uint8Array, now: Date): Uint8Array {
  const header = written((writer) => {
    writeMessage(writer, HEADER_SIGNATURE, signatureHeader);
    writeMessage(writer, HEADER_CHANNEL, channelHeaderOf(content.channelId, now));
  });
  return payloadOf(header, content);
}

/** The id of the channel in a serialized `common.ConfigUpdate`. @throws SignError if the bytes are not a message */
export function channelOfUpdate(update: Uint8Array): string {
  return readPart('the config update', updateShape, update).channelId;
}

/** A `common.ConfigSignature`, serialized and as fields. */
export function makeSignature(
  header: Uint8Array,
  creator: Uint8Array,
  signature: Uint8Array,
): ConfigSignature {
  const raw = written((writer) => {
    writeBytes(writer, SIGNATURE, signature);
    writeBytes(writer, SIGNATURE_HEADER, header);
  });
  return { raw, header, creator, signature };
}

function readSignature(raw: Uint8Array): ConfigSignature {
  const { header, signature } = readPart('a signature', signatureShape, raw);
  const { creator } = readPart('a signature header', signatureHeaderShape, header);
  return { raw, header, creator, signature };
}

function channelHeaderOf(channelId: string, now: Date | undefined): Uint8Array {
  return written((writer) => {
    writeString(writer, CHANNEL_ID, channelId);
    if (now !== undefined) writeMessage(writer, CHANNEL_TIME, timestampOf(now));
    writeInt(writer, CHANNEL_TYPE, CONFIG_UPDATE);
  });
}

/** A `google.protobuf.Timestamp`; Fabric writes no nanoseconds (protoutil/commonutils.go, `MakeChannelHeader`). */
function timestampOf(now: Date): Uint8Array {
  return written((writer) => {
    writer.varint64(bigintToInt64(BigInt(Math.floor(now.getTime() / 1000))));
    writer.uint32(SECONDS);
  });
}

function payloadOf(header: Uint8Array, { update, signatures }: Content): Uint8Array {
  const content = written((writer) => {
    for (const { raw } of signatures.toReversed()) writeMessage(writer, CONTENT_SIGNATURE, raw);
    writeBytes(writer, CONTENT_UPDATE, update);
  });
  return written((writer) => {
    writeBytes(writer, PAYLOAD_DATA, content);
    writeMessage(writer, PAYLOAD_HEADER, header);
  });
}

function readPart<S extends Shape>(what: string, shape: S, serialized: Uint8Array): MessageOf<S> {
  try {
    return readAs(shape, serialized);
  } catch (error) {
    throw error instanceof TranslateError
      ? new SignError('WRONG_MESSAGE', `${what} cannot be read: ${error.message}`)
      : error;
  }
}
