// `page`: writes the channel page.

import { readPage } from '../../../page-file.js';
import type { Context } from '../../context.js';
import { writeOutput } from '../../output.js';
import type { Values } from '../../values.js';

/** @throws CommandError */
export function run(values: Values, { process }: Context): void {
  writeOutput(values.one('output'), readPage(), process);
}
