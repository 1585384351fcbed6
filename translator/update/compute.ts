// Computes the config update that changes one channel config into another.

import { is, requireTypes } from '../../proto/arguments.js';
import { TranslateError } from '../../proto/errors.js';
import { CONFIG_LIMITS, MAX_DEPTH } from '../../proto/limits.js';
import { type Config, messageKindOf, parseConfig, writeUpdate } from '../channel/index.js';
import { compareGroups } from './compare.js';
import { warningsAbout } from './warnings.js';

/** Deep nesting is allowed, because configs are only compared and written. */
const LIMITS = { ...CONFIG_LIMITS, depth: MAX_DEPTH };

/**
 * Computes a config update. Equal input gives equal bytes: fields are sorted by number, map entries by name.
 *
 * @param original the current config, a serialized `common.Config`
 * @param updated the desired config, a serialized `common.Config`; its sequence and versions are ignored
 * @param channelId the name of the channel, may be empty
 * @param warn called for an update that is valid but probably not intended: it removes a group of the channel, or the updated
 *   config is older than the original
 * @returns a serialized `common.ConfigUpdate`
 * @throws TranslateError BAD_BYTES or WRONG_MESSAGE with the path `original`, `updated` or (only BAD_BYTES) `channel_id`;
 *   NO_CHANNEL_GROUP; NO_DIFFERENCES
 */
export function computeUpdate(
  original: Uint8Array,
  updated: Uint8Array,
  channelId: string,
  warn?: (text: string) => void,
): Uint8Array {
  requireTypes(
    { original, updated, channelId, warn },
    { original: is.bytes, updated: is.bytes, channelId: is.text, warn: is.optional(is.method) },
  );
  const before = read(original, 'original');
  const after = read(updated, 'updated');
  if (before === undefined) throw noChannelGroup('original');
  if (after === undefined) throw noChannelGroup('updated');
  const { changed, read: readSet, write: writeSet } = compareGroups(before.channelGroup, after.channelGroup);
  if (!changed)
    throw new TranslateError('NO_DIFFERENCES', 'no differences detected between original and updated config');
  if (!channelId.isWellFormed())
    throw new TranslateError('BAD_BYTES', 'string field contains invalid UTF-8', 'channel_id');
  if (warn !== undefined) for (const text of warningsAbout(before, after, writeSet)) warn(text);
  return writeUpdate({ channelId, readSet, writeSet });
}

/**
 * Reads a config. Unlike Fabric's configtxlator, it refuses other messages: Fabric reads them as an empty config, and computes an update
 * that deletes everything in the channel.
 */
function read(bytes: Uint8Array, which: 'original' | 'updated'): Config | undefined {
  const kind = messageKindOf(bytes);
  if (kind === undefined || kind.type === 'common.Config') return parseConfig(bytes, which, LIMITS);
  const advice =
    kind.configPath === undefined
      ? 'it contains no config'
      : `decode it and encode ${kind.configPath} of the JSON`;
  throw new TranslateError(
    'WRONG_MESSAGE',
    `the ${which} config is a ${kind.type}, a common.Config is needed; ${advice}`,
    which,
  );
}

function noChannelGroup(path: string): TranslateError {
  return new TranslateError('NO_CHANNEL_GROUP', `no channel group included for ${path} config`, path);
}
