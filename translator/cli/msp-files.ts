// Reads the MSP directory of an organisation.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularBytes } from '../../core/common/files/regular-file.js';
import { mspFilesOf, type MspFolder } from '../edit/msp-folder.js';
import type { MspFiles } from '../edit/msp-config.js';
import { TranslateError } from '../../proto/errors.js';
import { CommandError, onPath } from './errors.js';
import { filesIn, MAX_FILE_SIZE } from './msp-directory.js';
import { readYaml } from './yaml-file.js';

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

function fileAt(path: string): { readonly path: string; readonly bytes: Uint8Array } | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return { path, bytes: onPath('read', path, () => readRegularBytes(path, MAX_FILE_SIZE)) };
}

/** What gets into a channel. @throws CommandError */
export function readMspFiles(folder: MspFolder): MspFiles {
  try {
    return mspFilesOf(folder);
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}
