// A channel of a running network. Its blocks come from its orderers and are verified with other blocks of these orderers before use.

import { is, requireTypes } from '../../proto/arguments.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { digest } from '../crypto/index.js';
import { LongCall, WHOLE, type CallOptions } from '../long-call.js';
import { decodePem } from '../msp/index.js';
import type { SigningIdentity } from '../sign/index.js';
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
  openOrderer,
  seekEnvelope,
  type FailedRequest,
  type OpenedOrderer,
  type Orderer,
  type OrdererOptions,
} from './connection.js';
import { BlockRequests, type Asking } from './fetch.js';
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
import { submit, type SubmitOptions, type Submitted } from './submit.js';
import { badBlock, checkedLastConfig, verifiedBefore, verifyData, type Fetch } from './verify-block.js';

/** The maximum number of orderers in a config, and of orderers that are opened because configs name them. */
const MAX_ORDERERS = 100;

/** How orderers of a channel are reached. */
export interface ConnectOptions {
  readonly channel: string;
  /** The addresses `HOST:PORT` of at least one orderer; the others are found in the config. */
  readonly orderers: readonly string[];
  /** The identity that requests blocks, and that submits updates. */
  readonly signer: SigningIdentity;
  /** Undefined means no TLS. `cas` and `serverName` are for `orderers`; the others have their CAs in the config. */
  readonly tls?: Pick<OrdererOptions, 'serverName' | 'client'> & { readonly cas: Uint8Array };
  /** A config block to which all others must lead back. */
  readonly trusted?: Trusted | undefined;
  /** The time limit of a call, in milliseconds. @default 10000 */
  readonly timeout?: number;
  /** What to do about faults of TLS. @param isGiven whether it is one of `orderers` */
  readonly advice?: (isGiven: boolean) => OrdererOptions['advice'];
}

const CONNECT_OPTIONS = is.only({
  channel: is.text,
  orderers: is.list(is.text),
  signer: is.named('a result of readSigningIdentity', is.record({ creator: is.bytes, sign: is.method })),
  tls: is.optional(
    is.only({
      cas: is.bytes,
      serverName: is.optional(is.text),
      client: is.optional(is.record({ certificate: is.bytes, key: is.bytes })),
    }),
  ),
  trusted: is.optional(is.record({})),
  timeout: is.optional(is.number(0)),
  advice: is.optional(is.method),
});

/** The blocks of a channel. All methods throw TranslateError UNREACHABLE, REFUSED or BAD_BLOCK. */
export class Network implements Blocks {
  readonly #given: readonly Orderer[];
  readonly #asking: Asking;
  readonly #requests: BlockRequests;
  readonly #open: OpenOrderer | undefined;
  readonly #setups: ConfigSetups;
  /** The number of the trusted block, once it is known. */
  #trustedNumber: bigint | undefined;
  /** The trusted block, or a newer config block that leads back to it. */
  #anchor: Trusted | undefined;
  /** Orderers in configs that were not given, by address. */
  readonly #opened = new Map<string, Orderer>();
  /** The orderers of the newest config. */
  #named: readonly Orderer[] = [];
  #heights: Heights | undefined;
  /** The orderers with the newest config block. */
  #serving: readonly Orderer[] = [];
  /** Orderers with blocks that are not used. */
  #distrusted: ReadonlySet<Orderer> = new Set();
  /** The numbers of older config blocks that enough consenters have. */
  readonly #shared = new Set<bigint>();

  /**
   * @param given at least one orderer
   * @param open opens the other orderers of the config; without it, only the given ones are asked
   * @param trusted a config block to which all others must lead back
   * @param setups the configs that verify blocks
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
    this.#requests = new BlockRequests(asking);
    this.#open = open;
    this.#anchor = trusted;
    this.#setups = setups;
  }

  /**
   * The network of a channel. Connections are made at the first call; `close` ends them.
   *
   * @throws TranslateError BAD_KEY if certificates or keys cannot be used
   */
  static async connect(options: ConnectOptions): Promise<Network> {
    requireTypes({ options }, { options: CONNECT_OPTIONS });
    const { channel, orderers, signer, tls, trusted, timeout = 10_000, advice } = options;
    const certificate = tls?.client && decodePem(tls.client.certificate);
    const clientCertificateHash = certificate && digest('SHA-256', [certificate.bytes]);
    const open = async (address: string, cas?: Uint8Array): Promise<Orderer> =>
      openOrderer({
        address,
        cas: tls && (cas ?? tls.cas),
        serverName: cas === undefined ? tls?.serverName : undefined,
        client: tls?.client,
        timeout,
        advice: advice?.(cas === undefined) ?? {},
      });
    const given: Orderer[] = [];
    for (const address of orderers) given.push(await open(address));
    return new Network(given, { channel, signer, clientCertificateHash }, open, trusted);
  }

