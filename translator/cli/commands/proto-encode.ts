// `proto_encode`: converts a JSON document to a serialized message.

import { defineCommand } from '../command.js';
import { withMessage, withPrefix } from '../errors.js';
import { readAnyInput, writeOutput } from '../files.js';
import { input, messageType, output } from '../flags.js';

/** The command. */
export const protoEncode = defineCommand({
  name: 'proto_encode',
  help: 'Converts a JSON document to a serialized message.',
  example: 'proto_encode --type common.Config --input c.json --output c.pb',
  flags: {
    type: messageType('to encode to'),
    input: input('The file with the JSON document.'),
    output: output('The file to write the message to.'),
  },
  async run(values, io) {
    const { withHint } = await import('../hints.js');
    const { encode } = await import('../../../proto/from-json.js');
    // Fabric's text has "decoding"; scripts may search for it.
    withPrefix('Error decoding', () => {
      const json = withPrefix('error decoding input', () => readAnyInput(values.input, io));
      const bytes = withMessage(
        (error) => {
          const isUnknown = 'code' in error && error.code === 'UNKNOWN_TYPE';
          return `${isUnknown ? 'error encode input' : 'error decoding input'}: ${withHint(error, json)}`;
        },
        () => encode(values.type, json),
      );
      withPrefix('error writing output', () => writeOutput(values.output, bytes, io));
    });
  },
});
