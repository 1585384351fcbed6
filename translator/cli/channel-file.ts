// Reads a file about a channel: a config block, a config update, or what is in them, serialized or as JSON; or the newest config block of
// a ledger or a network.

import { TranslateError } from '../../proto/errors.js';
import { readConfigFile, type ConfigFile, type EncodeJson } from '../config/file.js';
import type { OrdererProgress } from '../review/facts/orderers.js';
import { isNetworkAddress } from '../source/network/address.js';
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

/** A config, and how far the orderers of its channel are; undefined if it is not from a network. */
export type ReadConfig = ConfigFile & { readonly orderers: readonly OrdererProgress[] | undefined };

/** Reads a config from a file, a ledger or a network. @throws CommandError */
export async function readConfigInput(path: string, values: Values, context: Context): Promise<ReadConfig> {
  if (!isNetworkAddress(path))
    return { ...(await readChannelInput(path, values, context, readConfigFile)), orderers: undefined };
  // gRPC is only loaded for networks.
  const { newestIn } = await import('./network.js');
  return newestIn(path, values, context.process);
}
