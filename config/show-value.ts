/** Longest value that a message shows, in UTF-16 units. */
const MAX_LENGTH = 200;

/** A value as a message shows it: on one line, quoted when it is text, cut when it is long. */
export function showValue(value: unknown): string {
  const text = toText(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function toText(value: unknown): string {
  // JSON has no word for these: it would say null, nothing, or fail.
  if (value === undefined || typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}
