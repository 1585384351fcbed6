// The signatures on a config update and on its envelope: who made them, and whether they are valid.

import { TranslateError } from '../../proto/errors.js';
import type { Submission, UpdateSignature } from '../config/file.js';
import { bytes, readAs } from '../config/message.js';
import { readCertificate, type Certificate } from '../msp/certificate.js';
import { nameText } from '../msp/describe.js';
import { MspError } from '../msp/errors.js';
import type { Identity } from '../msp/identity.js';
import type { MspManager } from '../msp/manager.js';
import { decodePem } from '../msp/pem.js';
import { readSerializedIdentity } from '../msp/serialized-identity.js';
import { verifySignature } from '../msp/verify-signature.js';

/** A signature and what is known about its signer. */
export interface CheckedSignature {
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

const signatureHeader = { creator: bytes(1) };

/** Checks the signatures on a config update, in their order. */
export function checkSignatures(
  update: Uint8Array,
  signatures: readonly UpdateSignature[],
  manager: MspManager,
): Promise<CheckedSignature[]> {
  return Promise.all(
    signatures.map(({ header, signature }) => check(header, joined(header, update), signature, manager)),
  );
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

/** A signature that somebody will make: valid, if the identity is known. */
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
  const person = { ...UNKNOWN, ...describe(creator), isReadable: true };
  try {
    const identity = await manager.identity(creator);
    const reason = await verify(identity);
    if (reason === undefined) return { ...person, identity };
    return { ...person, problem: `the signature is not valid: ${reason}` };
  } catch (error) {
    if (!(error instanceof MspError)) throw error;
    return { ...person, problem: `the signer is not known: ${error.message}` };
  }
}

const UNKNOWN: CheckedSignature = {
  mspid: '',
  subject: '',
  notAfter: undefined,
  identity: undefined,
  problem: undefined,
  isReadable: false,
};

function creatorOf(header: Uint8Array): Uint8Array | undefined {
  try {
    return readAs(signatureHeader, header).creator;
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
    if (error instanceof MspError) return {};
    throw error;
  }
}

/** The certificate in PEM; undefined if it does not parse. */
export function certificateIn(pem: Uint8Array): Certificate | undefined {
  const block = decodePem(pem);
  if (block === undefined) return undefined;
  try {
    return readCertificate(block.bytes);
  } catch (error) {
    if (error instanceof MspError) return undefined;
    throw error;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
