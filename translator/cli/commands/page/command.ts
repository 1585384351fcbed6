// `page`: its flags and arguments.

import type { Command } from '../../command.js';
import { output } from '../../flag.js';

/** The command. */
export const page: Command = {
  name: 'page',
  help: 'Writes the channel page: one HTML file that shows channels and reviews updates in a browser, without a network.',
  flags: [{ ...output('The file to write the page to.'), short: 'o' }],
  load: () => import('./run.js'),
};
