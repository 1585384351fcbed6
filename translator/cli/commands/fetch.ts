// `fetch`: writes a block of a channel.

import { defineCommand, flag } from '../command.js';
import { writeBinary } from '../files.js';
import { BLOCKS, envelopeOutput, NETWORK } from '../flags.js';
import { blockPosition } from '../kinds.js';
import { sourceOf } from '../profile.js';

/** The command. */
export const fetch = defineCommand({
  name: 'fetch',
  help: 'Writes a block of a channel; by default the newest config block.',
  example: 'fetch grpcs://orderer1.example.com:7050/ch1 -o config_block.pb',
  flags: {
    number: flag(blockPosition, 'The number of the block, or newest, or oldest.'),
    output: envelopeOutput('block'),
    network: NETWORK,
  },
  arguments: { source: BLOCKS },
  async run({ source: given, number, output, network }, io) {
    const { withBlocks } = await import('../inputs.js');
    const { blockBytes } = await import('../../ledger/index.js');
    const source = await sourceOf(given, network, 'source');
    const block = await withBlocks(source, network, io, async (blocks) =>
      number === undefined ? blocks.newestConfig() : blocks.block(number),
    );
    await writeBinary(output, blockBytes(block), io);
  },
});
