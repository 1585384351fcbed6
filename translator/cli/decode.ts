// `proto_decode`: a serialized message to a JSON document.

import type { Context } from './context.js';
import { step, type WordsByCode } from './failures.js';
import { readInput } from './files.js';
import { hintAbout } from './hints.js';
import { writeOutput } from './output.js';
import type { Values } from './values.js';

const WORDS: WordsByCode = (code) => {
  if (code === 'UNKNOWN_TYPE') return 'error encode input';
  return code === 'BAD_BYTES' ? 'error unmarshalling' : 'error encoding output';
};

/** @throws CommandError */
export async function run(values: Values, { process, load }: Context): Promise<void> {
  const decode = await load.decode();
  step('Error decoding', () => {
    const bytes = step('error reading input', () => readInput(values.one('input'), process));
    const json = step(WORDS, () => decode(values.one('type'), bytes), hintAbout(bytes));
    step('error encoding output', () => writeOutput(values.one('output'), Buffer.from(json), process));
  });
}
