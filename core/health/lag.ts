// Detects that the agent itself is slow: its timers or its file calls are late. This host may then be the cause of failures.

import { stat } from 'node:fs/promises';
import { watchTicks, LATE, type Cancel } from '../common/flow/deadline.js';
import { formatDuration } from '../common/text/duration.js';
import { CheckWarning } from '../contract/index.js';

/** The component of the warning. */
export const AGENT = 'agent';

/**
 * The agent lags when this much time was lost in the last {@link WINDOW}, in milliseconds. Measured with six nodes on two cores: at most
 * 0.7 s on an idle host and while the agent starts, 0.2 to 2.3 s with 8 busy processes (no check fails), and 3 to 7 s with 44 (one check of
 * three fails).
 */
const LAGGING = 1_000;
/** The longest usual timeout of a check, in milliseconds. */
const WINDOW = 10_000;
/** How long lost time is reported, in milliseconds. */
const REPORTED_FOR = 60_000;

/** Lost time in milliseconds, and when it was detected, as `performance.now()`. */
interface Loss {
  readonly at: number;
  readonly timers: number;
  readonly files: number;
}

/** Measures how late the timers and the file calls of this process are. */
export class Lag {
  readonly #callFile: () => Promise<unknown>;
  #losses: readonly Loss[] = [];
  /** When the current file call began; undefined: there is none. */
  #callingSince: number | undefined;
  /** When the agent last lagged; NaN: never. */
  #lastLag = NaN;
  #cancel: Cancel | undefined;

  /** @param callFile a file call that takes almost no time except for waiting for a thread of libuv */
  constructor(callFile: () => Promise<unknown> = () => stat('/')) {
    this.#callFile = callFile;
  }

  /** @param onLag called repeatedly while the agent lags. @default nothing */
  start(onLag: () => void = () => undefined): void {
    this.stop();
    this.#cancel = watchTicks((late) => {
      if (late >= LATE) this.#record({ timers: late, files: 0 });
      void this.#measureFiles();
      if (this.isLagging) onLag();
    });
  }

  stop(): void {
    this.#cancel?.();
  }

  /** Whether too much time was lost in the last seconds. */
  get isLagging(): boolean {
    const now = performance.now();
    const isLagging = this.#lostSince(now - WINDOW) >= LAGGING;
    if (isLagging) this.#lastLag = now;
    return isLagging;
  }

  /** Returns true if the agent lags, or has lagged since a time. @param time as `performance.now()` */
  hasLaggedSince(time: number): boolean {
    return this.isLagging || this.#lastLag >= time;
  }

  /** The time that was lost in the last minute, in milliseconds; undefined: the agent did not lag. */
  get lost(): number | undefined {
    const start = performance.now() - REPORTED_FOR;
    return this.hasLaggedSince(start) ? this.#lostSince(start) : undefined;
  }

  /** @throws CheckWarning when the agent lagged in the last minute */
  check(): void {
    const found = this.lost;
    if (found === undefined) return;
    const lost = formatDuration(Math.round(found / 1000) * 1000);
    throw new CheckWarning(
      `the agent was late by ${lost} in the last minute: the host gave it no CPU or its files do not respond, or a plugin blocked it; new failures are checked again before they are reported`,
    );
  }

  async #measureFiles(): Promise<void> {
    if (this.#callingSince !== undefined) return;
    const start = performance.now();
    this.#callingSince = start;
    // Only its duration matters.
    await this.#callFile().catch(() => undefined);
    this.#callingSince = undefined;
    const duration = performance.now() - start;
    if (duration >= LATE) this.#record({ timers: 0, files: duration });
  }

  #record(lost: Omit<Loss, 'at'>): void {
    const at = performance.now();
    this.#losses = [...this.#losses.filter((each) => each.at > at - REPORTED_FOR), { at, ...lost }];
  }

  /** Timers and file calls are late at the same time, so the larger sum counts. @param start as `performance.now()` */
  #lostSince(start: number): number {
    const now = performance.now();
    let [timers, files] = [0, now - (this.#callingSince ?? now)];
    for (const loss of this.#losses) {
      if (loss.at <= start) continue;
      timers += loss.timers;
      files += loss.files;
    }
    return Math.max(timers, files);
  }
}
