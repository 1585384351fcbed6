/** A value and its origin. */
export interface WithOrigin<T> {
  readonly value: T;
  /** For messages: a file and line, a variable or a flag, and the key; or `default`. */
  readonly origin: string;
}
