// The files of a bundle: masked texts of limited size, and the missing parts with the reasons.

import { createHash } from 'node:crypto';
import { visibleLines } from '../../common/text/one-line.js';
import { reasonOf } from '../../contract/index.js';
import type { PackedFile } from './archive.js';
import type { Mask } from './mask.js';

/** Largest file and largest sum of all files, in bytes. */
const MAX_FILE = 4 * 1024 * 1024;
const MAX_TOTAL = 32 * 1024 * 1024;

/** A part of the bundle that could not be read. */
interface Missing {
  readonly name: string;
  readonly reason: string;
}

/** A file of a bundle before it is masked. */
interface AddedFile extends PackedFile {
  readonly caution: string;
}

/** The result of {@link Contents.pack}. */
export interface Packed {
  readonly files: readonly PackedFile[];
  /** The files to read before the bundle is sent, and why. */
  readonly toRead: readonly { readonly name: string; readonly reason: string }[];
}

/** The files of a bundle. */
export class Contents {
  readonly #mask: Mask;
  readonly #files: AddedFile[] = [];
  readonly #cut = new Map<string, number>();
  readonly #missing: Missing[] = [];
  #size = 0;

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  /**
   * Adds a text. If it is too long, only its end is added, because a log has its latest lines there. {@link Contents.pack} masks it later:
   * masking some megabytes blocks the process for a second, which would delay the other reads.
   *
   * @param caution why the file should be read before the bundle is sent
   */
  add(name: string, text: string, caution = ''): void {
    const bytes = Buffer.from(text);
    const free = Math.min(MAX_FILE, MAX_TOTAL - this.#size);
    if (free <= 0) return this.miss(name, `the bundle has the maximum of ${MAX_TOTAL} bytes`);
    const kept = endOf(bytes, free);
    if (kept.length < bytes.length) this.#cut.set(name, bytes.length);
    this.#files.push({ name, bytes: kept, caution });
    this.#size += kept.length;
  }

  /** Reads a text and adds it, or records why it cannot be read. @returns the text; undefined if it cannot be read */
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
    this.#missing.push({ name, reason: this.#mask(reason).text });
  }

  get missing(): readonly Missing[] {
    return this.#missing;
  }

  /** Masks the files and puts the manifest before them. @param facts further members of the manifest */
  pack(facts: Readonly<Record<string, unknown>>): Packed {
    const masked = this.#files.map(({ name, bytes, caution }) => {
      const { text, count } = this.#mask(bytes.toString());
      return { name, bytes: endOf(Buffer.from(visibleLines(text)), MAX_FILE), count, caution };
    });
    const files = masked.map(({ name, bytes, count }) => ({
      name,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      // Of a truncated file only.
      complete_size: this.#cut.get(name),
      masked: count,
    }));
    const manifest = { ...facts, files, missing: this.#missing };
    return {
      files: [{ name: 'manifest.json', bytes: Buffer.from(jsonLines(manifest)) }, ...masked],
      toRead: masked.flatMap(({ name, count, caution }) => {
        const reasons = [
          ...(caution === '' ? [] : [caution]),
          ...(count === 0 ? [] : [describeCount(count)]),
        ];
        return reasons.length === 0 ? [] : [{ name, reason: reasons.join('; ') }];
      }),
    };
  }
}

const describeCount = (count: number): string =>
  count === 1
    ? '1 value was masked; the text beside it can be secret too'
    : `${count} values were masked; the text beside them can be secret too`;

/** The last lines of a text, in at most this many bytes. A partial line could contain a part of a secret, which is not recognized. */
function endOf(bytes: Buffer, length: number): Buffer {
  if (bytes.length <= length) return bytes;
  const end = bytes.subarray(bytes.length - length);
  const lineEnd = end.indexOf('\n');
  return lineEnd === -1 ? Buffer.alloc(0) : end.subarray(lineEnd + 1);
}

/** JSON in several lines, so that a truncated file keeps whole lines; in ASCII, so that it cannot control a terminal. */
export const jsonLines = (value: unknown): string =>
  `${JSON.stringify(value, undefined, 2)}\n`.replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
