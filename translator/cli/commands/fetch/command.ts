// `fetch`: its flags and arguments.

import type { Command } from '../../command.js';
import { envelopeOutput } from '../../flag.js';
import { BLOCKS, withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const fetch: Command = {
  name: 'fetch',
  help: 'Writes a block of a channel, without --number the newest config block.',
  flags: withNetworkFlags([
    { name: 'number', kind: 'string', help: 'The number of the block, or newest, or oldest.' },
    envelopeOutput('block'),
  ]),
  argument: BLOCKS,
  load: () => import('./run.js'),
};
