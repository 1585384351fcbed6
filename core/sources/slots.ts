/** Limits how much work runs at the same time; the rest waits, first in, first out. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param size how much work runs at the same time */
  constructor(size: number) {
    this.#free = size;
  }

  /** Runs the work when a slot is free; its result is that of the work. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
