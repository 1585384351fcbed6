// Reads a file about a channel: a config block, a config update, or what is in them, serialized or as JSON; or the newest config block of
// a ledger or a network.

import { TranslateError } from '../../proto/errors.js';
import type { EncodeJson } from '../config/file.js';
import type { Context } from './context.js';
import { CommandError } from './errors.js';
import { textFormatOf } from './hints.js';
import { readSource } from './source.js';
import type { Values } from './values.js';

/**
 * Reads a file, a ledger or a network with one of the functions of config/file.ts.
 *
 * @throws CommandError that says what the file is instead
 */
export async function readChannelInput<File>(
  path: string,
  values: Values,
  { process, load }: Context,
  read: (file: Uint8Array, encode?: EncodeJson) => File,
): Promise<File> {
  const bytes = await readSource(path, values, process);
  // Only JSON needs the schema, which takes long to load.
  const encode = textFormatOf(bytes) === 'JSON' ? await load.encode() : undefined;
  return naming(path, () => read(bytes, encode));
}

/** Puts the name of a file before the errors of reading it. @throws CommandError */
export function naming<Result>(path: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (error instanceof TranslateError)
      throw new CommandError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
