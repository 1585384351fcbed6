// `merge`: its flags and arguments.

import { list, type Command } from '../../command.js';
import { envelopeOutput } from '../../flag.js';
import { withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const merge: Command = {
  name: 'merge',
  help: 'Merges the signatures of several people on the same config update into one envelope.',
  flags: withNetworkFlags([
    {
      name: 'block',
      kind: 'source',
      help: 'The newest config block of the channel, or its ledger or network: signatures are put into an order that satisfies its policies, where there is one.',
    },
    envelopeOutput('envelope'),
  ]),
  argument: list('file', 'The signed envelopes, or folders of them.'),
  load: () => import('./run.js'),
};
