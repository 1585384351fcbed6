// The version of a file, which changes when its content may have changed.

import { statSync, type Stats } from 'node:fs';
import { stat as statFile } from 'node:fs/promises';
import { callFile, FileNotResponding } from './file-call.js';

/** A text that changes when a file is replaced or written. */
export const versionOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

/** The versions of some files, as one text that changes when a file changes, appears or disappears. */
export class FileVersions {
  readonly #files: readonly string[];
  readonly #stat: (file: string) => Promise<Stats>;
  #reading: Promise<string | FileNotResponding> | undefined;

  /** @param files paths; empty ones are skipped */
  constructor(files: readonly string[], stat: (file: string) => Promise<Stats> = statFile) {
    this.#files = files.filter((file) => file !== '');
    this.#stat = stat;
  }

  /** The current versions, read synchronously: for the start, which reads the files in the same way. */
  readSync(): string {
    const read = (file: string): string | undefined => {
      try {
        return versionOf(statSync(file));
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    };
    return this.#files.map(read).join();
  }

  /**
   * The current versions, read with {@link callFile}. If a file system does not respond, the result is an error that names the files.
   * Concurrent callers share a call.
   */
  async read(): Promise<string | FileNotResponding> {
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readAll(): Promise<string | FileNotResponding> {
    const versions: (string | undefined)[] = [];
    for (const file of this.#files) {
      try {
        versions.push(versionOf(await callFile(file, () => this.#stat(file))));
      } catch (error) {
        if (error instanceof FileNotResponding)
          return error.isOwn ? new FileNotResponding(`${file}: ${error.message}`, true) : error;
        versions.push((error as NodeJS.ErrnoException).code);
      }
    }
    return versions.join();
  }
}
