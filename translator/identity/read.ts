// Recognises sources of identities: a certificate, a serialized identity, an identity of a wallet, a signed envelope or a signed proposal.

import { is, requireTypes } from '../../proto/arguments.js';
import { decodeAllPem, encodePem } from '../../core/common/certificates/pem.js';
import { concatBytes, NO_BYTES } from '../../proto/bytes.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import {
  CommonEnvelope,
  CommonHeader,
  CommonPayload,
  CommonSignatureHeader,
  MspSerializedIdentity,
} from '../../proto/messages.js';
import { messageType, readMessage } from '../../proto/typed.js';
import {
  damageOf,
  foreignFormatOf,
  isText,
  messageKindOf,
  readChannelFile,
  type UpdateSignature,
} from '../channel/index.js';
import { readCertificate } from '../msp/index.js';
import { SEQUENCE } from '../../core/common/certificates/der.js';

/** An identity in a file. */
export interface FoundIdentity {
  /** Its place in the file: `certificate`, `serialized identity`, `wallet`, `creator`, `signature 2`. */
  readonly place: string;
  /** The id of the MSP that the identity names; undefined if it is only a certificate. */
  readonly mspid?: string | undefined;
  /** PEM; bytes from outside, which may be anything. */
  readonly certificate: Uint8Array;
  /** Private keys (PEM) that are with it; one of them must belong to the certificate. */
  readonly keys?: readonly { readonly path: string; readonly bytes: Uint8Array }[] | undefined;
  /** The message that it has signed, and the signature. */
  readonly signed?: { readonly message: Uint8Array; readonly signature: Uint8Array };
}

const NEEDED =
  'a certificate (PEM), a serialized identity, an identity of a wallet (JSON), a signed envelope or a signed proposal is needed';

const wrong = (what: string): TranslateError =>
  new TranslateError('WRONG_MESSAGE', `this is ${what}; ${NEEDED}`);

/**
 * Finds the identities in a file: one, or for a signed config update also the signers of its signatures.
 *
 * @throws TranslateError WRONG_MESSAGE for any other file, with its type; BAD_BYTES if it cannot be read
 */
export function readIdentities(file: Uint8Array): readonly FoundIdentity[] {
  requireTypes({ file }, { file: is.bytes });
  return serializedIdentity(file) ?? walletIdentity(file) ?? pemIdentity(file) ?? signedIdentities(file);
}

function pemIdentity(file: Uint8Array): readonly FoundIdentity[] | undefined {
  // Blocks have certificates in them, also damaged ones.
  const blocks = isText(file) ? decodeAllPem(file) : [];
  const [first] = blocks;
  if (first === undefined) return file[0] === SEQUENCE ? derIdentity(file) : undefined;
  const certificate = blocks.find(({ label }) => label === 'CERTIFICATE');
  if (certificate === undefined) throw wrong(`a PEM file (${first.label})`);
  const keys = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'));
  return [
    {
      place: 'certificate',
      certificate: pemOf(certificate.bytes),
      ...(keys.length > 0 && { keys: [{ path: 'the key in the file', bytes: file }] }),
    },
  ];
}

/** A certificate that is not PEM. */
const derIdentity = (der: Uint8Array): readonly FoundIdentity[] | undefined =>
  attempt(
    () => [{ place: 'certificate', certificate: pemOf(readCertificate(der).raw) }],
    () => undefined,
  );

const pemOf = (der: Uint8Array): Uint8Array => new TextEncoder().encode(encodePem('CERTIFICATE', der));

function serializedIdentity(file: Uint8Array): readonly FoundIdentity[] | undefined {
  const found = attempt(
    () => readMessage(MspSerializedIdentity, file),
    () => undefined,
  );
  if (found === undefined || found.mspid === '' || file[0] !== FIRST_FIELD) return undefined;
  // Fabric takes PEM only; DER is a mistake that is recognised.
  if (found.idBytes[0] !== SEQUENCE && decodeAllPem(found.idBytes, 1).length === 0) return undefined;
  return [{ place: 'serialized identity', mspid: found.mspid, certificate: found.idBytes }];
}

/** The tag of `mspid`. */
const FIRST_FIELD = 0x0a;

/** An identity of a wallet of the SDKs 2.x: `{ credentials: { certificate, privateKey }, mspId, type: "X.509" }`. */
interface Wallet {
  readonly mspId?: unknown;
  readonly credentials?: { readonly certificate?: unknown; readonly privateKey?: unknown } | null;
}

/** A wallet identity of the SDKs 1.x, with the key in another file: `{ mspid, enrollment: { identity: { certificate } } }`. */
interface OldWallet {
  readonly mspid?: unknown;
  readonly enrollment?: { readonly identity?: { readonly certificate?: unknown } | null } | null;
}

