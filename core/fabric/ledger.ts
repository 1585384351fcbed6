// Follows the ledger folders of the nodes of an agent: one follower for each channel of a folder, for all checkers.

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { LedgerFollower, StoredBlock } from 'fabric-ops-agent/translator/node';
import { callFile } from '../common/files/file-call.js';
import { createYielder } from '../contract/index.js';
import type { ConfigBlock, LedgerChannel, LedgerReader, Ledgers } from '../contract/internal/index.js';

/** The ledger folders of the nodes of an agent, by their path. */
export class LedgerFolders implements Ledgers {
  readonly #folders = new Map<string, LedgerFolder>();

  readerOf(directory: string): LedgerReader {
    const folder = this.#folders.get(directory) ?? new LedgerFolder(directory);
    this.#folders.set(directory, folder);
    return folder.addReader();
  }
}

/** The state of following a channel of a folder. */
interface FollowState {
  follower: LedgerFollower;
  error: unknown;
  /** Identifies the newest config block among all blocks of the folder. */
  version: number;
  /** The newest config block until all readers have it. */
  block: StoredBlock | undefined;
  /** Its number. */
  number: bigint;
}

/** By channel, the version of the config block that a reader has. */
type Seen = Map<string, number>;

class LedgerFolder {
  readonly #directory: string;
  readonly #channels = new Map<string, FollowState>();
  readonly #readers: Seen[] = [];
  #version = 0;
  #reading: Promise<void> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  addReader(): LedgerReader {
    const seen: Seen = new Map();
    this.#readers.push(seen);
    return {
      read: async () => {
        // Readings at the same time are one.
        await (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
        return this.#channelsFor(seen);
      },
      repeat: (channel) => void seen.delete(channel),
    };
  }

  async #read(): Promise<void> {
    const directory = this.#directory;
    try {
      // The calls below wait for the file system, so it must respond.
      await callFile(directory, () => stat(directory));
      // Only agents with a ledger load the code for it.
      const { channelFoldersOf, LedgerFollower: Follower } = await import('fabric-ops-agent/translator/node');
      const folders = new Map(channelFoldersOf(directory).map((path) => [basename(path), path]));
      for (const name of this.#channels.keys()) if (!folders.has(name)) this.#channels.delete(name);
      const yieldIfDue = createYielder(1);
      for (const [name, path] of folders) {
        const channel = this.#channels.get(name) ?? {
          follower: new Follower(path),
          error: undefined,
          version: 0,
          block: undefined,
          number: 0n,
        };
        this.#channels.set(name, channel);
        try {
          this.#follow(channel);
        } catch (error) {
          channel.error = error;
          // The same block is read again in the next reading.
          channel.follower = new Follower(path);
        }
        await yieldIfDue();
      }
    } catch (error) {
      this.#channels.clear();
      throw error;
    }
  }

  #follow(channel: FollowState): void {
    const block = channel.follower.read();
    channel.error = undefined;
    if (block === undefined) return;
    this.#version += 1;
    Object.assign(channel, { version: this.#version, block, number: block.number });
  }

  async #channelsFor(seen: Seen): Promise<readonly LedgerChannel[]> {
    const { blockBytes, Ledger } = await import('fabric-ops-agent/translator/node');
    return [...this.#channels].map(([name, channel]) => {
      const { directory, height } = channel.follower;
      const found = { name, directory, height };
      if (channel.error !== undefined || seen.get(name) === channel.version)
        return { ...found, config: undefined, error: channel.error };
      try {
        // Another reader may have been faster, and the block is no longer kept.
        const { number } = channel;
        const block = channel.block ?? Ledger.open(directory).read(number);
        const config: ConfigBlock = { number, bytes: blockBytes(block) };
        seen.set(name, channel.version);
        if (this.#readers.every((each) => each.get(name) === channel.version)) channel.block = undefined;
        return { ...found, config, error: undefined };
      } catch (error) {
        return { ...found, config: undefined, error };
      }
    });
  }
}
