// `log`: the history of the config of a channel.

import type { LogEntry } from '../../documents/index.js';
import type { Blocks, StoredBlock } from '../../ledger/index.js';
import { defineCommand, flag } from '../command.js';
import { CommandError } from '../errors.js';
import { jsonText, printText } from '../files.js';
import { BLOCKS, JSON_FLAG, NETWORK } from '../flags.js';
import { blockNumber, count, time } from '../kinds.js';
import { sourceOf } from '../profile.js';

/** The command. */
export const log = defineCommand({
  name: 'log',
  help: 'Shows the history of the config of a channel, newest first: the time of each update, its changes, signers and submitter.',
  example: 'log grpcs://orderer1.example.com:7050/ch1 -n 5',
  flags: {
    number: flag(count, 'The maximum number of entries.', { short: 'n' }),
    since: flag(time, 'Only entries since this time, such as 2026-11-22T12:00:00Z.'),
    block: flag(blockNumber, 'Show the entry of this config block in full.', { short: 'p' }),
    json: JSON_FLAG,
    network: NETWORK,
  },
  arguments: { source: BLOCKS },
  async run({ source: given, number: limit = Infinity, since, block, json, network }, io) {
    const { documentsText, logDocument } = await import('../../documents/index.js');
    const { withBlocks } = await import('../inputs.js');
    const source = await sourceOf(given, network, 'source');
    const selection = { limit, since: since?.getTime() ?? -Infinity, block };
    const entries = await withBlocks(source, network, io, async (blocks, anchoredAt) =>
      (await entriesOf(blocks, selection)).map((entry) => ({
        ...entry,
        ...(anchoredAt !== undefined && { anchored: anchoredAt(BigInt(entry.block)) }),
      })),
    );
    if (block !== undefined && entries.length === 0)
      throw new CommandError(`${source}: block ${block} is not a config block of the channel`);
    const text = (): string =>
      documentsText(
        entries.map((entry) => logDocument(entry, block !== undefined)),
        io.display,
      );
    printText(json ? jsonText(entries) : text(), io);
  },
});

interface Selection {
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Only the entry of this block. */
  readonly block: bigint | undefined;
}

async function entriesOf(blocks: Blocks, { limit, since, block }: Selection): Promise<LogEntry[]> {
  const { logEntry } = await import('../../documents/index.js');
  const { blockBytes } = await import('../../ledger/index.js');
  const entries: LogEntry[] = [];
  let next: StoredBlock | undefined;
  /** @returns whether the entry is shown */
  const add = async (previous: StoredBlock | undefined): Promise<boolean> => {
    if (next === undefined || (block !== undefined && next.number !== block)) return true;
    const entry = await logEntry(blockBytes(next), previous && blockBytes(previous));
    if (entry.time !== null && Date.parse(entry.time) < since) return false;
    entries.push(entry);
    return block === undefined && entries.length < limit;
  };
  for await (const previous of blocks.configs()) {
    if (!(await add(previous))) return entries;
    if (block !== undefined && previous.number < block) return entries;
    next = previous;
  }
  await add(undefined);
  return entries;
}
