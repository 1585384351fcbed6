// The files of a bundle: texts without secrets, of bounded size, and what is missing with the reason.

import { createHash } from 'node:crypto';
import { reasonOf } from '../../contract/index.js';
import type { PackedFile } from './archive.js';

/** Largest file and largest sum of all files, in bytes. */
const MAX_FILE = 4 * 1024 * 1024;
const MAX_TOTAL = 32 * 1024 * 1024;

/** What could not be read. */
interface Missing {
  readonly name: string;
  readonly reason: string;
}

/** The files of a bundle. */
export class Contents {
  readonly #mask: (text: string) => string;
  readonly #files: PackedFile[] = [];
  readonly #cut = new Map<string, number>();
  readonly #missing: Missing[] = [];
  #size = 0;

  /** @param mask replaces the secrets in a text */
  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  /**
   * Adds a text. If it is too long, only its end is added, which has the latest lines of a log. It is masked later, because that
   * takes a second for some megabytes, in which nothing else could be read.
   */
  add(name: string, text: string): void {
    const bytes = Buffer.from(text);
    const free = Math.min(MAX_FILE, MAX_TOTAL - this.#size);
    if (free <= 0) return this.miss(name, `the bundle has the maximum of ${MAX_TOTAL} bytes`);
    const kept = endOf(bytes, free);
    if (kept.length < bytes.length) this.#cut.set(name, bytes.length);
    this.#files.push({ name, bytes: kept });
    this.#size += kept.length;
  }

  /** Adds what is read, or records why it could not be read. @returns it; undefined if it could not be read */
  async addRead(name: string, read: () => Promise<string>): Promise<string | undefined> {
    try {
      const text = await read();
      this.add(name, text);
      return text;
    } catch (error) {
      this.miss(name, reasonOf(error));
      return undefined;
    }
  }

  /** Records that something could not be read. */
  miss(name: string, reason: string): void {
    this.#missing.push({ name, reason: this.#mask(reason) });
  }

  get missing(): readonly Missing[] {
    return this.#missing;
  }

  /** The files, the first of which lists the others, and what is missing. @param facts what else the list has */
  pack(facts: Readonly<Record<string, unknown>>): PackedFile[] {
    const masked = this.#files.map(({ name, bytes }) => ({
      name,
      bytes: endOf(Buffer.from(this.#mask(bytes.toString())), MAX_FILE),
    }));
    const files = masked.map(({ name, bytes }) => ({
      name,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      // Only the end is in the bundle.
      complete_size: this.#cut.get(name),
    }));
    const manifest = { ...facts, files, missing: this.#missing };
    const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
    return [{ name: 'manifest.json', bytes: Buffer.from(text) }, ...masked];
  }
}

/** The last bytes of a text, from the beginning of a line: otherwise a part of a secret could be left. The whole text if it is not longer. */
function endOf(bytes: Buffer, length: number): Buffer {
  if (bytes.length <= length) return bytes;
  const end = bytes.subarray(bytes.length - length);
  const lineEnd = end.indexOf('\n');
  return lineEnd === -1 ? Buffer.alloc(0) : end.subarray(lineEnd + 1);
}

/** JSON of several lines, so that the end of one that is too long has lines. */
export const jsonLines = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
