// `verify`: its flags and arguments.

import { argument, type Command } from '../../command.js';
import { BLOCK, withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const verify: Command = {
  name: 'verify',
  help: 'Says whether a config update is in a config block. The exit status is 0 if it is, 3 if it is not, 1 on any error.',
  flags: withNetworkFlags([
    {
      ...BLOCK,
      help: 'A config block that is newer than the update, or the ledger or network of the channel.',
    },
  ]),
  argument: argument('file', 'The envelope with the config update, or the config update itself.'),
  load: () => import('./run.js'),
};
