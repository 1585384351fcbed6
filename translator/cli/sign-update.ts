// Signs an update for `sign` and for `edit --sign`: shown first, and not signed if it is refused or dangerous.

import { readUpdateFile as readUpdate, type ConfigFile } from '../config/file.js';
import { fingerprintOf } from '../config/fingerprint.js';
import { PLAIN } from '../describe/style.js';
import { reviewText } from '../review/report/text.js';
import { review } from '../review/review.js';
import { updateText } from '../show/update-text.js';
import { summariseUpdate } from '../show/update.js';
import { signEnvelope } from '../sign/sign.js';
import { naming } from './channel-file.js';
import type { Process } from './context.js';
import { CommandError, UsageError } from './errors.js';
import { readMspDirectory, signingIdentityOf, type MspDirectory } from './msp-directory.js';
import { checkMspId, mspIdIn } from './msp-id-in-block.js';
import { MSP, MSP_ID } from './network-flags.js';
import { readProfile, sharedValue } from './profile.js';
import { refusalOf } from './refusal.js';
import type { UpdateFile } from './update-file.js';
import type { Values } from './values.js';

/** A config block and its path. */
export type NamedBlock = ConfigFile & { readonly path: string };

/** What is needed besides the update. */
export interface SignOptions {
  /** The update is reviewed, if it is given. */
  readonly block: NamedBlock | undefined;
  /** Ids of known dangers. */
  readonly allowed: ReadonlySet<string>;
  /** Whether the update is shown on standard error. */
  readonly isShown: boolean;
}

/** Signs with the identity of the flags or of the profile. @returns a serialized envelope @throws CommandError */
export async function signUpdate(
  file: UpdateFile,
  { block, allowed, isShown }: SignOptions,
  values: Values,
  process: Process,
): Promise<Uint8Array> {
  const profile = await readProfile(values);
  const msp = sharedValue(values, profile, MSP);
  if (msp === undefined) throw new UsageError('required flag --msp not provided');
  const directory = readMspDirectory(msp);
  const mspId = await mspIdOf(sharedValue(values, profile, MSP_ID), block, directory);
  const signer = await signingIdentityOf(directory, mspId);
  const bytes = await signEnvelope(file.bytes, signer, new Date());
  const text =
    block === undefined ? await summaryOf(file) : await reviewed({ ...file, bytes }, block, allowed, process);
  if (isShown) process.error(text);
  return bytes;
}

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

/** What an update changes, without a config to compare it with. */
const summaryOf = async ({ path, bytes, content }: UpdateFile): Promise<string> => {
  const now = new Date();
  const text = naming(path, () => updateText(summariseUpdate(readUpdate(bytes), now), now, PLAIN));
  return `${text}fingerprint ${await fingerprintOf(content.update)}\n`;
};

/** The review as text. @throws CommandError if the update is refused or dangerous */
async function reviewed(
  { path, bytes }: UpdateFile,
  block: NamedBlock,
  allowed: ReadonlySet<string>,
  process: Process,
): Promise<string> {
  const result = await review(
    naming(path, () => readUpdate(bytes)),
    block,
    { now: new Date() },
  );
  const text = reviewText(result, PLAIN);
  const reason = refusalOf(result, allowed);
  if (reason === undefined) return text;
  process.error(text);
  throw new CommandError(`${path} was not signed: ${reason}`);
}
