// How long a command waits, and whom it says what it waits for.

/** The rest of the time that a command has. */
export class Waiting {
  readonly signal: AbortSignal;
  readonly #seconds: number;
  readonly #end: number;
  readonly #report: (text: string) => void;
  #last: string | undefined;

  /**
   * @param signal ends the waiting early
   * @param report gets each step, as a text without a newline
   */
  constructor(seconds: number, signal: AbortSignal, report: (text: string) => void) {
    this.#seconds = seconds;
    this.signal = signal;
    this.#end = performance.now() + seconds * 1000;
    this.#report = report;
  }

  isOver(): boolean {
    return this.signal.aborted || performance.now() >= this.#end;
  }

  /** Why it is over, after a comma or a bracket. */
  get end(): string {
    return this.signal.aborted ? 'interrupted' : `not within ${this.#seconds} s`;
  }

  /** Reports a step, but not twice in a row. */
  report(text: string): void {
    if (text === this.#last) return;
    this.#last = text;
    this.#report(text);
  }
}

/** Waits some milliseconds, or until the waiting ends. */
export const pause = (milliseconds: number, { signal }: Waiting): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
