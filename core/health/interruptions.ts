// Reports that the agent itself did not run. Deadlines do not count this time, so no check fails for it.

import { watchInterruptions, type Cancel } from '../common/flow/deadline.js';
import { formatDuration } from '../common/text/duration.js';
import { CheckWarning } from '../contract/index.js';

/** The component of the warning. */
export const AGENT = 'agent';

/** Shorter interruptions do not count, in milliseconds: the collection of garbage and long work of the agent itself. */
const SHORTEST = 1_000;
/** How long an interruption counts, in milliseconds. */
const COUNTED_FOR = 60_000;
/** How much lost time is reported, in milliseconds: less is usual on a busy host. */
const REPORTED = 5_000;

/** When an interruption ended, as `performance.now()`, and how long it was, in milliseconds. */
interface Interruption {
  readonly at: number;
  readonly lost: number;
}

/** The interruptions of this process. */
export class Interruptions {
  #recent: readonly Interruption[] = [];
  #stop: Cancel | undefined;

  /** @param onReported called when `check` begins to throw, perhaps again */
  start(onReported: () => void): void {
    this.#stop = watchInterruptions((lost) => {
      if (lost < SHORTEST) return;
      this.#recent = [...this.#inLastMinute(), { at: performance.now(), lost }];
      if (this.#lost() >= REPORTED) onReported();
    });
  }

  stop(): void {
    this.#stop?.();
  }

  /** @throws CheckWarning when too much time was lost in the last minute */
  check(): void {
    const lost = this.#lost();
    if (lost < REPORTED) return;
    throw new CheckWarning(
      `the agent did not run for ${formatDuration(Math.round(lost / 1000) * 1000)} in the last minute: the host gave it no CPU, or a plugin blocked it; checks were not judged meanwhile`,
    );
  }

  #lost(): number {
    return this.#inLastMinute().reduce((sum, each) => sum + each.lost, 0);
  }

  #inLastMinute(): readonly Interruption[] {
    const oldest = performance.now() - COUNTED_FOR;
    return this.#recent.filter(({ at }) => at > oldest);
  }
}
