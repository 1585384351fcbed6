// The result of an edit, and errors of edits.

import { suggestion } from '../../core/common/text/nearest.js';
import { TranslateError, withPrefix } from '../../proto/errors.js';
import type { Config, ConfigGroup } from '../channel/index.js';

/** An edited config. Its versions are unchanged: computing the update raises them. */
export interface Edited {
  readonly config: Config;
  /** The changes, and what else has to be done: sentences without a period. */
  readonly notes: readonly string[];
}

/** An edit that makes a new channel group. */
export const edited = (config: Config, channelGroup: ConfigGroup, ...notes: readonly string[]): Edited => ({
  config: { ...config, channelGroup },
  notes,
});

/** Runs several edits one after the other. */
export function editAll(config: Config, edits: readonly ((config: Config) => Edited)[]): Edited {
  let result: Edited = { config, notes: [] };
  for (const edit of edits) {
    const next = edit(result.config);
    result = { config: next.config, notes: [...result.notes, ...next.notes] };
  }
  return result;
}

/** The error of an impossible edit. The message has what is wrong, where, and what is allowed. */
export const badEdit = (message: string): TranslateError => new TranslateError('BAD_EDIT', message);

/** Prefixes errors of a call with the origin of a value, unless it is undefined. */
export const named = <Result>(name: string | undefined, call: () => Result): Result =>
  name === undefined ? call() : withPrefix(name, call);

/** The error for an unknown name, with the closest known names. */
export const unknownName = (what: string, name: string, known: Iterable<string>): TranslateError =>
  badEdit(`${what} ${JSON.stringify(name)}; ${suggestion(name, [...known])}`);
