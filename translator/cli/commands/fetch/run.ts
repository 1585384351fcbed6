// `fetch`: a block of a channel.

import { blockBytes, type StoredBlock } from '../../../source/stored-block.js';
import type { Ledger } from '../../../source/ledger.js';
import { writeBinary } from '../../binary-output.js';
import { blockNumberOf } from '../../block-number.js';
import type { Context } from '../../context.js';
import { CommandError } from '../../errors.js';
import { isDirectory, withLedger } from '../../source.js';
import { requiredArgument, type Values } from '../../values.js';

/** @throws CommandError */
export async function run(values: Values, { process }: Context): Promise<void> {
  const path = requiredArgument(values, 0, 'ledger');
  const read = readerOf(values.optional('number'));
  if (!isDirectory(path))
    throw new CommandError(
      `${path} is not a directory: the folder of a channel in a node's ledger is needed`,
    );
  writeBinary(values.one('output'), blockBytes(await withLedger(path, read)), process);
}

function readerOf(number: string | undefined): (ledger: Ledger) => StoredBlock {
  if (number === undefined) return (ledger) => ledger.newestConfig();
  if (number === 'newest') return (ledger) => ledger.read(ledger.newest);
  if (number === 'oldest') return (ledger) => ledger.read(ledger.first);
  const wanted = blockNumberOf('number', number);
  return (ledger) => ledger.read(wanted);
}
