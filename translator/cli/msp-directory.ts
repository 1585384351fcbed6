// Reads the MSP directory of a person: signcerts, keystore and CA certificates.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodePem } from '../../core/common/certificates/pem.js';
import { readRegularBytes } from '../../core/common/files/regular-file.js';
import { TranslateError } from '../../proto/errors.js';
import { findSigningIdentity, type SigningIdentity } from '../sign/signing-identity.js';
import { CommandError, onPath } from './errors.js';

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

/** Files of an MSP are a few kilobytes. */
export const MAX_FILE_SIZE = 1024 * 1024;
const MAX_FILES = 1000;

/** @throws CommandError if a certificate or all keys are missing */
export function readMspDirectory(path: string): MspDirectory {
  if (path.startsWith('pkcs11:'))
    throw new CommandError(
      `--msp ${path}: configtxlator signs with keys in files; sign with a key in hardware with 'peer channel signconfigtx', and merge the result`,
    );
  const first = filesIn(join(path, 'signcerts'), true).find(({ bytes }) => decodePem(bytes) !== undefined);
  if (first === undefined)
    throw new CommandError(
      `--msp ${path}: signcerts contains no certificate in PEM; the MSP directory of a person is needed`,
    );
  const keys = filesIn(join(path, 'keystore'), true);
  if (keys.length === 0)
    throw new CommandError(`--msp ${path}: keystore is empty; the private key of the certificate is needed`);
  const cas = ['cacerts', 'intermediatecerts'].flatMap((name) => filesIn(join(path, name), false));
  return { path, certificate: first.bytes, keys, cas: cas.map(({ bytes }) => bytes) };
}

/** The signing identity with the key that belongs to the certificate. @throws CommandError if no key does */
export async function signingIdentityOf(
  { path, ...files }: MspDirectory,
  mspid: string,
): Promise<SigningIdentity> {
  try {
    return await findSigningIdentity({ ...files, mspid });
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    throw new CommandError(`--msp ${path}: ${error.message}`, { cause: error });
  }
}

/** The files of a directory, sorted by name. */
export function filesIn(directory: string, isRequired: boolean): readonly File[] {
  if (!isRequired && statSync(directory, { throwIfNoEntry: false }) === undefined) return [];
  const names = onPath('open', directory, () => readdirSync(directory)).sort();
  return names.slice(0, MAX_FILES).flatMap((name) => {
    const path = join(directory, name);
    const found = onPath('open', path, () => statSync(path));
    if (!found.isFile() || found.size > MAX_FILE_SIZE) return [];
    return [{ path, bytes: onPath('read', path, () => readRegularBytes(path, MAX_FILE_SIZE)) }];
  });
}
