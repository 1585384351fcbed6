// `diff`: its flags and arguments.

import { argument, type Command } from '../../command.js';

/** The command. */
export const diff: Command = {
  name: 'diff',
  help: 'Says what differs between two configs of a channel, in the words of review. Versions are ignored.',
  flags: [{ name: 'json', kind: 'boolean', help: 'Write JSON, which lists everything.' }],
  argument: argument(
    'before',
    'A config block, a config, or the folder of the channel in the ledger of a node.',
  ),
  moreArguments: [argument('after', 'The same, later.')],
  load: () => import('./run.js'),
};
