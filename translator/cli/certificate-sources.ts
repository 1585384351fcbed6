// What `expiry` reads: channels, files with certificates, and directories of both.

import { readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { readRegularBytes } from '../../core/common/files/regular-file.js';
import { TranslateError } from '../../proto/errors.js';
import { readConfigFile, textFormatOf } from '../channel/index.js';
import { endsInChannel, endsInFile, type Found } from '../expiry/index.js';
import { MAX_FILE_SIZE } from '../yaml-file.js';
import { CommandError, onPath, UsageError } from './errors.js';
import { readInput } from './files.js';
import type { NetworkFlags } from './flags.js';
import { isDirectory, readConfigInput } from './inputs.js';
import type { Io } from './io.js';
import { isNetworkAddress } from './network-address.js';

/** How deep a directory is searched, and how many files and directories in it are looked at. */
const MAX_DEPTH = 10;
const MAX_ENTRIES = 50_000;
/** Files of other names are not read: a node's folder has gigabytes of them. */
const CERTIFICATE_FILE = /\.(?:pem|crt|cer|cert|crl)$/i;
const FIRST_BLOCK_FILE = /^blockfile_\d{6,10}$/;
const NOTHING = 'there is no certificate in it';

/**
 * Finds what ends in a source. A source that cannot be read is what cannot be read, so that the others are still shown.
 *
 * @throws UsageError
 */
export async function endsIn(source: string, network: NetworkFlags, io: Io): Promise<readonly Found[]> {
  return orUnreadable(source, async () => {
    if (isNetworkAddress(source)) return ofChannel(source, network, io);
    if (isDirectory(source)) return endsInDirectory(source, network, io);
    const bytes = readInput(source, io);
    const found = endsInFile(bytes, source);
    if (found !== undefined) return found;
    // Only JSON needs the schema, which takes long to load.
    const encode = textFormatOf(bytes) === 'JSON' ? await io.load.encode() : undefined;
    return endsInChannel(readConfigFile(bytes, encode), source);
  });
}

const ofChannel = async (source: string, network: NetworkFlags, io: Io): Promise<readonly Found[]> =>
  endsInChannel(await readConfigInput(source, network, io), source);

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

/** @throws CommandError if it is too large */
async function endsInDirectory(path: string, network: NetworkFlags, io: Io): Promise<readonly Found[]> {
  const { ledgers, files } = placesIn(path);
  const found: Found[] = files.flatMap((file) => ofFile(file));
  for (const ledger of ledgers)
    found.push(...(await orUnreadable(ledger, async () => ofChannel(ledger, network, io))));
  return found;
}

function ofFile(source: string): readonly Found[] {
  try {
    const bytes = onPath('read', source, () => readRegularBytes(source, MAX_FILE_SIZE));
    // Without PEM: a block in a folder of certificates, for example.
    return endsInFile(bytes, source) ?? [];
  } catch (error) {
    if (error instanceof CommandError) return [{ source, error: error.message }];
    throw error;
  }
}

/** The ledgers of channels and the files of certificates below a directory. */
interface Places {
  readonly ledgers: readonly string[];
  readonly files: readonly string[];
}

/** @throws CommandError if a directory cannot be read, or has too many entries */
function placesIn(root: string): Places {
  const ledgers: string[] = [];
  const files: string[] = [];
  let count = 0;
  const visit = (directory: string, depth: number): void => {
    const names = onPath('open', directory, () => readdirSync(directory)).toSorted();
    if (names.some((name) => FIRST_BLOCK_FILE.test(name))) return void ledgers.push(directory);
    count += names.length;
    if (count > MAX_ENTRIES)
      throw new CommandError(`${root} has more than ${MAX_ENTRIES} files: name the directories in it`);
    for (const name of names) {
      // Kubernetes keeps the versions of a volume in `..` directories.
      if (name.startsWith('..') || name === 'keystore') continue;
      const path = join(directory, name);
      const stats: Stats | undefined = statSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory() === true && depth < MAX_DEPTH) visit(path, depth + 1);
      if (stats?.isFile() === true && CERTIFICATE_FILE.test(name)) files.push(path);
    }
  };
  visit(root, 0);
  return { ledgers, files };
}
