// A channel of a running network: its blocks, from its orderers, verified with other blocks of these orderers before they are used.

import { sha256 } from '@noble/hashes/sha2.js';
import { attempt } from '../../proto/attempt.js';
import { TranslateError } from '../../proto/errors.js';
import { toHex } from '../channel/bytes.js';
import { readConfigFile } from '../channel/file.js';
import type { OrdererProgress } from '../review/facts/orderers.js';
import type { Blocks, Position } from '../ledger/blocks.js';
import { blockBytes, parseBlock, type StoredBlock } from '../ledger/stored-block.js';
import { badBlock, checkChannel, checkData, headerBytes } from '../ledger/verify-block.js';
import { askAll, isNewest, type OrdererResponse, type Newest } from './ask-all.js';
import { heightOf, type Heights } from './heights.js';
import type { Orderer } from './connection.js';
import { openPlace, orderersOf, type OpenOrderer, type OrdererPlace } from './orderers-of.js';
import { seekEnvelope, type SeekRequest } from './seek.js';
import { checkedLastConfig, verifiedConfigAt, verifyBlock, type Fetch } from './verified.js';

/** Who asks for blocks, and of which channel. */
export type Asking = Pick<SeekRequest, 'channel' | 'signer' | 'clientCertificateHash'>;

/** Most orderers that a config may name. */
const MAX_ORDERERS = 100;

/** The blocks of a channel. All its functions throw a TranslateError UNREACHABLE, REFUSED or BAD_BLOCK. */
export class Network implements Blocks {
  readonly #given: readonly Orderer[];
  readonly #asking: Asking;
  readonly #open: OpenOrderer | undefined;
  /** Those that a config names and that are not given, by address. */
  readonly #opened = new Map<string, Orderer>();
  /** Those of the newest config. */
  #named: readonly Orderer[] = [];
  #heights: Heights | undefined;
  /** The orderer that responded last is asked first. */
  #preferred: Orderer | undefined;

  /**
   * @param given orderers, at least one
   * @param open opens the others, which the config names; without it only those that are given are asked
   */
  constructor(given: readonly Orderer[], asking: Asking, open?: OpenOrderer) {
    this.#given = given;
    this.#asking = asking;
    this.#open = open;
  }

