// The inputs of `expiry`: channels, files with certificates, and directories that contain both.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularBytes } from '../../core/common/files/regular-file.js';
import { TranslateError } from '../../proto/errors.js';
import { isJson, readConfigFile } from '../channel/index.js';
import { certificatesInChannel, certificatesInFile, type Found, type Unreadable } from '../expiry/index.js';
import { MAX_FILE_SIZE } from '../yaml-file.js';
import { onPath } from '../on-path.js';
import { CommandError, UsageError } from './errors.js';
import { readInput } from './files.js';
import type { NetworkFlags } from './flags.js';
import { isDirectory, readConfigInput } from './inputs.js';
import type { Io } from './io.js';
import { isNetworkAddress } from './network-address.js';

/** Limits of a search: the depth of directories, and the number of files and directories. */
const MAX_DEPTH = 10;
const MAX_ENTRIES = 50_000;
/** Other files are not read: the folder of a node can contain gigabytes. */
const CERTIFICATE_FILE = /\.(?:pem|crt|cer|cert|crl)$/i;
const FIRST_BLOCK_FILE = /^blockfile_\d{6,10}$/;
const NOTHING = 'there is no certificate in it';

/**
 * Finds everything in a source that expires. A source that cannot be read becomes an entry, so that the other sources are still shown.
 *
 * @throws UsageError
 */
export async function endsIn(source: string, network: NetworkFlags, io: Io): Promise<readonly Found[]> {
  return orUnreadable(source, async () => {
    if (isNetworkAddress(source)) return ofChannel(source, network, io);
    if (isDirectory(source)) return endsInDirectory(source, network, io);
    const bytes = readInput(source, io);
    const found = certificatesInFile(bytes, source);
    if (found !== undefined) return found;
    // Only JSON needs the schema, which loads slowly.
    const encode = isJson(bytes) ? (await import('../../proto/from-json.js')).encode : undefined;
    return certificatesInChannel(readConfigFile(bytes, encode), source);
  });
}

const ofChannel = async (source: string, network: NetworkFlags, io: Io): Promise<readonly Found[]> =>
  certificatesInChannel(await readConfigInput(source, network, io), source);

async function orUnreadable(
  source: string,
  read: () => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  try {
    const found = await read();
    return found.length === 0 ? [{ source, error: NOTHING }] : found;
  } catch (error) {
    const isExpected = error instanceof TranslateError || error instanceof CommandError;
    if (!isExpected || error instanceof UsageError) throw error;
    return [{ source, error: error.message }];
  }
}

/** @throws CommandError if there are too many files */
async function endsInDirectory(path: string, network: NetworkFlags, io: Io): Promise<readonly Found[]> {
  const { ledgers, files, unreadable } = placesIn(path);
  const found: Found[] = [...unreadable, ...files.flatMap((file) => ofFile(file))];
  for (const ledger of ledgers)
    found.push(...(await orUnreadable(ledger, async () => ofChannel(ledger, network, io))));
  return found;
}

/** A file without PEM contains nothing that expires, for example a block in a folder of certificates. */
function ofFile(source: string): readonly Found[] {
  const bytes = tried('read', source, () => readRegularBytes(source, MAX_FILE_SIZE));
  return 'error' in bytes ? [bytes] : (certificatesInFile(bytes, source) ?? []);
}

/** Makes a system call on a path; an error becomes a result. */
function tried<Result>(action: string, source: string, call: () => Result): Result | Unreadable {
  try {
    return onPath(action, source, call);
  } catch (error) {
    return { source, error: (error as TranslateError).message };
  }
}

/** The ledgers of channels and the certificate files below a directory, and paths that cannot be opened or are not searched. */
interface Places {
  readonly ledgers: readonly string[];
  readonly files: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

/**
 * Searches a directory. Symbolic links are followed; a directory or file with several names is found once, by the first one.
 *
 * @throws CommandError if there are too many files
 */
function placesIn(root: string): Places {
  const ledgers: string[] = [];
  const files: string[] = [];
  const unreadable: Unreadable[] = [];
  const known = new Set<string>();
  let count = 0;
  /** Whether a path leads to something new; an error is about a path that was removed meanwhile, or may not be opened. */
  const isNew = (path: string): boolean | Unreadable =>
    tried('open', path, () => {
      const target = realpathSync.native(path);
      return !known.has(target) && known.add(target) !== undefined;
    });
  const visit = (directory: string, depth: number): void => {
    const first = isNew(directory);
    if (typeof first === 'object') return void unreadable.push(first);
    if (!first) return;
    if (depth > MAX_DEPTH)
      return void unreadable.push({
        source: directory,
        error: `it is in more than ${MAX_DEPTH} directories and was not searched: name it`,
      });
    const names = tried('open', directory, () => readdirSync(directory).toSorted());
    if ('error' in names) return void unreadable.push(names);
    if (names.some((name) => FIRST_BLOCK_FILE.test(name))) return void ledgers.push(directory);
    count += names.length;
    if (count > MAX_ENTRIES)
      throw new CommandError(`${root} has more than ${MAX_ENTRIES} files: name the directories in it`);
    for (const name of names) {
      // Kubernetes keeps the versions of a volume in `..` directories.
      if (name.startsWith('..') || name === 'keystore') continue;
      const path = join(directory, name);
      const stats = tried('open', path, () => statSync(path));
      // A running node may have removed other files in the meantime.
      if ('error' in stats) unreadable.push(...(CERTIFICATE_FILE.test(name) ? [stats] : []));
      else if (stats.isDirectory()) visit(path, depth + 1);
      else if (CERTIFICATE_FILE.test(name) && isNew(path) !== false) files.push(path);
    }
  };
  visit(root, 0);
  return { ledgers, files, unreadable };
}
