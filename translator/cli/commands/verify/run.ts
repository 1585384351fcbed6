// `verify`: whether a config update is in a config block.

import { onOneLine } from '../../../../core/common/text/one-line.js';
import { readConfigFile, readUpdateFile, type ConfigFile, type UpdateFile } from '../../../config/file.js';
import { verifyUpdate, type ElementPresence } from '../../../show/verify.js';
import { readChannelInput } from '../../channel-file.js';
import type { Context } from '../../context.js';
import { CommandError } from '../../errors.js';
import { printText } from '../../output.js';
import { networkOfProfile } from '../../profile.js';
import { requiredArgument, type Values } from '../../values.js';

const IN = 0;
/** The exit status if the update is not in the block. */
const NOT_IN = 3;

/** @returns the exit status @throws CommandError */
export async function run(values: Values, context: Context): Promise<number> {
  const path = requiredArgument(values, 0, 'file');
  const block = values.optional('block') ?? (await networkOfProfile(values, 'block'));
  const update = await readChannelInput(path, values, context, readUpdateFile);
  const config = await readChannelInput(block, values, context, readConfigFile);
  checkChannels(path, update, block, config);
  const { isIn, elements } = verifyUpdate(update.update, config.config);
  if (elements.length === 0)
    throw new CommandError(`${path}: the update sets nothing, so it cannot be in a block`);
  const place = config.number === undefined ? block : `block ${config.number}`;
  const lines = [
    `the update is ${isIn ? '' : 'not '}in ${onOneLine(place)}`,
    ...elements.map((element) => `  ${onOneLine(element.path)}  ${describe(element)}`),
  ];
  printText(`${lines.join('\n')}\n`, context.process);
  return isIn ? IN : NOT_IN;
}

function checkChannels(path: string, update: UpdateFile, block: string, { channel }: ConfigFile): void {
  const own = update.update.channelId;
  if (channel !== undefined && own !== channel)
    throw new CommandError(
      `${path} is for channel ${JSON.stringify(own)}, ${block} is of channel ${JSON.stringify(channel)}`,
    );
}

const WORDS: Readonly<Record<ElementPresence['presence'], (version: bigint, found: string) => string>> = {
  there: (version, found) =>
    found === String(version)
      ? `present, version ${version}`
      : `present, version ${found}, set in ${version}`,
  'changed-since': (version, found) =>
    `differs: version ${found}, the update sets ${version}; it was changed later, or by another update`,
  other: (version) => `differs, although both have version ${version}: another update was accepted instead`,
  older: (version, found) => `is not there: version ${found}, the update sets ${version}`,
  missing: () => 'is not there',
};

const describe = ({ presence, version, found }: ElementPresence): string =>
  WORDS[presence](version, String(found));
