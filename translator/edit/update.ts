// Makes the unsigned update of an edit, and applies an unsigned update before another edit.

import { is, requireTypes } from '../../proto/arguments.js';
import {
  applyUpdate,
  type Config,
  isSigned,
  unsignedEnvelope,
  type Envelope,
  readConfigUpdate,
  readEnvelope,
  writeUpdate,
  resultTypes,
} from '../channel/index.js';
import { compareGroups } from '../update/index.js';
import { badEdit } from './edited.js';

/**
 * The config that results from an unsigned update.
 *
 * @throws TranslateError BAD_EDIT if it is signed, is for another channel, or does not fit the config
 */
export function applyUnsigned(config: Config, file: Envelope, channel: string): Config {
  requireTypes(
    { config, file, channel },
    { config: resultTypes.config, file: resultTypes.envelope, channel: is.text },
  );
  if (isSigned(file))
    throw badEdit('it is signed, and signatures do not cover another edit: an unsigned update is needed');
  const applied = applyUpdate(config, file.update, file.channel ?? channel);
  if (file.update.channelId !== channel)
    throw badEdit(
      `it is for the channel ${JSON.stringify(file.update.channelId)}, the block is of ${JSON.stringify(channel)}`,
    );
  const [fault] = applied.faults;
  if (fault !== undefined) throw badEdit(`it does not fit the block: ${fault.text}`);
  return applied.config;
}

/** An unsigned config update. */
export interface UnsignedUpdate extends Envelope {
  /** The changed and removed elements: `modified value /Channel/Orderer/BatchSize`. */
  readonly changes: readonly string[];
}

/**
 * The unsigned update from one config to another one.
 *
 * @throws TranslateError BAD_EDIT if they do not differ
 */
export function unsignedUpdate(original: Config, modified: Config, channelId: string): UnsignedUpdate {
  requireTypes(
    { original, modified, channelId },
    { original: resultTypes.config, modified: resultTypes.config, channelId: is.text },
  );
  if (channelId === '') throw badEdit('the channel has no name');
  const { changed, read, write } = compareGroups(original.channelGroup, modified.channelGroup);
  if (!changed) throw badEdit('the edit changes nothing: the channel has this config already');
  const update = writeUpdate({ channelId, readSet: read, writeSet: write });
  const { changes, removed } = applyUpdate(original, readConfigUpdate(update));
  return {
    ...readEnvelope(unsignedEnvelope({ channel: channelId, update, signatures: [] })),
    changes: [
      ...changes.map(({ change, kind, path }) => `${change} ${kind} ${path}`),
      ...removed.map(({ kind, path }) => `removed ${kind} ${path}`),
    ],
  };
}

/** Whether two configs have equal elements; versions are ignored. */
export const isSameConfig = (left: Config, right: Config): boolean =>
  !compareGroups(left.channelGroup, right.channelGroup).changed;
