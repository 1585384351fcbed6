// What the service takes of request targets: clean paths, and values in the query.

import { posix } from 'node:path';
import { BROKEN_ESCAPE, unescapeBytes, writeTarget, type Target } from '../../core/service/index.js';

// All but what a path may have beside its slashes without an escape.
const UNSAFE = /[^A-Za-z0-9\-._~$&+,/:;=@]/g;

/** The path without doubled slashes and dot segments. */
export function cleanPath(path: string): string {
  return posix.normalize(path);
}

/** A target as a `Location` header has it. */
export function locationOf(target: Target): string {
  return writeTarget(target, UNSAFE);
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
  return unescapeBytes(text.replaceAll('+', ' '));
}
