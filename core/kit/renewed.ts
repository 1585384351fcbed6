import { FileVersions } from '../common/files/version.js';

/** Where {@link Renewed} logs. */
export interface RenewalLog {
  info(message: string): void;
  warn(message: string): void;
}

/** A value that is made of TLS files, and made again when they change: a renewed certificate is used without a restart. */
export class Renewed<Value> {
  readonly #files: FileVersions;
  readonly #create: () => Value;
  readonly #log: RenewalLog;
  #value: { readonly current: Value } | undefined;
  #versions = '';

  /**
   * @param files paths; empty ones are skipped
   * @param create reads the files; throws an error that names the option, the file and what is wrong with it
   */
  constructor(files: readonly string[], create: () => Value, log: RenewalLog) {
    this.#files = new FileVersions(files);
    this.#create = create;
    this.#log = log;
  }

  /**
   * Creates the value.
   *
   * @throws what `create` throws
   */
  open(): Value {
    this.#versions = this.#files.readSync();
    const current = this.#create();
    this.#value = { current };
    return current;
  }

  /**
   * The value for the current files. When they changed but cannot be used, or their file system does not respond, it is that for the
   * previous ones.
   *
   * @throws Error when it is not open
   */
  async current(): Promise<Value> {
    const versions = await this.#files.read();
    if (this.#value === undefined) throw new Error('the plugin is not started');
    if (versions === undefined || versions === this.#versions) return this.#value.current;
    this.#versions = versions;
    try {
      this.#value = { current: this.#create() };
      this.#log.info('the TLS files have changed and were read again');
    } catch (error) {
      const { message } = error as Error;
      this.#log.warn(`the TLS files have changed but cannot be used, keeping the current ones: ${message}`);
    }
    return this.#value.current;
  }

  /** Drops the value. */
  close(): void {
    this.#value = undefined;
  }
}
