// Reports that the agent itself did not run. Deadlines do not count this time, so no check fails for it.

import { watchInterruptions, type Cancel } from '../common/flow/deadline.js';
import { formatDuration } from '../common/text/duration.js';
import { CheckWarning } from '../contract/index.js';

/** The component of the warning. */
export const AGENT = 'agent';

/** Shorter interruptions are not reported, in milliseconds: the collection of garbage and long work of the agent itself. */
const SHORTEST = 1_000;
/** How long an interruption is reported, in milliseconds. */
const REPORTED_FOR = 60_000;

/** When an interruption ended, as `performance.now()`, and how long it was, in milliseconds. */
interface Interruption {
  readonly at: number;
  readonly lost: number;
}

/** The interruptions of this process. */
export class Interruptions {
  #recent: readonly Interruption[] = [];
  #stop: Cancel | undefined;

  /** @param onFirst called at the first interruption */
  start(onFirst: () => void): void {
    let hadOne = false;
    this.#stop = watchInterruptions((lost) => {
      if (lost < SHORTEST) return;
      this.#recent = [...this.#inLastMinute(), { at: performance.now(), lost }];
      if (!hadOne) onFirst();
      hadOne = true;
    });
  }

  stop(): void {
    this.#stop?.();
  }

  /** @throws CheckWarning when there was an interruption in the last minute */
  check(): void {
    this.#recent = this.#inLastMinute();
    const lost = this.#recent.reduce((sum, each) => sum + each.lost, 0);
    if (lost === 0) return;
    throw new CheckWarning(
      `the agent did not run for ${formatDuration(Math.round(lost / 1000) * 1000)} in the last minute: the host gave it no CPU, or a plugin blocked it; checks were not judged meanwhile`,
    );
  }

  #inLastMinute(): readonly Interruption[] {
    const oldest = performance.now() - REPORTED_FOR;
    return this.#recent.filter(({ at }) => at > oldest);
  }
}
