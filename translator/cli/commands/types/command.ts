// `types`: its flags and arguments.

import { argument, type Command } from '../../command.js';

/** The command. */
export const types: Command = {
  name: 'types',
  help: 'Lists the message types.',
  flags: [],
  argument: argument(
    'pattern',
    "List only the types whose name contains this text, or matches it if it has a '*' or '?'. Upper and lower case are equal.",
  ),
  load: () => import('./run.js'),
};
