// `edit`: its flags and arguments.

import { editCommand } from '../edit-command.js';

/** The command. */
export const edit = editCommand(
  'edit',
  'Edits the config of a channel and writes the unsigned config update.',
  {
    flags: [
      {
        name: 'set',
        kind: 'string',
        isRepeatable: true,
        help: "An edit PATH=VALUE, for example 'orderer.batchSize.maxMessageCount=50'; the path may be that of jq (may be repeated).",
      },
      {
        name: 'with',
        kind: 'input',
        help: 'The edited config: the JSON of the config or of the block, or the message.',
      },
    ],
    load: async () => ({ run: (await import('./run.js')).edit }),
  },
);
