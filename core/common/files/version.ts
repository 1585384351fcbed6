import { statSync, type Stats } from 'node:fs';
import { stat as statFile } from 'node:fs/promises';
import { limitCalls } from '../flow/limit-calls.js';

/** A text that changes when a file is replaced or written. */
export const versionOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

/** How long to wait for the versions of files on a file system that does not respond, in milliseconds. */
export const VERSION_TIMEOUT = 2_000;
/** On a dead mount, each call would take one of the four threads that also look up names and compress. */
const oneAtATime = limitCalls(1);

/** The versions of some files; together a text that changes when one of them changes, appears or disappears. */
export class FileVersions {
  readonly #files: readonly string[];
  readonly #stat: (file: string) => Promise<Stats>;
  #reading: Promise<string> | undefined;
  #isHanging = false;

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
   * The current versions, without stopping the event loop.
   *
   * @returns undefined when the file system did not respond within {@link VERSION_TIMEOUT}; immediately, while that call has not ended
   */
  async read(): Promise<string | undefined> {
    if (this.#files.length === 0) return '';
    if (this.#isHanging) return undefined;
    this.#reading ??= oneAtATime(() => this.#readAll()).finally(() => {
      this.#reading = undefined;
      this.#isHanging = false;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      const giveUp = (): void => {
        this.#isHanging = this.#reading !== undefined;
        resolve(undefined);
      };
      // If the event loop was blocked, the versions have arrived but were not taken yet.
      timer = setTimeout(() => setImmediate(giveUp), VERSION_TIMEOUT);
    });
    try {
      return await Promise.race([this.#reading, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #readAll(): Promise<string> {
    const versions: (string | undefined)[] = [];
    for (const file of this.#files)
      versions.push(await this.#stat(file).then(versionOf, (error: NodeJS.ErrnoException) => error.code));
    return versions.join();
  }
}
