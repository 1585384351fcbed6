// The files of a folder of proposals.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { messageKindOf } from '../config/message-kind.js';
import type { Process } from './context.js';
import { CommandError, onPath } from './errors.js';
import { readInput } from './files.js';
import { printNote } from './output.js';

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
