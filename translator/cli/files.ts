// Reads inputs, writes outputs, and checks paths without opening them. A path may name a file descriptor of the process.

import { accessSync, closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readAll, writeAll } from '../../core/common/files/descriptor.js';
import { openRegularFile } from '../../core/common/files/regular-file.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { onPath } from '../on-path.js';
import { CommandError } from './errors.js';
import type { Io } from './io.js';
import { prepareFile } from './write-file.js';

/** The maximum size of a file, in bytes: no block, config or update is larger than a message of an orderer. */
export const MAX_FILE_SIZE = 100 * 1024 * 1024;
/** The maximum size of an input of the commands of Fabric's program, in bytes: about the longest string of Node.js. */
const MAX_INPUT_SIZE = 512 * 1024 * 1024;
const MAX_LINKS = 40;

/** The file descriptor that a path such as `/dev/stdin` names. */
export function descriptorOf(path: string, { stdin, stdout }: Io): number | undefined {
  if (path === '/dev/stdin') return stdin;
  if (path === '/dev/stdout') return stdout;
  if (path === '/dev/stderr') return 2;
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}

/**
 * Reads a regular file, or a descriptor of the process such as `<(…)` of a shell, to its end. Other named pipes and devices are refused:
 * a named pipe might never have a writer, and a device might never end.
 *
 * @throws TranslateError BAD_FILE: `open …` or `read …`
 */
export const readInput = (path: string, process: Io): Buffer =>
  readWith(openRegularFile, path, process, MAX_FILE_SIZE);

/** Like {@link readInput}, for an optional flag. @throws TranslateError BAD_FILE */
export const readOptional = (path: string | undefined, process: Io): Buffer | undefined =>
  path === undefined ? undefined : readInput(path, process);

/** Like {@link readInput}, for the commands of Fabric's program: named pipes and devices are read too. @throws TranslateError BAD_FILE */
export const readAnyInput = (path: string, process: Io): Buffer =>
  readWith((name) => openSync(name, 'r'), path, process, MAX_INPUT_SIZE);

function readWith(open: (path: string) => number, path: string, process: Io, maxSize: number): Buffer {
  const given = descriptorOf(path, process);
  const descriptor = given ?? onPath('open', path, () => open(path));
  try {
    return onPath('read', path, () => readAll(descriptor, maxSize));
  } finally {
    if (given === undefined) closeSync(descriptor);
  }
}

/**
 * Checks an input path without opening it, because a named pipe must be opened only once.
 *
 * @throws TranslateError BAD_FILE
 */
export function checkInput(path: string, process: Io): void {
  if (descriptorOf(path, process) === undefined) onPath('open', path, () => accessSync(path, constants.R_OK));
}

/**
 * Checks an output path, without creating or changing anything.
 *
 * @throws TranslateError BAD_FILE
 */
export function checkOutput(path: string, process: Io): void {
  if (descriptorOf(path, process) !== undefined) return;
  onPath('open', path, () => {
    const target = resolveOutput(path);
    const found = statSync(target, { throwIfNoEntry: false });
    accessSync(found === undefined ? dirname(target) : target, constants.W_OK);
    if (found?.isDirectory() === true) throw new CommandError('it is a directory');
  });
}

/** Follows symbolic links to the file, whether or not the file exists. */
function resolveOutput(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    try {
      // realpathSync would ignore the slash of `file/` and resolve the empty path to the working directory.
      return realpathSync.native(target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || target === '') throw error;
    }
    if (target.endsWith('/')) throw new CommandError('it is a directory');
    const next = readLink(target);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  return target;
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Writes an output. A regular file is replaced atomically. File descriptors, pipes and devices are written directly.
 *
 * @throws TranslateError BAD_FILE: `open …` or `write …`
 */
export function writeOutput(path: string, bytes: Uint8Array, process: Io): void {
  const descriptor = descriptorOf(path, process);
  if (descriptor !== undefined) {
    onPath('write', path, () => writeAll(descriptor, bytes));
    return;
  }
  const target = onPath('open', path, () => resolveOutput(path));
  const old = onPath('open', path, () => statSync(target, { throwIfNoEntry: false }));
  const temporary = join(dirname(target), `.configtxlator-${Math.random().toString(36).slice(2)}`);
  prepareFile({ path, target, temporary, old, bytes, isSynced: false }).commit();
}

/** Like {@link writeOutput}, for a binary output. @throws TranslateError BAD_FILE; CommandError if the output is a terminal */
export async function writeBinary(path: string, bytes: Uint8Array, process: Io): Promise<void> {
  const descriptor = descriptorOf(path, process);
  // Few commands need the module, which loads slowly.
  if (descriptor !== undefined && (await import('node:tty')).isatty(descriptor))
    throw new CommandError(
      'the output is binary and standard output is a terminal: name a file with --output',
    );
  writeOutput(path, bytes, process);
}

/**
 * Writes a text to standard output.
 *
 * @throws TranslateError BAD_FILE
 */
export function printText(text: string, process: Io): void {
  writeOutput('/dev/stdout', Buffer.from(text), process);
}

/** A result as JSON. */
export const jsonText = (result: unknown): string => `${JSON.stringify(result, undefined, 2)}\n`;

/** Prints an error on standard error, on one line. */
export function printError(text: string, process: Io): void {
  process.error(`configtxlator: error: ${onOneLine(text)}\n`);
}

/** Prints a note on standard error, on one line; the exit status stays 0. */
export function printNote(text: string, process: Io): void {
  process.error(`configtxlator: note: ${onOneLine(text)}\n`);
}

/** Prints a warning on standard error, on one line; the exit status is unchanged. */
export function printWarning(text: string, process: Io): void {
  process.error(`configtxlator: warning: ${onOneLine(text)}\n`);
}
