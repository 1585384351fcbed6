// Converts the units of performance data to the base units of Prometheus.

/** A base unit, and the conversion to it. Fractions are computed with a division, which is exact where a product is not. */
interface Conversion {
  readonly unit: string;
  readonly times?: number;
  readonly by?: number;
}

/** The plugins count 1024 bytes in a kilobyte. */
const bytes = (power: number): Conversion => ({ unit: 'bytes', times: 1024 ** power });

const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map([
  ['s', { unit: 'seconds' }],
  ['ms', { unit: 'seconds', by: 1e3 }],
  ['us', { unit: 'seconds', by: 1e6 }],
  ['µs', { unit: 'seconds', by: 1e6 }],
  ['ns', { unit: 'seconds', by: 1e9 }],
  ['%', { unit: 'ratio', by: 100 }],
  // A count that only grows.
  ['c', { unit: '' }],
  ['B', bytes(0)],
  ...['K', 'M', 'G', 'T', 'P'].flatMap((prefix, index): [string, Conversion][] => [
    [`${prefix}B`, bytes(index + 1)],
    [`${prefix}iB`, bytes(index + 1)],
  ]),
  ['kB', bytes(1)],
]);

/** Converts a value; one with another unit stays as it is. */
export function toBaseUnit(value: number, unit: string): { readonly unit: string; readonly value: number } {
  const { unit: base, times = 1, by = 1 } = CONVERSIONS.get(unit) ?? { unit };
  return { unit: base, value: (value * times) / by };
}
