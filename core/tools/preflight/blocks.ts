// Checks the block files of a channel: the newest block, and whether all committed blocks of the index exist (Fabric:
// common/ledger/blkstorage).

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TranslateError } from 'fabric-ops-agent/translator/channel';
import { Ledger } from 'fabric-ops-agent/translator/node';
import { reasonOf } from '../../contract/index.js';
import type { Found } from './cause.js';
import { levelDbValue, Reader } from './leveldb.js';
import { ledgerPlaces, type PreflightNode } from './node.js';

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
  const reader = new Reader(value, 0);
  const number = reader.varint();
  return { file: join(directory, `blockfile_${String(number).padStart(6, '0')}`), size: reader.varint() };
}

const RESTORE =
  'restore the ledger folder from a copy of the whole node; without one, remove the node’s data and let it join the channel again';

/** Startup errors of the block files of a channel. */
export function blockCauses(node: PreflightNode, directory: string, channel: string): Found[] {
  const { databases } = ledgerPlaces(node);
  const index =
    node.kind === 'orderer' ? databases[0]! : databases.find((each) => each.endsWith('chains/index'))!;
  const checkpoint = checkpointOf(index, directory, channel);
  if (checkpoint === undefined) return [];
  const size = statSync(checkpoint.file, { throwIfNoEntry: false })?.size;
  if (size === undefined || size < checkpoint.size)
    return [
      {
        id: 'block-file-cut',
        says:
          size === undefined
            ? 'Could not retrieve header of the last block form file'
            : `error peeking [${size - checkpoint.size}] bytes from block file: bufio: negative count`,
        means:
          size === undefined
            ? `the block file ${checkpoint.file} of the channel ${channel} is missing`
            : `the block file ${checkpoint.file} of the channel ${channel} has ${size} bytes, but the index has committed blocks up to byte ${checkpoint.size}`,
        where: checkpoint.file,
        todo: RESTORE,
      },
    ];
  return newestCauses(node, directory, channel, checkpoint);
}

/** At its start, a node reads the newest block and everything after the committed blocks. */
function newestCauses(
  { kind }: PreflightNode,
  directory: string,
  channel: string,
  { file, size }: Checkpoint,
): Found[] {
  try {
    Ledger.open(directory).block('newest');
    return [];
  } catch (error) {
    const reason = reasonOf(error);
    const offset = error instanceof TranslateError ? error.offset : undefined;
    // Fabric verifies no hashes at its start, and reads no other blocks.
    if (offset === undefined) return [];
    const isTail = offset >= size;
    return [
      {
        id: isTail ? 'block-file-tail' : 'block-damaged',
        ...(isTail && kind === 'peer' && { severity: 'warning' }),
        says: isTail
          ? kind === 'orderer'
            ? `Failed getting channel ${channel}'s ledger: error decoding`
            : `Failed to load ledger ${channel}`
          : 'Could not retrieve header of the last block form file: error decoding',
        means: isTail
          ? `after the committed blocks of the channel ${channel} the file has bytes that are not a block, such as zeros after a loss of power${kind === 'peer' ? ': the peer starts without the channel' : ''}`
          : `the newest block of the channel ${channel} is damaged: ${reason}`,
        where: file,
        todo: isTail
          ? `on a copy of the folder, truncate the file to ${size} bytes, the end of the committed blocks; the node gets the rest from others`
          : RESTORE,
      },
    ];
  }
}
