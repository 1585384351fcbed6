// `merge`: merges the signatures of several people.

import { readConfigFile } from '../../../config/file.js';
import { TranslateError } from '../../../../proto/errors.js';
import { mergeEnvelopes, type SignatureOrder } from '../../../sign/merge.js';
import { writeBinary } from '../../binary-output.js';
import { readChannelInput } from '../../channel-file.js';
import type { Context } from '../../context.js';
import { CommandError, UsageError } from '../../errors.js';
import { printNote } from '../../output.js';
import { updatesIn } from '../../proposals.js';
import { isDirectory } from '../../source.js';
import { readUpdateFile } from '../../update-file.js';
import type { Values } from '../../values.js';

/** @throws CommandError */
export async function run(values: Values, context: Context): Promise<void> {
  const { process } = context;
  if (values.rest.length === 0) throw new UsageError('at least one file is needed');
  const paths = values.rest.flatMap((path) => (isDirectory(path) ? updatesIn(path, process) : [path]));
  const files = paths.map((path) => readUpdateFile(path, process));
  try {
    const order = await orderOf(values, context);
    const { envelope, signatures, duplicates } = await mergeEnvelopes(
      files.map(({ bytes }) => bytes),
      order,
    );
    writeBinary(values.one('output'), envelope, process);
    const dropped = duplicates === 0 ? '' : `, ${duplicates} duplicate dropped`;
    printNote(
      `${signatures.length} ${signatures.length === 1 ? 'signature' : 'signatures'}${dropped}`,
      process,
    );
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    const names = paths.map((path, index) => `${index + 1} is ${path}`).join(', ');
    throw new CommandError(`${error.message} (input ${names})`, { cause: error });
  }
}

/** The order that satisfies the policies of the channel. */
async function orderOf(values: Values, context: Context): Promise<SignatureOrder | undefined> {
  const block = values.optional('block');
  if (block === undefined) return undefined;
  const config = await readChannelInput(block, values, context, readConfigFile);
  const { signatureOrderFor } = await import('../../../review/signature-order.js');
  return signatureOrderFor(config);
}
