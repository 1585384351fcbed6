// `log`: its flags and arguments.

import { argument, type Command } from '../../command.js';

/** The command. */
export const log: Command = {
  name: 'log',
  help: 'Shows the history of the config of a channel, newest first: when each update was made, what it changed, who signed and who submitted it.',
  flags: [
    { name: 'number', kind: 'string', short: 'n', help: 'How many entries are shown at most.' },
    { name: 'since', kind: 'string', help: 'Only entries since this time, such as 2026-11-22T12:00:00Z.' },
    { name: 'block', kind: 'string', short: 'p', help: 'Show the entry of this config block in full.' },
    { name: 'json', kind: 'boolean', help: 'Write JSON, which lists everything.' },
  ],
  argument: argument('ledger', "The folder of the channel in a node's ledger, which has blockfile_000000."),
  load: () => import('./run.js'),
};
