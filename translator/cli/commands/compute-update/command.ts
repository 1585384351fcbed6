// `compute_update`: its flags and arguments.

import type { Command } from '../../command.js';
import { output } from '../../flag.js';

/** The command. */
export const computeUpdate: Command = {
  name: 'compute_update',
  help: "Computes the config update between two serialized messages of type 'common.Config'.",
  flags: [
    { name: 'original', kind: 'input', help: 'The current config.' },
    { name: 'updated', kind: 'input', help: 'The desired config.' },
    { name: 'channel_id', kind: 'string', isRequired: true, help: 'The name of the channel.' },
    output("The file to write the update to, a serialized 'common.ConfigUpdate'."),
  ],
  load: () => import('./run.js'),
};
