// Blocks that tests make of JSON: with the hash of their data, as an orderer requires of a block that it joins with.

import { createHash } from 'node:crypto';
import { encode } from '../../translator/index.js';
import { blockBytes, parseBlock } from '../../translator/ledger/index.js';

/** The block of a JSON document of `common.Block`, whose header gets the hash of the data. */
export function makeBlock(json: string): Buffer {
  const block = parseBlock(encode('common.Block', json));
  const hash = createHash('sha256');
  for (const data of block.data) hash.update(data);
  return Buffer.from(blockBytes({ ...block, dataHash: hash.digest() }));
}
