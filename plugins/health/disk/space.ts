// The space of the file system of a path.

import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { callFile } from '../../../core/kit/index.js';

/** The space of a file system. */
export interface Space {
  /** The number of the device, the same for all paths in a file system. */
  readonly device: number;
  readonly bytes: number;
  /** Without the space reserved for root. */
  readonly freeBytes: number;
  /** 0 for a file system without a fixed number of inodes. */
  readonly inodes: number;
  readonly freeInodes: number;
}

/**
 * Reads the space of the file system of a path. A node creates its directories at its first start; until then the nearest parent directory
 * is used.
 *
 * @throws FileNotResponding, or the error of the system
 */
export async function readSpace(path: string): Promise<Space> {
  try {
    const [{ bsize, blocks, bavail, files, ffree }, { dev: device }] = await callFile(path, async () => [
      await statfs(path),
      await stat(path),
    ]);
    return { device, bytes: blocks * bsize, freeBytes: bavail * bsize, inodes: files, freeInodes: ffree };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return readSpace(dirname(path));
  }
}
