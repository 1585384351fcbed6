// Request targets: which path is meant, and what the query says.

import { posix } from 'node:path';

/** A request target in parts. */
export interface Target {
  /** Percent-decoded, one character for each byte. */
  readonly path: string;
  /** As it was sent, with its question mark; empty where there is none. */
  readonly query: string;
}

const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;
const ESCAPE = /%([0-9a-f]{2})/gi;
// All that a path may have beside its slashes without an escape.
const UNSAFE = /[^A-Za-z0-9\-._~$&+,/:;=@]/g;

/** Reads a request target; undefined where it is no path. An absolute form (`http://host/path`) is accepted. */
export function readTarget(url: string): Target | undefined {
  const origin = /^https?:\/\/[^/?]*/i.exec(url)?.[0] ?? '';
  const rest = url.slice(origin.length);
  const mark = rest.indexOf('?');
  const raw = mark < 0 ? rest : rest.slice(0, mark);
  if (BROKEN_ESCAPE.test(raw)) return undefined;
  const path = raw === '' && origin !== '' ? '/' : unescape(raw);
  return path.startsWith('/') ? { path, query: mark < 0 ? '' : rest.slice(mark) } : undefined;
}

/** The path without doubled slashes and dot segments. */
export function cleanPath(path: string): string {
  return posix.normalize(path);
}

/** A path and a query as a target again, for a `Location` header. */
export function writeTarget(path: string, query: string): string {
  return path.replace(UNSAFE, escape) + query.replace(/["<>]|[^!-~]/g, escape);
}

/**
 * The first value of a parameter in a query, as bytes; undefined where it is not there.
 *
 * @throws Error for a query that cannot be read, in Go's words
 */
export function queryValue(query: string, name: string): Buffer | undefined {
  let found: Buffer | undefined;
  for (const pair of query.slice(1).split('&')) {
    if (pair.includes(';')) throw new Error('invalid semicolon separator in query');
    const equals = pair.indexOf('=');
    const key = unescapeForm(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescapeForm(equals < 0 ? '' : pair.slice(equals + 1));
    if (key === name && pair !== '') found ??= Buffer.from(value, 'latin1');
  }
  return found;
}

function unescapeForm(text: string): string {
  const broken = BROKEN_ESCAPE.exec(text);
  if (broken !== null)
    throw new Error(`invalid URL escape ${JSON.stringify(text.slice(broken.index, broken.index + 3))}`);
  return unescape(text.replaceAll('+', ' '));
}

function unescape(text: string): string {
  return text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function escape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
