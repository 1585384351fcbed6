// `compute_update`: the update between two configurations.

import { TranslateError } from '../../proto/errors.js';
import type { Operations } from '../operations.js';
import type { Context } from './context.js';
import { CommandError } from './errors.js';
import { step } from './failures.js';
import { readInput } from './files.js';
import { hintAbout } from './hints.js';
import { writeOutput } from './output.js';
import type { Process } from './process.js';
import type { Values } from './values.js';

/** @throws CommandError */
export async function run(values: Values, { process, load }: Context): Promise<void> {
  const computeUpdate = await load.computeUpdate();
  step('Error computing update', () => {
    const original = readConfig('original', values, process);
    const updated = readConfig('updated', values, process);
    const update = compute(computeUpdate, original, updated, values.one('channel_id'));
    step('error writing config update to output', () => writeOutput(values.one('output'), update, process));
  });
}

function readConfig(which: 'original' | 'updated', values: Values, process: Process): Buffer {
  return step(`error reading ${which} config`, () => {
    const path = values.optional(which);
    if (path === undefined) throw new CommandError('invalid argument');
    return readInput(path, process);
  });
}

function compute(
  computeUpdate: Operations['computeUpdate'],
  original: Uint8Array,
  updated: Uint8Array,
  channelId: string,
): Uint8Array {
  // What node makes of bytes that are no text.
  if (channelId.includes('\uFFFD'))
    throw new CommandError('error marshaling computed config update: string field contains invalid UTF-8');
  try {
    return computeUpdate(original, updated, channelId);
  } catch (error) {
    const { code, path } = error instanceof TranslateError ? error : { code: undefined, path: '' };
    const which = path.startsWith('original') ? 'original' : 'updated';
    const hint = hintAbout(which === 'original' ? original : updated);
    const words =
      code === 'BAD_BYTES' ? `error unmarshalling ${which} config` : 'error computing config update';
    return step(
      words,
      () => {
        throw error;
      },
      hint,
    );
  }
}