  /**
   * Submits an envelope with a config update, and waits for its block. The signer becomes the submitter; the signatures on the update are
   * unchanged.
   *
   * @param envelope a serialized `common.Envelope`
   * @throws TranslateError NOT_SEEN if an orderer accepted it, or may have accepted it, but it was not seen on enough orderers in time;
   *   UNREACHABLE if no orderer accepted it; REFUSED if one refused it, or if another update was accepted first
   * @throws the reason of `signal` if it aborts before the envelope is sent
   */
  async submit(envelope: Uint8Array, options: SubmitOptions = {}): Promise<Submitted> {
    return submit(envelope, this, { requests: this.#requests, signer: this.#asking.signer }, options);
  }

  /** The orderers that were opened because a config names them. */
  get opened(): readonly Orderer[] {
    return [...this.#opened.values()];
  }

  /** The orderers of the newest config, or the given ones if it contains none; empty before the newest config is known. */
  get orderers(): readonly Orderer[] {
    return this.#named;
  }

  /**
   * The orderers to which an update is sent. Orderers with the newest config block are first, because an orderer that is behind or removed
   * may refuse it. Orderers with blocks that are not used are excluded.
   */
  get receivers(): readonly Orderer[] {
    const all = new Set([...this.#serving, ...this.#given, ...this.#named]);
    return [...all].filter((orderer) => !this.#distrusted.has(orderer));
  }

  /** The responses to the last request for the newest block; undefined before the first request. */
  get heights(): Heights | undefined {
    return this.#heights;
  }

  /** The progress of each of `orderers`. */
  get progress(): readonly OrdererProgress[] {
    const named = new Set(this.#named.map(({ address }) => address));
    return (this.#heights?.orderers ?? [])
      .filter(({ address }) => named.has(address))
      .map(({ address, block, reason }) => ({ address, block, reason }));
  }

  /**
   * A block of the chain of the newest config block, see `newestConfig`. A numbered block comes from the first orderer that has it. The
   * progress counts the blocks between the newest config block and this one.
   *
   * @throws the reason of `signal` if it aborts
   */
  async block(position: Position, options: CallOptions = {}): Promise<StoredBlock> {
    const call = new LongCall(options);
    call.begin('blocks', WHOLE);
    const block = await call.wait(this.#blockAt(position, options.signal, call));
    call.endRun();
    return block;
  }

  async #blockAt(position: Position, signal: AbortSignal | undefined, call: LongCall): Promise<StoredBlock> {
    if (position === 'newest') return (await this.#highest('block', signal)).newest;
    const number = position === 'oldest' ? 0n : position;
    const used = await this.#highest('config block', signal);
    const fetch = this.#fetchUsed(used, signal);
    const newest = used.config.number;
    for await (const config of configsOf(used, fetch, this.#setups)) {
      if (config.number < newest) call.advance(Number(newest - config.number), Number(newest - number));
      if (config.number === number) return config;
      if (config.number > number) continue;
      const block = await fetch(number);
      await verifyData(block, config, this.#setups);
      return block;
    }
    throw new TranslateError('BAD_BLOCK', `there is no config block at or before block ${number}`);
  }

  /**
   * The newest config block. The given orderers and the orderers in their configs are asked, in parallel; with a trusted block, only
   * configs that lead back to it are used to find orderers. The blocks of an orderer are verified with other blocks of the same orderer,
   * which proves that they match, not that the orderer is honest. All chains must agree, see `agree`. The newest block is used; `heights`
   * has the response of each orderer and how the block is anchored.
   *
   * @throws the reason of `signal` if it aborts
   */
  async newestConfig({ signal }: Pick<CallOptions, 'signal'> = {}): Promise<StoredBlock> {
    return (await new LongCall({ signal }).wait(this.#highest('config block', signal))).config;
  }

  /**
   * The config blocks, newest first, each verified with the previous one. If enough consenters have the newest one, they are also asked
   * for the older ones. The progress counts all blocks from the newest config block to block 0.
   *
   * @throws the reason of `signal` if it aborts
   */
  async *configs(options: CallOptions = {}): AsyncGenerator<StoredBlock> {
    const call = new LongCall(options);
    call.begin('blocks', WHOLE);
    const used = await call.wait(this.#highest('config block', options.signal));
    const isMajority = this.#heights?.anchored === 'majority';
    const newest = used.config.number;
    const blocks = configsOf(used, this.#fetchUsed(used, options.signal), this.#setups);
    let next: StoredBlock | undefined;
    for (;;) {
      const { value: block } = await call.wait(blocks.next());
      if (block === undefined) break;
      if (
        isMajority &&
        (next === undefined || (await call.wait(this.#isShared(block, next, used.config, options.signal))))
      )
        this.#shared.add(block.number);
      if (block.number < newest) call.advance(Number(newest - block.number), Number(newest));
      yield block;
      next = block;
    }
    call.endRun();
  }

  /** Fetches blocks from the orderer whose newest config block is used, or else from another one. */
  #fetchUsed({ orderer }: Newest, signal: AbortSignal | undefined): Fetch {
    return this.#fetchFrom([orderer, ...this.#all().filter((each) => each !== orderer)], signal);
  }

  /**
   * Whether enough consenters have a config block. The consenters with the newest config block are asked, unless they are known to have the
   * next block, which contains the hash of this one. The signature in the next config block proves less: with Raft, one orderer makes it.
   *
   * @throws TranslateError BAD_BLOCK if orderers with the same newest config block have different versions of this block
   */
  async #isShared(
    block: StoredBlock,
    next: StoredBlock,
    newest: StoredBlock,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (next.number === block.number + 1n && this.#shared.has(next.number)) return true;
    const hash = hashOf(block);
    const found = await Promise.all(
      this.#serving.map(async (orderer) =>
        attempt(
          async () => hashOf(await this.#requests.fetch(orderer, block.number, signal)),
          () => undefined,
        ),
      ),
    );
    const other = found.findIndex((each) => each !== undefined && each !== hash);
    if (other !== -1)
      throw badBlock(
        block,
        `orderers have different versions of it: ${this.#serving[found.indexOf(hash)]?.address ?? 'one'} has the one with the hash ${hash}, ${this.#serving[other]!.address} the one with the hash ${found[other]!}`,
      );
    const addresses = this.#serving.flatMap(({ address }, index) => (found[index] === hash ? [address] : []));
    return supportOf(configIn(newest), addresses).isEnough;
  }

  /** How a config block is anchored, after `configs` has returned it. Blocks before the trusted one are only verified to match. */
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
   * Asks all orderers, then further ones in their configs, until no config has new ones. With a trusted block, only configs that lead back
   * to it are read for this.
   */
  async #highest(of: Heights['of'], ended?: AbortSignal): Promise<Newest> {
    let responses: readonly OrdererResponse[] = [];
    let chains: Chains | undefined;
    for (let next = this.#all(); next.length > 0;) {
      const asked = await askAll(next, responses, async (each, signal) =>
        this.#newestOf(each, ended === undefined ? signal : AbortSignal.any([signal, ended])),
      );
      ended?.throwIfAborted();
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

  /** The newest blocks of an orderer, verified with its other blocks. */
  async #newestOf(orderer: Orderer, signal: AbortSignal): Promise<OrdererResponse> {
    const fetch: Fetch = async (position) => this.#requests.fetch(orderer, position, signal);
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

  /** Opens the orderers of configs that are not open yet, and returns them. */
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
          : unusable(place.address, `it is not asked: the limit is ${MAX_ORDERERS} orderers`),
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

  /** Fetches blocks from the first of several orderers that has them; only their data and channel are checked. */
  #fetchFrom(orderers: readonly Orderer[], signal?: AbortSignal): Fetch {
    return async (position) => {
      const responses: OrdererResponse[] = [];
      for (const orderer of orderers) {
        const block = await attempt(
          async () => this.#requests.fetch(orderer, position, signal),
          (error) => void responses.push({ orderer, error }),
        );
        if (block !== undefined) return block;
        signal?.throwIfAborted();
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

/** @throws TranslateError BAD_BLOCK if orderers have different blocks with the same number */
function highestOf(of: Heights['of'], used: readonly Newest[]): Newest | undefined {
  const [first] = used;
  if (first === undefined || of === 'config block') return first;
  const best = used.reduce((high, each) => (each.newest.number > high.newest.number ? each : high));
  const hash = hashOf(best.newest);
  const other = used.find(({ newest }) => newest.number === best.newest.number && hashOf(newest) !== hash);
  if (other === undefined) return best;
  throw badBlock(
    best.newest,
    `orderers have different versions of it: ${best.orderer.address} has the one with the hash ${hash}, ${other.orderer.address} the one with the hash ${hashOf(other.newest)}`,
  );
}

/** The orderers in a config block, each address once. */
function orderersIn(block: StoredBlock): readonly OrdererPlace[] {
  const places = orderersOf(configIn(block));
  return [...new Map(places.map((each) => [each.address, each])).values()];
}

/**
 * The height of a channel according to an orderer, or the failed request. Nothing is verified.
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
