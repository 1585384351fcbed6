// The configs that verify blocks. Setting up their MSPs takes as long as verifying the certificates in them.

import { toHex } from '../../proto/bytes.js';
import type { Config } from '../channel/index.js';
import { blockHash, type StoredBlock } from '../ledger/index.js';
import { MspCache } from '../msp/index.js';
import { ChannelState } from '../state/index.js';

/** The maximum number of cached configs. */
const MAX_CONFIGS = 16;
/** The total size of config blocks, in bytes, after which cached MSPs are dropped. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Blocks are verified by the rules of Fabric 3.0, whenever they were made. */
const stateOf = (config: Config, cache: MspCache): ChannelState => new ChannelState(config, { cache });

/** A cache of configs that verify blocks. Each cached config is set up once, and so is an MSP that several of them contain. */
export class ConfigSetups {
  readonly #create: typeof stateOf;
  /** By the hash of the config block. */
  readonly #known = new Map<string, ChannelState>();
  #msps = new MspCache();
  #bytes = 0;

  /** @param create makes the state of a config that has no state yet */
  constructor(create = stateOf) {
    this.#create = create;
  }

  /**
   * The state of a config.
   *
   * @param block the config block, with verified data
   * @param config the config in it
   */
  of(block: StoredBlock, config: Config): ChannelState {
    const hash = toHex(blockHash(block));
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    this.#bytes += block.data.reduce((sum, { length }) => sum + length, 0);
    if (this.#bytes > MAX_BYTES) {
      this.#bytes = 0;
      this.#msps = new MspCache();
    }
    const made = this.#create(config, this.#msps);
    this.#known.set(hash, made);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_CONFIGS) this.#known.delete(oldest!);
    return made;
  }
}
