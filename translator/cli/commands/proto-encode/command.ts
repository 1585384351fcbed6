// `proto_encode`: its flags and arguments.

import type { Command } from '../../command.js';
import { input, messageType, output } from '../../flag.js';

/** The command. */
export const protoEncode: Command = {
  name: 'proto_encode',
  help: 'Converts a JSON document to a serialized message.',
  flags: [
    messageType('to encode to'),
    input('The file with the JSON document.'),
    output('The file to write the message to.'),
  ],
  load: () => import('./run.js'),
};