  /** The orderers that were opened because a config names them. */
  get opened(): readonly Orderer[] {
    return [...this.#opened.values()];
  }

  /** The orderers that the newest config names, or those that are given if it names none; none before the newest config is known. */
  get orderers(): readonly Orderer[] {
    return this.#named;
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

  /**
   * A verified block. That of a number, and the oldest, come from the first orderer that has it; the newest is the highest that an orderer
   * has, see `newestConfig`.
   */
  async block(position: Position): Promise<StoredBlock> {
    if (position === 'newest') return (await this.#highest('block')).newest;
    const block = await this.#fetch(position);
    await verifyBlock(block, async (each) => this.#fetch(each));
    return block;
  }

  /**
   * The newest config block. All orderers, those that are given and those that the config names, are asked at the same time. The blocks of
   * each are verified with other blocks of the same orderer: this proves that they fit together, not that it is honest. The highest
   * verified one is used, and `heights` has what each orderer responded.
   *
   * @throws TranslateError also BAD_BLOCK if orderers have different blocks of one number
   */
  async newestConfig(): Promise<StoredBlock> {
    return (await this.#highest('config block')).config;
  }

  /** The config blocks, newest first, verified. */
  async *configs(): AsyncGenerator<StoredBlock> {
    for (let block = await this.newestConfig(); ;) {
      yield block;
      if (block.number === 0n) return;
      block = await this.block(checkedLastConfig(await this.#fetch(block.number - 1n)));
    }
  }

  close(): void {
    for (const orderer of this.#all()) orderer.close();
  }

  #all(): readonly Orderer[] {
    return [...this.#given, ...this.#opened.values()];
  }

  /** Asks all orderers, then those that the config names and that were not asked, until it names no others. */
  async #highest(of: Heights['of']): Promise<Newest> {
    const responses: OrdererResponse[] = [];
    for (let next = this.#all(); ;) {
      responses.push(
        ...(await askAll(next, responses, async (each, signal) => this.#newestOf(each, signal))),
      );
      const best = highestOf(of, responses);
      if (best === undefined) throw this.#noneServes(responses.map((each) => errorOf(each)!));
      this.#preferred = best.orderer;
      next = await this.#openNamed(orderersIn(best.config));
      if (next.length > 0) continue;
      this.#heights = { of, used: best[KEYS[of]].number, orderers: responses.map(heightOf) };
      return best;
    }
  }

  /** The newest blocks of an orderer, verified with its own. */
  async #newestOf(orderer: Orderer, signal: AbortSignal): Promise<OrdererResponse> {
    const fetch: Fetch = async (position) => fetchFrom(orderer, this.#asking, position, signal);
    const read = async (): Promise<OrdererResponse> => {
      const newest = await fetch('newest');
      const config = await verifiedConfigAt(newest, fetch);
      const { length } = orderersIn(config);
      if (length > MAX_ORDERERS)
        throw badBlock(config, `its config names ${length} orderers, at most ${MAX_ORDERERS} are asked`);
      return { orderer, newest, config };
    };
    return attempt(read, (error) => ({ orderer, error }));
  }

  /** Opens the orderers of a config that are not open. */
  async #openNamed(places: readonly OrdererPlace[]): Promise<readonly Orderer[]> {
    const open = this.#open;
    const known = new Map(this.#all().map((each) => [each.address, each]));
    const missing = open === undefined ? [] : places.filter(({ address }) => !known.has(address));
    const added = await Promise.all(missing.map(async (place) => openPlace(place, open!)));
    for (const each of added) this.#opened.set(each.address, each);
    const named = places.flatMap(({ address }) => known.get(address) ?? this.#opened.get(address) ?? []);
    this.#named = named.length === 0 ? this.#given : named;
    return [...this.#opened.values()].filter((each) => !known.has(each.address));
  }

  /** A block of which only the data and the channel are checked, from the first orderer that has it. */
  async #fetch(position: Position): Promise<StoredBlock> {
    const preferred = this.#preferred;
    const all = this.#all();
    const errors: TranslateError[] = [];
    for (const orderer of preferred === undefined
      ? all
      : [preferred, ...all.filter((each) => each !== preferred)]) {
      const block = await attempt(
        async () => fetchFrom(orderer, this.#asking, position),
        (error) => void errors.push(error),
      );
      if (block === undefined) continue;
      this.#preferred = orderer;
      return block;
    }
    throw this.#noneServes(errors);
  }

  #noneServes(errors: readonly TranslateError[]): TranslateError {
    const [first, ...more] = errors;
    if (first !== undefined && more.length === 0) return first;
    const reasons = errors.map(({ message }) => message).join('; ');
    return new TranslateError(
      'UNREACHABLE',
      `no orderer serves the channel ${this.#asking.channel}: ${reasons}`,
    );
  }
}

const KEYS = { block: 'newest', 'config block': 'config' } as const;

/** @throws TranslateError BAD_BLOCK if orderers have different blocks of that number */
function highestOf(of: Heights['of'], responses: readonly OrdererResponse[]): Newest | undefined {
  const key = KEYS[of];
  const best = responses
    .filter(isNewest)
    .reduce<Newest | undefined>(
      (high, each) => (high === undefined || each[key].number > high[key].number ? each : high),
      undefined,
    );
  if (best === undefined) return undefined;
  const hash = hashOf(best[key]);
  const other = responses
    .filter(isNewest)
    .find((each) => each[key].number === best[key].number && hashOf(each[key]) !== hash);
  if (other === undefined) return best;
  throw badBlock(
    best[key],
    `orderers have different ones: ${best.orderer.address} that with the hash ${hash}, ${other.orderer.address} that with ${hashOf(other[key])}`,
  );
}

const hashOf = (block: StoredBlock): string => toHex(sha256(headerBytes(block)));

/** The orderers that a config block names, each address once. */
function orderersIn(block: StoredBlock): readonly OrdererPlace[] {
  const places = orderersOf(readConfigFile(blockBytes(block)).config);
  return [...new Map(places.map((each) => [each.address, each])).values()];
}

const errorOf = (response: OrdererResponse): TranslateError | undefined =>
  isNewest(response) ? undefined : response.error;

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
    throw new TranslateError(
      'BAD_BLOCK',
      `orderer ${orderer.address}: block ${block.number} in place of block ${position}`,
    );
  checkData(block);
  checkChannel(block, asking.channel);
  return block;
}
