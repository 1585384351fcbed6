// What blocks are verified with: the consenters, the policy and the MSPs of a config. Setting up MSPs takes as long as verifying their certificates.

import { toHex } from '../../proto/bytes.js';
import { channelOf, type Channel, type Config } from '../channel/index.js';
import { blockHash, type StoredBlock } from '../ledger/index.js';
import { MspCache, setupChannelMsps, type MspManager } from '../msp/index.js';
import { createPolicies, findPolicy, type PolicyNode } from '../policy/index.js';

/** The policy that the signatures of a block have to satisfy. */
export const BLOCK_VALIDATION = '/Channel/Orderer/BlockValidation';

/** A config that verifies blocks. */
export interface SetUpConfig {
  readonly channel: Channel;
  readonly manager: MspManager;
  /** BlockValidation; undefined if the channel has none. */
  readonly policy: PolicyNode | undefined;
}

/** How many configs are kept. */
const MAX_CONFIGS = 16;
/** How many bytes of config blocks are set up before their MSPs are forgotten. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The configs of a channel that verify blocks. Each is set up once while it is kept, and an MSP that several of them have is set up once, too. */
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
   * @param block the config block, of which the data were checked
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
