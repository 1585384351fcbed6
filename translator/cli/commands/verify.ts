// `verify`: checks whether a config block contains a config update.

import { onOneLine } from '../../../core/common/text/one-line.js';
import type { ElementPresence } from '../../channel/index.js';
import { argument, defineCommand, flag } from '../command.js';
import { CommandError } from '../errors.js';
import { printText } from '../files.js';
import { NETWORK } from '../flags.js';
import { source, text } from '../kinds.js';
import { networkOfProfile } from '../profile.js';

const IN = 0;
/** The exit status if the update is not in the block. */
const NOT_IN = 3;

/** The command. */
export const verify = defineCommand({
  name: 'verify',
  help: 'Checks whether a config block contains a config update. The exit status is 0 if it does, 3 if it does not, 1 on any error.',
  example: 'verify update.pb --block new_block.pb',
  flags: {
    block: flag(
      source,
      'A config block that is newer than the update, or the ledger or network of the channel.',
    ),
    network: NETWORK,
  },
  arguments: {
    file: argument(text, 'The envelope with the config update, or the config update itself.'),
  },
  async run({ file, block: given, network }, io) {
    const { readConfigFile, readUpdateFile } = await import('../../channel/index.js');
    const { verifyUpdate } = await import('../../channel/index.js');
    const { readChannelInput } = await import('../inputs.js');
    const block = given ?? (await networkOfProfile(network, 'block'));
    const { update } = await readChannelInput(file, network, io, readUpdateFile);
    const { config, channel, number } = await readChannelInput(block, network, io, readConfigFile);
    if (channel !== undefined && update.channelId !== channel)
      throw new CommandError(
        `${file} is for channel ${JSON.stringify(update.channelId)}, ${block} is of channel ${JSON.stringify(channel)}`,
      );
    const { isIn, elements } = verifyUpdate(update, config);
    if (elements.length === 0)
      throw new CommandError(`${file}: the update sets nothing, so it cannot be in a block`);
    const place = number === undefined ? block : `block ${number}`;
    const lines = [
      `the update is ${isIn ? '' : 'not '}in ${onOneLine(place)}`,
      ...elements.map((element) => `  ${onOneLine(element.path)}  ${describe(element)}`),
    ];
    printText(`${lines.join('\n')}\n`, io);
    return isIn ? IN : NOT_IN;
  },
});

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
