// The time of the simulation: replaces the timers, `performance`, `Date` and the random numbers of this process. Each timer belongs to the
// simulated process that sets it, so that a process can be late, have a wrong clock, or die with its timers.

/** The clock of a simulated host. */
export interface WallClock {
  /** How much it is ahead, in milliseconds. */
  ahead: number;
}

/** A process on a simulated host. */
export class SimulatedProcess {
  readonly name: string;
  readonly clock: WallClock;
  /** How late its timers are, in milliseconds. */
  lateBy = 0;
  /** Until when it does not run at all. */
  frozenUntil = 0;
  isDead = false;
  /** The timers that it has set and that have neither fired nor been cleared. */
  readonly pending = new Set<Timer>();

  constructor(name: string, clock: WallClock = { ahead: 0 }) {
    this.name = name;
    this.clock = clock;
  }
}

/** Any function that a timer calls. */
type Callback = (...values: unknown[]) => void;

/** What a timer is made of. */
interface TimerParts {
  readonly owner: SimulatedProcess;
  readonly callback: Callback;
  readonly values: readonly unknown[];
  /** Whether the code of the process has set it, and not the simulation. */
  readonly isOwn: boolean;
  /** Whether it ends a turn of the event loop: agents in one program share what they note about their turn, so it is neither late nor dead. */
  readonly isImmediate: boolean;
  readonly interval: number | undefined;
}

/** What a timer calls. */
type Code = Pick<TimerParts, 'callback' | 'values'>;

/** A timer, as `setTimeout` returns it. */
class Timer {
  readonly owner: SimulatedProcess;
  readonly interval: number | undefined;
  readonly isImmediate: boolean;
  readonly #parts: TimerParts;
  due: number;
  /** Orders timers that are due at the same time. */
  order = 0;
  isActive = true;
  isDelayed = false;

  constructor(parts: TimerParts, due: number) {
    this.owner = parts.owner;
    this.interval = parts.interval;
    this.isImmediate = parts.isImmediate;
    this.#parts = parts;
    this.due = due;
    if (parts.isOwn) this.owner.pending.add(this);
  }

  fire(): void {
    const { callback, values } = this.#parts;
    if (this.interval === undefined) this.end();
    callback(...values);
  }

  end(): void {
    this.owner.pending.delete(this);
    this.isActive = false;
  }

  /** The beginning of the code that it calls. */
  toString(): string {
    return String(this.#parts.callback).replaceAll(/\s+/g, ' ').slice(0, MAX_CODE);
  }

  ref = (): this => this;
  unref = (): this => this;
  hasRef = (): boolean => false;
}

/** The timers, in a binary heap: the first is due next. */
class TimerHeap {
  readonly #timers: Timer[] = [];
  #count = 0;

  add(timer: Timer): void {
    timer.order = this.#count;
    this.#count += 1;
    const heap = this.#timers;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(timer, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = timer;
  }

  get first(): Timer | undefined {
    return this.#timers[0];
  }

  removeFirst(): void {
    const heap = this.#timers;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (child >= heap.length || !isBefore(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
  }
}

const isBefore = (one: Timer, other: Timer): boolean =>
  one.due === other.due ? one.order < other.order : one.due < other.due;

/** Longest code of a timer in a message, in UTF-16 units. */
const MAX_CODE = 100;
const REAL = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  clearImmediate,
  performance,
  Date,
};
/** When the simulation begins, in milliseconds since the epoch. */
const EPOCH = Date.UTC(2026, 0, 1);

/** The simulated time, and the process that runs. All times are milliseconds since the start of the simulation, of a clock that does not jump. */
export class SimulatedTime {
  /** The process of the simulation itself. */
  readonly world = new SimulatedProcess('world');
  now = 0;
  readonly #timers = new TimerHeap();
  #current = this.world;
  /** Skipped time, in milliseconds: only the calendar moved. */
  #skipped = 0;

  /** The process that runs. */
  get current(): SimulatedProcess {
    return this.#current;
  }

