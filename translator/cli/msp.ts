// MSP directories of people and organisations, and the MSP of a channel that a certificate belongs to.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodePem } from '../../core/common/certificates/pem.js';
import { readRegularBytes } from '../../core/common/files/regular-file.js';
import type { Config } from '../channel/element.js';
import type { MspFolder } from '../edit/msp.js';
import { findSigningIdentity, type SigningIdentity } from '../sign/signing-identity.js';
import { setupChannelMsps } from '../msp/channel-msps.js';
import { membershipProblem, mspIdsOf } from '../msp/msp.js';
import { CommandError, onPath, withPrefix } from './errors.js';
import { MAX_FILE_SIZE, readYaml } from './yaml-file.js';

/** The content of an MSP directory, as PEM. */
export interface MspDirectory {
  readonly path: string;
  /** The first certificate in signcerts. */
  readonly certificate: Uint8Array;
  /** The files in keystore. */
  readonly keys: readonly File[];
  readonly cas: readonly Uint8Array[];
}

/** A file of an MSP directory. */
export interface File {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const MAX_FILES = 1000;

/** The directory of a party that signs. @throws CommandError if a certificate or all keys are missing */
export function readMspDirectory(path: string): MspDirectory {
  const directory = readMspFolder(path, `--msp ${path}`);
  if (directory.keys.length === 0)
    throw new CommandError(`--msp ${path}: keystore is empty; the private key of the certificate is needed`);
  return directory;
}

/** A directory that may have no keys. @param label of the directory in errors @throws CommandError if the certificate is missing */
export function readMspFolder(path: string, label = path): MspDirectory {
  if (path.startsWith('pkcs11:'))
    throw new CommandError(
      `--msp ${path}: configtxlator signs with keys in files; sign with a key in hardware with 'peer channel signconfigtx', and merge the result`,
    );
  const first = filesIn(join(path, 'signcerts'), true).find(({ bytes }) => decodePem(bytes) !== undefined);
  if (first === undefined)
    throw new CommandError(
      `${label}: signcerts contains no certificate in PEM; the MSP directory of a person is needed`,
    );
  const keys = filesIn(join(path, 'keystore'), false);
  const cas = ['cacerts', 'intermediatecerts'].flatMap((name) => filesIn(join(path, name), false));
  return { path, certificate: first.bytes, keys, cas: cas.map(({ bytes }) => bytes) };
}

/** The signing identity with the key that belongs to the certificate. @throws CommandError if no key does */
export const signingIdentityOf = async (
  { path, ...files }: MspDirectory,
  mspid: string,
): Promise<SigningIdentity> =>
  withPrefix(`--msp ${path}`, async () => findSigningIdentity({ ...files, mspid }));

/** The files of a directory, sorted by name. */
function filesIn(directory: string, isRequired: boolean): readonly File[] {
  if (!isRequired && statSync(directory, { throwIfNoEntry: false }) === undefined) return [];
  const names = onPath('open', directory, () => readdirSync(directory)).sort();
  return names.slice(0, MAX_FILES).flatMap((name) => {
    const path = join(directory, name);
    const found = onPath('open', path, () => statSync(path));
    if (!found.isFile() || found.size > MAX_FILE_SIZE) return [];
    return [{ path, bytes: onPath('read', path, () => readRegularBytes(path, MAX_FILE_SIZE)) }];
  });
}

/** An MSP directory on the disk. @throws CommandError */
export async function mspFolder(path: string): Promise<MspFolder> {
  if (!onPath('open', path, () => statSync(path)).isDirectory())
    throw new CommandError(`--msp ${path} is a file, an MSP directory is needed`);
  return {
    path,
    config: await readYaml(join(path, 'config.yaml')),
    filesIn: (name) => filesIn(join(path, name), name === 'cacerts'),
    file: (name) => fileAt(join(path, name)),
  };
}

function fileAt(path: string): File | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return { path, bytes: onPath('read', path, () => readRegularBytes(path, MAX_FILE_SIZE)) };
}

/** A channel, and where its config comes from. */
export interface NamedConfig {
  readonly path: string;
  readonly config: Config;
}

/** The id of the MSP whose CA issued a certificate in PEM. @throws CommandError if there is none, or more than one */
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
