// The least amount that must be free: a percentage, or an absolute amount.

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);
const AMOUNT = /^(\d+(?:\.\d+)?) ?(%|[KMGT]iB|)$/;

/** Computes the amount for a whole. */
export type Amount = (whole: number) => number;

/** @throws Error with the allowed values */
export function parseAmount(value: unknown): Amount {
  const [, number = '', unit = ''] = AMOUNT.exec(String(value)) ?? [];
  const amount = Number(number);
  if (number === '' || (unit === '%' && amount > 100))
    throw new Error('must be a percentage such as 5%, or an amount such as 2GiB, 500MiB or 10000');
  return unit === '%' ? (whole) => (whole * amount) / 100 : () => amount * (UNITS.get(unit) ?? 1);
}

/** Bytes in the largest unit that fits: `1.5 GiB`. */
export function bytesText(bytes: number): string {
  const fitting = [...UNITS].findLast(([, size]) => bytes >= size) ?? ['', 1];
  const [unit, size] = fitting;
  return unit === '' ? `${bytes} bytes` : `${(bytes / size).toFixed(1)} ${unit}`;
}
