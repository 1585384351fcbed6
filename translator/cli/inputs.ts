// The inputs with channels: a file, the newest config block of a ledger (a directory) or of a running network (`grpcs://…`),
// and the blocks of both.

import { statSync } from 'node:fs';
import { toHex } from '../../proto/bytes.js';
import { readConfigFile, type ConfigFile, type EncodeJson, isJson } from '../channel/index.js';
import type { Blocks, Candidate } from '../ledger/index.js';
import type { Anchored } from '../orderer/index.js';
import type { OrdererProgress } from '../review/index.js';
import { onPath } from '../on-path.js';
import { CommandError, withPrefix } from './errors.js';
import { printWarning, readInput } from './files.js';
import type { NetworkFlags } from './flags.js';
import type { Io } from './io.js';
import { isHash } from './kinds.js';
import { isNetworkAddress } from './network-address.js';

/**
 * Whether a path is a directory: a ledger where a config is read, a folder of proposals where updates are read.
 *
 * @throws TranslateError BAD_FILE if that is unknown, for example without permission
 */
export const isDirectory = (path: string): boolean =>
  onPath('open', path, () => statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;

/** Whether a path is a ledger or a network; both contain all blocks of a channel. @throws TranslateError BAD_FILE */
export const hasHistory = (path: string): boolean => isNetworkAddress(path) || isDirectory(path);

/** Opens a ledger or a network for a call, which for a network also gets how the config blocks are anchored. @throws CommandError */
export async function withBlocks<Result>(
  path: string,
  network: NetworkFlags,
  process: Io,
  call: (blocks: Blocks, anchoredAt?: (number: bigint) => Anchored) => Promise<Result>,
): Promise<Result> {
  if (isNetworkAddress(path)) {
    const { withNetwork } = await import('./network.js');
    return withNetwork(path, network, process, async (found) =>
      call(found, (number) => found.anchoredAt(number)),
    );
  }
  if (!isDirectory(path))
    throw new CommandError(
      `${path} is not a directory: the folder of a channel in a node's ledger, or grpcs://HOST:PORT/CHANNEL, is needed`,
    );
  const { Ledger } = await import('../ledger/index.js');
  return call(Ledger.open(path));
}

/** Reads a file, or the newest config block of a ledger or a network. @throws CommandError */
export async function readSource(path: string, network: NetworkFlags, process: Io): Promise<Uint8Array> {
  if (!hasHistory(path)) return readInput(path, process);
  const { blockBytes } = await import('../ledger/index.js');
  return withBlocks(path, network, process, async (blocks) => blockBytes(await blocks.newestConfig()));
}

/**
 * Reads a file, a ledger or a network with one of the functions of channel/file.ts. With `--trust`, a config must continue the trusted block.
 *
 * @throws CommandError that names the kind of the file, or why its config is not used
 */
export async function readChannelInput<File extends { readonly kind: 'config' | 'update' }>(
  path: string,
  network: NetworkFlags,
  io: Io,
  read: (file: Uint8Array, encode?: EncodeJson) => File,
): Promise<File> {
  const bytes = await readSource(path, network, io);
  // Only JSON needs the schema, which loads slowly.
  const encode = isJson(bytes) ? (await import('../../proto/from-json.js')).encode : undefined;
  let binary = bytes;
  const file = withPrefix(path, () => read(bytes, encode && ((type, json) => (binary = encode(type, json)))));
  // The blocks of a network are verified where they are fetched.
  if (network.trust !== undefined && file.kind === 'config' && !isNetworkAddress(path))
    await requireTrusted({ name: path, bytes: binary }, network.trust, io);
  return file;
}

/** @param trust the path of a config block, or its hash @throws CommandError if a config does not continue the trusted block */
async function requireTrusted(candidate: Candidate, trust: string, process: Io): Promise<void> {
  const { baseOf, blockHash, parseBlock } = await import('../ledger/index.js');
  const { name, bytes } = candidate;
  if (readConfigFile(bytes).form !== 'block')
    throw new CommandError(`${name} is no block: nothing shows that it continues the trusted block`);
  const block = parseBlock(bytes);
  if (isHash(trust)) {
    if (toHex(blockHash(block)) === trust.toLowerCase()) return;
    throw new CommandError(
      `${name} is not the block with the hash ${trust}; to use a newer block, give the trusted block to --trust, not its hash`,
    );
  }
  const trusted = { name: `--trust ${trust}`, bytes: readInput(trust, process) };
  const { number } = withPrefix(trusted.name, () => readConfigFile(trusted.bytes));
  if (number === undefined) throw new CommandError(`${trusted.name} is no block`);
  if (block.number < number)
    throw new CommandError(`${name} is block ${block.number}, older than the trusted block ${number}`);
  const { used, notes } = await baseOf([candidate, trusted]);
  if (used !== name) throw new CommandError(notes.join('; '));
  for (const note of notes) printWarning(note, process);
}

/** A config; from a network also its serialized block, the progress of its orderers, and how it is anchored. */
export interface ReadConfig extends ConfigFile {
  readonly input?: Uint8Array;
  readonly orderers?: readonly OrdererProgress[];
  readonly anchored?: Anchored;
}

/** Reads a config from a file, a ledger or a network. @throws CommandError */
export async function readConfigInput(path: string, network: NetworkFlags, io: Io): Promise<ReadConfig> {
  if (!isNetworkAddress(path)) return readChannelInput(path, network, io, readConfigFile);
  // gRPC is loaded for networks only.
  const { newestIn } = await import('./network.js');
  return newestIn(path, network, io);
}
