// Reproducible random numbers.

/** A source of random numbers. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  readonly below: (bound: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
  readonly bytes: (count: number) => Buffer;
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    pick: (from) => from[below(from.length)]!,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
