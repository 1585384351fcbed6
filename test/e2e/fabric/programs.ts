// Finds the programs of Hyperledger Fabric that the tests run.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from '../npm.js';

/**
 * A release of Fabric. Tests run nodes of the first release of each line, which is the newest, and older ones only where these differ. The
 * tools, such as cryptogen, are always those of TOOLS.
 */
export type FabricVersion = 'v3.1.5' | 'v3.0.0' | 'v2.5.16' | 'v2.5.12';

/** The newest release of each line. */
export const NEWEST = ['v3.1.5', 'v2.5.16'] as const satisfies readonly FabricVersion[];

/** The release of the tools. */
export const TOOLS: FabricVersion = 'v3.1.5';

/** The programs of a release. */
export interface FabricPrograms {
  /** The directory of the programs. */
  readonly bin: string;
  /** The directory of the sample configuration. */
  readonly config: string;
}

/** The variables that name a directory of programs; the sample configuration is in `../config`, as in the archives of the releases. */
const VARIABLES: Readonly<Record<FabricVersion, string>> = {
  'v3.1.5': 'FABRIC_BIN',
  'v3.0.0': 'FABRIC_BIN_3_0_0',
  'v2.5.16': 'FABRIC_BIN_2_5',
  'v2.5.12': 'FABRIC_BIN_2_5_12',
};

const NODES = ['orderer', 'peer'] as const;
const PROGRAMS: Readonly<Record<FabricVersion, readonly string[]>> = {
  'v3.1.5': [...NODES, 'configtxgen', 'cryptogen'],
  'v3.0.0': NODES,
  'v2.5.16': NODES,
  'v2.5.12': NODES,
};

/** Beside the checkout. */
const ARCHIVES = join(ROOT, '../shared/fabric');
/** In `node_modules`, so that it is removed together with the packages. */
const CACHE = join(ROOT, 'node_modules/.cache/fabric-ops-agent');

/** Where programs may be. */
export interface ProgramPlaces {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** A directory with `v3.1.5.tar.gz`, `v2.5.16.tar.gz` and so on. */
  readonly archives?: string;
  /** Where archives are unpacked. */
  readonly cache?: string;
}

/**
 * Returns the programs of a release: of the directory in its variable (VARIABLES), else of an archive in `../shared/fabric`, which is
 * unpacked once. Throws an error that says where to get them if there are none.
 */
export function findFabric(version: FabricVersion, places: ProgramPlaces = {}): FabricPrograms {
  const { environment = process.env, archives = ARCHIVES, cache = CACHE } = places;
  const variable = VARIABLES[version];
  const named = environment[variable];
  const archive = join(archives, `${version}.tar.gz`);
  if (named !== undefined) return check(named, version, `in ${variable}`);
  if (existsSync(archive))
    return check(join(unpack(archive, version, cache), 'bin'), version, `in ${archive}`);
  throw new Error(
    `no programs of Fabric ${version}: set ${variable} to the directory of the programs, or put ${version}.tar.gz into ${archives}; ` +
      `they are in hyperledger-fabric-<platform>-${version.slice(1)}.tar.gz of https://github.com/hyperledger/fabric/releases/tag/${version}`,
  );
}

/**
 * Returns a program that contains Fabric's own code and says what an orderer decides about an update: `config-oracle-<version>` of the
 * directory in `CONFIG_ORACLE`, else of `../shared/fabric/oracle`, which is unpacked once.
 *
 * @throws Error that says where to put it
 */
export function findOracle(version: FabricVersion): string {
  const name = `config-oracle-${version}`;
  const directory = process.env.CONFIG_ORACLE;
  const archive = join(ARCHIVES, 'oracle', `${name}.gz`);
  const program = join(directory ?? CACHE, name);
  if (existsSync(program)) return program;
  if (directory !== undefined || !existsSync(archive))
    throw new Error(
      `no ${name}: set CONFIG_ORACLE to its directory, or put ${name}.gz into ${ARCHIVES}/oracle`,
    );
  mkdirSync(CACHE, { recursive: true });
  const own = mkdtempSync(join(CACHE, 'unpack-'));
  writeFileSync(join(own, name), gunzipSync(readFileSync(archive)), { mode: 0o755 });
  renameSync(join(own, name), program);
  rmSync(own, { recursive: true });
  return program;
}

function check(bin: string, version: FabricVersion, place: string): FabricPrograms {
  const missing = PROGRAMS[version].filter((program) => !existsSync(join(bin, program)));
  if (missing.length > 0) throw new Error(`no ${missing.join(', ')} of Fabric ${version} ${place}`);
  const config = join(bin, '../config');
  if (!existsSync(config))
    throw new Error(`no sample configuration of Fabric ${version} ${place}: no ${config}`);
  return { bin, config };
}

/** Returns the directory of the unpacked release. A parallel run may unpack it too: the first one that is complete is used. */
function unpack(archive: string, version: FabricVersion, cache: string): string {
  const target = join(cache, `fabric-${version}`);
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(join(cache, 'unpack-'));
  try {
    execFileSync('tar', ['-C', own, '-xzf', archive], { stdio: ['ignore', 'ignore', 'pipe'] });
    renameSync(join(own, `fabric-${version}`), target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return target;
}
