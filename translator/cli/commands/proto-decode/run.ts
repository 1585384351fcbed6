// `proto_decode`: converts a serialized message to a JSON document.

import { messageKindOf, RECOGNISED_TYPES } from '../../../config/message-kind.js';
import type { Context } from '../../context.js';
import { step, type PrefixByCode } from '../../errors.js';
import { readInput } from '../../files.js';
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
  step('Error decoding', () => {
    const type = values.one('type');
    const bytes = step('error reading input', () => readInput(values.one('input'), process));
    const json = step(PREFIX, () => Buffer.concat(decode(type, bytes)), hintAbout(bytes));
    const note = wrongType(type, bytes);
    if (note !== undefined) printNote(note, process);
    step('error encoding output', () => writeOutput(values.one('output'), json, process));
  });
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
