// Envelopes with a config update: the update, its signatures, and its submitter. Bytes are kept, so that the reviewed bytes are signed and
// sent.

import { is, requireTypes } from '../../proto/arguments.js';
import { TranslateError, withPrefix } from '../../proto/errors.js';
import {
  CommonChannelHeader,
  CommonConfigSignature,
  CommonConfigUpdateEnvelope,
  CommonEnvelope,
  CommonHeader,
  CommonPayload,
  CommonSignatureHeader,
} from '../../proto/messages.js';
import { readMessage, writeMessage, type MessageType, type WithRaw } from '../../proto/typed.js';
import { digest } from '../crypto/index.js';
import { toHex, NO_BYTES } from '../../proto/bytes.js';
import { type ConfigUpdate } from './element.js';
import { readConfigUpdate } from './read.js';

/** A config update with its envelope. */
export interface Envelope {
  readonly kind: 'update';
  /** The form of the input. */
  readonly form: 'envelope' | 'config update envelope' | 'config update';
  /** The serialized `common.Envelope` of the input; for other forms, an unsigned envelope with the update and the signatures. */
  readonly bytes: Uint8Array;
  /** The channel of the header; undefined for forms without a header. The update contains a channel name too. */
  readonly channel: string | undefined;
  readonly update: ConfigUpdate;
  /** In the order of the envelope, because policies depend on it. */
  readonly signatures: readonly UpdateSignature[];
  /** The part that the submitter signed; undefined for forms without it. */
  readonly submission: Submission | undefined;
}

/** A signature on a config update. */
export interface UpdateSignature {
  /** The serialized `common.ConfigSignature`. */
  readonly bytes: Uint8Array;
  /** The serialized `common.SignatureHeader`, which is signed together with the update. */
  readonly header: Uint8Array;
  readonly signature: Uint8Array;
}

/** The payload of an envelope, and the signature of its submitter; without a submitter the signature header and the signature are empty. */
export interface Submission {
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
  /** The serialized `common.SignatureHeader` of the submitter. */
  readonly header: Uint8Array;
}

/** `common.HeaderType` */
export const HEADER_TYPE = { config: 1, configUpdate: 2 } as const;

/** The content of an envelope of any type. */
export interface Opened {
  /** `common.HeaderType`; undefined without a channel header. */
  readonly type: number | undefined;
  readonly channel: string;
  /** The data of the payload. */
  readonly content: Uint8Array;
  readonly submission: Submission;
}

/** Opens an envelope of any type. @throws TranslateError BAD_BYTES */
export function openEnvelope(envelope: Uint8Array): Opened {
  const { payload, signature } = readPart('the envelope', CommonEnvelope, envelope);
  const { header = NO_BYTES, data } = readPart('the payload of the envelope', CommonPayload, payload, [
    'header',
  ]);
  const { channelHeader, signatureHeader } = readPart('the header of the payload', CommonHeader, header);
  const { type, channelId } = readPart('the channel header', CommonChannelHeader, channelHeader);
  return {
    type: channelHeader.length === 0 ? undefined : type,
    channel: channelId,
    content: data,
    submission: { payload, signature, header: signatureHeader },
  };
}

/**
 * Reads an envelope with a config update (internal/peer/channel/create.go, `sanityCheckAndSignConfigTx`).
 *
 * @throws TranslateError WRONG_MESSAGE if it is something else; BAD_BYTES, TOO_LARGE if it cannot be read
 */
export function readEnvelope(bytes: Uint8Array): Envelope {
  const { type, channel, content, submission } = openEnvelope(bytes);
  if (type === undefined)
    throw new TranslateError('WRONG_MESSAGE', 'not an envelope: there is no channel header');
  if (type !== HEADER_TYPE.configUpdate)
    throw new TranslateError(
      'WRONG_MESSAGE',
      `an envelope of type ${type}${type === HEADER_TYPE.config ? ' (a config)' : ''}; an envelope of type ${HEADER_TYPE.configUpdate} (a config update) is needed`,
    );
  return { kind: 'update', form: 'envelope', bytes, channel, ...readContent(content), submission };
}

/** Reads a `common.ConfigUpdateEnvelope`. @throws TranslateError BAD_BYTES, TOO_LARGE */
export const readUpdateEnvelope = (bytes: Uint8Array): Envelope =>
  withoutEnvelope('config update envelope', readContent(bytes));

