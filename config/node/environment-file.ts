// Files with the environment variables of a node: what container runtimes, the system and service managers have of them.

import { resolve } from 'node:path';
import { readRegularFile } from '../../core/common/files/regular-file.js';
import { describeSystemError } from '../../core/common/text/system-error.js';
import type { Environment } from '../environment.js';
import { isMapping } from '../formats.js';

/** Largest file, in bytes. */
const MAX_SIZE = 1024 * 1024;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/;

/**
 * Reads a file with environment variables: the output of `docker inspect`, `/proc/<pid>/environ`, or lines NAME=VALUE. Messages never have
 * the value of a variable.
 *
 * @throws Error naming the file and what is wrong with it
 */
export function readEnvironmentFile(name: string, cwd: string): Environment {
  try {
    const text = readRegularFile(resolve(cwd, name), MAX_SIZE);
    const variables = text.includes('\0')
      ? ofProcess(text)
      : /^\s*[[{]/.test(text)
        ? ofContainer(text)
        : ofLines(text);
    return Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(variables));
  } catch (error) {
    throw new Error(`${name}: ${describeSystemError(error)}`, { cause: error });
  }
}

type Variable = readonly [name: string, value: string];

/** Other processes may have what is no variable in their environment, such as an empty entry. */
const ofProcess = (text: string): Variable[] => text.split('\0').flatMap(variablesIn);

/** `docker inspect CONTAINER` writes a list with one object; `podman inspect` too. */
function ofContainer(text: string): Variable[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error('is not valid JSON, although it begins like the output of docker inspect');
  }
  const containers = Array.isArray(document) ? (document as unknown[]) : [document];
  if (containers.length !== 1)
    throw new Error(`describes ${containers.length} containers; write docker inspect of one of them to it`);
  const [container] = containers;
  const config = isMapping(container) ? container['Config'] : undefined;
  const list = isMapping(config) ? config['Env'] : undefined;
  if (!Array.isArray(list) || !list.every((entry) => typeof entry === 'string'))
    throw new Error('has no list Config.Env, as the output of docker inspect has');
  return list.flatMap(variablesIn);
}

/** As env files of Docker and systemd: comments begin with `#` or `;`, a value can be in quotes. */
function ofLines(text: string): Variable[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const trimmed = line.trim().replace(/^export\s+/, '');
    if (trimmed === '' || /^[#;]/.test(trimmed)) return [];
    const found = variablesIn(trimmed);
    if (found.length === 0) throw new Error(`line ${index + 1}: must be NAME=VALUE`);
    return found.map(([name, value]) => [name, unquoted(value)] as const);
  });
}

/** The variable in an entry; empty when it is none. */
function variablesIn(entry: string): Variable[] {
  const [, name, value] = VARIABLE.exec(entry) ?? [];
  return name === undefined || value === undefined ? [] : [[name, value]];
}

function unquoted(value: string): string {
  const [, quote, inner] = /^(["'])([^]*)\1$/.exec(value) ?? [];
  if (inner === undefined) return value;
  return quote === '"' ? inner.replaceAll(/\\(["\\$`])/g, '$1') : inner;
}
