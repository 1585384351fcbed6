// Calls that can take a second: other code runs meanwhile, they report their progress, and a signal ends them.

import { is } from '../proto/arguments.js';
import { untilAborted } from '../core/common/flow/until-aborted.js';
import { createYielder } from '../core/common/flow/yielder.js';

/** The progress of a long call. */
export interface Progress {
  /** The work that is done, in hundredths of one run of all parts; never decreases. */
  readonly done: number;
  /** `done` at the end; the same in all reports of a call. */
  readonly total: number;
  /** The current part. */
  readonly what: ProgressPart;
}

/**
 * A part of a long call. msps: sets up MSPs. services: searches for the services of actors. control: searches for sets of organisations that
 * control elements. rules: runs the checks of a review. identities: judges identities. words: puts the result into words. blocks: reads
 * blocks.
 */
type ProgressPart = 'msps' | 'services' | 'control' | 'rules' | 'identities' | 'words' | 'blocks';

/** Options of a call that can take a second. */
export interface CallOptions<Report = Progress> {
  /** Ends the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Is called with the progress. */
  readonly onProgress?: ((progress: Report) => void) | undefined;
}

/** The types of {@link CallOptions}. */
export const CALL = {
  signal: is.optional(is.named('an AbortSignal', is.record({ aborted: is.bool }))),
  onProgress: is.optional(is.method),
};

/** `total` for one run of all parts. */
export const WHOLE = 100;

/** Work in steps, between two of which other code may run; returns its result. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let next = steps.next();
  while (next.done !== true) next = steps.next();
  return next.value;
}

/** A long call, as seen by its parts. */
export class LongCall {
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: CallOptions['onProgress'];
  readonly #total: number;
  readonly #yieldIfDue = createYielder(1);
  #what: ProgressPart | undefined;
  /** The start and the end of the current part, in units of `total`. */
  #start = 0;
  #end = 0;
  #done = -1;

  /** @param runs how often all parts run */
  constructor({ signal, onProgress }: CallOptions = {}, runs = 1) {
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.#total = runs * WHOLE;
  }

  /**
   * To await between two steps of the work: other code runs if the call has worked long enough.
   *
   * @throws the reason of the signal
   */
  pause(): Promise<void> | undefined {
    this.#signal?.throwIfAborted();
    const turn = this.#yieldIfDue();
    return turn === undefined || this.#signal === undefined ? turn : this.#afterTurn(turn);
  }

  /** Does work in steps, and pauses between them. @throws the reason of the signal, and errors of the work */
  async run<Result>(steps: Steps<Result>): Promise<Result> {
    let next = steps.next();
    while (next.done !== true) {
      const turn = this.pause();
      if (turn !== undefined) await turn;
      next = steps.next();
    }
    return next.value;
  }

  /** Waits for work that does not know the call. @throws the reason of the signal, without waiting any longer */
  async wait<Result>(work: Promise<Result>): Promise<Result> {
    return this.#signal === undefined ? work : untilAborted(work, this.#signal);
  }

  async #afterTurn(turn: Promise<void>): Promise<void> {
    await turn;
    this.#signal?.throwIfAborted();
  }

  /** Begins a part. @param share of one run, in hundredths */
  begin(what: ProgressPart, share: number): void {
    this.#what = what;
    this.#start = this.#end;
    this.#end += share;
    this.#report(this.#start);
  }

  /** Reports that some of the steps of the current part are done. */
  advance(steps: number, of: number): void {
    this.#report(this.#start + Math.floor(((this.#end - this.#start) * steps) / of));
  }

  /** Ends a run; the parts that it did not need count as done. @param run its number, from 1 */
  endRun(run = 1): void {
    this.#end = run * WHOLE;
    this.#report(this.#end);
  }

  #report(done: number): void {
    if (this.#what === undefined || done <= this.#done) return;
    this.#done = done;
    this.#onProgress?.({ done, total: this.#total, what: this.#what });
  }
}
