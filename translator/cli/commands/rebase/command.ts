// `rebase`: its flags and arguments.

import { argument, type Command } from '../../command.js';
import { envelopeOutput } from '../../flag.js';
import { BLOCK, withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const rebase: Command = {
  name: 'rebase',
  help: 'Makes an outdated config update anew for the newest config. Signatures are lost. Elements that were changed since are named, and nothing is written then.',
  flags: withNetworkFlags([
    BLOCK,
    {
      name: 'base',
      kind: 'source',
      help: 'The config block that the update was made for, if --block is a file; in a ledger or network it is found.',
    },
    envelopeOutput('unsigned envelope'),
  ]),
  argument: argument('file', 'The envelope with the config update, or the config update itself.'),
  load: () => import('./run.js'),
};
