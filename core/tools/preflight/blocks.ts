// Checks the block files of a channel: the newest block, and whether all committed blocks of the index exist (Fabric:
// common/ledger/blkstorage).

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TranslateError } from 'fabric-ops-agent/translator/channel';
import { Ledger } from 'fabric-ops-agent/translator/node';
import type { NodeValues } from '../../../config/index.js';
import { reasonOf } from '../../contract/index.js';
import { finding, type Finding } from './cause.js';
import { levelDbValue, Reader } from './leveldb.js';
import { ledgerPlaces } from './node.js';

/** The block files of a folder, in their order; none if it cannot be read. */
export function blockFilesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => /^blockfile_\d{6,}$/.test(name))
      .toSorted()
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** The entry of the index about the newest block file of a channel (blkstorage/blockfile_mgr.go, `blockfilesInfo`). */
interface Checkpoint {
  readonly file: string;
  readonly size: number;
}

function checkpointOf(index: string, directory: string, channel: string): Checkpoint | undefined {
  const value = levelDbValue(index, `${channel}\0blkMgrInfo`);
  if (value === undefined || value === null) return undefined;
  try {
    const reader = new Reader(value, 0);
    const number = reader.varint();
    return { file: join(directory, `blockfile_${String(number).padStart(6, '0')}`), size: reader.varint() };
  } catch {
    return undefined;
  }
}

/** Startup errors of the block files of a channel. */
export function blockCauses(node: NodeValues, directory: string, channel: string): Finding[] {
  const { databases } = ledgerPlaces(node);
  const index =
    node.kind === 'orderer' ? databases[0]! : databases.find((each) => each.endsWith('chains/index'))!;
  const checkpoint = checkpointOf(index, directory, channel);
  if (checkpoint === undefined) return [];
  const size = statSync(checkpoint.file, { throwIfNoEntry: false })?.size;
  const { file, size: committed } = checkpoint;
  if (size === undefined || size < committed)
    return [finding('block-file-cut', file, { channel, file, size, committed })];
  return newestCauses(node, directory, channel, checkpoint);
}

/** At its start, a node reads the newest block and everything after the committed blocks. */
function newestCauses(
  { kind }: NodeValues,
  directory: string,
  channel: string,
  { file, size: committed }: Checkpoint,
): Finding[] {
  try {
    Ledger.open(directory).block('newest');
    return [];
  } catch (error) {
    const offset = error instanceof TranslateError ? error.offset : undefined;
    // Fabric verifies no hashes at its start, and reads no other blocks.
    if (offset === undefined) return [];
    return [
      offset >= committed
        ? finding('block-file-tail', file, { kind, channel, committed })
        : finding('block-damaged', file, { channel, problem: reasonOf(error) }),
    ];
  }
}
