import { posix } from 'node:path';

/** What a request target means: a path to look up, a cleaner path to go to, or nothing. */
export type Target = { readonly path: string } | { readonly moved: string } | undefined;

/**
 * Reads a request target as a node does: the query is ignored, percent escapes are decoded, an absolute form is accepted, and a
 * path that changes when it is cleaned (`//healthz`, `/x/../healthz`) is to be asked for again.
 */
export function readTarget(target: string): Target {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? '';
  const raw = target.slice(origin.length).split('?', 1)[0] ?? '';
  let path: string;
  try {
    path = decodeURIComponent(raw === '' && origin !== '' ? '/' : raw);
  } catch {
    return undefined;
  }
  if (!path.startsWith('/')) return undefined;
  const clean = posix.normalize(path);
  return clean === path ? { path } : { moved: encodeURI(clean) };
}
