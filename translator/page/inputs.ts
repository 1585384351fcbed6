// The inputs of everything that the page shows: dropped files and folders, and choices of users. Works without a browser.

import type { ProposalFile } from '#translator/review/index.js';
import {
  readPageFiles,
  unreadFile,
  type BlockFile,
  type Dropped,
  type PageFile,
  type UnreadFile,
} from './files.js';
import type { IdentityFile } from './identities.js';
import { isMspPart, mspsIn, type DroppedMsp } from './msp-folders.js';

/** An item with the number of the operation that added it. */
type Added<Item> = Item & { readonly operation: number };

/** The inputs of everything else on the page. */
export interface Inputs {
  readonly files: readonly Added<PageFile>[];
  readonly msps: readonly Added<DroppedMsp>[];
  readonly fabric: readonly string[];
  readonly mspid: string | undefined;
}

/** Reads files one after the other, so that only the useful files stay in memory. */
export async function readAll(
  unread: readonly UnreadFile[],
): Promise<{ readonly files: readonly PageFile[]; readonly msps: readonly DroppedMsp[] }> {
  const files: PageFile[] = [];
  const parts: Dropped[] = [];
  for (const file of unread) {
    try {
      const dropped = await file.read();
      if (isMspPart(dropped.path)) parts.push(dropped);
      else files.push(...readPageFiles(dropped));
    } catch (error) {
      files.push(unreadFile(file.path, `it cannot be read: ${(error as Error).message}`));
    }
  }
  return { files, msps: mspsIn(parts) };
}

/** An item replaces an item with the same name, unless a later operation has added that one. */
export function withAdded<Item extends { readonly name: string }>(
  items: readonly Added<Item>[],
  found: readonly Item[],
  operation: number,
): readonly Added<Item>[] {
  const newer = new Set(items.filter((item) => item.operation > operation).map(({ name }) => name));
  const added = found.filter(({ name }) => !newer.has(name)).map((item) => ({ ...item, operation }));
  const replaced = new Set(added.map(({ name }) => name));
  return [...items.filter(({ name }) => !replaced.has(name)), ...added];
}

/** The files with some names. */
export const filesCalled = (names: readonly string[], { files }: Inputs): readonly PageFile[] =>
  files.filter(({ name }) => names.includes(name));

/** The config blocks, from the oldest to the newest. */
export const blocksIn = (files: readonly PageFile[]): readonly BlockFile[] =>
  files
    .flatMap(({ config, block }) => (config === undefined || block === undefined ? [] : [{ config, block }]))
    .toSorted((left, right) => Number(left.config.number! - right.config.number!));

/** The updates to review. */
export const updatesIn = (files: readonly PageFile[]): readonly ProposalFile[] =>
  files.flatMap(({ name, update }) => (update === undefined ? [] : [{ name, bytes: update.bytes }]));

/** The identities to explain: in files and in MSP folders. */
export function identitiesIn({ files, msps }: Inputs): readonly IdentityFile[] {
  const folders = msps.map(({ name, identity }) => ({
    name,
    identities: identity === undefined ? undefined : [identity],
  }));
  return [...files, ...folders].flatMap(({ name, identities }) =>
    identities === undefined ? [] : [{ name, identities }],
  );
}
