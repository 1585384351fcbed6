// Signs an update. With a config block, the update is reviewed first, and is not signed if the review finds it refused or dangerous.

import { fingerprintOf, readEnvelope, type Envelope, type ConfigFile } from '../channel/index.js';
import { documentText, summariseUpdate, updateDocument } from '../documents/index.js';
import { review, reviewDocument, VERDICT_TITLES, verdictOf, type Review } from '../review/index.js';
import { signEnvelope } from '../sign/index.js';
import { CommandError, UsageError, withPrefix } from './errors.js';
import type { NetworkFlags } from './flags.js';
import type { Process } from './io.js';
import { checkMspId, mspIdIn, readMspDirectory, signingIdentityOf, type MspDirectory } from './msp.js';
import { readProfile, versionsOf } from './profile.js';

/** A config block and its path. */
export type NamedBlock = ConfigFile & { readonly path: string };

/** An update and its path, or its name in messages. */
export type NamedUpdate = Envelope & { readonly path: string };

/** Options besides the update. */
export interface SignOptions {
  /** If it is given, the update is reviewed. */
  readonly block: NamedBlock | undefined;
  /** Ids of accepted dangers. */
  readonly allowed: ReadonlySet<string>;
  /** Whether the update is shown on standard error. */
  readonly isShown: boolean;
}

/** Signs with the identity of the flags or of the profile. @returns a serialized envelope @throws CommandError */
export async function signUpdate(
  file: NamedUpdate,
  { block, allowed, isShown }: SignOptions,
  network: NetworkFlags,
  process: Process,
): Promise<Uint8Array> {
  const profile = await readProfile(network);
  const msp = network.msp ?? profile.get('msp');
  if (msp === undefined) throw new UsageError('required flag --msp not provided');
  const directory = readMspDirectory(msp);
  const mspId = await mspIdOf(network.mspid ?? profile.get('mspid'), block, directory);
  const signer = await signingIdentityOf(directory, mspId);
  const bytes = await signEnvelope(file.bytes, signer, new Date());
  const signed = { ...readEnvelope(bytes), path: file.path };
  const fabric = await versionsOf(undefined, network, process);
  const text =
    block === undefined ? await summaryOf(file) : await reviewed(signed, block, allowed, fabric, process);
  if (isShown) process.error(text);
  return bytes;
}

/** Signs an envelope that the command made, like {@link signUpdate}. */
export const signMade = async (
  envelope: Uint8Array,
  options: SignOptions,
  network: NetworkFlags,
  process: Process,
): Promise<Uint8Array> =>
  signUpdate({ ...readEnvelope(envelope), path: 'the update' }, options, network, process);

async function mspIdOf(
  given: string | undefined,
  block: NamedBlock | undefined,
  { certificate }: MspDirectory,
): Promise<string> {
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
  return `${text}fingerprint ${fingerprintOf(envelope.update.bytes)}\n`;
};

/** The review as text. @throws CommandError if the update is refused or dangerous */
async function reviewed(
  { path, ...envelope }: NamedUpdate,
  block: NamedBlock,
  allowed: ReadonlySet<string>,
  fabric: readonly string[],
  process: Process,
): Promise<string> {
  const result = await review(envelope, block, { now: new Date(), fabric });
  const text = documentText(reviewDocument(result, allowed));
  const reason = refusalOf(result, allowed);
  if (reason === undefined) return text;
  process.error(text);
  throw new CommandError(`${path} was not signed: ${reason}`);
}

/** The reason not to sign or send an update; undefined if it is neither refused nor dangerous. @param allowed ids of accepted dangers */
export function refusalOf(result: Review, allowed: ReadonlySet<string>): string | undefined {
  const verdict = verdictOf(result, allowed);
  if (verdict === 'refused') return VERDICT_TITLES.refused;
  const dangers = result.findings.filter(({ severity, id }) => severity === 'danger' && !allowed.has(id));
  const ids = [...new Set(dangers.map(({ id }) => id))];
  return verdict === 'dangerous'
    ? `it is dangerous; if that is wanted: ${ids.map((id) => `--allow ${id}`).join(' ')}`
    : undefined;
}
