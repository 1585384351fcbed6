import { FileVersions } from './version.js';

/** How often the versions of watched files are compared, in milliseconds. */
export const WATCH_INTERVAL = 2_000;

/**
 * Files whose changes are noticed when they have not changed further for one interval: a pair of files is complete then. Compares
 * versions, because `fs.watch` notices neither the replaced directory of a Kubernetes Secret nor changes on network file systems.
 */
export class WatchedFiles {
  readonly #files: readonly string[];
  readonly #versions: FileVersions;
  #used: string;
  #last: string;
  /** How often the files were read for another reason. */
  #reads = 0;
  #timer: NodeJS.Timeout | undefined;

  /** The current files count as read. */
  constructor(files: readonly string[], versions = new FileVersions(files)) {
    this.#files = files;
    this.#versions = versions;
    this.#used = versions.readSync();
    this.#last = this.#used;
  }

  /** Calls the function after each change, also after one since the creation. It does not keep the process running. */
  start(onChange: () => void): void {
    if (this.#files.length > 0)
      this.#timer = setInterval(() => void this.#compare(onChange), WATCH_INTERVAL).unref();
  }

  /** To be called before the files are read for another reason, so that they are not read twice. */
  beforeRead(): void {
    this.#reads += 1;
    this.#used = this.#versions.readSync();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #compare(onChange: () => void): Promise<void> {
    const reads = this.#reads;
    const current = await this.#versions.read();
    if (current === undefined || reads !== this.#reads || this.#timer === undefined) return;
    const isComplete = current === this.#last;
    this.#last = current;
    if (current === this.#used || !isComplete) return;
    this.#used = current;
    onChange();
  }
}
