// Fetches blocks from orderers.

import { TranslateError } from '../../proto/errors.js';
import { parseBlock, type Position, type StoredBlock } from '../ledger/index.js';
import { seekEnvelope, type Orderer, type SeekRequest } from './connection.js';
import { checkChannel, checkData } from './verify-block.js';

/** The channel, and the identity that requests blocks. */
export type Asking = Pick<SeekRequest, 'channel' | 'signer' | 'clientCertificateHash'>;

/**
 * How long a signed request is used, in milliseconds. Orderers refuse one whose time differs from theirs by more than 15 minutes
 * (`General.Authentication.TimeWindow` of orderer.yaml).
 */
const USED_FOR = 5 * 60 * 1000;
/** The number of signed requests that are kept. */
const MAX_SIGNED = 100;

/** A signed request, and when it was signed, in milliseconds. */
interface Signed {
  readonly at: number;
  readonly envelope: Promise<Uint8Array>;
}

/** The requests of an identity for blocks. The same request to several orderers, or to one again, is signed once: a key elsewhere may need a person. */
export class BlockRequests {
  readonly #asking: Asking;
  readonly #signed = new Map<Position, Signed>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Fetches a block from one orderer; only its data and channel are verified. @throws TranslateError UNREACHABLE, REFUSED or BAD_BLOCK */
  async fetch(orderer: Orderer, position: Position, signal?: AbortSignal): Promise<StoredBlock> {
    const block = parseBlock(await orderer.deliver(await this.#envelopeFor(position), signal));
    if (typeof position === 'bigint' && block.number !== position)
      throw new TranslateError('BAD_BLOCK', `it sent block ${block.number} in place of block ${position}`);
    checkData(block);
    checkChannel(block, this.#asking.channel);
    return block;
  }

  #envelopeFor(position: Position): Promise<Uint8Array> {
    const now = new Date();
    const known = this.#signed.get(position);
    if (known !== undefined && Math.abs(now.getTime() - known.at) < USED_FOR) return known.envelope;
    const envelope = seekEnvelope({ ...this.#asking, position, now });
    this.#signed.delete(position);
    this.#signed.set(position, { at: now.getTime(), envelope });
    const [oldest] = this.#signed.keys();
    if (this.#signed.size > MAX_SIGNED) this.#signed.delete(oldest!);
    return envelope;
  }
}