/** Reads a `common.ConfigUpdate`. @throws TranslateError BAD_BYTES, TOO_LARGE */
export const readUpdate = (bytes: Uint8Array): Envelope =>
  withoutEnvelope('config update', { update: readUpdatePart(bytes), signatures: [] });

/** A config update and the signatures on it. */
type Content = Pick<Envelope, 'update' | 'signatures'>;

function withoutEnvelope(form: Envelope['form'], content: Content): Envelope {
  const { update, signatures } = content;
  const bytes = unsignedEnvelope({ channel: update.channelId, update: update.bytes, signatures });
  return { kind: 'update', form, bytes, channel: undefined, ...content, submission: undefined };
}

function readContent(bytes: Uint8Array): Content {
  const { configUpdate, signatures } = readPart(
    'the config update envelope',
    CommonConfigUpdateEnvelope,
    bytes,
    ['signatures'],
  );
  return {
    update: readUpdatePart(configUpdate),
    signatures: signatures.map(readSignature),
  };
}

const readUpdatePart = (bytes: Uint8Array): ConfigUpdate =>
  withPrefix('the config update cannot be read', () => readConfigUpdate(bytes));

function readSignature(bytes: Uint8Array): UpdateSignature {
  const { signatureHeader, signature } = readPart('a signature', CommonConfigSignature, bytes);
  return { bytes, header: signatureHeader, signature };
}

/** The serialized identity in a `common.SignatureHeader`; empty if there is none. @throws TranslateError BAD_BYTES */
export const creatorOf = (header: Uint8Array, what = 'a signature header'): Uint8Array =>
  readPart(what, CommonSignatureHeader, header).creator;

/** Checks that all signature headers parse; otherwise orderers refuse the whole update. @throws TranslateError BAD_BYTES */
export function requireReadableHeaders({ signatures, submission }: Envelope): void {
  for (const { header } of signatures) creatorOf(header);
  if (submission !== undefined) creatorOf(submission.header, 'the signature header');
}

/** Whether an update or its envelope has signatures. */
export const isSigned = ({ signatures, submission }: Envelope): boolean =>
  signatures.length > 0 || (submission?.signature.length ?? 0) > 0;

/** SHA-256 of a serialized `common.ConfigUpdate`, in hexadecimal. It is equal for all who sign the same update, in any envelope. */
export function fingerprintOf(update: Uint8Array): string {
  requireTypes({ update }, { update: is.bytes });
  return toHex(digest('SHA-256', [update]));
}

/** The content of a new envelope. */
export interface EnvelopeContent {
  readonly channel: string;
  /** The serialized `common.ConfigUpdate`. */
  readonly update: Uint8Array;
  readonly signatures: readonly Pick<UpdateSignature, 'bytes'>[];
}

/** An envelope without a submitter. */
export const unsignedEnvelope = (content: EnvelopeContent): Uint8Array =>
  writeMessage(CommonEnvelope, { payload: writePayload(content) });

/** The submitter of an envelope, and the time. */
export interface Submitting {
  /** The serialized `common.SignatureHeader`. */
  readonly signatureHeader: Uint8Array;
  readonly now: Date;
}

/** The payload of an envelope, which its submitter signs. */
export function writePayload(
  { channel, update, signatures }: EnvelopeContent,
  submitting?: Submitting,
): Uint8Array {
  const channelHeader = writeMessage(CommonChannelHeader, {
    type: HEADER_TYPE.configUpdate,
    // Fabric writes no nanoseconds (protoutil/commonutils.go, `MakeChannelHeader`).
    timestamp: submitting && { seconds: BigInt(Math.floor(submitting.now.getTime() / 1000)) },
    channelId: channel,
  });
  return writeMessage(CommonPayload, {
    header: { channelHeader, signatureHeader: submitting?.signatureHeader },
    data: writeMessage(CommonConfigUpdateEnvelope, {
      configUpdate: update,
      signatures: signatures.map(({ bytes }) => bytes),
    }),
  });
}

/** The message of a signature on an update. @param header the serialized `common.SignatureHeader`, which is signed too */
export const makeSignature = (header: Uint8Array, signature: Uint8Array): UpdateSignature => ({
  bytes: writeMessage(CommonConfigSignature, { signatureHeader: header, signature }),
  header,
  signature,
});

const readPart = <T extends object, K extends keyof T & string = never>(
  what: string,
  type: MessageType<T>,
  serialized: Uint8Array,
  raw?: readonly K[],
): WithRaw<T, K> => withPrefix(`${what} cannot be read`, () => readMessage(type, serialized, raw));
