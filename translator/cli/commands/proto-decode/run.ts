// `proto_decode`: converts a serialized message to a JSON document.

import { messageKindOf, RECOGNISED_TYPES } from '../../../config/message-kind.js';
import type { Context } from '../../context.js';
import { step, type PrefixByCode } from '../../errors.js';
import { readAnyInput } from '../../files.js';
import { hintAbout } from '../../hints.js';
import { printNote, writeOutput } from '../../output.js';
import type { Values } from '../../values.js';

const PREFIX: PrefixByCode = (code) => {
  if (code === 'UNKNOWN_TYPE') return 'error encode input';
  return code === 'BAD_BYTES' ? 'error unmarshalling' : 'error encoding output';
};

/** @throws CommandError */
export async function run(values: Values, { process, load }: Context): Promise<void> {
  const decode = await load.decode();
  const input = step('Error decoding', () => {
    const type = values.one('type');
    const bytes = step('error reading input', () => readAnyInput(values.one('input'), process));
    const json = step(PREFIX, () => Buffer.concat(decode(type, bytes)), hintAbout(bytes));
    const note = wrongType(type, bytes);
    if (note !== undefined) printNote(note, process);
    step('error encoding output', () => writeOutput(values.one('output'), json, process));
    return { bytes, json };
  });
  const lost = await lostMetadata(input.bytes, input.json);
  if (lost !== undefined) printNote(lost, process);
}

/** A consensus type whose metadata is printed without content. */
const EMPTY_METADATA = /"metadata": \{\},\s*"state": "[A-Z_0-9]*",\s*"type": "/;

/** Says that the metadata of a consensus type is not in the JSON: Fabric's tool and this one know those of etcdraft and BFT only. */
async function lostMetadata(bytes: Uint8Array, json: Buffer): Promise<string | undefined> {
  if (!EMPTY_METADATA.test(json.toString('latin1'))) return undefined;
  const { unknownMetadata } = await import('../../../config/unknown-metadata.js');
  const found = unknownMetadata(bytes);
  return (
    found &&
    `${found.size} bytes of metadata of the consensus type ${JSON.stringify(found.type)} are not shown; encoding the JSON loses them`
  );
}

/** Says that the input has another type: the wire format does not name types, so any of them can be decoded as another. */
function wrongType(type: string, bytes: Uint8Array): string | undefined {
  const expected = type === 'common.Configuration' ? 'common.Config' : type;
  if (!RECOGNISED_TYPES.some((each) => each === expected)) return undefined;
  const found = messageKindOf(bytes)?.type;
  return found === undefined || found === expected
    ? undefined
    : `the input is a ${found}, not a ${type}: use --type ${found}`;
}
