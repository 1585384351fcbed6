// `--set key=value` flags.

import type { RawValue } from './check-values.js';
import { isTextList } from './formats.js';
import { suggestion } from '../core/common/text/nearest.js';
import { SETTINGS } from './schema.js';

/**
 * The overrides given as `key=value`. Keys ignore case; the items of a list are separated by commas.
 *
 * @param directory the directory that relative paths are resolved against
 */
export function readFlags(
  flags: readonly string[],
  directory: string,
): { values: ReadonlyMap<string, RawValue>; problems: readonly string[] } {
  const keys = new Map([...SETTINGS.keys()].map((key) => [key.toLowerCase(), key]));
  const settable = [...SETTINGS.keys()].filter((key) => SETTINGS.get(key)?.format !== 'list');
  const values = new Map<string, RawValue>();
  const problems: string[] = [];
  for (const flag of flags) {
    const [, name = flag, text] = /^([^=]*)=(.*)$/s.exec(flag) ?? [];
    const key = keys.get(name.toLowerCase());
    const format = SETTINGS.get(key ?? '')?.format;
    if (text === undefined) problems.push(`flag --set ${flag}: must be key=value`);
    else if (key === undefined)
      problems.push(`flag --set: ${name}: unknown key; ${suggestion(name, settable)}`);
    else if (format === 'list') problems.push(`flag --set: ${key}: can only be set in a file`);
    else {
      const value = isTextList(format) ? text.split(',').filter((item) => item !== '') : text;
      values.set(key, { value, origin: `flag --set ${key}`, directory });
    }
  }
  return { values, problems };
}
