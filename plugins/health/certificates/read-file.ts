// Reads the files to check, and creates entries for their certificates.

import { reasonOf } from '../../../core/contract/index.js';
import { readForeignBytes } from '../../../core/kit/index.js';
import { readContent, readKeyContent, unreadable, type Content } from './content.js';
import { createEntry, kindOf, type CertificateEntry } from './entry.js';
import { throwIfTooManyOpen } from './open-files.js';
import type { FoundFile } from './walk.js';

/** Largest config block, in bytes. */
const MAX_BLOCK_SIZE = 32 * 1024 * 1024;

/** A file that was read, with the entries of its certificates. */
export interface ReadFile {
  readonly stamp: string;
  readonly file: Pick<FoundFile, 'path' | 'msp'> & { readonly isKey?: boolean };
  readonly content: Content;
  readonly entries: readonly CertificateEntry[];
}

/** Like Fabric, the checker ignores files in a keystore that are not keys. The agent may also be unable to read them. */
export const isKeystore = ({ msp }: ReadFile['file']): boolean => msp?.role === 'key';

export async function readFile(file: FoundFile, stamp: string): Promise<ReadFile> {
  const content = await readContent(file);
  const { path, msp } = file;
  const entries = content.certificates.map((certificate, index) =>
    createEntry(certificate, {
      path,
      suffix: content.certificates.length === 1 ? '' : `#${index + 1}`,
      kind: msp === undefined || msp.role === 'key' || msp.role === 'units' ? kindOf(certificate) : msp.role,
    }),
  );
  return { stamp, file: { path, ...(msp !== undefined && { msp }) }, content, entries };
}

export async function readKey(path: string, stamp: string): Promise<ReadFile> {
  return { stamp, file: { path, isKey: true }, content: await readKeyContent(path), entries: [] };
}

export async function readBlock(path: string, stamp: string): Promise<ReadFile> {
  const file = { path };
  try {
    // Only agents that check blocks load this code.
    const { entriesInBlock } = await import('./block.js');
    const { entries, problem } = entriesInBlock(path, await readForeignBytes(path, MAX_BLOCK_SIZE));
    const content = { certificates: [], ...(problem !== undefined && { problem }) };
    return { stamp, file, content, entries };
  } catch (error) {
    throwIfTooManyOpen(error);
    return { stamp, file, content: unreadable(error, reasonOf(error)), entries: [] };
  }
}
