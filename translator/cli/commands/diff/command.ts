// `diff`: its flags and arguments.

import { argument, type Command } from '../../command.js';
import { JSON_FLAG } from '../../format.js';
import { withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const diff: Command = {
  name: 'diff',
  help: 'Says what differs between two configs of a channel, in the words of review. Versions are ignored.',
  flags: withNetworkFlags([JSON_FLAG]),
  argument: argument(
    'before',
    'A config block, a config, or the ledger or network of a channel, as for fetch.',
  ),
  moreArguments: [argument('after', 'The same, later.')],
  load: () => import('./run.js'),
};
