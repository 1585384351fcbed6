// `check`: faults and dangers of one config.

import { defineCommand, optionalArgument } from '../command.js';
import { EXIT_STATUS } from '../exit-status.js';
import { jsonText, printText } from '../files.js';
import { ALLOW, FABRIC, JSON_FLAG, NETWORK, NOW } from '../flags.js';
import { text } from '../kinds.js';
import { sourceOf, versionsOf } from '../profile.js';

/** The command. */
export const check = defineCommand({
  name: 'check',
  help: 'Checks one config, for example of a genesis block: faults for which orderers would refuse to load it, dangers, and certificates that expire within 30 days. The exit status is as for review.',
  example: 'check genesis_block.pb --fabric 3.1.5',
  flags: { fabric: FABRIC, allow: ALLOW, now: NOW, json: JSON_FLAG, network: NETWORK },
  arguments: {
    block: optionalArgument(
      text,
      'A config block, a config, or the ledger or network of a channel, as for fetch; by default the network of the profile.',
    ),
  },
  async run({ block: given, fabric, allow, now = new Date(), json, network }, io) {
    const { documentText } = await import('../../documents/index.js');
    const { checkConfig, checkDocument, verdictOf, withVerdict } = await import('../../review/index.js');
    const { readConfigInput } = await import('../inputs.js');
    const block = await sourceOf(given, network, 'block');
    const { anchored, ...config } = await readConfigInput(block, network, io);
    const result = await checkConfig(config, { now, fabric: await versionsOf(fabric, network, io) });
    const allowed = new Set(allow);
    printText(
      json
        ? jsonText({ ...withVerdict(result, allowed), ...(anchored !== undefined && { anchored }) })
        : documentText(checkDocument(result, allowed), io.display),
      io,
    );
    return EXIT_STATUS[verdictOf(result, allowed)];
  },
});
