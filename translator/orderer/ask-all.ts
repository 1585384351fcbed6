// Asks several orderers at the same time, without waiting long for those that are silent.

import { TranslateError } from '../../proto/errors.js';
import type { StoredBlock } from '../ledger/stored-block.js';
import type { Orderer } from './connection.js';

/** How long the others have once one orderer has responded, in milliseconds. */
const AFTER_FIRST = 3000;
/** How long the others have once more than half of the orderers have responded, in milliseconds. */
const AFTER_MOST = 1000;

/** What an orderer has: its newest block, and the newest config block at that. */
export interface Newest {
  readonly orderer: Orderer;
  readonly newest: StoredBlock;
  readonly config: StoredBlock;
}

/** What an orderer has, verified; or why it does not respond, or why nothing of it is used. */
export type OrdererResponse = Newest | { readonly orderer: Orderer; readonly error: TranslateError };

/** Whether an orderer has responded with blocks that are used. */
export const isNewest = (response: OrdererResponse): response is Newest => 'newest' in response;

/**
 * Asks orderers at the same time. The end is when all have responded or failed, 3 s after the first response, or 1 s after more than half have responded,
 * whichever comes first. Without any response, each orderer has the whole time of its calls.
 *
 * @param earlier the responses of other orderers, which count too
 * @param ask its signal aborts at the end
 * @returns the responses in the order of the orderers; that of a late one is an error
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
      if (responded > 0) endAfter(AFTER_FIRST, 'the first one');
      if (2 * responded > earlier.length + orderers.length)
        endAfter(AFTER_MOST, 'those of more than half of the orderers');
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
    (orderer) =>
      responses.get(orderer) ?? {
        orderer,
        error: new TranslateError('UNREACHABLE', `orderer ${orderer.address}: ${late}`),
      },
  );
}
