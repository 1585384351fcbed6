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
    const known = new Map<string, FailedPart>();
    for (const part of failed)
      if (this.#states.has(part.component) || this.#add(part.component)) known.set(part.component, part);
    for (const [name, state] of this.#states) {
      const part = known.get(name);
      state.record(part?.reason, part?.severity);
    }
    return failed.filter(({ component }) => known.has(component));
  }

  #add(part: string): boolean {
    if (this.#states.size >= MAX_PARTS) return false;
    this.#states.set(part, this.#createState(part));
    return true;
  }
}
