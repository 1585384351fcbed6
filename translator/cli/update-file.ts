// Reads a file with a config update for `sign` and `merge`.

import { messageKindOf } from '../config/message-kind.js';
import { TranslateError } from '../../proto/errors.js';
import {
  channelOfUpdate,
  readUpdateEnvelope,
  writeUpdateEnvelope,
  type UpdateEnvelope,
} from '../sign/envelope.js';
import type { Process } from './context.js';
import { CommandError } from './errors.js';
import { readInput } from './files.js';
import { textFormatOf } from './hints.js';

/** An envelope with a config update and the file that it comes from. */
export interface UpdateFile {
  readonly path: string;
  /** A serialized envelope. */
  readonly bytes: Uint8Array;
  readonly content: UpdateEnvelope;
}

const NEEDED = 'an envelope with a config update, or a config update, is needed';

/** Reads an envelope, or makes one of a config update. @throws CommandError that says what the file is instead */
export function readUpdateFile(path: string, process: Process): UpdateFile {
  const bytes = readInput(path, process);
  if (bytes.length === 0) throw new CommandError(`${path} is empty, ${NEEDED}`);
  const kind = messageKindOf(bytes)?.type;
  try {
    const envelope = kind === 'common.ConfigUpdate' ? wrap(bytes, path) : bytes;
    return { path, bytes: envelope, content: readUpdateEnvelope(envelope) };
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    const found = kind ?? textFormatOf(bytes);
    const isOther = found !== undefined && found !== 'common.Envelope';
    const text = isOther
      ? `${path} is ${kind === undefined ? '' : 'a '}${found}, ${NEEDED}`
      : `${path}: ${error.message}`;
    throw new CommandError(text, { cause: error });
  }
}

function wrap(update: Uint8Array, path: string): Uint8Array {
  const channelId = channelOfUpdate(update);
  if (channelId === '')
    throw new CommandError(
      `${path} is a config update without a channel id; make it with: configtxlator compute_update --channel_id CHANNEL`,
    );
  return writeUpdateEnvelope({ channelId, update, signatures: [] });
}
