// What commands read: a config or a config update from a file, the newest config block of a ledger (a directory) or of a running
// network (`grpcs://…`), the blocks of both, and folders of updates.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readConfigFile, type ConfigFile, type EncodeJson } from '../config/file.js';
import { messageKindOf } from '../config/message-kind.js';
import type { OrdererProgress } from '../review/facts/orderers.js';
import {
  channelOfUpdate,
  readUpdateEnvelope,
  writeUpdateEnvelope,
  type UpdateEnvelope,
} from '../sign/envelope.js';
import type { Blocks } from '../source/blocks.js';
import { isNetworkAddress } from '../source/network/address.js';
import { CommandError, onPath, withMessage, withPrefix } from './errors.js';
import { printNote, readInput } from './files.js';
import type { NetworkFlags } from './flags.js';
import { textFormatOf } from './hints.js';
import type { Io, Process } from './io.js';

/** Whether a path is a directory: of the blocks of a channel where a config is read, of proposals where updates are. */
export const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Whether a path is a ledger or a network, which have all blocks of a channel. */
export const hasHistory = (path: string): boolean => isNetworkAddress(path) || isDirectory(path);

/** Opens a ledger or a network for a call. @throws CommandError */
export async function withBlocks<Result>(
  path: string,
  network: NetworkFlags,
  process: Process,
  call: (blocks: Blocks) => Promise<Result>,
): Promise<Result> {
  if (isNetworkAddress(path)) {
    const { withNetwork } = await import('./network.js');
    return withNetwork(path, network, process, call);
  }
  if (!isDirectory(path))
    throw new CommandError(
      `${path} is not a directory: the folder of a channel in a node's ledger, or grpcs://HOST:PORT/CHANNEL, is needed`,
    );
  const { Ledger } = await import('../source/ledger.js');
  return call(Ledger.open(path));
}

/** Reads a file, or the newest config block of a ledger or a network. @throws CommandError */
export async function readSource(path: string, network: NetworkFlags, process: Process): Promise<Uint8Array> {
  if (!hasHistory(path)) return readInput(path, process);
  const { blockBytes } = await import('../source/stored-block.js');
  return withBlocks(path, network, process, async (blocks) => blockBytes(await blocks.newestConfig()));
}

/**
 * Reads a file, a ledger or a network with one of the functions of config/file.ts.
 *
 * @throws CommandError that says what the file is instead
 */
export async function readChannelInput<File>(
  path: string,
  network: NetworkFlags,
  io: Io,
  read: (file: Uint8Array, encode?: EncodeJson) => File,
): Promise<File> {
  const bytes = await readSource(path, network, io);
  // Only JSON needs the schema, which takes long to load.
  const encode = textFormatOf(bytes) === 'JSON' ? await io.load.encode() : undefined;
  return withPrefix(path, () => read(bytes, encode));
}

/** A config, and how far the orderers of its channel are; undefined if it is not from a network. */
export type ReadConfig = ConfigFile & { readonly orderers: readonly OrdererProgress[] | undefined };

/** Reads a config from a file, a ledger or a network. @throws CommandError */
export async function readConfigInput(path: string, network: NetworkFlags, io: Io): Promise<ReadConfig> {
  if (!isNetworkAddress(path))
    return { ...(await readChannelInput(path, network, io, readConfigFile)), orderers: undefined };
  // gRPC is only loaded for networks.
  const { newestIn } = await import('./network.js');
  return newestIn(path, network, io);
}

/** An envelope with a config update and the file that it comes from. */
export interface EnvelopeFile {
  readonly path: string;
  /** A serialized envelope. */
  readonly bytes: Uint8Array;
  readonly content: UpdateEnvelope;
}

const NEEDED = 'an envelope with a config update, or a config update, is needed';

/** Reads an envelope, or makes one of a config update. @throws CommandError that says what the file is instead */
export function readEnvelopeFile(path: string, process: Process): EnvelopeFile {
  const bytes = readInput(path, process);
  if (bytes.length === 0) throw new CommandError(`${path} is empty, ${NEEDED}`);
  const kind = messageKindOf(bytes)?.type;
  return withMessage(
    (error) => {
      if (error instanceof CommandError) return error.message;
      const found = kind ?? textFormatOf(bytes);
      return found === undefined || found === 'common.Envelope'
        ? `${path}: ${error.message}`
        : `${path} is ${kind === undefined ? '' : 'a '}${found}, ${NEEDED}`;
    },
    () => {
      const envelope = kind === 'common.ConfigUpdate' ? envelopeOf(bytes, path) : bytes;
      return { path, bytes: envelope, content: readUpdateEnvelope(envelope) };
    },
  );
}

function envelopeOf(update: Uint8Array, path: string): Uint8Array {
  const channelId = channelOfUpdate(update);
  if (channelId === '')
    throw new CommandError(
      `${path} is a config update without a channel id; make it with: configtxlator compute_update --channel_id CHANNEL`,
    );
  return writeUpdateEnvelope({ channelId, update, signatures: [] });
}

const MAX_FILES = 1000;
const UPDATES: ReadonlySet<string | undefined> = new Set(['common.Envelope', 'common.ConfigUpdate']);

/**
 * The paths of the updates in a folder, sorted; other files are named in a note. A file that has several names, by symbolic links, is
 * there once.
 *
 * @throws CommandError if there is none, or if a symbolic link leads out of the folder
 */
export function updatesIn(folder: string, process: Process): readonly string[] {
  const names = onPath('open', folder, () => readdirSync(folder)).filter((name) => !name.startsWith('.'));
  if (names.length > MAX_FILES)
    throw new CommandError(`${folder} has ${names.length} files, at most ${MAX_FILES} are read`);
  const paths = filesOf(
    folder,
    names.toSorted().map((name) => join(folder, name)),
  );
  const found = paths.filter((path) => isUpdate(path, process));
  const others = paths.filter((path) => !found.includes(path));
  if (found.length === 0) throw new CommandError(`${folder} has no file with a config update`);
  if (others.length > 0) printNote(`no config updates: ${others.join(', ')}`, process);
  return found;
}

/** Those paths that are not directories, each file once. @throws CommandError */
function filesOf(folder: string, paths: readonly string[]): readonly string[] {
  const base = onPath('open', folder, () => realpathSync(folder));
  const files = new Map<string, string>();
  for (const path of paths) {
    const file = onPath('open', path, () => realpathSync(path));
    if (statSync(file).isDirectory()) continue;
    if (!file.startsWith(base.endsWith(sep) ? base : base + sep))
      throw new CommandError(`${path} is a symbolic link to ${file}, which is not in the folder ${folder}`);
    if (!files.has(file)) files.set(file, path);
  }
  return [...files.values()];
}

const isUpdate = (path: string, process: Process): boolean =>
  statSync(path).isFile() && UPDATES.has(messageKindOf(readInput(path, process))?.type);
