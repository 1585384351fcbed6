// Signs an update. It is reviewed first, and is not signed if the review finds it refused or dangerous, or if the signature would not count.

import { fingerprintOf, readEnvelope, type Envelope } from '../channel/index.js';
import { documentText, summariseUpdate, updateDocument } from '../documents/index.js';
import { MspCache, nameText } from '../msp/index.js';
import { canBeAllowed } from '../rules/index.js';
import {
  appliedText,
  review,
  reviewDocument,
  signatureUse,
  verdictOf,
  type Review,
} from '../review/index.js';
import { addSignature, messageToSign, readSigner, signEnvelope, type SignerIdentity } from '../sign/index.js';
import { NotSigned, UsageError, withPrefix } from './errors.js';
import { EXIT_STATUS } from './exit-status.js';
import { printWarning, readInput } from './files.js';
import type { NetworkFlags } from './flags.js';
import type { ReadConfig } from './inputs.js';
import type { Io } from './io.js';
import {
  checkMspId,
  commandIdentityOf,
  mspIdIn,
  readMspDirectory,
  signingIdentityOf,
  type MspDirectory,
} from './msp.js';
import { readProfile, versionsOf } from './profile.js';

/** A config block and its path; from a network also the progress of its orderers. */
export type NamedBlock = ReadConfig & { readonly path: string };

/** An update and its path, or its name in messages. */
export type NamedUpdate = Envelope & { readonly path: string };

/** Options besides the update. */
export interface SignOptions {
  /** The update is reviewed against it; undefined: it is signed without a review. */
  readonly block: NamedBlock | undefined;
  /** Ids of accepted dangers. */
  readonly allowed: ReadonlySet<string>;
  /** Whether the update is shown on standard error. */
  readonly isShown: boolean;
  /** Whether the command has made the update: then it is signed with a warning if the signature does not count, because others sign it later. */
  readonly isMade?: boolean;
}

/** Signs with the identity of the flags or of the profile. @returns a serialized envelope @throws CommandError */
export async function signUpdate(
  file: NamedUpdate,
  options: SignOptions,
  network: NetworkFlags,
  process: Io,
): Promise<Uint8Array> {
  const command = network['sign-with'];
  const directory = await directoryOf(network, process, command === undefined);
  const mspId = await mspIdOf(network, options.block, directory);
  const signer =
    command === undefined
      ? await signingIdentityOf(directory, mspId)
      : await commandIdentityOf(directory, mspId, command, process);
  await show(file, { signer, mspId, submits: true }, options, network, process);
  return signEnvelope(file.bytes, signer, new Date());
}

