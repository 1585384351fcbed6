// The option `status`.

const ALLOWED = 'must be statuses from 200 to 599 and ranges of them, such as 200,204,300-399';
const RANGE = /^([2-5]\d\d)(?:-([2-5]\d\d))?$/;

/**
 * Parses a list of statuses and ranges of them.
 *
 * @param value a string, or a number: YAML reads one status as a number
 * @returns whether a status is in the list
 * @throws Error with the allowed values
 */
export function parseStatuses(value: unknown): (status: number) => boolean {
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(ALLOWED);
  const ranges = String(value)
    .split(',')
    .map((text) => {
      const [, first, last = first] = RANGE.exec(text.trim()) ?? [];
      if (first === undefined || Number(last) < Number(first)) throw new Error(ALLOWED);
      return { first: Number(first), last: Number(last) };
    });
  return (status) => ranges.some(({ first, last }) => status >= first && status <= last);
}

/** The format of the option. */
export function checkStatuses(value: unknown): void {
  parseStatuses(value);
}