function walletIdentity(file: Uint8Array): readonly FoundIdentity[] | undefined {
  if (!isText(file)) return undefined;
  const text = new TextDecoder().decode(file).trimStart();
  if (!text.startsWith('{')) return undefined;
  let parsed: Wallet & OldWallet;
  try {
    parsed = JSON.parse(text) as Wallet & OldWallet;
  } catch {
    return undefined;
  }
  const mspid = parsed.mspId ?? parsed.mspid;
  const certificate = parsed.credentials?.certificate ?? parsed.enrollment?.identity?.certificate;
  const privateKey = parsed.credentials?.privateKey;
  if (typeof mspid !== 'string' || typeof certificate !== 'string') return undefined;
  const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
  return [
    {
      place: 'wallet',
      mspid,
      certificate: bytes(certificate),
      ...(typeof privateKey === 'string' && {
        keys: [{ path: 'credentials.privateKey', bytes: bytes(privateKey) }],
      }),
    },
  ];
}

function signedIdentities(file: Uint8Array): readonly FoundIdentity[] {
  const kind = messageKindOf(file)?.type;
  if (kind === 'common.Envelope') {
    const found = [...creatorOf(file), ...updateSigners(file)];
    if (found.length === 0) throw wrong('an envelope that nobody has signed');
    return found;
  }
  if (kind === 'common.ConfigUpdateEnvelope') {
    const found = updateSigners(file);
    if (found.length === 0) throw wrong('a config update that nobody has signed');
    return found;
  }
  const found = kind === undefined ? signedMessage(file) : undefined;
  if (found !== undefined) return found;
  throw wrong(
    kind === undefined ? (foreignFormatOf(file) ?? damageOf(file) ?? 'none of these') : `a ${kind}`,
  );
}

/** A `protos.Proposal`; a `common.Payload` has a header of the same number. */
const PROPOSAL = messageType<{ header: Uint8Array; payload: Uint8Array; extension: Uint8Array }>({
  name: 'protos.Proposal',
  fields: [
    { number: 1, name: 'header', kind: 'bytes', rule: '' },
    { number: 2, name: 'payload', kind: 'bytes', rule: '' },
    { number: 3, name: 'extension', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ header: NO_BYTES, payload: NO_BYTES, extension: NO_BYTES }),
});

/**
 * The creator of a file that is not an obvious envelope: a `protos.SignedProposal` with an extension, or an envelope of a message without a
 * channel. A signed proposal without an extension is an envelope on the wire. Undefined unless the creator has a certificate.
 */
const signedMessage = (file: Uint8Array): readonly FoundIdentity[] | undefined =>
  attempt(
    () => {
      const { payload: message, signature } = readMessage(CommonEnvelope, file);
      const header = readMessage(CommonHeader, readMessage(PROPOSAL, message).header);
      const found = identityOf('creator', headerOf(header), message, signature);
      return decodeAllPem(found.certificate, 1).length === 0 ? undefined : [found];
    },
    () => undefined,
  );

/** An identity that is not valid is compared with all MSPs of the channel. */
const MAX_SIGNATURES = 100;

/** The signer of an envelope of any type, or of a proposal. */
function creatorOf(file: Uint8Array): readonly FoundIdentity[] {
  const { payload, signature } = readMessage(CommonEnvelope, file);
  const { header } = readMessage(CommonPayload, payload);
  const serialized = header === undefined ? undefined : headerOf(header);
  if (serialized === undefined || serialized.length === 0) return [];
  return [identityOf('creator', serialized, payload, signature)];
}

const headerOf = ({ signatureHeader }: CommonHeader): Uint8Array =>
  readMessage(CommonSignatureHeader, signatureHeader).creator;

function updateSigners(file: Uint8Array): readonly FoundIdentity[] {
  const found = attempt(
    () => readChannelFile(file),
    () => undefined,
  );
  if (found?.kind !== 'update') return [];
  if (found.signatures.length > MAX_SIGNATURES)
    throw new TranslateError(
      'TOO_LARGE',
      `the update has ${found.signatures.length} signatures; at most ${MAX_SIGNATURES} are explained`,
    );
  return found.signatures.map((each, index) => signerOf(each, found.update.bytes, `signature ${index + 1}`));
}

function signerOf({ header, signature }: UpdateSignature, update: Uint8Array, place: string): FoundIdentity {
  const { creator } = readMessage(CommonSignatureHeader, header);
  return identityOf(place, creator, concatBytes(header, update), signature);
}

/** An identity that signed; its bytes may be anything. */
function identityOf(
  place: string,
  creator: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): FoundIdentity {
  const { mspid, idBytes } = attempt(
    () => readMessage(MspSerializedIdentity, creator),
    () => ({ mspid: '', idBytes: creator }),
  );
  return { place, mspid, certificate: idBytes, signed: { message, signature } };
}
