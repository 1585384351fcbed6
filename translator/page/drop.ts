// The files of a drop: also those in folders.

import { MAX_SIZE, type Dropped } from './files.js';

/** More files are not read. */
const MAX_FILES = 2000;

/** The files that were dropped, with those in dropped folders. */
export async function droppedFiles({ items, files: plain }: DataTransfer): Promise<readonly Dropped[]> {
  // The entries are only valid until the first await.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // Browsers give entries for what comes from a disk only.
  if (entries.length === 0) return chosenFiles(plain);
  const files: [path: string, file: File][] = [];
  for (const entry of entries) await visit(entry, files);
  return Promise.all(files.map(async ([path, file]) => read(path, file)));
}

/** The files that were chosen; those of a folder have its name in their path. */
export const chosenFiles = async (list: FileList | null): Promise<readonly Dropped[]> =>
  Promise.all(
    [...(list ?? [])]
      .slice(0, MAX_FILES)
      .map(async (file) => read(file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file)),
  );

/** Of a file that is too large, only its size is kept. */
async function read(path: string, file: File): Promise<Dropped> {
  const part = file.size > MAX_SIZE ? new Uint8Array(0) : new Uint8Array(await file.arrayBuffer());
  return { path, bytes: part, size: file.size };
}

async function visit(entry: FileSystemEntry, files: [string, File][]): Promise<void> {
  if (files.length >= MAX_FILES) return;
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile)
    files.push([
      path,
      await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed)),
    ]);
  if (!entry.isDirectory) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader returns up to 100 entries at a time, and none at the end.
  for (;;) {
    const found = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (found.length === 0) return;
    for (const each of found) await visit(each, files);
  }
}
