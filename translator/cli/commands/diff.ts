// `diff`: the differences between two configs.

import type { Anchored } from '../../orderer/index.js';
import { argument, defineCommand, switchFlag } from '../command.js';
import { CommandError } from '../errors.js';
import { jsonText, printText } from '../files.js';
import { JSON_FLAG, NETWORK } from '../flags.js';
import type { ReadConfig } from '../inputs.js';
import { text } from '../kinds.js';

/** The command. */
export const diff = defineCommand({
  name: 'diff',
  help: 'Shows the differences between two configs of a channel, in the words of review. Versions are ignored.',
  example: 'diff old_block.pb new_block.pb',
  flags: {
    powers: switchFlag('Instead, show who gains or loses permission to do what.'),
    json: JSON_FLAG,
    network: NETWORK,
  },
  arguments: {
    before: argument(text, 'A config block, a config, or the ledger or network of a channel, as for fetch.'),
    after: argument(text, 'The later config, in one of the same forms.'),
  },
  async run({ before, after, powers, json, network }, io) {
    const { describeDifference, differenceDocument, documentText, powersDifferenceDocument } =
      await import('../../documents/index.js');
    const { readConfigInput } = await import('../inputs.js');
    const first = await readConfigInput(before, network, io);
    const second = await readConfigInput(after, network, io);
    if (first.channel !== undefined && second.channel !== undefined && first.channel !== second.channel)
      throw new CommandError(
        `${before} is of channel ${JSON.stringify(first.channel)}, ${after} of channel ${JSON.stringify(second.channel)}`,
      );
    if (powers) {
      const { powersOfBoth } = await import('../../powers/index.js');
      const { before: old, after: now } = await powersOfBoth(first, second);
      const result = { before: { ...old, ...anchoredOf(first) }, after: { ...now, ...anchoredOf(second) } };
      const document = powersDifferenceDocument(old.services, now.services);
      printText(json ? jsonText(result) : documentText(document, io.display), io);
      return;
    }
    const differences = await describeDifference(first.config, second.config);
    const anchored = { ...sideOf('before', first), ...sideOf('after', second) };
    const isAnchored = Object.keys(anchored).length > 0;
    const entries = differences.map((each) => ({ ...each, ...(isAnchored && { anchored }) }));
    printText(json ? jsonText(entries) : documentText(differenceDocument(differences), io.display), io);
  },
});

/** The anchoring of a config from a network; empty for other configs. */
const anchoredOf = ({ anchored }: ReadConfig): Pick<ReadConfig, 'anchored'> =>
  anchored === undefined ? {} : { anchored };

const sideOf = (side: 'before' | 'after', { anchored }: ReadConfig): Readonly<Record<string, Anchored>> =>
  anchored === undefined ? {} : { [side]: anchored };
