/**
 * A text that is longer than `max` without its middle: errors of Go begin with what was done and end with the cause.
 *
 * @param max longest result, in UTF-16 units
 */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.floor((max - 1) / 2);
  const start = max - 1 - end;
  return `${text.slice(0, start).toWellFormed()}…${text.slice(text.length - end).toWellFormed()}`;
}
