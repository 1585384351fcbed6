// Finds the config block that an update has made.

import { sameBytes } from '../channel/bytes.js';
import { readConfigFile, readUpdateFile } from '../channel/file.js';
import type { Network } from './network.js';
import { blockBytes, type StoredBlock } from '../ledger/stored-block.js';

/** The config blocks after a known one. */
export interface Found {
  /** The block with the update; undefined if there is none. */
  readonly block: StoredBlock | undefined;
  /** The newest config block. */
  readonly newest: StoredBlock;
}

/**
 * Reads the config blocks after a known one, verified as by `Network`.
 *
 * @param update a serialized `common.ConfigUpdate`
 * @param after the number of the known block
 */
export async function findUpdate(network: Network, update: Uint8Array, after: bigint): Promise<Found> {
  let newest: StoredBlock | undefined;
  for await (const block of network.configs()) {
    newest ??= block;
    if (block.number <= after) break;
    const { lastUpdate } = readConfigFile(blockBytes(block));
    if (lastUpdate !== undefined && sameBytes(readUpdateFile(lastUpdate).update.bytes, update))
      return { block, newest };
  }
  return { block: undefined, newest: newest! };
}
