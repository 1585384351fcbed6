// The signatures on a config update and on its envelope: who made them, and whether they are valid.

import { limitCalls } from '../../../core/common/flow/limit-calls.js';
import { TranslateError } from '../../../proto/errors.js';
import { readMessage } from '../../../proto/typed.js';
import { CommonSignatureHeader } from '../../../proto/messages.js';
import type { Submission, UpdateSignature } from '../../config/file.js';
import { concatBytes } from '../../../proto/concat-bytes.js';
import { nameText } from '../../describe/certificate.js';
import type { Identity } from '../../msp/identity.js';
import type { MspManager } from '../../msp/manager.js';
import { certificateIn } from '../../msp/read-pem.js';
import { readSerializedIdentity } from '../../msp/serialized-identity.js';
import { verifySignature } from '../../msp/verify-signature.js';

/** A signature and what is known about its signer. */
export interface CheckedSignature {
  /** The serialized identity; empty if the header does not parse. */
  readonly creator: Uint8Array;
  /** Empty if the identity does not parse. */
  readonly mspid: string;
  /** For example `CN=Admin@org1.example.com`. */
  readonly subject: string;
  /** The end of the validity of the certificate; undefined if it does not parse. */
  readonly notAfter: Date | undefined;
  /** The identity, if its MSP is on the channel and its signature is valid. It counts where it satisfies a principal. */
  readonly identity: Identity | undefined;
  /** Why the signature is ignored, in plain words with Fabric's reason; undefined if it is not. */
  readonly problem: string | undefined;
  /** Whether the signature header parses. If one does not, Fabric refuses the whole update. */
  readonly isReadable: boolean;
  /** Whether the signature is still to be made. */
  readonly isAssumed?: boolean;
}

/** Each has a copy of the update while it is verified. */
const AT_ONCE = 4;

/** Checks the signatures on a config update, in their order. */
export async function checkSignatures(
  update: Uint8Array,
  signatures: readonly UpdateSignature[],
  manager: MspManager,
): Promise<CheckedSignature[]> {
  const limited = limitCalls(AT_ONCE);
  const checked = signatures.map(({ header, signature }) =>
    limited(() => check(header, concatBytes(header, update), signature, manager)),
  );
  return Promise.all(checked);
}

/** Checks the signature of the submitter; undefined if nobody signed the envelope. */
export async function checkSubmitter(
  submission: Submission | undefined,
  manager: MspManager,
): Promise<CheckedSignature | undefined> {
  if (submission === undefined) return undefined;
  const { header, payload, signature } = submission;
  if (header.length === 0 && signature.length === 0) return undefined;
  return check(header, payload, signature, manager);
}

/** A signature that is still to be made: valid, if the MSP of the identity is on the channel. */
export async function assumeSignature(creator: Uint8Array, manager: MspManager): Promise<CheckedSignature> {
  const checked = await checkIdentity(creator, manager, () => Promise.resolve(undefined));
  return { ...checked, isAssumed: true };
}

async function check(
  header: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  manager: MspManager,
): Promise<CheckedSignature> {
  const creator = creatorOf(header);
  if (creator === undefined) return { ...UNKNOWN, problem: 'the signature header does not parse' };
  return checkIdentity(creator, manager, (identity) => verifySignature(identity, message, signature));
}

async function checkIdentity(
  creator: Uint8Array,
  manager: MspManager,
  verify: (identity: Identity) => Promise<string | undefined>,
): Promise<CheckedSignature> {
  const person = { ...UNKNOWN, creator, ...describe(creator), isReadable: true };
  try {
    const identity = await manager.identity(creator);
    const reason = await verify(identity);
    if (reason === undefined) return { ...person, identity };
    return { ...person, problem: `the signature is not valid: ${reason}` };
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return { ...person, problem: `the signer is unknown: ${error.message}` };
  }
}

const UNKNOWN: CheckedSignature = {
  creator: new Uint8Array(),
  mspid: '',
  subject: '',
  notAfter: undefined,
  identity: undefined,
  problem: undefined,
  isReadable: false,
};

function creatorOf(header: Uint8Array): Uint8Array | undefined {
  try {
    return readMessage(CommonSignatureHeader, header).creator;
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}

/** What the identity says about itself, whether or not it is true. */
function describe(creator: Uint8Array): Partial<CheckedSignature> {
  try {
    const { mspid, certificate } = readSerializedIdentity(creator);
    const read = certificateIn(certificate);
    if (read === undefined) return { mspid };
    return { mspid, subject: nameText(read.subject), notAfter: read.notAfter };
  } catch (error) {
    if (error instanceof TranslateError) return {};
    throw error;
  }
}

/** A signer for messages: `Org1MSP CN=Admin@org1.example.com`. */
export function nameOf({ mspid, subject }: CheckedSignature, index: number): string {
  const name = `${mspid} ${subject}`.trim();
  return name === '' ? `signer ${index + 1}` : name;
}
