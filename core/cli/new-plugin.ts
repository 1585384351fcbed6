// `fabric-ops-agent plugins new KIND DIR`: writes a package with a plugin, its test and its README.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { BUILT_IN } from '../built-in.js';
import { readBuildInfo } from '../common/files/build-info.js';
import { suggestion } from '../common/text/nearest.js';
import { describeSystemError } from '../common/text/system-error.js';
import { showValue } from '../common/text/value.js';
import { AgentError } from '../contract/index.js';
import {
  TEMPLATE_DEPENDENCIES,
  TEMPLATE_KINDS,
  templateFiles,
  type TemplateKind,
} from './plugin-template.js';

/** The agent, and the packages with which the new one is built. */
const RESERVED: ReadonlySet<string> = new Set(['fabric-ops-agent', ...Object.keys(TEMPLATE_DEPENDENCIES)]);

/** Longest name of a package, of which the name of the tarball is made. */
const MAX_NAME = 100;

/**
 * Writes the package.
 *
 * @param args the kind and the directory
 * @param cwd where a relative directory starts
 * @returns what was written, and the next commands
 * @throws AgentError `USAGE` if an argument is missing or wrong, or the directory is not empty or cannot be written
 */
export function writeNewPlugin(args: readonly string[], cwd: string): string {
  const [kind, directory, ...rest] = args;
  if (kind === undefined || directory === undefined || directory === '')
    throw new AgentError('USAGE', `plugins new needs a kind (${TEMPLATE_KINDS.join(', ')}) and a directory`);
  if (rest.length > 0) throw new AgentError('USAGE', `unexpected argument '${rest.join(' ')}'`);
  if (!isKind(kind))
    throw new AgentError('USAGE', `unknown kind ${showValue(kind)}; ${suggestion(kind, TEMPLATE_KINDS)}`);
  const path = resolve(cwd, directory);
  const name = nameOf(path);
  const files = templateFiles(kind, name, readBuildInfo().version);
  write(path, directory, files);
  return `${directory}: ${files.size} files of a new ${kind}, ${name}; the next steps are in ${join(directory, 'README.md')}\n`;
}

const isKind = (kind: string): kind is TemplateKind => (TEMPLATE_KINDS as readonly string[]).includes(kind);

/** The name of the directory as the name of a package and of a plugin: lower case, with `-` in place of other characters. */
function nameOf(path: string): string {
  const name = basename(path)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const rule = 'the name of the directory becomes the name of the package';
  if (name === '' || name.length > MAX_NAME)
    throw new AgentError('USAGE', `${rule}: it must have 1 to ${MAX_NAME} letters, digits and '-'`);
  if (BUILT_IN.some((plugin) => plugin.name === name) || isBuiltin(name) || RESERVED.has(name))
    throw new AgentError(
      'USAGE',
      `${rule}, and ${name} means something else there; choose another name, such as my-${name}`,
    );
  return name;
}

/** Makes a directory and its parents. `mkdir` of Node.js with `recursive` does not end in `/proc`. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path);
}

/** @param shown the directory in messages */
function write(path: string, shown: string, files: ReadonlyMap<string, string>): void {
  let present: readonly string[];
  try {
    // The error of mkdir for a file does not tell that it is a file.
    present = existsSync(path) ? readdirSync(path) : [];
    makeDirectory(path);
  } catch (error) {
    throw new AgentError('USAGE', `${shown}: ${describeSystemError(error)}`, { cause: error });
  }
  if (present.length > 0)
    throw new AgentError('USAGE', `${shown} is not empty; name a directory that is new or empty`);
  for (const [file, text] of files)
    try {
      makeDirectory(dirname(join(path, file)));
      writeFileSync(join(path, file), text, { flag: 'wx' });
    } catch (error) {
      throw new AgentError('USAGE', `${join(shown, file)}: ${describeSystemError(error)}`, { cause: error });
    }
}
