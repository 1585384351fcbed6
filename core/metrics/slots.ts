/** The limits of {@link Slots}. */
export interface SlotLimits {
  /** How much work runs at the same time. */
  readonly all: number;
  /** How much of it may have started less than `youth` ago. */
  readonly young: number;
  /** Milliseconds. */
  readonly youth: number;
}

/**
 * Limits how much work runs at the same time; the rest waits, first in, first out. Work that takes long usually waits for a slow server,
 * so more of it may run at the same time than of work that has just started.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #young = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Runs the work when a slot is free; its result is that of the work. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#slot();
    let isYoung = true;
    const grow = (): void => {
      if (isYoung) this.#young -= 1;
      isYoung = false;
    };
    const timer = setTimeout(() => {
      grow();
      this.#startWaiting();
    }, this.#limits.youth);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      grow();
      this.#running -= 1;
      this.#startWaiting();
    }
  }

  #slot(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    const { all, young } = this.#limits;
    while (this.#running < all && this.#young < young) {
      const start = this.#waiting.shift();
      if (start === undefined) return;
      this.#running += 1;
      this.#young += 1;
      start();
    }
  }
}
