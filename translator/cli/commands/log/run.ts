// `log`: the history of the config of a channel.

import { logEntry, type LogEntry } from '../../../log/entry.js';
import { logText } from '../../../log/text.js';
import type { Blocks } from '../../../source/blocks.js';
import { blockBytes, type StoredBlock } from '../../../source/stored-block.js';
import type { Context } from '../../context.js';
import { jsonText } from '../../format.js';
import { CommandError, UsageError } from '../../errors.js';
import { printText } from '../../output.js';
import { withBlocks } from '../../source.js';
import { requiredArgument, type Values } from '../../values.js';
import { blockNumberOf } from '../../block-number.js';
import { timeOf } from '../../time.js';

/** Which entries are shown. */
interface Selection {
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Only this one. */
  readonly block: bigint | undefined;
}

/** @throws CommandError */
export async function run(values: Values, { process }: Context): Promise<void> {
  const path = requiredArgument(values, 0, 'source');
  const since = values.optional('since');
  const block = values.optional('block');
  const selection = {
    limit: limitOf(values.optional('number')),
    since: since === undefined ? -Infinity : timeOf('since', since).getTime(),
    block: block === undefined ? undefined : blockNumberOf('block', block),
  };
  const entries = await withBlocks(path, values, process, async (blocks) => entriesOf(blocks, selection));
  if (block !== undefined && entries.length === 0)
    throw new CommandError(`${path}: block ${block} is not a config block of the channel`);
  const isFull = block !== undefined;
  const text = values.isSet('json')
    ? jsonText(entries)
    : entries.map((entry) => logText(entry, { style: process.style, isFull })).join('\n');
  printText(text, process);
}

/** Reads as many blocks as the entries need. */
async function entriesOf(blocks: Blocks, { limit, since, block }: Selection): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  let next: StoredBlock | undefined;
  /** @returns whether the entry is one of those that are shown */
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

function limitOf(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`flag 'number' must be a number from 1 to 999999999, found ${JSON.stringify(text)}`);
}
