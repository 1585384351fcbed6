// The parts of a config that verify blocks: consenters, policy and MSPs. Setting up MSPs takes as long as verifying their certificates.

import { toHex } from '../../proto/bytes.js';
import { channelOf, type Channel, type Config } from '../channel/index.js';
import { blockHash, type StoredBlock } from '../ledger/index.js';
import { MspCache, setupChannelMsps, type MspManager } from '../msp/index.js';
import { createPolicies, findPolicy, type PolicyNode } from '../policy/index.js';

/** The policy for the signatures of a block. */
export const BLOCK_VALIDATION = '/Channel/Orderer/BlockValidation';

/** A config that verifies blocks. */
export interface SetUpConfig {
  readonly channel: Channel;
  readonly manager: MspManager;
  /** BlockValidation; undefined if the channel has none. */
  readonly policy: PolicyNode | undefined;
}

/** The maximum number of cached configs. */
const MAX_CONFIGS = 16;
/** The total size of config blocks, in bytes, after which cached MSPs are dropped. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A cache of configs that verify blocks. Each cached config is set up once, and so is an MSP that several of them contain. */
export class ConfigSetups {
  readonly #setup: typeof setupChannelMsps;
  /** By the hash of the config block. */
  readonly #known = new Map<string, Promise<SetUpConfig>>();
  #msps = new MspCache();
  #bytes = 0;

  /** @param setup sets up the MSPs of a config */
  constructor(setup = setupChannelMsps) {
    this.#setup = setup;
  }

  /**
   * Sets up a config.
   *
   * @param block the config block, with verified data
   * @param config the config in it
   */
  of(block: StoredBlock, config: Config): Promise<SetUpConfig> {
    const hash = toHex(blockHash(block));
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    this.#bytes += block.data.reduce((sum, { length }) => sum + length, 0);
    if (this.#bytes > MAX_BYTES) {
      this.#bytes = 0;
      this.#msps = new MspCache();
    }
    const made = this.#make(config);
    this.#known.set(hash, made);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_CONFIGS) this.#known.delete(oldest!);
    return made;
  }

  async #make(config: Config): Promise<SetUpConfig> {
    const { manager } = await this.#setup(config, { cache: this.#msps });
    const policy = findPolicy(createPolicies(config.channelGroup).root, BLOCK_VALIDATION);
    return { channel: channelOf(config), manager, policy };
  }
}
