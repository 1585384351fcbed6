// A channel of a running network: its blocks, from the first orderer that serves them, verified before they are used.

import { TranslateError } from '../../../proto/errors.js';
import { readConfigFile } from '../../config/file.js';
import { blockBytes, lastConfigOf, parseBlock, type StoredBlock } from '../stored-block.js';
import { checkChain, checkData, checkSignatures } from '../verify-block.js';
import type { Orderer } from './orderer.js';
import { seekEnvelope, type Position, type SeekRequest } from './seek.js';

/** Who asks for blocks, and of which channel. */
export type Asking = Pick<SeekRequest, 'channel' | 'signer' | 'clientCertificateHash'>;

/** The blocks of a channel. */
export class Network {
  readonly #orderers: readonly Orderer[];
  readonly #asking: Asking;
  /** The orderer that responded last is asked first. */
  #preferred = 0;

  /** @param orderers at least one; they are asked in this order */
  constructor(orderers: readonly Orderer[], asking: Asking) {
    this.#orderers = orderers;
    this.#asking = asking;
  }

  /** Fetches a block. Its data are verified, its signatures are not. @throws TranslateError UNREACHABLE, REFUSED or BAD_BLOCK */
  async fetch(position: Position): Promise<StoredBlock> {
    const reasons: string[] = [];
    for (let tried = 0; tried < this.#orderers.length; tried += 1) {
      const at = (this.#preferred + tried) % this.#orderers.length;
      const orderer = this.#orderers[at]!;
      try {
        const envelope = await seekEnvelope({ ...this.#asking, position, now: new Date() });
        const block = parseBlock(await orderer.deliver(envelope));
        if (typeof position === 'bigint' && block.number !== position)
          throw new TranslateError(
            'REFUSED',
            `orderer ${orderer.address}: block ${block.number} in place of block ${position}`,
          );
        checkData(block);
        this.#preferred = at;
        return block;
      } catch (error) {
        if (!(error instanceof TranslateError)) throw error;
        if (this.#orderers.length === 1) throw error;
        reasons.push(error.message);
      }
    }
    throw new TranslateError(
      'UNREACHABLE',
      `no orderer serves the channel ${this.#asking.channel}: ${reasons.join('; ')}`,
    );
  }

  /**
   * Fetches the newest config block. It must follow the block before it, and have the signatures that the config before it requires.
   *
   * @throws TranslateError UNREACHABLE, REFUSED or BAD_BLOCK
   */
  async newestConfig(): Promise<StoredBlock> {
    const newest = await this.fetch('newest');
    const number = lastConfigOf(newest);
    const config = number === newest.number ? newest : await this.fetch(number);
    if (number !== newest.number) await checkSignatures(newest, configOf(config));
    if (number > 0n) await this.#verifyConfig(config);
    return config;
  }

  close(): void {
    for (const orderer of this.#orderers) orderer.close();
  }

  async #verifyConfig(config: StoredBlock): Promise<void> {
    const before = await this.fetch(config.number - 1n);
    checkChain(before, config);
    const number = lastConfigOf(before);
    const previous = number === before.number ? before : await this.fetch(number);
    await checkSignatures(config, configOf(previous));
  }
}

/** @throws TranslateError WRONG_MESSAGE if it is not a config block */
const configOf = (block: StoredBlock): ReturnType<typeof readConfigFile>['config'] =>
  readConfigFile(blockBytes(block)).config;
