// Envelopes with a config update: reads them without changing the bytes that are signed, and writes them.

import { concatBytes } from '../msp/bytes.js';
import { MspError } from '../msp/errors.js';
import { Fields } from '../msp/message.js';
import { bytesField, messageField, numberField } from '../msp/write-message.js';
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

/**
 * Reads an envelope (internal/peer/channel/create.go, `sanityCheckAndSignConfigTx`).
 *
 * @throws SignError if it is something else; the message says what is wrong
 */
export function readUpdateEnvelope(bytes: Uint8Array): UpdateEnvelope {
  const envelope = fieldsOf(bytes, 'the envelope');
  const payloadBytes = envelope.bytes(1);
  const payload = fieldsOf(payloadBytes, 'the payload of the envelope');
  const headers = payload.all(1);
  const header = fieldsOf(concatBytes(...headers), 'the header of the payload');
  const channelHeader = header.all(1).at(-1);
  if (channelHeader === undefined)
    throw new SignError('WRONG_MESSAGE', 'not an envelope: there is no channel header');
  const fields = fieldsOf(channelHeader, 'the channel header');
  const type = BigInt.asIntN(32, fields.number(1));
  if (type !== BigInt(CONFIG_UPDATE))
    throw new SignError(
      'WRONG_MESSAGE',
      `an envelope of type ${type}${type === 1n ? ' (a config)' : ''}; an envelope of type ${CONFIG_UPDATE} (a config update) is needed`,
    );
  const content = fieldsOf(payload.bytes(2), 'the config update envelope');
  const creator = fieldsOf(header.bytes(2), 'the signature header').bytes(1);
  const signature = envelope.bytes(2);
  const isSigned = signature.length > 0 || creator.length > 0;
  return {
    channelId: textOf(fields, 4),
    update: content.bytes(1),
    signatures: content.all(2).map(readSignature),
    outer: isSigned ? { creator, payload: payloadBytes, signature } : undefined,
  };
}

/** An unsigned envelope of a serialized `common.ConfigUpdate`, with the signatures on the update. */
export function writeUpdateEnvelope({
  channelId,
  update,
  signatures,
}: Pick<UpdateEnvelope, 'channelId' | 'update' | 'signatures'>): Uint8Array {
  const header = messageField(1, channelHeaderOf(channelId, undefined));
  return bytesField(1, payloadOf(header, update, signatures));
}

/** The payload of a signed envelope: the header names the signer and the time. */
export function signedPayload(
  { channelId, update, signatures }: Pick<UpdateEnvelope, 'channelId' | 'update' | 'signatures'>,
  signatureHeader: Uint8Array,
  now: Date,
): Uint8Array {
  const header = concatBytes(
    messageField(1, channelHeaderOf(channelId, now)),
    messageField(2, signatureHeader),
  );
  return payloadOf(header, update, signatures);
}

/** The id of the channel in a serialized `common.ConfigUpdate`. @throws SignError if the bytes are not a message */
export function channelOfUpdate(update: Uint8Array): string {
  return textOf(fieldsOf(update, 'the config update'), 1);
}

/** A `common.ConfigSignature`, serialized and as fields. */
export function makeSignature(
  header: Uint8Array,
  creator: Uint8Array,
  signature: Uint8Array,
): ConfigSignature {
  return { raw: concatBytes(bytesField(1, header), bytesField(2, signature)), header, creator, signature };
}

function readSignature(raw: Uint8Array): ConfigSignature {
  const fields = fieldsOf(raw, 'a signature');
  const header = fields.bytes(1);
  return {
    raw,
    header,
    creator: fieldsOf(header, 'a signature header').bytes(1),
    signature: fields.bytes(2),
  };
}

function channelHeaderOf(channelId: string, now: Date | undefined): Uint8Array {
  // Fabric writes no nanoseconds (protoutil/commonutils.go, `MakeChannelHeader`).
  const seconds = now === undefined ? undefined : numberField(1, Math.floor(now.getTime() / 1000));
  return concatBytes(
    numberField(1, CONFIG_UPDATE),
    seconds === undefined ? new Uint8Array() : messageField(3, seconds),
    bytesField(4, new TextEncoder().encode(channelId)),
  );
}

function payloadOf(
  header: Uint8Array,
  update: Uint8Array,
  signatures: readonly ConfigSignature[],
): Uint8Array {
  const content = concatBytes(bytesField(1, update), ...signatures.map(({ raw }) => messageField(2, raw)));
  return concatBytes(messageField(1, header), bytesField(2, content));
}

function fieldsOf(bytes: Uint8Array, what: string): Fields {
  return orWrong(what, () => new Fields(bytes));
}

function textOf(fields: Fields, number: number): string {
  return orWrong('the channel id', () => fields.text(number));
}

function orWrong<Result>(what: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw error instanceof MspError
      ? new SignError('WRONG_MESSAGE', `${what} cannot be read: ${error.message}`)
      : error;
  }
}
