// What a network needs besides its address: from flags, and from the file configtxlator.yaml.

import { accessSync, constants } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Process } from './context.js';
import { CommandError, onPath } from './errors.js';
import type { Flag } from './flag.js';
import { NETWORK_FLAGS, PROFILE } from './network-flags.js';
import { printNote } from './output.js';
import type { Values } from './values.js';
import { mappingOf, readYaml } from './yaml-file.js';

const DEFAULT_FILE = 'configtxlator.yaml';
/** The address of the channel: the only value without a flag. */
const NETWORK = 'network';
/** Values that are paths, which begin at the directory of the file. */
const PATHS: ReadonlySet<string> = new Set(['msp', 'tls-ca', 'client-cert', 'client-key']);
const NAMES = [NETWORK, ...NETWORK_FLAGS.filter((flag) => flag !== PROFILE).map(({ name }) => name)];

/** The values of the file, by name. @throws CommandError */
export async function readProfile(values: Values): Promise<ReadonlyMap<string, string>> {
  const given = values.ofShared(PROFILE);
  const file = given ?? DEFAULT_FILE;
  if (given !== undefined) onPath('open', file, () => accessSync(file, constants.R_OK));
  const content = await readYaml(file);
  if (content === undefined) return new Map();
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(mappingOf(content))) {
    if (!NAMES.includes(name) || typeof value !== 'string')
      throw new CommandError(
        `${file}: the value ${JSON.stringify(name)} is unknown or not a string; allowed are ${NAMES.join(', ')}`,
      );
    const isRelative = PATHS.has(name) && !isAbsolute(value) && !value.startsWith('pkcs11:');
    found.set(name, isRelative ? join(dirname(file), value) : value);
  }
  return found;
}

/** The value of a flag, or that of the file. */
export const sharedValue = (
  values: Values,
  profile: ReadonlyMap<string, string>,
  flag: Flag,
): string | undefined => values.ofShared(flag) ?? profile.get(flag.name);

/** Says which values of the file are used in place of flags. */
export function noteProfile(values: Values, profile: ReadonlyMap<string, string>, process: Process): void {
  const used = NETWORK_FLAGS.filter(
    (flag) => profile.has(flag.name) && values.ofShared(flag) === undefined,
  ).map(({ name }) => name);
  if (used.length > 0)
    printNote(`${used.join(', ')} from ${values.ofShared(PROFILE) ?? DEFAULT_FILE}`, process);
}

/** The address of the channel in the file. @throws CommandError if there is none */
export async function networkOfProfile(values: Values, flag: string): Promise<string> {
  const network = (await readProfile(values)).get(NETWORK);
  if (network !== undefined) return network;
  throw new CommandError(
    `required flag --${flag} not provided, and no network in ${DEFAULT_FILE}, try --help`,
  );
}
