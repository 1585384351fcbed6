// MSP directories of organisations, users and nodes on the disk. Node.js only.

import { is, requireTypes } from '../proto/arguments.js';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodePem } from '../core/common/certificates/pem.js';
import { readRegularBytes } from '../core/common/files/regular-file.js';
import { TranslateError } from '../proto/errors.js';
import type { MspFile, MspFolder } from './edit/msp.js';
import type { SigningIdentityFolder } from './sign/signing-identity.js';
import { onPath } from './on-path.js';
import { MAX_FILE_SIZE, readYaml } from './yaml-file.js';

/** The maximum number of files of a directory; further ones in the order of their names are ignored. */
const MAX_FILES = 1000;

/**
 * Reads the MSP directory of an organisation, for `mspFilesOf`. `config.yaml` is read at once, other files on demand: `filesIn` and `file`
 * throw the same errors. `filesIn` ignores files above 1 MiB.
 *
 * @throws TranslateError BAD_MSP_FOLDER if the path is a file; BAD_FILE if something cannot be read, or `config.yaml` is not YAML
 */
export async function readMspFolder(path: string): Promise<MspFolder> {
  requireTypes({ path }, { path: is.text });
  if (!onPath('open', path, () => statSync(path)).isDirectory())
    throw new TranslateError('BAD_MSP_FOLDER', `${path} is a file, an MSP directory is needed`);
  return {
    path,
    config: await readYaml(join(path, 'config.yaml')),
    filesIn: (name) => filesIn(join(path, name), name === 'cacerts'),
    file: (name) => fileAt(join(path, name)),
  };
}

/** The files in the MSP directory of a person or a node for {@link findSigningIdentity}, which also needs the id of the MSP. */
export type SignerFiles = Omit<Required<SigningIdentityFolder>, 'mspid' | 'password'>;

/**
 * Reads the MSP directory of a person or a node: the first certificate in `signcerts`, the keys in `keystore`, and the CAs in `cacerts`
 * and `intermediatecerts`, as `peer` does (Fabric: msp/configbuilder.go, GetLocalMspConfig).
 *
 * @param needsKeys whether a directory without keys is an error
 * @throws TranslateError BAD_MSP_FOLDER without a certificate or without keys; BAD_FILE if something cannot be read
 */
export function readSignerFiles(path: string, needsKeys = true): SignerFiles {
  requireTypes({ path }, { path: is.text });
  const first = filesIn(join(path, 'signcerts'), true).find(({ bytes }) => decodePem(bytes) !== undefined);
  if (first === undefined)
    throw new TranslateError(
      'BAD_MSP_FOLDER',
      `${path}: signcerts contains no certificate in PEM; the MSP directory of a person is needed`,
    );
  const keys = filesIn(join(path, 'keystore'), needsKeys);
  if (needsKeys && keys.length === 0)
    throw new TranslateError(
      'BAD_MSP_FOLDER',
      `${path}: keystore is empty; the private key of the certificate is needed`,
    );
  const cas = ['cacerts', 'intermediatecerts'].flatMap((name) => filesIn(join(path, name), false));
  return { certificate: first.bytes, keys, cas: cas.map(({ bytes }) => bytes) };
}

/** The files of a directory, sorted by name; none if it is missing and not required. */
function filesIn(directory: string, isRequired: boolean): readonly MspFile[] {
  if (!isRequired && statSync(directory, { throwIfNoEntry: false }) === undefined) return [];
  const names = onPath('open', directory, () => readdirSync(directory)).sort();
  return names.slice(0, MAX_FILES).flatMap((name) => {
    const path = join(directory, name);
    const found = onPath('open', path, () => statSync(path));
    if (!found.isFile() || found.size > MAX_FILE_SIZE) return [];
    return [{ path, bytes: readBytes(path) }];
  });
}

function fileAt(path: string): MspFile | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return { path, bytes: readBytes(path) };
}

const readBytes = (path: string): Uint8Array =>
  onPath('read', path, () => readRegularBytes(path, MAX_FILE_SIZE));
