// `page`: writes the channel page.

import { readPage } from '../../built-files.js';
import { defineCommand } from '../command.js';
import { writeOutput } from '../files.js';
import { output } from '../flags.js';

/** The command. */
export const page = defineCommand({
  name: 'page',
  help: 'Writes the channel page: one HTML file that shows channels and reviews updates in a browser, without a network.',
  example: 'page -o channel.html',
  flags: { output: output('The file to write the page to.', { short: 'o' }) },
  run(values, io) {
    writeOutput(values.output, readPage(), io);
  },
});
