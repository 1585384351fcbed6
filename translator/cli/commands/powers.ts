// `powers`: shows who can do what on a channel.

import { defineCommand, optionalArgument } from '../command.js';
import { jsonText, printText } from '../files.js';
import { FABRIC, JSON_FLAG, NETWORK } from '../flags.js';
import { text } from '../kinds.js';
import { sourceOf, versionsOf } from '../profile.js';

/** The command. */
export const powers = defineCommand({
  name: 'powers',
  help: 'Shows who can read and submit, propose, query and endorse on a channel, and what an update changes about it.',
  example: 'powers config_block.pb update.pb',
  flags: { fabric: FABRIC, json: JSON_FLAG, network: NETWORK },
  arguments: {
    source: optionalArgument(
      text,
      'A config block, a config, or the ledger or network of a channel, as for fetch; by default the network of the profile.',
    ),
    update: optionalArgument(text, 'An envelope with a config update, or a config update.'),
  },
  async run({ source: given, update, fabric, json, network }, io) {
    const { readConfigFile, readUpdateFile } = await import('../../channel/index.js');
    const { powersOf } = await import('../../powers/index.js');
    const { documentText, powersDocument } = await import('../../documents/index.js');
    const { readChannelInput } = await import('../inputs.js');
    const source = await sourceOf(given, network, 'source');
    const block = await readChannelInput(source, network, io, readConfigFile);
    const file =
      update === undefined ? undefined : await readChannelInput(update, network, io, readUpdateFile);
    const result = await powersOf(block, file, { fabric: await versionsOf(fabric, network, io) });
    printText(json ? jsonText(result) : documentText(powersDocument(result), io.display), io);
  },
});
