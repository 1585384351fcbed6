// How far the orderers of a channel are.

import type { TranslateError } from '../../proto/errors.js';
import type { OrdererProgress } from '../review/facts/orderers.js';
import { isNewest, type OrdererResponse } from './ask-all.js';

/** How far an orderer is. */
export interface OrdererHeight extends OrdererProgress {
  /** The number of its newest block; null if it does not respond, or if that block is not used. */
  readonly newest: string | null;
}

/** What the orderers of a channel responded when they were asked for the newest block. */
export interface Heights {
  /** What was asked for. */
  readonly of: 'block' | 'config block';
  /** The number of the block that is used. */
  readonly used: bigint;
  /** All orderers that were asked. */
  readonly orderers: readonly OrdererHeight[];
}

/** What an orderer responded, in short. */
export function heightOf(response: OrdererResponse): OrdererHeight {
  const { address } = response.orderer;
  if (!isNewest(response))
    return { address, block: null, newest: null, reason: reasonOf(address, response.error) };
  const { config, newest } = response;
  return { address, block: String(config.number), newest: String(newest.number), reason: null };
}

/** Why an orderer does not respond, without its address. */
export const reasonOf = (address: string, { message }: TranslateError): string =>
  message.replace(`orderer ${address}: `, '');

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
