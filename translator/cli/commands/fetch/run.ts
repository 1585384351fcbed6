// `fetch`: a block of a channel.

import type { Position } from '../../../source/blocks.js';
import { blockBytes } from '../../../source/stored-block.js';
import { writeBinary } from '../../binary-output.js';
import { blockNumberOf } from '../../block-number.js';
import type { Context } from '../../context.js';
import { withBlocks } from '../../source.js';
import { requiredArgument, type Values } from '../../values.js';

/** @throws CommandError */
export async function run(values: Values, { process }: Context): Promise<void> {
  const path = requiredArgument(values, 0, 'source');
  const position = positionOf(values.optional('number'));
  const block = await withBlocks(path, values, process, async (blocks) =>
    position === undefined ? blocks.newestConfig() : blocks.block(position),
  );
  writeBinary(values.one('output'), blockBytes(block), process);
}

function positionOf(number: string | undefined): Position | undefined {
  if (number === undefined || number === 'newest' || number === 'oldest') return number;
  return blockNumberOf('number', number);
}
