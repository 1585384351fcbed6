// Reads a config from a file, or from the ledger of a node: a directory.

import { statSync } from 'node:fs';
import { TranslateError } from '../../proto/errors.js';
import type { Ledger } from '../source/ledger.js';
import type { Process } from './context.js';
import { CommandError } from './errors.js';
import { readInput } from './files.js';

/** Reads a file, or the newest config block of the ledger in a directory. @throws CommandError */
export async function readSource(path: string, process: Process): Promise<Uint8Array> {
  if (!isDirectory(path)) return readInput(path, process);
  const { blockBytes } = await import('../source/stored-block.js');
  return withLedger(path, (ledger) => blockBytes(ledger.newestConfig()));
}

/** Opens the ledger in a directory for a call. @throws CommandError */
export async function withLedger<Result>(
  directory: string,
  call: (ledger: Ledger) => Result | Promise<Result>,
): Promise<Result> {
  const { Ledger } = await import('../source/ledger.js');
  try {
    return await call(Ledger.open(directory));
  } catch (error) {
    if (error instanceof TranslateError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

/** Whether a path is a directory, which is then a ledger. */
export const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
