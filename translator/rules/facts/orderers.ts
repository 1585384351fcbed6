// The orderers of a running channel.

import { addressText, type Config, consentersOf, channelOf } from '../../channel/index.js';

/** The response of an orderer. */
export interface OrdererProgress {
  /** `host:port` */
  readonly address: string;
  /** The number of its newest config block; null if it does not respond. */
  readonly block: string | null;
  /** The reason that it does not respond; null if it does. */
  readonly reason: string | null;
}

/** The positions of the consenters that are alive: all except consenters at the address of an orderer that does not respond. */
export function activeConsenters(config: Config, orderers: readonly OrdererProgress[]): ReadonlySet<number> {
  const silent = new Set(orderers.flatMap(({ address, block }) => (block === null ? [address] : [])));
  return new Set(
    consentersOf(channelOf(config)).flatMap((consenter, index) =>
      silent.has(addressText(consenter)) ? [] : [index],
    ),
  );
}

/** The orderers that do not have a config block, in words. */
export const lackingBlock = (orderers: readonly OrdererProgress[], block: bigint): string[] =>
  orderers.flatMap(({ address, block: own, reason }) => {
    if (own === null) return [`${address} does not respond (${reason ?? ''})`];
    return BigInt(own) < block ? [`${address} has config block ${own} only`] : [];
  });
