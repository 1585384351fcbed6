// `proto_encode`: a JSON document to a serialized message.

import type { Context } from './context.js';
import { step, type WordsByCode } from './failures.js';
import { readInput } from './files.js';
import { hintAbout } from './hints.js';
import { writeOutput } from './output.js';
import type { Values } from './values.js';

const WORDS: WordsByCode = (code) =>
  code === 'UNKNOWN_TYPE' ? 'error encode input' : 'error decoding input';

/** @throws CommandError */
export async function run(values: Values, { process, load }: Context): Promise<void> {
  const encode = await load.encode();
  // Upstream calls it decoding, and scripts may look for that.
  step('Error decoding', () => {
    const json = step('error decoding input', () => readInput(values.one('input'), process));
    const bytes = step(WORDS, () => encode(values.one('type'), json), hintAbout(json));
    step('error writing output', () => writeOutput(values.one('output'), bytes, process));
  });
}
