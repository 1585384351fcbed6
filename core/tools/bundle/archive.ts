// Writes the files of a bundle into a directory, or into a tar archive (ustar of POSIX.1-1988) compressed with gzip.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file of a bundle. */
export interface PackedFile {
  /** Relative, with `/`; its directory has at most 90 bytes, its name at most 100. */
  readonly name: string;
  readonly bytes: Buffer;
}

const ARCHIVE = /\.(?:tar\.gz|tgz)$/;
const BLOCK = 512;
/** Longest name of the top folder in an archive, in bytes: the header has 155 for this folder and the directory of a file. */
const MAX_FOLDER = 60;

/** Writes the files for this user only: an archive if the path ends in `.tar.gz` or `.tgz`, else a directory. @throws Error of the system */
export function writeBundle(path: string, files: readonly PackedFile[], time: Date): void {
  if (ARCHIVE.test(path)) writeArchive(path, files, time);
  else writeDirectory(path, files);
}

function writeArchive(path: string, files: readonly PackedFile[], time: Date): void {
  const folder = firstBytes(basename(path).replace(ARCHIVE, ''), MAX_FOLDER);
  const entries = files.flatMap(({ name, bytes }) => [
    header(join(folder, name), bytes.length, time),
    bytes,
    Buffer.alloc(-bytes.length & (BLOCK - 1)),
  ]);
  const archive = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]));
  writeNew(path, archive, () => rmSync(path, { force: true }));
}

/** The longest beginning of a text that has at most this many bytes in UTF-8. */
function firstBytes(text: string, length: number): string {
  let [end, size] = [0, 0];
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > length) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function writeDirectory(path: string, files: readonly PackedFile[]): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (readdirSync(path).length > 0) throw new Error('the directory is not empty');
  for (const { name, bytes } of files) {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeNew(file, bytes);
  }
}

/** Writes a new file. @param onFailure called if the file may exist but is not complete */
function writeNew(path: string, bytes: Buffer, onFailure: () => void = () => undefined): void {
  try {
    writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') onFailure();
    throw error;
  }
}

/** The header block of a file. */
function header(path: string, size: number, time: Date): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  block.write(basename(path), 0);
  block.write(octal(0o600, 8) + octal(0, 8) + octal(0, 8), 100);
  block.write(octal(size, 12) + octal(Math.floor(time.getTime() / 1000), 12), 124);
  // For the checksum, its own field counts as eight spaces.
  block.write('        0', 148);
  block.write('ustar\u000000', 257);
  block.write(dirname(path), 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 7)} `, 148);
  return block;
}
