// `version`: its flags and arguments.

import type { Command } from '../../command.js';

/** The command. */
export const version: Command = {
  name: 'version',
  help: 'Show the version.',
  flags: [],
  load: () => import('./run.js'),
};
