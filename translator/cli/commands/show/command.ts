// `show`: its flags and arguments.

import { argument, type Command } from '../../command.js';
import { JSON_FLAG } from '../../format.js';
import { withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const show: Command = {
  name: 'show',
  help: 'Shows a channel, or a config update, on one screen.',
  flags: withNetworkFlags([JSON_FLAG]),
  argument: argument(
    'file',
    'A config block, a config, an envelope with a config update, or a config update; serialized or as JSON. Or the ledger or network of a channel, as for fetch.',
  ),
  load: () => import('./run.js'),
};
