// Computes the configuration update that leads from one channel configuration to another.

import { TranslateError } from '../../proto/errors.js';
import { compareGroups } from './compare.js';
import { readConfig } from './read.js';
import { writeUpdate } from './write.js';

/**
 * Computes a configuration update.
 *
 * Equal input gives equal bytes: fields are in the order of their numbers, and the entries of maps in that of their names.
 *
 * @param original a serialized `common.Config`, as it is now
 * @param updated a serialized `common.Config`, as it shall be; its sequence and its versions do not matter
 * @param channelId the name of the channel, which may be empty
 * @returns a serialized `common.ConfigUpdate`
 * @throws TranslateError BAD_BYTES with the path `original`, `updated` or `channel_id`: no configuration, or no Unicode text;
 *   NO_CHANNEL_GROUP; NO_DIFFERENCES
 */
export function computeUpdate(original: Uint8Array, updated: Uint8Array, channelId: string): Uint8Array {
  const before = readConfig(original, 'original');
  const after = readConfig(updated, 'updated');
  if (before === undefined) throw noChannelGroup('original');
  if (after === undefined) throw noChannelGroup('updated');
  const { changed, read, write } = compareGroups(before, after);
  if (!changed)
    throw new TranslateError('NO_DIFFERENCES', 'no differences detected between original and updated config');
  if (!channelId.isWellFormed())
    throw new TranslateError('BAD_BYTES', 'string field contains invalid UTF-8', 'channel_id');
  return writeUpdate(channelId, read, write);
}

function noChannelGroup(path: string): TranslateError {
  return new TranslateError('NO_CHANNEL_GROUP', `no channel group included for ${path} config`, path);
}
