// `fetch`: its flags and arguments.

import { argument, type Command } from '../../command.js';
import { envelopeOutput } from '../../flag.js';

/** The command. */
export const fetch: Command = {
  name: 'fetch',
  help: 'Writes a block of a channel, without --number the newest config block.',
  flags: [
    { name: 'number', kind: 'string', help: 'The number of the block, or newest, or oldest.' },
    envelopeOutput('block'),
  ],
  argument: argument('ledger', "The folder of the channel in a node's ledger, which has blockfile_000000."),
  load: () => import('./run.js'),
};
