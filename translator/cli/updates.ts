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
import type { Io } from './io.js';
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
export function readEnvelopeFile(path: string, process: Io, known?: string): EnvelopeFile {
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

/** The maximum number of updates in a folder, and of everything that is searched for them. */
const MAX_FILES = 1000;
const MAX_ENTRIES = 20_000;
/** The number of files that are named in an error. */
const NAMED = 5;

/** A file in a folder. */
export interface FoundFile {
  readonly path: string;
  /** The path without symbolic links. */
  readonly target: string;
}

/** A path in a folder, and whether it is read: it is not hidden, and not too deep. */
interface FoundPath {
  readonly path: string;
  readonly isRead: boolean;
}

/**
 * The updates in a folder, sorted by path; other files are named in a note. A file with several names, by symbolic links, is
 * returned once.
 *
 * @param depth how many levels of folders in it are read too
 * @throws CommandError if there is none; if one would be left out, because it is hidden or deeper; or if a symbolic link leads out of the
 *   folder
 */
export function updatesIn(folder: string, process: Io, depth = 0): readonly FoundFile[] {
  const paths = pathsIn(folder, depth);
  const read = paths.filter(({ isRead }) => isRead);
  if (read.length > MAX_FILES)
    throw new CommandError(`${folder} has ${read.length} files, at most ${MAX_FILES} are read`);
  const files = filesOf(folder, [...read, ...paths.filter(({ isRead }) => !isRead)]);
  const updates = new Set(files.filter(({ path }) => isUpdate(path, process)));
  const leftOut = files.filter((file) => !file.isRead && updates.has(file)).map(({ path }) => path);
  if (leftOut.length > 0)
    throw new CommandError(
      `config updates in ${folder} would be left out, because they are hidden or ${depth === 0 ? 'in a folder of it' : `in more than ${depth} folders`}: ${listed(leftOut)}`,
    );
  const found = files.filter((file) => updates.has(file));
  const others = files.filter((file) => file.isRead && !updates.has(file)).map(({ path }) => path);
  if (found.length === 0) throw new CommandError(`${folder} has no file with a config update`);
  if (others.length > 0) printNote(`no config updates: ${others.join(', ')}`, process);
  return found;
}

function listed(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  return [...paths.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** Everything in a folder except folders, sorted. Symbolic links to folders are not followed. @throws CommandError if there is too much */
function pathsIn(root: string, depth: number): readonly FoundPath[] {
  let count = 0;
  const search = (folder: string, left: number, isRead: boolean): readonly FoundPath[] => {
    const entries = onPath('open', folder, () => readdirSync(folder, { withFileTypes: true }));
    count += entries.length;
    if (count > MAX_ENTRIES)
      throw new CommandError(`${root} has more than ${MAX_ENTRIES} files and folders: name a folder in it`);
    return (
      entries
        // The folder of Git itself: it has no files of the repository.
        .filter(({ name }) => name !== '.git')
        .toSorted((one, other) => naturally(one.name, other.name))
        .flatMap((entry) => {
          const path = join(folder, entry.name);
          const isShown = isRead && !entry.name.startsWith('.');
          return entry.isDirectory()
            ? search(path, left - 1, isShown && left > 0)
            : [{ path, isRead: isShown }];
        })
    );
  };
  return search(root, depth, true);
}

/** The files among the paths, each file once. @throws CommandError */
function filesOf(folder: string, paths: readonly FoundPath[]): readonly (FoundFile & FoundPath)[] {
  const base = onPath('open', folder, () => realpathSync(folder));
  const files = new Map<string, FoundFile & FoundPath>();
  for (const { path, isRead } of paths) {
    // A hidden link to nothing is the lock of an editor.
    if (!isRead && statSync(path, { throwIfNoEntry: false }) === undefined) continue;
    const target = onPath('open', path, () => realpathSync(path));
    if (target !== base && !target.startsWith(base.endsWith(sep) ? base : base + sep))
      throw new CommandError(`${path} is a symbolic link to ${target}, which is not in the folder ${folder}`);
    // The files of a folder in this one are found there.
    if (!statSync(target).isDirectory() && !files.has(target)) files.set(target, { path, target, isRead });
  }
  return [...files.values()];
}

const isUpdate = (path: string, process: Io): boolean =>
  statSync(path).isFile() && UPDATES.has(messageKindOf(readInput(path, process))?.type);
