// Request targets: which path is meant, and how one is written again.

/** A request target in parts. */
export interface Target {
  /** Percent-decoded, one character for each byte: not every escape is part of UTF-8. */
  readonly path: string;
  /** As it was sent, with its question mark; empty where there is none. */
  readonly query: string;
}

/** An escape that is none. */
export const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;
const ESCAPE = /%([0-9a-f]{2})/gi;

/** Reads a request target; undefined where it is no path. An absolute form (`http://host/path`) is accepted. */
export function readTarget(target: string): Target | undefined {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? '';
  const rest = target.slice(origin.length);
  const mark = rest.indexOf('?');
  const raw = mark < 0 ? rest : rest.slice(0, mark);
  if (BROKEN_ESCAPE.test(raw)) return undefined;
  const path = raw === '' && origin !== '' ? '/' : unescapeBytes(raw);
  return path.startsWith('/') ? { path, query: mark < 0 ? '' : rest.slice(mark) } : undefined;
}

/**
 * A path and a query as a target again, for a `Location` header.
 *
 * @param unsafe what needs an escape in the path, with the flag `g`
 */
export function writeTarget({ path, query }: Target, unsafe: RegExp): string {
  return path.replace(unsafe, escape) + query.replace(/["<>]|[^!-~]/g, escape);
}

/** A text without its percent escapes, one character for each byte. */
export function unescapeBytes(text: string): string {
  return text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function escape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
