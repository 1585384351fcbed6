// The channels that the tests of edits use, and what an orderer makes of an edit.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import {
  applyUpdate,
  makeGroup,
  readConfigFile,
  readEnvelope,
  type Config,
  type ConfigGroup,
} from '../../translator/channel/index.js';
import { isSameConfig, unsignedUpdate, type Edited } from '../../translator/edit/index.js';
import { TranslateError } from '../../translator/index.js';
import { temporaryFolder } from './folder.js';

interface Vectors {
  /** The files of MSP directories by name. */
  readonly msps: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly block: string;
}

const VECTORS = JSON.parse(readFileSync('test/vectors/edit/msps.json', 'utf8')) as Vectors;

/** A genesis block of configtxgen: the Raft channel `edits` of the organisations units, full and plain, and of orderer. */
export const BLOCK = Buffer.from(VECTORS.block, 'base64');

/** Its config. */
export const CONFIG = readConfigFile(BLOCK).config;

/** Writes the MSP directory that an organisation of the block was made of; returns its path. */
export function writeMsp(
  t: ExecutionContext,
  name: string,
  change: Readonly<Record<string, string>> = {},
): string {
  const directory = temporaryFolder(t);
  for (const [file, text] of Object.entries({ ...VECTORS.msps[name], ...change })) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
  return directory;
}

/** A certificate in PEM, of a TLS CA. */
export const PEM = Buffer.from(VECTORS.msps.full!['tlscacerts/a-tls.pem']!);
/** Another one. */
export const OTHER_PEM = Buffer.from(VECTORS.msps.full!['tlscacerts/b-tls.pem']!);

/**
 * Applies the update of an edit by Fabric's rules and asserts that the channel then has the edited config.
 *
 * @returns the resulting config, and the changes of the update
 */
export function applyEdit(
  t: ExecutionContext,
  before: Config,
  { config }: Edited,
): { readonly config: Config; readonly changes: readonly string[] } {
  const { bytes: envelope, changes } = unsignedUpdate(before, config, 'edits');
  const { channel, update, signatures, submission } = readEnvelope(envelope);
  t.deepEqual([channel, signatures, submission!.header.length], ['edits', [], 0]);
  const applied = applyUpdate(before, update, 'edits');
  t.deepEqual(applied.faults, []);
  t.true(isSameConfig(applied.config, config));
  return { config: applied.config, changes };
}

/** The group of a path below the channel group. */
export function groupOf({ channelGroup }: Config, ...path: readonly string[]): ConfigGroup {
  return path.reduce((group, name) => group.groups.get(name)!, channelGroup);
}

/** The config with a group below the channel group changed, as no edit does it. */
export function withGroupOf(
  config: Config,
  name: string,
  change: (group: ConfigGroup) => Partial<ConfigGroup>,
): Config {
  const group = groupOf(config, name);
  const groups = new Map(config.channelGroup.groups).set(name, makeGroup({ ...group, ...change(group) }));
  return { ...config, channelGroup: makeGroup({ ...config.channelGroup, groups }) };
}

/** The JSON of a config. */
export function jsonOf(group: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>>)[key], group);
}

/** Asserts the code and the message of an error of an edit. */
export function refused(t: ExecutionContext, edit: () => unknown, message: string, code = 'BAD_EDIT'): void {
  const error = t.throws(edit, { instanceOf: TranslateError });
  t.deepEqual([error?.code, error?.message], [code, message]);
}
