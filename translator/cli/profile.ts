// The settings of a network besides its address: from flags, and from the file configtxlator.yaml.

import { accessSync, constants } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { onPath } from '../on-path.js';
import { CommandError } from './errors.js';
import { printNote } from './files.js';
import { NETWORK, type NetworkFlags } from './flags.js';
import { isHash } from './kinds.js';
import type { Io } from './io.js';
import { fabricVersions } from './kinds.js';
import { readYaml } from '../yaml-file.js';

const DEFAULT_FILE = 'configtxlator.yaml';
/** The address of the channel; no flag has this name. */
export const ADDRESS = 'network';
/** The versions of the nodes; only some commands have this flag. */
const FABRIC = 'fabric';
/** Paths, which are relative to the directory of the file. */
const PATHS: ReadonlySet<string> = new Set([
  'msp',
  'password-file',
  'tls-ca',
  'client-cert',
  'client-key',
  'trust',
]);
/** A file in the working directory must not name a command: it may come from somebody else. */
type Name = Exclude<keyof NetworkFlags, 'profile' | 'sign-with'>;
const NAMES = Object.keys(NETWORK.flags).filter(
  (name): name is Name => name !== 'profile' && name !== 'sign-with',
);

/** The values of the file, by name. @throws CommandError */
export async function readProfile({ profile }: NetworkFlags): Promise<ReadonlyMap<string, string>> {
  const file = profile ?? DEFAULT_FILE;
  if (profile !== undefined) onPath('open', file, () => accessSync(file, constants.R_OK));
  const content = await readYaml(file);
  if (content === undefined || content === null) return new Map();
  const known: readonly string[] = [ADDRESS, FABRIC, ...NAMES];
  if (typeof content !== 'object' || Array.isArray(content))
    throw new CommandError(
      `${file}: this is not a mapping of names to values; allowed are ${known.join(', ')}`,
    );
  const found = new Map<string, string>();
  for (const [name, given] of Object.entries(content) as [string, unknown][]) {
    const value = name === FABRIC ? versionsIn(given) : given;
    if (!known.includes(name) || typeof value !== 'string')
      throw new CommandError(
        `${file}: the value ${JSON.stringify(name)} is unknown or not a string; allowed are ${known.join(', ')}`,
      );
    const isRelative =
      PATHS.has(name) &&
      !isAbsolute(value) &&
      !value.startsWith('pkcs11:') &&
      !(name === 'trust' && isHash(value));
    found.set(name, isRelative ? join(dirname(file), value) : value);
  }
  return found;
}

/** Versions as YAML parses them: 3.0 is a number, and several are a list. */
function versionsIn(value: unknown): unknown {
  const texts = [value].flat().map((each: unknown) => (typeof each === 'number' ? each.toFixed(1) : each));
  return texts.every((each) => typeof each === 'string') ? texts.join(',') : value;
}

/** Notes which values of the file are used. */
export function noteProfile(network: NetworkFlags, profile: ReadonlyMap<string, string>, process: Io): void {
  const used = NAMES.filter((name) => profile.has(name) && network[name] === undefined);
  if (used.length > 0) printNote(`${used.join(', ')} from ${network.profile ?? DEFAULT_FILE}`, process);
}

/** The address of the channel in the file. @param flag the flag for the address @throws CommandError if there is none */
export const networkOfProfile = (network: NetworkFlags, flag: string): Promise<string> =>
  addressIn(network, `required flag --${flag}`);

/** The source of an optional argument, or the address of the channel in the file. @throws CommandError if there is none */
export const sourceOf = async (
  given: string | undefined,
  network: NetworkFlags,
  argument: string,
): Promise<string> => given ?? addressIn(network, `required argument '${argument}'`);

async function addressIn(network: NetworkFlags, missing: string): Promise<string> {
  const address = (await readProfile(network)).get(ADDRESS);
  if (address !== undefined) return address;
  throw new CommandError(
    `${missing} not provided, and no network in ${network.profile ?? DEFAULT_FILE}, try --help`,
  );
}

/** The given versions of the nodes, or the versions in the file; empty if they are unknown. @throws CommandError, UsageError */
export async function versionsOf(
  given: readonly string[] | undefined,
  network: NetworkFlags,
  process: Io,
): Promise<readonly string[]> {
  if (given !== undefined) return given;
  const text = (await readProfile(network)).get(FABRIC);
  return text === undefined ? [] : fabricVersions.parse(text, FABRIC, process);
}
