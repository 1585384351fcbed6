/** Measures how long conditions have held without interruption. */
export class ConditionDurations {
  #since = new Map<string, number>();

  /**
   * Records the conditions that hold now. Each other condition starts again from zero.
   *
   * @param now milliseconds, from a clock that does not jump
   * @returns how long each condition has held, in milliseconds
   */
  record(conditions: Iterable<string>, now: number): ReadonlyMap<string, number> {
    const since = new Map<string, number>();
    const durations = new Map<string, number>();
    for (const condition of conditions) {
      const start = this.#since.get(condition) ?? now;
      since.set(condition, start);
      durations.set(condition, now - start);
    }
    this.#since = since;
    return durations;
  }
}
