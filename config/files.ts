// Reads configuration files. yaml-text.ts parses the text.

import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describeFileError } from '../core/common/text/file-error.js';
import { parseYaml, type YamlText } from './yaml-text.js';

/** Largest configuration file, in bytes. */
export const MAX_FILE_SIZE = 256 * 1024;

/** A configuration file as plain values. */
export interface ConfigFile extends YamlText {
  /** As given by the operator. */
  readonly name: string;
  /** The absolute path of its directory. */
  readonly directory: string;
}

/**
 * Reads a configuration file.
 *
 * @param name a path, relative to `cwd`
 * @throws Error with one line saying what is wrong with the file
 */
export function readConfigFile(name: string, cwd: string): ConfigFile {
  const path = resolve(cwd, name);
  return { name, directory: dirname(path), ...parseYaml(name, decode(name, readBytes(name, path))) };
}

function readBytes(name: string, path: string): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      return readUpTo(file, MAX_FILE_SIZE + 1);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new Error(`${name}: cannot be read: ${describeFileError(error)}`, { cause: error });
  }
}

/** Reads without knowing the size, which a pipe does not have. */
function readUpTo(file: number, limit: number): Buffer {
  const bytes = Buffer.alloc(limit);
  let end = 0;
  for (let count = -1; count !== 0 && end < limit; end += count)
    count = readSync(file, bytes, end, limit - end, null);
  return bytes.subarray(0, end);
}

function decode(name: string, bytes: Buffer): string {
  if (bytes.length > MAX_FILE_SIZE) throw new Error(`${name}: is larger than ${MAX_FILE_SIZE} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`${name}: is not valid UTF-8`, { cause: error });
  }
}
