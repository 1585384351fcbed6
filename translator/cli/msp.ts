// The MSP directory of `--msp`, and the MSP of a certificate in a channel.

import { attempt } from '../../proto/errors.js';
import type { Config } from '../channel/index.js';
import { readSignerFiles, type SignerFiles } from '../msp-folder.js';
import { setupChannelMsps, membershipProblem, mspIdsOf } from '../msp/index.js';
import { findSigningIdentity, type SigningIdentity } from '../sign/index.js';
import { CommandError, withPrefix } from './errors.js';

/** The content of a user's MSP directory, as PEM. */
export type MspDirectory = SignerFiles & { readonly path: string };

/** @throws CommandError if a certificate or all keys are missing */
export function readMspDirectory(path: string): MspDirectory {
  if (path.startsWith('pkcs11:'))
    throw new CommandError(
      `--msp ${path}: configtxlator signs with keys in files; sign with a key in hardware with 'peer channel signconfigtx', and merge the result`,
    );
  return { path, ...ofFlag(() => readSignerFiles(path)) };
}

/** Prefixes errors about an MSP directory with the flag. Other errors name a file in it. @throws CommandError */
export const ofFlag = <Result>(call: () => Result): Result =>
  attempt(call, (error): never => {
    throw error.code === 'BAD_MSP_FOLDER'
      ? new CommandError(`--msp ${error.message}`, { cause: error })
      : error;
  });

/** The signing identity with the key of the certificate. @throws CommandError if no key matches */
export const signingIdentityOf = async (
  { path, ...files }: MspDirectory,
  mspid: string,
): Promise<SigningIdentity> =>
  withPrefix(`--msp ${path}`, async () => findSigningIdentity({ ...files, mspid }));

/** A channel config and its source. */
export interface NamedConfig {
  readonly path: string;
  readonly config: Config;
}

/** The id of the MSP that issued a certificate in PEM. @throws CommandError if there is none, or more than one */
export async function mspIdIn({ path, config }: NamedConfig, certificate: Uint8Array): Promise<string> {
  const { manager } = await setupChannelMsps(config);
  const found = await mspIdsOf(manager, certificate);
  const [id, ...others] = found;
  if (id !== undefined && others.length === 0) return id;
  const all = [...manager.msps.keys()].join(', ');
  throw new CommandError(
    id === undefined
      ? `the certificate belongs to no MSP in ${path} (${all}): give its id with --mspid`
      : `the certificate belongs to several MSPs in ${path} (${found.join(', ')}): choose one with --mspid`,
  );
}

/** Checks that a certificate in PEM belongs to an MSP of the channel. @throws CommandError if the block disproves it */
export async function checkMspId(
  { path, config }: NamedConfig,
  mspId: string,
  certificate: Uint8Array,
): Promise<void> {
  const { manager } = await setupChannelMsps(config);
  const msp = manager.msps.get(mspId);
  const problem =
    msp === undefined ? 'the channel has no such MSP' : await membershipProblem(msp, certificate);
  if (problem === undefined) return;
  throw new CommandError(
    `--mspid ${mspId} is wrong for ${path}: ${problem}; the MSPs of the channel are ${[...manager.msps.keys()].join(', ')}`,
  );
}
