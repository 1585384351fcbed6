// Reads a config from a file, from the ledger of a node (a directory), or from a running network (`grpcs://…`).

import { statSync } from 'node:fs';
import { isNetworkAddress } from '../source/network/address.js';
import type { Blocks } from '../source/blocks.js';
import type { Process } from './context.js';
import { asCommandError, CommandError } from './errors.js';
import { readInput } from './files.js';
import type { Values } from './values.js';

/** Reads a file, or the newest config block of a ledger or a network. @throws CommandError */
export async function readSource(path: string, values: Values, process: Process): Promise<Uint8Array> {
  if (!hasHistory(path)) return readInput(path, process);
  const { blockBytes } = await import('../source/stored-block.js');
  return withBlocks(path, values, process, async (blocks) => blockBytes(await blocks.newestConfig()));
}

/** Opens a ledger or a network for a call. @throws CommandError */
export async function withBlocks<Result>(
  path: string,
  values: Values,
  process: Process,
  call: (blocks: Blocks) => Promise<Result>,
): Promise<Result> {
  if (isNetworkAddress(path)) {
    const { withNetwork } = await import('./network.js');
    return withNetwork(path, values, process, call);
  }
  if (!isDirectory(path))
    throw new CommandError(
      `${path} is not a directory: the folder of a channel in a node's ledger, or grpcs://HOST:PORT/CHANNEL, is needed`,
    );
  const { Ledger } = await import('../source/ledger.js');
  return asCommandError(async () => call(Ledger.open(path)));
}

/** Whether a path is a ledger or a network, which have all blocks of a channel. */
export const hasHistory = (path: string): boolean => isNetworkAddress(path) || isDirectory(path);

/** Whether a path is a directory: of the blocks of a channel where a config is read, of proposals where updates are. */
export const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