/** A key that is not in a file of this program. */
export interface KeyElsewhere {
  /** The path of the certificate; undefined if it is the certificate of --msp. */
  readonly certificate: string | undefined;
  /** The flag, for errors about the signature. */
  readonly name: string;
  /** Makes the signature of a message, in any form. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** The message for a key elsewhere, and its signer. */
interface ToSign {
  readonly message: Uint8Array;
  readonly signer: SignerIdentity;
  readonly mspId: string;
}

/**
 * Shows an update, and returns what a key elsewhere has to sign.
 *
 * @throws CommandError if a review finds that the update must not be signed
 */
export async function messageFor(
  file: NamedUpdate,
  certificate: string | undefined,
  options: SignOptions,
  network: NetworkFlags,
  process: Io,
): Promise<ToSign> {
  const found = await signerElsewhere(certificate, options.block, network, process);
  const message = withPrefix(file.path, () => messageToSign(file.bytes, found.signer));
  await show(file, { ...found, submits: false }, options, network, process);
  return { message, ...found };
}

/** Shows an update, and then signs it with a key elsewhere. @returns a serialized envelope without a submitter @throws CommandError */
export async function signElsewhere(
  file: NamedUpdate,
  { certificate, name, sign }: KeyElsewhere,
  options: SignOptions,
  network: NetworkFlags,
  process: Io,
): Promise<Uint8Array> {
  const { message, signer } = await messageFor(file, certificate, options, network, process);
  const signature = await sign(message);
  return withPrefix(name, async () => addSignature(file.bytes, signer, signature));
}

async function signerElsewhere(
  certificate: string | undefined,
  block: NamedBlock | undefined,
  network: NetworkFlags,
  process: Io,
): Promise<{ readonly signer: SignerIdentity; readonly mspId: string }> {
  const directory =
    certificate === undefined
      ? await directoryOf(network, process, false)
      : { path: certificate, certificate: readInput(certificate, process), cas: [], keys: [] };
  // The profile names the MSP of its own identity, which may be another one.
  const isFound = certificate !== undefined && network.mspid === undefined && block !== undefined;
  const mspid = isFound
    ? await mspIdIn(block, directory.certificate)
    : await mspIdOf(network, block, directory);
  const name = certificate === undefined ? `--msp ${directory.path}` : `--certificate ${certificate}`;
  return { signer: await withPrefix(name, async () => readSigner({ ...directory, mspid })), mspId: mspid };
}

/** The identity of the flags or of the profile. @throws UsageError if there is none */
async function directoryOf(network: NetworkFlags, process: Io, needsKeys: boolean): Promise<MspDirectory> {
  const profile = await readProfile(network);
  const msp = network.msp ?? profile.get('msp');
  if (msp === undefined)
    throw new UsageError(`required flag ${needsKeys ? '' : '--certificate or '}--msp not provided`);
  const passwordFile = network['password-file'] ?? profile.get('password-file');
  return readMspDirectory(msp, passwordFile, process, needsKeys);
}

/** Who is going to sign; `submits`: also the envelope, as its submitter. */
type WillSign = Omit<ToSign, 'message'> & { readonly submits: boolean };

/**
 * Shows the update on standard error before it is signed, with a block the review of the update with the signature.
 *
 * @throws CommandError if it must not be signed
 */
async function show(
  file: NamedUpdate,
  will: WillSign,
  { block, ...options }: SignOptions,
  network: NetworkFlags,
  process: Io,
): Promise<void> {
  const fabric = await versionsOf(undefined, network, process);
  const { text, idle } =
    block === undefined
      ? { text: await summaryOf(file), idle: undefined }
      : await reviewed(file, will, block, { ...options, fabric }, process);
  if (options.isShown) process.error(text);
  if (idle !== undefined) printWarning(idle, process);
}

/** Signs an envelope that the command made, like {@link signUpdate}. */
export const signMade = async (
  envelope: Uint8Array,
  options: SignOptions,
  network: NetworkFlags,
  process: Io,
): Promise<Uint8Array> =>
  signUpdate(
    { ...readEnvelope(envelope), path: 'the update' },
    { ...options, isMade: true },
    network,
    process,
  );

async function mspIdOf(
  network: NetworkFlags,
  block: NamedBlock | undefined,
  { certificate, mspid }: MspDirectory,
): Promise<string> {
  const given = network.mspid ?? (await readProfile(network)).get('mspid') ?? mspid;
  if (given !== undefined && given !== '') {
    if (block !== undefined) await checkMspId(block, given, certificate);
    return given;
  }
  if (block !== undefined) return mspIdIn(block, certificate);
  throw new UsageError(
    'the id of the MSP is needed: --mspid ID, or --block with a config block of the channel',
  );
}

/** The changes of an update, without a config to compare. */
const summaryOf = async ({ path, ...envelope }: NamedUpdate): Promise<string> => {
  const now = new Date();
  const text = withPrefix(path, () => documentText(updateDocument(summariseUpdate(envelope, now), now)));
  return `${text}fingerprint ${fingerprintOf(envelope.update.bytes)}\nnot reviewed: whether orderers accept it, and what stops working afterwards, is unknown\n`;
};

/**
 * Reviews an update with a signature that it does not have yet.
 *
 * @returns the review, and why the signature of an update that the command has made would not count; undefined if it would
 * @throws NotSigned if the update is refused or dangerous, or if the signature on an update of others would not count
 */
async function reviewed(
  { path, ...envelope }: NamedUpdate,
  { signer, mspId, submits }: WillSign,
  { orderers, ...block }: NamedBlock,
  { allowed, fabric, isMade = false }: Omit<SignOptions, 'block'> & { readonly fabric: readonly string[] },
  process: Io,
): Promise<{ readonly text: string; readonly idle: string | undefined }> {
  const { creator, certificate } = signer;
  const msps = new MspCache();
  const now = new Date();
  const isNewest = orderers !== undefined;
  const submitter = submits ? creator : undefined;
  const result = await review(envelope, block, { now, fabric, orderers, isNewest, submitter, msps });
  const text = documentText(reviewDocument(result, allowed));
  const refuse = (reason: string, status: number): never => {
    process.error(text);
    throw new NotSigned(`${path} was not signed: ${reason}`, status);
  };
  if (result.appliedIn !== null) refuse(`it is ${appliedText(result.appliedIn)}`, EXIT_STATUS.unsigned);
  const reason = refusalOf(result, allowed);
  if (reason !== undefined) refuse(reason, EXIT_STATUS[verdictOf(result, allowed)]);
  const use = await signatureUse(envelope, block, signer, { msps });
  const who = `${nameText(certificate.subject)} of ${mspId}`;
  const idle =
    use === 'signed'
      ? `${who} has signed it already, and orderers count a signer once`
      : use === 'idle'
        ? `the signature of ${who} would not count: no policy that must sign asks for it`
        : undefined;
  if (idle !== undefined && !isMade) refuse(idle, EXIT_STATUS.unsigned);
  return { text, idle };
}

/** The reason not to sign or send an update; undefined if it is neither refused nor dangerous. @param allowed ids of accepted dangers */
export function refusalOf(result: Review, allowed: ReadonlySet<string>): string | undefined {
  const verdict = verdictOf(result, allowed);
  if (verdict === 'refused') return 'orderers would refuse it';
  if (verdict !== 'dangerous') return undefined;
  const ids = new Set(result.findings.filter(({ severity }) => severity === 'danger').map(({ id }) => id));
  const open = [...ids].filter((id) => !canBeAllowed(id));
  if (open.length > 0) return `it is dangerous, and ${open.join(' and ')} cannot be allowed`;
  const flags = [...ids].filter((id) => !allowed.has(id)).map((id) => `--allow ${id}`);
  return `it is dangerous; if that is wanted: ${flags.join(' ')}`;
}
