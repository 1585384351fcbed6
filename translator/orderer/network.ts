// A channel of a running network: its blocks, from its orderers, verified with other blocks of these orderers before they are used.

import { TranslateError, attempt } from '../../proto/errors.js';
import { parseBlock, type Blocks, type Position, type StoredBlock } from '../ledger/index.js';
import type { OrdererProgress } from '../review/index.js';
import {
  agree,
  chainsOf,
  configIn,
  configsOf,
  hashOf,
  type Agreement,
  type Chains,
  type Trusted,
} from './branches.js';
import { ConfigSetups } from './config-setups.js';
import {
  seekEnvelope,
  type FailedRequest,
  type OpenedOrderer,
  type Orderer,
  type SeekRequest,
} from './connection.js';
import {
  openPlace,
  orderersOf,
  supportOf,
  unusable,
  type OpenOrderer,
  type OrdererPlace,
} from './orderers-of.js';
import {
  askAll,
  heightOf,
  isNewest,
  type Anchored,
  type Heights,
  type Newest,
  type OrdererResponse,
} from './responses.js';
import {
  badBlock,
  checkChannel,
  checkData,
  checkedLastConfig,
  verifiedBefore,
  verifyData,
  type Fetch,
} from './verify-block.js';

/** Who asks for blocks, and of which channel. */
export type Asking = Pick<SeekRequest, 'channel' | 'signer' | 'clientCertificateHash'>;

/** Most orderers that a config may name, and that are opened because configs name them. */
const MAX_ORDERERS = 100;

/** The blocks of a channel. All its functions throw a TranslateError UNREACHABLE, REFUSED or BAD_BLOCK. */
export class Network implements Blocks {
  readonly #given: readonly Orderer[];
  readonly #asking: Asking;
  readonly #open: OpenOrderer | undefined;
  readonly #setups: ConfigSetups;
  /** The number of the block that the user trusts, once it is known. */
  #trustedNumber: bigint | undefined;
  /** The trusted block, or a newer config block that leads back to it. */
  #anchor: Trusted | undefined;
  /** Those that a config names and that are not given, by address. */
  readonly #opened = new Map<string, Orderer>();
  /** Those of the newest config. */
  #named: readonly Orderer[] = [];
  #heights: Heights | undefined;
  /** Those that have the newest config block. */
  #serving: readonly Orderer[] = [];
  /** Orderers whose blocks are not used. */
  #distrusted: ReadonlySet<Orderer> = new Set();
  /** The numbers of older config blocks that enough consenters have, too. */
  readonly #shared = new Set<bigint>();

  /**
   * @param given orderers, at least one
   * @param open opens the others, which the config names; without it only those that are given are asked
   * @param trusted a config block that all others have to lead back to
   * @param setups the configs that blocks are verified with
   */
  constructor(
    given: readonly Orderer[],
    asking: Asking,
    open?: OpenOrderer,
    trusted?: Trusted,
    setups = new ConfigSetups(),
  ) {
    this.#given = given;
    this.#asking = asking;
    this.#open = open;
    this.#anchor = trusted;
    this.#setups = setups;
  }

