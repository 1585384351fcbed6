// `merge`: its flags and arguments.

import { list, type Command } from '../../command.js';
import { envelopeOutput } from '../../flag.js';

/** The command. */
export const merge: Command = {
  name: 'merge',
  help: 'Merges the signatures of several people on the same config update into one envelope.',
  flags: [
    {
      name: 'block',
      kind: 'input',
      help: 'The newest config block of the channel: signatures are put into an order that satisfies its policies, where there is one.',
    },
    envelopeOutput('envelope'),
  ],
  argument: list('file', 'The signed envelopes.'),
  load: () => import('./run.js'),
};
