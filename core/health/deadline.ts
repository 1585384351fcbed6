// The time that a run of checks has.

import { setMaxListeners } from 'node:events';
import { formatDuration } from '../../config/index.js';
import { AgentError } from '../contract/index.js';

/** How long runs share one signal, in milliseconds: making signals is dear, but what checks leave on one must not pile up. */
const MAX_SIGNAL_AGE = 1000;

/** Makes the deadlines of runs that follow one another and do not overlap. */
export class Deadlines {
  readonly #timeout: number;
  readonly #reason: string;
  #abort = createAbort();
  #abortSince = performance.now();

  /** @param timeout milliseconds */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.#reason = `timed out after ${formatDuration(timeout)}`;
  }

  /** The deadline of a run that begins now. */
  next(): Deadline {
    if (this.#abort.signal.aborted || performance.now() - this.#abortSince > MAX_SIGNAL_AGE) {
      this.#abort = createAbort();
      this.#abortSince = performance.now();
    }
    return new Deadline(this.#timeout, this.#reason, this.#abort);
  }
}

/** Many runs leave listeners on one signal, which is no leak that node should warn of. */
function createAbort(): AbortController {
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  return abort;
}

/** The deadline of one run. Its clock runs from the first check that has to be waited for. */
export class Deadline {
  readonly #timeout: number;
  readonly #reason: string;
  readonly #abort: AbortController;
  #timer: NodeJS.Timeout | undefined;
  #passed: Promise<string> | undefined;

  constructor(timeout: number, reason: string, abort: AbortController) {
    this.#timeout = timeout;
    this.#reason = reason;
    this.#abort = abort;
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Resolves with the reason of a late check when the time is over. */
  get passed(): Promise<string> {
    this.#passed ??= new Promise((resolve) => {
      this.#timer = setTimeout(() => {
        // First the verdict: what the checks make of the signal comes too late.
        resolve(this.#reason);
        this.#abort.abort(new AgentError('PLUGIN_TIMED_OUT', this.#reason));
      }, this.#timeout);
    });
    return this.#passed;
  }

  /** The run is over. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