  /** The orderers that were opened because a config names them. */
  get opened(): readonly Orderer[] {
    return [...this.#opened.values()];
  }

  /** The orderers that the newest config names, or those that are given if it names none; none before the newest config is known. */
  get orderers(): readonly Orderer[] {
    return this.#named;
  }

  /**
   * The orderers that an update is sent to: those that have the newest config block first, because one that is behind, or was removed, may refuse it; none
   * whose blocks are not used.
   */
  get receivers(): readonly Orderer[] {
    const all = new Set([...this.#serving, ...this.#given, ...this.#named]);
    return [...all].filter((orderer) => !this.#distrusted.has(orderer));
  }

  /** What the orderers responded when they were last asked for the newest block; undefined if they were not. */
  get heights(): Heights | undefined {
    return this.#heights;
  }

  /** How far each of `orderers` is. */
  get progress(): readonly OrdererProgress[] {
    const named = new Set(this.#named.map(({ address }) => address));
    return (this.#heights?.orderers ?? [])
      .filter(({ address }) => named.has(address))
      .map(({ address, block, reason }) => ({ address, block, reason }));
  }

  /** A block that belongs to the chain of the newest config block, see `newestConfig`. That of a number comes from the first orderer that has it. */
  async block(position: Position): Promise<StoredBlock> {
    if (position === 'newest') return (await this.#highest('block')).newest;
    const number = position === 'oldest' ? 0n : position;
    const used = await this.#highest('config block');
    const fetch = this.#fetchFrom([used.orderer, ...this.#all().filter((each) => each !== used.orderer)]);
    for await (const config of configsOf(used, fetch, this.#setups)) {
      if (config.number === number) return config;
      if (config.number > number) continue;
      const block = await fetch(number);
      await verifyData(block, config, this.#setups);
      return block;
    }
    throw new TranslateError('BAD_BLOCK', `there is no config block at or before block ${number}`);
  }

  /**
   * The newest config block. All orderers, those that are given, then those that configs name, are asked at the same time; with a trusted block only
   * those that configs name which lead back to it. The blocks of
   * each are verified with other blocks of the same orderer: this proves that they fit together, not that it is honest. All have to be of one chain,
   * see `agree`; the newest one is used, and `heights` has what each orderer responded, and how the block is anchored.
   */
  async newestConfig(): Promise<StoredBlock> {
    return (await this.#highest('config block')).config;
  }

  /**
   * The config blocks, newest first, each verified with the one before. If the newest one is on enough consenters, these are asked for the
   * older ones, too.
   */
  async *configs(): AsyncGenerator<StoredBlock> {
    const used = await this.#highest('config block');
    const isMajority = this.#heights?.anchored === 'majority';
    const fetch = this.#fetchFrom([used.orderer, ...this.#all().filter((each) => each !== used.orderer)]);
    let next: StoredBlock | undefined;
    for await (const block of configsOf(used, fetch, this.#setups)) {
      if (isMajority && (next === undefined || (await this.#isShared(block, next, used.config))))
        this.#shared.add(block.number);
      yield block;
      next = block;
    }
  }

  /**
   * Whether enough consenters have a config block, as they have the newest one. It is so without asking if the next block is a config block that
   * they have, which has the hash of this one. A signature in the next config block proves less: with Raft, one orderer makes it.
   *
   * @throws TranslateError BAD_BLOCK if orderers that have the same newest config block have different ones
   */
  async #isShared(block: StoredBlock, next: StoredBlock, newest: StoredBlock): Promise<boolean> {
    if (next.number === block.number + 1n && this.#shared.has(next.number)) return true;
    const hash = hashOf(block);
    const found = await Promise.all(
      this.#serving.map(async (orderer) =>
        attempt(
          async () => hashOf(await fetchFrom(orderer, this.#asking, block.number)),
          () => undefined,
        ),
      ),
    );
    const other = found.findIndex((each) => each !== undefined && each !== hash);
    if (other !== -1)
      throw badBlock(
        block,
        `orderers have different ones: ${this.#serving[found.indexOf(hash)]?.address ?? 'one'} has the one with the hash ${hash}, ${this.#serving[other]!.address} the one with the hash ${found[other]!}`,
      );
    const addresses = this.#serving.flatMap(({ address }, index) => (found[index] === hash ? [address] : []));
    return supportOf(configIn(newest), addresses).isEnough;
  }

  /** How a config block of `configs` is anchored, once it was read. Those before the trusted one are only verified to fit. */
  anchoredAt(number: bigint): Anchored {
    const { anchored = 'no', config } = this.#heights ?? {};
    if (anchored === 'trust') return number >= this.#trustedNumber! ? anchored : 'no';
    return number === config || this.#shared.has(number) ? anchored : 'no';
  }

  close(): void {
    for (const orderer of this.#all()) orderer.close();
  }

  #all(): readonly Orderer[] {
    return [...this.#given, ...this.#opened.values()];
  }

  /**
   * Asks all orderers, then those that their configs name and that were not asked, until these name no others. With a trusted block, only configs that
   * lead back to it are read for this.
   */
  async #highest(of: Heights['of']): Promise<Newest> {
    let responses: readonly OrdererResponse[] = [];
    let chains: Chains | undefined;
    for (let next = this.#all(); next.length > 0;) {
      const asked = await askAll(next, responses, async (each, signal) => this.#newestOf(each, signal));
      responses = [...responses, ...asked];
      if (this.#anchor !== undefined) {
        chains = await this.#chainsOf(responses, chains);
        ({ responses } = chains);
      }
      const verified = chains?.branches.flatMap(({ members }) => members) ?? asked.filter(isNewest);
      next = await this.#openNamed(verified.map(({ config }) => config));
    }
    const agreement = agree(chains ?? (await this.#chainsOf(responses)), this.#given);
    const best = highestOf(of, agreement.used);
    if (best === undefined) throw this.#noneServes(agreement.responses);
    this.#named = this.#namedBy(best.config);
    this.#heights = this.#heightsOf(of, best, agreement);
    return best;
  }

  async #chainsOf(responses: readonly OrdererResponse[], before?: Chains): Promise<Chains> {
    return chainsOf(responses, {
      trusted: this.#anchor,
      known: before?.branches ?? [],
      fetchFrom: (orderers, signal) => this.#fetchFrom(orderers, signal),
      setups: this.#setups,
    });
  }

  #heightsOf(of: Heights['of'], best: Newest, { used, responses, trusted }: Agreement): Heights {
    const { serving, consenters, others, isEnough } = supportOf(
      configIn(best.config),
      used.map(({ orderer }) => orderer.address),
    );
    this.#trustedNumber ??= trusted;
    this.#serving = used.map(({ orderer }) => orderer);
    const failed = responses.flatMap((each) => (isNewest(each) ? [] : [each]));
    this.#distrusted = new Set(
      failed.filter(({ error }) => error.code === 'BAD_BLOCK').map(({ orderer }) => orderer),
    );
    this.#shared.clear();
    if (trusted !== undefined) this.#anchor = { hash: hashOf(best.config), number: best.config.number };
    return {
      of,
      used: (of === 'block' ? best.newest : best.config).number,
      config: best.config.number,
      anchored: trusted !== undefined ? 'trust' : isEnough ? 'majority' : 'no',
      serving,
      consenters,
      others,
      orderers: responses.map(heightOf),
    };
  }

  /** The newest blocks of an orderer, verified with its own. */
  async #newestOf(orderer: Orderer, signal: AbortSignal): Promise<OrdererResponse> {
    const fetch: Fetch = async (position) => fetchFrom(orderer, this.#asking, position, signal);
    const read = async (): Promise<OrdererResponse> => {
      const newest = await fetch('newest');
      const number = checkedLastConfig(newest);
      const config = number === newest.number ? newest : await fetch(number);
      const before = await verifiedBefore(config, fetch, this.#setups);
      if (config !== newest) await verifyData(newest, config, this.#setups);
      const { length } = orderersIn(config);
      if (length > MAX_ORDERERS)
        throw badBlock(config, `its config names ${length} orderers, at most ${MAX_ORDERERS} are asked`);
      return { orderer, newest, config, before };
    };
    return attempt(read, (error) => ({ orderer, error }));
  }

  /** Opens the orderers of configs that are not open, and returns them. */
  async #openNamed(configs: readonly StoredBlock[]): Promise<readonly Orderer[]> {
    const open = this.#open;
    if (open === undefined) return [];
    const known = new Set(this.#all().map(({ address }) => address));
    const places = new Map(configs.flatMap(orderersIn).map((place) => [place.address, place]));
    const missing = [...places.values()].filter(({ address }) => !known.has(address));
    const remaining = MAX_ORDERERS - this.#opened.size;
    const added = await Promise.all(
      missing.map(async (place, index) =>
        index < remaining
          ? openPlace(place, open)
          : unusable(place.address, `it is not asked: at most ${MAX_ORDERERS} are`),
      ),
    );
    for (const each of added) this.#opened.set(each.address, each);
    return added;
  }

  #namedBy(config: StoredBlock): readonly Orderer[] {
    const all = new Map(this.#all().map((each) => [each.address, each]));
    const named = orderersIn(config).flatMap(({ address }) => all.get(address) ?? []);
    return named.length === 0 ? this.#given : named;
  }

  /** Fetches blocks of which only the data and the channel are checked, from the first of some orderers that has them. */
  #fetchFrom(orderers: readonly Orderer[], signal?: AbortSignal): Fetch {
    return async (position) => {
      const responses: OrdererResponse[] = [];
      for (const orderer of orderers) {
        const block = await attempt(
          async () => fetchFrom(orderer, this.#asking, position, signal),
          (error) => void responses.push({ orderer, error }),
        );
        if (block !== undefined) return block;
      }
      throw this.#noneServes(responses);
    };
  }

  #noneServes(responses: readonly OrdererResponse[]): TranslateError {
    const errors = responses.flatMap((each) => (isNewest(each) ? [] : [each]));
    const [first] = errors;
    const reasons = errors.map(({ orderer, error }) => `orderer ${orderer.address}: ${error.message}`);
    if (first !== undefined && errors.length === 1) return new TranslateError(first.error.code, reasons[0]!);
    return new TranslateError(
      errors.every(({ error }) => error.code === 'BAD_BLOCK') ? 'BAD_BLOCK' : 'UNREACHABLE',
      `no orderer serves the channel ${this.#asking.channel}: ${reasons.join('; ')}`,
    );
  }
}

/** @throws TranslateError BAD_BLOCK if orderers have different blocks of that number */
function highestOf(of: Heights['of'], used: readonly Newest[]): Newest | undefined {
  const [first] = used;
  if (first === undefined || of === 'config block') return first;
  const best = used.reduce((high, each) => (each.newest.number > high.newest.number ? each : high));
  const hash = hashOf(best.newest);
  const other = used.find(({ newest }) => newest.number === best.newest.number && hashOf(newest) !== hash);
  if (other === undefined) return best;
  throw badBlock(
    best.newest,
    `orderers have different ones: ${best.orderer.address} has the one with the hash ${hash}, ${other.orderer.address} the one with the hash ${hashOf(other.newest)}`,
  );
}

/** The orderers that a config block names, each address once. */
function orderersIn(block: StoredBlock): readonly OrdererPlace[] {
  const places = orderersOf(configIn(block));
  return [...new Map(places.map((each) => [each.address, each])).values()];
}

/** Fetches a block from one orderer; only its data and its channel are verified. @throws TranslateError UNREACHABLE, REFUSED or BAD_BLOCK */
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

/**
 * How many blocks of a channel an orderer says it has, or why it does not say it. Nothing is verified: this is a cheap sign of life.
 *
 * @throws TranslateError BAD_BYTES
 */
export async function heightAt(
  orderer: OpenedOrderer,
  asking: Asking,
  signal?: AbortSignal,
): Promise<bigint | FailedRequest> {
  const request = { ...asking, position: 'newest', headerOnly: true, now: new Date() } as const;
  const found = await orderer.request(await seekEnvelope(request), signal);
  return found instanceof Uint8Array ? parseBlock(found).number + 1n : found;
}
