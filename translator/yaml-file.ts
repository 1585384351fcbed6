// Reads YAML files. Node.js only.

import { statSync } from 'node:fs';
import { readGivenFile } from '../core/common/files/regular-file.js';
import { TranslateError } from '../proto/errors.js';
import { onPath } from './on-path.js';

/** The maximum size of a file. Files of users and of MSPs have a few kilobytes. */
export const MAX_FILE_SIZE = 1024 * 1024;
/** The maximum number of values to which the aliases of a file expand. */
const MAX_ALIASES = 100;

/** The value of a file; undefined if there is no such file. @throws TranslateError BAD_FILE */
export async function readYaml(file: string): Promise<unknown> {
  if (onPath('open', file, () => statSync(file, { throwIfNoEntry: false })) === undefined) return undefined;
  const text = onPath('read', file, () => readGivenFile(file, MAX_FILE_SIZE));
  const { Composer, Parser } = await import('yaml');
  const documents = [...new Composer().compose(new Parser().parse(text))];
  const [document] = documents;
  const [error] = document?.errors ?? [];
  if (error !== undefined) throw new TranslateError('BAD_FILE', `${file}: ${error.message}`);
  try {
    return document?.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw new TranslateError('BAD_FILE', `${file}: ${(cause as Error).message}`);
  }
}
