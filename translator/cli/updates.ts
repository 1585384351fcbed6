// Files with config updates that are signed, merged or sent: single ones, and folders of them.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
  readEnvelope,
  readUpdate,
  requireReadableHeaders,
  type Envelope,
  messageKindOf,
  textFormatOf,
} from '../channel/index.js';
import { onPath } from '../on-path.js';
import { CommandError, withMessage } from './errors.js';
import { printNote, readInput } from './files.js';
import type { Process } from './io.js';

/** An envelope with a config update and the file that it comes from. */
export type EnvelopeFile = Envelope & {
  readonly path: string;
  readonly channel: string;
};

/** What can be signed, merged and sent. */
const UPDATES: ReadonlySet<string | undefined> = new Set(['common.Envelope', 'common.ConfigUpdate']);
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
      return found === undefined || UPDATES.has(found)
        ? `${path}: ${error.message}`
        : `${path} is ${kind === undefined ? '' : 'a '}${found}, ${NEEDED}`;
    },
    () => {
      const envelope = readEnvelope(kind === 'common.ConfigUpdate' ? envelopeOf(bytes, path) : bytes);
      requireReadableHeaders(envelope);
      return { ...envelope, path, channel: envelope.channel ?? '' };
    },
  );
}

function envelopeOf(bytes: Uint8Array, path: string): Uint8Array {
  const { update, bytes: envelope } = readUpdate(bytes);
  if (update.channelId === '')
    throw new CommandError(
      `${path} is a config update without a channel id; make it with: configtxlator compute_update --channel_id CHANNEL`,
    );
  return envelope;
}

const MAX_FILES = 1000;

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
