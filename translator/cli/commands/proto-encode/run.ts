// `proto_encode`: converts a JSON document to a serialized message.

import type { Context } from '../../context.js';
import { step, type PrefixByCode } from '../../errors.js';
import { readAnyInput } from '../../files.js';
import { hintAbout } from '../../hints.js';
import { writeOutput } from '../../output.js';
import type { Values } from '../../values.js';

const PREFIX: PrefixByCode = (code) =>
  code === 'UNKNOWN_TYPE' ? 'error encode input' : 'error decoding input';

/** @throws CommandError */
export async function run(values: Values, { process, load }: Context): Promise<void> {
  const encode = await load.encode();
  // "decoding", although it encodes: this is Fabric's text, and scripts may search for it.
  step('Error decoding', () => {
    const json = step('error decoding input', () => readAnyInput(values.one('input'), process));
    const bytes = step(PREFIX, () => encode(values.one('type'), json), hintAbout(json));
    step('error writing output', () => writeOutput(values.one('output'), bytes, process));
  });
}
