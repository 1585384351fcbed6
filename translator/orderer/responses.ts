// Asks all orderers of a channel for their newest block in parallel, and summarises the responses.

import { TranslateError } from '../../proto/errors.js';
import type { StoredBlock } from '../ledger/index.js';
import type { OrdererProgress } from '../review/index.js';
import type { Orderer } from './connection.js';

/** The time for the other orderers after the first response, in milliseconds. */
const AFTER_FIRST = 3000;
/** The time for the other orderers after the responses of more than half of the orderers, in milliseconds. */
const AFTER_MOST = 1000;

/** The newest blocks of an orderer, verified with its other blocks. */
export interface Newest {
  readonly orderer: Orderer;
  readonly newest: StoredBlock;
  /** The newest config block at `newest`. */
  readonly config: StoredBlock;
  /** The config block before `config`, with which it was verified; undefined if `config` is block 0. */
  readonly before: StoredBlock | undefined;
}

/** The newest blocks of an orderer, or the reason why there are none or they are not used. The error does not name the orderer. */
export type OrdererResponse = Newest | { readonly orderer: Orderer; readonly error: TranslateError };

/** Whether a response contains usable blocks. */
export const isNewest = (response: OrdererResponse): response is Newest => 'newest' in response;

/**
 * Asks orderers in parallel. It ends when all have responded or failed, 3 s after the first response, or 1 s after the responses of more
 * than half of the orderers, whichever is first. Without any response, each orderer has the full timeout of its calls.
 *
 * @param earlier the responses of other orderers, which are counted too
 * @param ask asks one orderer; its signal aborts at the end
 * @returns the responses in the order of the orderers; a late one is an error
 */
export async function askAll(
  orderers: readonly Orderer[],
  earlier: readonly OrdererResponse[],
  ask: (orderer: Orderer, signal: AbortSignal) => Promise<OrdererResponse>,
): Promise<readonly OrdererResponse[]> {
  const controller = new AbortController();
  const responses = new Map<Orderer, OrdererResponse>();
  const timers = new Map<number, NodeJS.Timeout>();
  let late = '';
  await new Promise<void>((resolve, reject) => {
    const endAfter = (milliseconds: number, what: string): void => {
      if (timers.has(milliseconds)) return;
      const end = (): void => {
        late = `no response within ${milliseconds / 1000} s after ${what}`;
        resolve();
      };
      timers.set(milliseconds, setTimeout(end, milliseconds));
    };
    const proceed = (): void => {
      if (controller.signal.aborted) return;
      if (responses.size === orderers.length) {
        resolve();
        return;
      }
      const responded = [...earlier, ...responses.values()].filter(isNewest).length;
      if (responded > 0) endAfter(AFTER_FIRST, 'the first response');
      if (2 * responded > earlier.length + orderers.length)
        endAfter(AFTER_MOST, 'the responses of more than half of the orderers');
    };
    const askOne = async (orderer: Orderer): Promise<void> => {
      responses.set(orderer, await ask(orderer, controller.signal));
      proceed();
    };
    for (const orderer of orderers) askOne(orderer).catch(reject);
    proceed();
  }).finally(() => {
    for (const timer of timers.values()) clearTimeout(timer);
    controller.abort();
  });
  return orderers.map(
    (orderer) => responses.get(orderer) ?? { orderer, error: new TranslateError('UNREACHABLE', late) },
  );
}

/** How the newest config block was verified to belong to the channel. */
export type Anchored =
  /** It leads back to the trusted block. */
  | 'trust'
  /** Enough consenters have it: more than half of them, with BFT one more than may be faulty. */
  | 'majority'
  /** Too few consenters have it, so an orderer may have made it up. */
  | 'no';

/** The height of an orderer. */
interface OrdererHeight extends OrdererProgress {
  /** The number of its newest block; null if it does not respond, or if the block is not used. */
  readonly newest: string | null;
}

/** A summary of the responses to a request for the newest block. */
export interface Heights {
  /** The requested kind of block. */
  readonly of: 'block' | 'config block';
  /** The number of the block that is used. */
  readonly used: bigint;
  /** The number of the newest config block. */
  readonly config: bigint;
  readonly anchored: Anchored;
  /** The number of consenters with the newest config block, and of all consenters. */
  readonly serving: number;
  readonly consenters: number;
  /** The addresses of other orderers with the newest config block: the config has no consenter there. */
  readonly others: readonly string[];
  /** All orderers that were asked. */
  readonly orderers: readonly OrdererHeight[];
}

/** A summary of one response. */
export function heightOf(response: OrdererResponse): OrdererHeight {
  const { address } = response.orderer;
  if (!isNewest(response)) return { address, block: null, newest: null, reason: response.error.message };
  const { config, newest } = response;
  return { address, block: String(config.number), newest: String(newest.number), reason: null };
}

/** Describes how the newest config block was verified to belong to the channel. */
export function anchoredText({ anchored, config, serving, consenters, others }: Heights): string {
  if (anchored === 'trust') return `config block ${config} leads back to the trusted block`;
  const count = `${serving} of ${consenters} consenters`;
  if (anchored === 'majority') return `config block ${config} is on ${count}`;
  const more = others.length === 0 ? '' : ` and from ${others.join(', ')}, where the config has no consenter`;
  return `not-anchored: config block ${config} is from ${count}${more}; name a block that you trust to be sure`;
}

/** Names the orderers that do not have the block that is used; undefined if all have it. */
export function lackingText({ of, used, orderers }: Heights): string | undefined {
  const lacking = orderers.flatMap(({ address, block, newest, reason }) => {
    if (block === null || newest === null) return [`${address}: ${reason ?? ''}`];
    if (BigInt(of === 'block' ? newest : block) >= used) return [];
    return [`${address} has ${of === 'block' ? '' : `config block ${block} and `}block ${newest}`];
  });
  if (lacking.length === 0) return undefined;
  const count = `${orderers.length - lacking.length} of ${orderers.length} orderers`;
  return `${of} ${used} is the newest one and is on ${count}; ${lacking.join('; ')}`;
}
