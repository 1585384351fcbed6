// Dropped and chosen files, and the files in dropped folders.

import { MAX_SIZE, type Dropped, type UnreadFile } from './files.js';

/** The dropped files, and the files in dropped folders. */
export async function droppedFiles({ items, files: plain }: DataTransfer): Promise<readonly UnreadFile[]> {
  // The entries are only valid until the first await.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // Browsers have entries only for files from a disk.
  if (entries.length === 0) return chosenFiles(plain);
  const files: UnreadFile[] = [];
  for (const entry of entries) await visit(entry, files);
  return files;
}

/** The chosen files. Files of a folder have its name in their path. */
export const chosenFiles = (list: FileList | null): readonly UnreadFile[] =>
  [...(list ?? [])].map((file) => {
    const path = file.webkitRelativePath === '' ? file.name : file.webkitRelativePath;
    return { path, read: () => read(path, file) };
  });

/** A file that is too large is not read; only its size is known. */
async function read(path: string, file: File): Promise<Dropped> {
  const part = file.size > MAX_SIZE ? new Uint8Array(0) : new Uint8Array(await file.arrayBuffer());
  return { path, bytes: part, size: file.size };
}

async function visit(entry: FileSystemEntry, files: UnreadFile[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) files.push({ path, read: async () => read(path, await fileOf(entry)) });
  if (!entry.isDirectory) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader returns up to 100 entries at a time, and none at the end.
  for (;;) {
    const found = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (found.length === 0) return;
    for (const each of found) await visit(each, files);
  }
}

const fileOf = (entry: FileSystemEntry): Promise<File> =>
  new Promise((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
