// `proto_decode`: converts a serialized message to a JSON document.

import { defineCommand } from '../command.js';
import { withMessage, withPrefix, type Failure } from '../errors.js';
import { printNote, readAnyInput, writeOutput } from '../files.js';
import { input, messageType, output } from '../flags.js';

/** The command. */
export const protoDecode = defineCommand({
  name: 'proto_decode',
  help: 'Converts a serialized message to a JSON document.',
  example: 'proto_decode --type common.Block --input config_block.pb',
  flags: {
    type: messageType('to decode from'),
    input: input('The file with the message.'),
    output: output('The file to write the JSON document to.'),
  },
  async run(values, io) {
    const { unknownText, withHint, wrongTypeHint } = await import('../hints.js');
    const { decodeToPieces } = await import('../../../proto/to-json.js');
    let unknown = 0;
    const decoded = withPrefix('Error decoding', () => {
      const bytes = withPrefix('error reading input', () => readAnyInput(values.input, io));
      const json = withMessage(
        (error) => `${stepOf(error)}: ${withHint(error, bytes)}`,
        () => Buffer.concat(decodeToPieces(values.type, bytes, undefined, (fields) => (unknown = fields))),
      );
      const note = wrongTypeHint(values.type, bytes);
      if (note !== undefined) printNote(note, io);
      withPrefix('error encoding output', () => writeOutput(values.output, json, io));
      return { bytes, json };
    });
    if (unknown > 0) printNote(`${unknownText(unknown)}; encoding the JSON loses them`, io);
    const lost = await lostMetadata(decoded.bytes, decoded.json);
    if (lost !== undefined) printNote(lost, io);
  },
});

/** The failed step, in the words of Fabric's program. */
function stepOf(error: Failure): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'UNKNOWN_TYPE') return 'error encode input';
  return code === 'BAD_BYTES' ? 'error unmarshalling' : 'error encoding output';
}

/** A consensus type with metadata that is printed without content. */
const EMPTY_METADATA = /"metadata": \{\},\s*"state": "[A-Z_0-9]*",\s*"type": "/;

/** A note if the JSON lacks the metadata of a consensus type: Fabric's tool and this one support only etcdraft and BFT. */
async function lostMetadata(bytes: Uint8Array, json: Buffer): Promise<string | undefined> {
  if (!EMPTY_METADATA.test(json.toString('latin1'))) return undefined;
  const { unknownMetadata } = await import('../../channel/index.js');
  const found = unknownMetadata(bytes);
  return (
    found &&
    `${found.size} bytes of metadata of the consensus type ${JSON.stringify(found.type)} are not shown; encoding the JSON loses them`
  );
}
