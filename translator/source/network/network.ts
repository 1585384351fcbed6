// A channel of a running network: its blocks, from the first orderer that serves them, verified before they are used.

import { TranslateError } from '../../../proto/errors.js';
import type { Config } from '../../config/element.js';
import { readConfigFile } from '../../config/file.js';
import type { Blocks, Position } from '../blocks.js';
import { blockBytes, isConfigBlock, lastConfigOf, parseBlock, type StoredBlock } from '../stored-block.js';
import { checkChain, checkData, checkSignatures } from '../verify-block.js';
import type { Orderer } from './orderer.js';
import { seekEnvelope, type SeekRequest } from './seek.js';

/** Who asks for blocks, and of which channel. */
export type Asking = Pick<SeekRequest, 'channel' | 'signer' | 'clientCertificateHash'>;

/** The blocks of a channel. All its functions throw a TranslateError UNREACHABLE, REFUSED or BAD_BLOCK. */
export class Network implements Blocks {
  readonly #orderers: readonly Orderer[];
  readonly #asking: Asking;
  /** The orderer that responded last is asked first. */
  #preferred = 0;

  /** @param orderers at least one; they are asked in this order */
  constructor(orderers: readonly Orderer[], asking: Asking) {
    this.#orderers = orderers;
    this.#asking = asking;
  }

  /** A block that is verified: its data, and the signatures that the config before it requires. */
  async block(position: Position): Promise<StoredBlock> {
    const block = await this.#fetch(position);
    // No orderer signs the first block.
    if (block.number > 0n) await this.#verify(block);
    return block;
  }

  /** The newest config block, verified like any other. */
  async newestConfig(): Promise<StoredBlock> {
    const newest = await this.#fetch('newest');
    const number = lastConfigOf(newest);
    if (number === newest.number) return this.block(number);
    const config = await this.block(number);
    await checkSignatures(newest, configOf(config));
    return config;
  }

  /** The config blocks, newest first, verified like any other. */
  async *configs(): AsyncGenerator<StoredBlock> {
    for (let block = await this.newestConfig(); ;) {
      yield block;
      if (block.number === 0n) return;
      const number = lastConfigOf(await this.#fetch(block.number - 1n));
      if (number >= block.number)
        throw new TranslateError('BAD_BLOCK', `block ${block.number - 1n} names config block ${number}`);
      block = await this.block(number);
    }
  }

  close(): void {
    for (const orderer of this.#orderers) orderer.close();
  }

  /** A block whose signatures are not verified, from the first orderer that has it. */
  async #fetch(position: Position): Promise<StoredBlock> {
    const reasons: string[] = [];
    for (let tried = 0; tried < this.#orderers.length; tried += 1) {
      const at = (this.#preferred + tried) % this.#orderers.length;
      try {
        const block = await fetchFrom(this.#orderers[at]!, this.#asking, position);
        this.#preferred = at;
        return block;
      } catch (error) {
        if (!(error instanceof TranslateError) || this.#orderers.length === 1) throw error;
        reasons.push(error.message);
      }
    }
    throw new TranslateError(
      'UNREACHABLE',
      `no orderer serves the channel ${this.#asking.channel}: ${reasons.join('; ')}`,
    );
  }

  async #verify(block: StoredBlock): Promise<void> {
    if (!isConfigBlock(block)) {
      await checkSignatures(block, configOf(await this.#fetch(lastConfigOf(block))));
      return;
    }
    const before = await this.#fetch(block.number - 1n);
    checkChain(before, block);
    const number = lastConfigOf(before);
    await checkSignatures(block, configOf(number === before.number ? before : await this.#fetch(number)));
  }
}

/** Fetches a block from one orderer; only its data are verified. @throws TranslateError UNREACHABLE, REFUSED or BAD_BLOCK */
export async function fetchFrom(orderer: Orderer, asking: Asking, position: Position): Promise<StoredBlock> {
  const envelope = await seekEnvelope({ ...asking, position, now: new Date() });
  const block = parseBlock(await orderer.deliver(envelope));
  if (typeof position === 'bigint' && block.number !== position)
    throw new TranslateError(
      'BAD_BLOCK',
      `orderer ${orderer.address}: block ${block.number} in place of block ${position}`,
    );
  checkData(block);
  return block;
}

/** @throws TranslateError WRONG_MESSAGE if it is not a config block */
const configOf = (block: StoredBlock): Config => readConfigFile(blockBytes(block)).config;
