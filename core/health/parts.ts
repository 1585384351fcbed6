import type { FailedPart } from '../contract/index.js';
import { MAX_PARTS } from './failure.js';
import type { State } from './state.js';

/** The states of the parts of one component. A part is known once it has failed. */
export class Parts {
  readonly #createState: (part: string) => State;
  readonly #states = new Map<string, State>();

  constructor(createState: (part: string) => State) {
    this.#createState = createState;
  }

  /**
   * Records that these parts failed and that all other known parts are healthy.
   *
   * @returns the recorded ones; others are missing when the component has had more than {@link MAX_PARTS} different parts
   */
  record(failed: readonly FailedPart[]): readonly FailedPart[] {
    if (failed.length === 0 && this.#states.size === 0) return failed;
    const reasons = new Map<string, string>();
    for (const { component, reason } of failed)
      if (this.#states.has(component) || this.#add(component)) reasons.set(component, reason);
    for (const [part, state] of this.#states) state.record(reasons.get(part));
    return failed.filter(({ component }) => reasons.has(component));
  }

  #add(part: string): boolean {
    if (this.#states.size >= MAX_PARTS) return false;
    this.#states.set(part, this.#createState(part));
    return true;
  }
}