  /** Replaces the time and the random numbers of this process. @param random returns a number from 0 to 1 @returns a function that restores them */
  install(random: () => number): () => void {
    const time = this as SimulatedTime;
    // oxlint-disable-next-line no-extend-native
    class SimulatedDate extends REAL.Date {
      constructor(...values: unknown[]) {
        super(...((values.length === 0 ? [time.calendar] : values) as [number]));
      }
      static override now(): number {
        return time.calendar;
      }
    }
    const set = (callback: Callback, delay = 0, ...values: unknown[]): Timer =>
      this.#set({ callback, values }, delay);
    const repeat = (callback: Callback, delay = 0, ...values: unknown[]): Timer =>
      this.#set({ callback, values }, delay, Math.max(1, delay));
    const clear = (timer: unknown): void => void (timer instanceof Timer && timer.end());
    Object.assign(globalThis, {
      setTimeout: set,
      clearTimeout: clear,
      setInterval: repeat,
      clearInterval: clear,
      setImmediate: (callback: Callback, ...values: unknown[]) => this.#setImmediate({ callback, values }),
      clearImmediate: clear,
      Date: SimulatedDate,
    });
    Object.defineProperty(globalThis, 'performance', {
      value: { now: () => this.now },
      configurable: true,
      writable: true,
    });
    const realRandom = Math.random;
    Math.random = random;
    return () => {
      Math.random = realRandom;
      const { performance: real, ...others } = REAL;
      Object.assign(globalThis, others);
      Object.defineProperty(globalThis, 'performance', { value: real, configurable: true, writable: true });
    };
  }

  /** What the clock of the current process shows, in milliseconds since the epoch. */
  get calendar(): number {
    return Math.floor(EPOCH + this.now + this.#skipped + this.#current.clock.ahead);
  }

  /** Moves the calendar; no timer fires. */
  skip(duration: number): void {
    this.#skipped += duration;
  }

  /** Milliseconds since the start of the simulation, with skipped time. */
  get elapsed(): number {
    return this.now + this.#skipped;
  }

  /** Lets a process do work after a delay. */
  later(owner: SimulatedProcess, delay: number, work: () => void): void {
    this.#add({ owner, callback: work, values: [], isOwn: false }, delay);
  }

  /** A value that the current process gets after a delay. */
  async after<Value>(delay: number, value: () => Value): Promise<Value> {
    const owner = this.#current;
    return new Promise((resolve, reject) => {
      this.later(owner, delay, () => {
        try {
          resolve(value());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Lets time pass: all work that is due until then is done. @param until as {@link now} */
  async run(until: number): Promise<void> {
    for (
      let timer = this.#timers.first;
      timer !== undefined && timer.due <= until;
      timer = this.#timers.first
    ) {
      this.#timers.removeFirst();
      if (!timer.isActive) continue;
      if (!timer.isImmediate && (timer.owner.isDead || this.#delay(timer))) continue;
      this.now = Math.max(this.now, timer.due);
      this.#current = timer.owner;
      timer.fire();
      // All work that follows without waiting for a timer.
      await new Promise((resolve) => REAL.setImmediate(resolve));
      if (timer.isActive && timer.interval !== undefined) {
        timer.due = this.now + timer.interval;
        timer.isDelayed = false;
        this.#timers.add(timer);
      }
      this.#current = this.world;
    }
    this.now = Math.max(this.now, until);
  }

  #set(code: Code, delay: number, interval?: number): Timer {
    const wait = Number.isFinite(delay) && delay > 0 ? delay : 0;
    return this.#add({ ...code, owner: this.#current, isOwn: true, interval }, wait);
  }

  #setImmediate(code: Code): Timer {
    return this.#add({ ...code, owner: this.#current, isOwn: false, isImmediate: true }, 0);
  }

  #add(parts: Code & Pick<TimerParts, 'isOwn' | 'owner'> & Partial<TimerParts>, delay: number): Timer {
    const timer = new Timer({ interval: undefined, isImmediate: false, ...parts }, this.now + delay);
    this.#timers.add(timer);
    return timer;
  }

  /** Postpones a timer of a process that is late. @returns whether it is postponed */
  #delay(timer: Timer): boolean {
    const { owner } = timer;
    const due = Math.max(owner.frozenUntil, timer.isDelayed ? 0 : timer.due + owner.lateBy);
    timer.isDelayed = true;
    if (due <= timer.due) return false;
    timer.due = due;
    this.#timers.add(timer);
    return true;
  }
}
