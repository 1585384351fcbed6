import { posix } from 'node:path';

/** What a request target means: a path to look up, a cleaner path to go to, or nothing. */
export type Target = { readonly path: string } | { readonly moved: string } | undefined;

const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;
const ESCAPE = /%([0-9a-f]{2})/gi;
// All that a path may have beside its slashes without an escape.
const UNSAFE = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/g;

/**
 * Reads a request target as a node does: the query is ignored, percent escapes are decoded, an absolute form is accepted, and a
 * path that changes when it is cleaned (`//healthz`, `/x/../healthz`) is to be asked for again, with its query.
 *
 * Paths are bytes, one character each: no route has others than ASCII, and not every escape is part of UTF-8.
 */
export function readTarget(target: string): Target {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? '';
  const rest = target.slice(origin.length);
  const query = rest.includes('?') ? rest.slice(rest.indexOf('?')) : '';
  const raw = rest.slice(0, rest.length - query.length);
  if (BROKEN_ESCAPE.test(raw)) return undefined;
  const path = raw === '' && origin !== '' ? '/' : raw.replace(ESCAPE, (_, code) => byte(code as string));
  if (!path.startsWith('/')) return undefined;
  const clean = posix.normalize(path);
  return clean === path
    ? { path }
    : { moved: clean.replace(UNSAFE, escape) + query.replace(/["<>]|[^!-~]/g, escape) };
}

function byte(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function escape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
