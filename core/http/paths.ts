import { posix } from 'node:path';
import { readTarget as readParts, writeTarget } from '../service/index.js';

/** What a request target means: a path to look up, a cleaner path to go to, or nothing. */
export type Target = { readonly path: string } | { readonly moved: string } | undefined;

// All but what a path may have beside its slashes without an escape.
const UNSAFE = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/g;

/**
 * Reads a request target as a node does: the query is ignored, percent escapes are decoded, an absolute form is accepted, and a
 * path that changes when it is cleaned (`//healthz`, `/x/../healthz`) is to be asked for again, with its query.
 *
 * Paths are bytes, one character each: no route has others than ASCII, and not every escape is part of UTF-8.
 */
export function readTarget(target: string): Target {
  const parts = readParts(target);
  if (parts === undefined) return undefined;
  const { path, query } = parts;
  const clean = posix.normalize(path);
  return clean === path ? { path } : { moved: writeTarget({ path: clean, query }, UNSAFE) };
}
