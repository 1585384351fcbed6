// Secrets are in files, so that neither the configuration nor a message has them.

import { readForeignBytes } from '../common/files/file-call.js';
import { describeSystemError } from '../common/text/system-error.js';

/** Largest file with a secret, in bytes. */
const MAX_SECRET_SIZE = 16 * 1024;

/**
 * Reads a secret, without the line end.
 *
 * @throws Error naming the option and the file
 */
export async function readSecret(file: string, option: string): Promise<string> {
  try {
    const text = (await readForeignBytes(file, MAX_SECRET_SIZE)).toString('utf8').trim();
    if (text === '') throw new Error('it is empty');
    if (/[^ -~]/.test(text)) throw new Error('it has more than one line or other characters than ASCII');
    return text;
  } catch (error) {
    throw new Error(`${option}: ${file}: ${describeSystemError(error)}`, { cause: error });
  }
}
