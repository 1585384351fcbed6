// `proto_decode`: its flags and arguments.

import type { Command } from '../../command.js';
import { input, messageType, output } from '../../flag.js';

/** The command. */
export const protoDecode: Command = {
  name: 'proto_decode',
  help: 'Converts a serialized message to a JSON document.',
  flags: [
    messageType('to decode from'),
    input('The file with the message.'),
    output('The file to write the JSON document to.'),
  ],
  load: () => import('./run.js'),
};
