// `merge`: merges the signatures of several people.

import { SignError } from '../sign/errors.js';
import { merge } from '../sign/merge.js';
import { writeBinary } from './binary-output.js';
import type { Context } from './context.js';
import { CommandError, UsageError } from './errors.js';
import { printNote } from './output.js';
import { readUpdateFile } from './update-file.js';
import type { Values } from './values.js';

/** @throws CommandError */
export async function run(values: Values, { process }: Context): Promise<void> {
  if (values.rest.length < 2)
    throw new UsageError(`at least two files are needed, found ${values.rest.length}`);
  const files = values.rest.map((path) => readUpdateFile(path, process));
  try {
    const { envelope, signatures, duplicates } = await merge(files.map(({ bytes }) => bytes));
    writeBinary(values.one('output'), envelope, process);
    const dropped = duplicates === 0 ? '' : `, ${duplicates} duplicate dropped`;
    printNote(
      `${signatures.length} ${signatures.length === 1 ? 'signature' : 'signatures'}${dropped}`,
      process,
    );
  } catch (error) {
    if (!(error instanceof SignError)) throw error;
    const names = values.rest.map((path, index) => `${index + 1} is ${path}`).join(', ');
    throw new CommandError(`${error.message} (input ${names})`, { cause: error });
  }
}
