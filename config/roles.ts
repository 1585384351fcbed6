// Reads the roles of clients: names of certificates, and files with CAs.

import { resolve } from 'node:path';
import { showValue } from '../core/common/text/value.js';
import type { RawValue } from './check-values.js';
import type { RoleSettings, Settings } from './settings.js';

const READERS = 'operations.tls.readers';
const WRITERS = 'operations.tls.writers';

/** An entry that is a file, not a name. */
const isFile = (entry: string): boolean => /^\.{0,2}\//.test(entry);

/**
 * The roles of clients, undefined if no setting names one, and their problems: an entry in both lists, and roles without TLS.
 *
 * @param values the checked values; an invalid one is missing
 */
export function readRoles(
  values: ReadonlyMap<string, unknown>,
  raw: ReadonlyMap<string, RawValue>,
): { readonly roles: Settings['operations']['tls']['roles']; readonly problems: readonly string[] } {
  const [readers, writers] = [READERS, WRITERS].map((key) =>
    roleOf((values.get(key) ?? []) as readonly string[], raw.get(key)?.directory ?? '/'),
  ) as [RoleSettings, RoleSettings];
  const sizeOf = ({ names, files }: RoleSettings): number => names.length + files.length;
  if (sizeOf(readers) + sizeOf(writers) === 0) return { roles: undefined, problems: [] };
  const originOf = (key: string): string => raw.get(key)?.origin ?? 'default';
  const inBoth = [...readers.names, ...readers.files].filter((entry) =>
    [...writers.names, ...writers.files].includes(entry),
  );
  const problems = inBoth.map(
    (entry) =>
      `${originOf(READERS)}: ${READERS}: ${showValue(entry)} is also in ${WRITERS} (${originOf(WRITERS)}); a certificate has one role`,
  );
  if (values.get('operations.tls.enabled') === false) {
    const key = sizeOf(readers) > 0 ? READERS : WRITERS;
    problems.push(
      `${originOf(key)}: ${key}: requires operations.tls.enabled: without TLS clients have no certificates`,
    );
  }
  return { roles: { readers, writers }, problems };
}

const roleOf = (entries: readonly string[], directory: string): RoleSettings => ({
  names: entries.filter((entry) => !isFile(entry)),
  files: entries.filter(isFile).map((file) => resolve(directory, file)),
});
