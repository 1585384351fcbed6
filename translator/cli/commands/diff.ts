// `diff`: what differs between two configs.

import { argument, defineCommand, switchFlag } from '../command.js';
import { CommandError } from '../errors.js';
import { jsonText, printText } from '../files.js';
import { JSON_FLAG, NETWORK } from '../flags.js';
import { text } from '../kinds.js';

/** The command. */
export const diff = defineCommand({
  name: 'diff',
  help: 'Says what differs between two configs of a channel, in the words of review. Versions are ignored.',
  flags: {
    powers: switchFlag('Say who can do what before and not after, and the other way round, instead.'),
    json: JSON_FLAG,
    network: NETWORK,
  },
  arguments: {
    before: argument(text, 'A config block, a config, or the ledger or network of a channel, as for fetch.'),
    after: argument(text, 'The same, later.'),
  },
  async run({ before, after, powers, json, network }, io) {
    const { readConfigFile } = await import('../../channel/index.js');
    const { describeDifference, differenceText } = await import('../../describe/index.js');
    const { readChannelInput } = await import('../inputs.js');
    const first = await readChannelInput(before, network, io, readConfigFile);
    const second = await readChannelInput(after, network, io, readConfigFile);
    if (first.channel !== undefined && second.channel !== undefined && first.channel !== second.channel)
      throw new CommandError(
        `${before} is of channel ${JSON.stringify(first.channel)}, ${after} of channel ${JSON.stringify(second.channel)}`,
      );
    if (powers) {
      const { powersOf } = await import('../../powers/index.js');
      const { powersDifferenceText } = await import('../../describe/index.js');
      const [old, now] = [await powersOf(first), await powersOf(second)];
      const result = { before: old, after: now };
      printText(json ? jsonText(result) : powersDifferenceText(old.services, now.services), io);
      return;
    }
    const differences = describeDifference(first.config, second.config);
    printText(json ? jsonText(differences) : differenceText(differences), io);
  },
});
