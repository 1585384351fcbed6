// A channel in the ledger folder of a node, for the tools: the node need not run.

import { basename } from 'node:path';
import { channelOf, readConfigFile, type Channel, type Config } from 'fabric-ops-agent/translator/channel';
import { blockBytes, Ledger } from 'fabric-ops-agent/translator/node';

/** A channel of a ledger with its newest config. */
export interface StoredChannel {
  readonly name: string;
  /** The folder of its blocks. */
  readonly folder: string;
  /** The number of the config block. */
  readonly number: bigint;
  readonly config: Config;
  readonly channel: Channel;
}

/** Reads the newest config of a channel. @param folder of its blocks @throws TranslateError */
export function readStoredChannel(folder: string): StoredChannel {
  const block = Ledger.open(folder).newestConfig();
  const { config } = readConfigFile(blockBytes(block));
  return { name: basename(folder), folder, number: block.number, config, channel: channelOf(config) };
}
