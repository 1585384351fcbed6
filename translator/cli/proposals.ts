// The files of a folder of proposals.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageKindOf } from '../config/message-kind.js';
import type { Process } from './context.js';
import { CommandError, onPath } from './errors.js';
import { readInput } from './files.js';
import { printNote } from './output.js';

const MAX_FILES = 1000;
const UPDATES: ReadonlySet<string | undefined> = new Set(['common.Envelope', 'common.ConfigUpdate']);

/** The paths of the updates in a folder, sorted; other files are named in a note. @throws CommandError if there is none */
export function updatesIn(folder: string, process: Process): readonly string[] {
  const names = onPath('open', folder, () => readdirSync(folder)).filter((name) => !name.startsWith('.'));
  if (names.length > MAX_FILES)
    throw new CommandError(`${folder} has ${names.length} files, at most ${MAX_FILES} are read`);
  const paths = names
    .toSorted()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  const found = paths.filter((path) => UPDATES.has(messageKindOf(readInput(path, process))?.type));
  const others = paths.filter((path) => !found.includes(path));
  if (found.length === 0) throw new CommandError(`${folder} has no file with a config update`);
  if (others.length > 0) printNote(`no config updates: ${others.join(', ')}`, process);
  return found;
}
