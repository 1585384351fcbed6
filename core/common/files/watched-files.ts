// Files that are read again when they have changed.

import { FileNotResponding } from './file-call.js';
import { FileVersions } from './version.js';

/** Interval for comparing the versions of watched files, in milliseconds. */
export const WATCH_INTERVAL = 2_000;

/**
 * Reports changed files after they have not changed for one interval, so that a pair of files is complete. Compares versions, because
 * `fs.watch` misses a replaced directory of a Kubernetes Secret and changes on network file systems.
 */
export class WatchedFiles {
  readonly #files: readonly string[];
  readonly #versions: FileVersions;
  #used: string;
  #last: string;
  /** Number of calls of {@link beforeRead}. */
  #reads = 0;
  #timer: NodeJS.Timeout | undefined;
  #isResponding = true;

  /** The current files count as read. */
  constructor(files: readonly string[], versions = new FileVersions(files)) {
    this.#files = files;
    this.#versions = versions;
    this.#used = versions.readSync();
    this.#last = this.#used;
  }

  /**
   * Calls a function after each change, also after a change since the construction. Does not keep the process alive.
   *
   * @param onHang called once with the reason when the files do not respond, until they respond again
   */
  start(onChange: () => void, onHang: (reason: string) => void): void {
    if (this.#files.length > 0)
      this.#timer = setInterval(() => void this.#compare(onChange, onHang), WATCH_INTERVAL).unref();
  }

  /** Call it before reading the files for another reason, so that they are not read twice. */
  beforeRead(): void {
    this.#reads += 1;
    this.#used = this.#versions.readSync();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #compare(onChange: () => void, onHang: (reason: string) => void): Promise<void> {
    const reads = this.#reads;
    const current = await this.#versions.read();
    if (this.#timer === undefined) return;
    const wasResponding = this.#isResponding;
    this.#isResponding = !(current instanceof FileNotResponding);
    if (current instanceof FileNotResponding) {
      if (wasResponding) onHang(current.message);
      return;
    }
    if (reads !== this.#reads) return;
    const isComplete = current === this.#last;
    this.#last = current;
    if (current === this.#used || !isComplete) return;
    this.#used = current;
    onChange();
  }
}
