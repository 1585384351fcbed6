// Reads config updates to sign, merge or send: single files, and folders.

import { naturally } from '../../core/common/text/naturally.js';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
  readUpdateFile,
  requireReadableHeaders,
  type Envelope,
  isJson,
  messageKindOf,
} from '../channel/index.js';
import { onPath } from '../on-path.js';
import { CommandError, withPrefix } from './errors.js';
import { descriptorOf, printNote, readInput } from './files.js';
import type { Process } from './io.js';
import { readToReplace, type ReadFile } from './replace.js';

/** A config update and its file; `bytes` are always an envelope. */
export type EnvelopeFile = Envelope & {
  /** The path in messages. */
  readonly path: string;
  /** The channel in the header, or in the update if there is no header; empty if none is named. */
  readonly channel: string;
  /** Undefined if it was read from a descriptor of the process. */
  readonly file: ReadFile | undefined;
};

/** The message types with a config update. */
const UPDATES: ReadonlySet<string | undefined> = new Set([
  'common.Envelope',
  'common.ConfigUpdate',
  'common.ConfigUpdateEnvelope',
]);

/**
 * Reads a file with a config update, except JSON: signatures are over the bytes of the update.
 *
 * @param known as for `readToReplace`
 * @throws CommandError that names the kind of the file
 */
export function readEnvelopeFile(path: string, process: Process, known?: string): EnvelopeFile {
  const file = descriptorOf(path, process) === undefined ? readToReplace(path, known) : undefined;
  const bytes = file?.bytes ?? readInput(path, process);
  return withPrefix(path, () => {
    if (isJson(bytes))
      throw new CommandError(
        'this is JSON, and signatures are over the bytes of an update: encode it with configtxlator proto_encode',
      );
    const envelope = readUpdateFile(bytes);
    requireReadableHeaders(envelope);
    return { ...envelope, path, channel: envelope.channel ?? envelope.update.channelId, file };
  });
}

const MAX_FILES = 1000;

/** A file in a folder. */
export interface FoundFile {
  readonly path: string;
  /** The path without symbolic links. */
  readonly target: string;
}

/**
 * The updates in a folder, sorted by path; other files are named in a note. A file with several names, by symbolic links, is
 * returned once.
 *
 * @param depth how many levels of folders in it are searched too
 * @throws CommandError if there is none, or if a symbolic link leads out of the folder
 */
export function updatesIn(folder: string, process: Process, depth = 0): readonly FoundFile[] {
  const paths = pathsIn(folder, depth);
  if (paths.length > MAX_FILES)
    throw new CommandError(`${folder} has ${paths.length} files, at most ${MAX_FILES} are read`);
  const files = filesOf(folder, paths);
  const found = files.filter(({ path }) => isUpdate(path, process));
  const others = files.filter((file) => !found.includes(file)).map(({ path }) => path);
  if (found.length === 0) throw new CommandError(`${folder} has no file with a config update`);
  if (others.length > 0) printNote(`no config updates: ${others.join(', ')}`, process);
  return found;
}

/** The paths in a folder, without hidden ones, sorted. The folders in it are searched to a depth; symbolic links to folders are not. */
function pathsIn(folder: string, depth: number): readonly string[] {
  const entries = onPath('open', folder, () => readdirSync(folder, { withFileTypes: true }));
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((one, other) => naturally(one.name, other.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() && depth > 0 ? pathsIn(path, depth - 1) : [path];
    });
}

/** The files among the paths, each file once. @throws CommandError */
function filesOf(folder: string, paths: readonly string[]): readonly FoundFile[] {
  const base = onPath('open', folder, () => realpathSync(folder));
  const files = new Map<string, FoundFile>();
  for (const path of paths) {
    const target = onPath('open', path, () => realpathSync(path));
    if (statSync(target).isDirectory()) continue;
    if (!target.startsWith(base.endsWith(sep) ? base : base + sep))
      throw new CommandError(`${path} is a symbolic link to ${target}, which is not in the folder ${folder}`);
    if (!files.has(target)) files.set(target, { path, target });
  }
  return [...files.values()];
}

const isUpdate = (path: string, process: Process): boolean =>
  statSync(path).isFile() && UPDATES.has(messageKindOf(readInput(path, process))?.type);
