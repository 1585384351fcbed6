/** How long requests share a rendering after it began, in milliseconds. */
export const SHARED_FOR = 1000;

/** A rendering, and when it began, as `performance.now()`. */
interface Shared<Rendering> {
  readonly rendering: Promise<Rendering>;
  readonly start: number;
  /** Frees it. */
  timer: NodeJS.Timeout | undefined;
}

/** Shares renderings between the requests within one second. A rendering takes time and memory, and any number of clients may request it. */
export class SharedRenderings<Format, Rendering> {
  readonly #render: (format: Format, timeout: number | undefined) => Promise<Rendering>;
  readonly #shared = new Map<Format, Shared<Rendering>>();

  constructor(render: (format: Format, timeout: number | undefined) => Promise<Rendering>) {
    this.#render = render;
  }

  /** Renders a format within a timeout, or returns a rendering of the format that began less than {@link SHARED_FOR} ago. */
  get(format: Format, timeout: number | undefined): Promise<Rendering> {
    const last = this.#shared.get(format);
    const start = performance.now();
    if (last !== undefined && start - last.start < SHARED_FOR) return last.rendering;
    clearTimeout(last?.timer);
    const entry: Shared<Rendering> = { rendering: this.#render(format, timeout), start, timer: undefined };
    this.#shared.set(format, entry);
    const isShared = (): boolean => this.#shared.get(format) === entry;
    const forget = (): void => void (isShared() && this.#shared.delete(format));
    const forgetLater = (): void => {
      if (isShared()) entry.timer = setTimeout(forget, SHARED_FOR - (performance.now() - start)).unref();
    };
    // A failure is not shared with later requests, and the memory of a rendering is freed when it cannot be shared any more.
    entry.rendering.then(forgetLater, forget);
    return entry.rendering;
  }

  /** Frees all renderings. */
  clear(): void {
    for (const { timer } of this.#shared.values()) clearTimeout(timer);
    this.#shared.clear();
  }
}
