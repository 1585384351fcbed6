// Fetches a block from one orderer.

import { TranslateError } from '../../proto/errors.js';
import { parseBlock, type Position, type StoredBlock } from '../ledger/index.js';
import { seekEnvelope, type Orderer, type SeekRequest } from './connection.js';
import { checkChannel, checkData } from './verify-block.js';

/** The channel, and the identity that requests blocks. */
export type Asking = Pick<SeekRequest, 'channel' | 'signer' | 'clientCertificateHash'>;

/** Fetches a block from one orderer; only its data and channel are verified. @throws TranslateError UNREACHABLE, REFUSED or BAD_BLOCK */
export async function fetchFrom(
  orderer: Orderer,
  asking: Asking,
  position: Position,
  signal?: AbortSignal,
): Promise<StoredBlock> {
  const envelope = await seekEnvelope({ ...asking, position, now: new Date() });
  const block = parseBlock(await orderer.deliver(envelope, signal));
  if (typeof position === 'bigint' && block.number !== position)
    throw new TranslateError('BAD_BLOCK', `it sent block ${block.number} in place of block ${position}`);
  checkData(block);
  checkChannel(block, asking.channel);
  return block;
}
