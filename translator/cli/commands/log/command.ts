// `log`: its flags and arguments.

import type { Command } from '../../command.js';
import { JSON_FLAG } from '../../format.js';
import { BLOCKS, withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const log: Command = {
  name: 'log',
  help: 'Shows the history of the config of a channel, newest first: when each update was made, what it changed, who signed and who submitted it.',
  flags: withNetworkFlags([
    { name: 'number', kind: 'string', short: 'n', help: 'How many entries are shown at most.' },
    { name: 'since', kind: 'string', help: 'Only entries since this time, such as 2026-11-22T12:00:00Z.' },
    { name: 'block', kind: 'string', short: 'p', help: 'Show the entry of this config block in full.' },
    JSON_FLAG,
  ]),
  argument: BLOCKS,
  load: () => import('./run.js'),
};
