// The config blocks in one file of a ledger, for browsers: `blockfile_000000` in the folder of a channel.

import { TranslateError } from '../../proto/errors.js';
import { MAX_VARINT, readLength } from './block-length.js';
import { blockBytes, hasItsData, isConfigBlock, parseStoredBlock } from './stored-block.js';

/** The name of such a file. */
export const LEDGER_FILE = /(?:^|\/)blockfile_\d{6,10}$/;

/**
 * The config blocks in a file, oldest first, as serialized `common.Block`. A block at the end that the node is still writing is not among them.
 *
 * @throws TranslateError BAD_LEDGER if the file is damaged
 */
export function configBlocksIn(file: Uint8Array): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let position = 0; position < file.length;) {
    const length = readLength(file, position);
    if (length === undefined) break;
    if (length.value === 0 || length.size > MAX_VARINT)
      throw new TranslateError('BAD_LEDGER', `there is no block at byte ${position}`);
    const start = position + length.size;
    position = start + length.value;
    if (position > file.length) break;
    const block = parseStoredBlock(file.subarray(start, position));
    if (!isConfigBlock(block)) continue;
    if (!hasItsData(block))
      throw new TranslateError(
        'BAD_LEDGER',
        `the data of block ${block.number} are not those that its header has the hash of`,
      );
    found.push(blockBytes(block));
  }
  return found;
}
