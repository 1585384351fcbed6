// Input and output paths: reads inputs, recognises paths that stand for a file descriptor, and checks paths without opening them.

import { accessSync, closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readAll } from '../../core/common/files/descriptor.js';
import { openRegularFile } from '../../core/common/files/regular-file.js';
import type { Process } from './context.js';
import { CommandError, onPath } from './errors.js';

/** Maximum size of an input, in bytes: about the longest string of Node.js. */
const MAX_INPUT_SIZE = 512 * 1024 * 1024;
const MAX_LINKS = 40;

/** The file descriptor that a path such as `/dev/stdin` stands for. */
export function descriptorOf(path: string, { stdin, stdout }: Process): number | undefined {
  if (path === '/dev/stdin') return stdin;
  if (path === '/dev/stdout') return stdout;
  if (path === '/dev/stderr') return 2;
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}

/**
 * Reads a regular file, or a descriptor of the process, such as that of `<(…)` of a shell, to its end. A named pipe that a path names
 * might never have a writer, and a device no end.
 *
 * @throws CommandError `open …` or `read …`
 */
export const readInput = (path: string, process: Process): Buffer => readWith(openRegularFile, path, process);

/** The same for the commands of Fabric's program, which read named pipes and devices as well. @throws CommandError */
export const readAnyInput = (path: string, process: Process): Buffer =>
  readWith((name) => openSync(name, 'r'), path, process);

function readWith(open: (path: string) => number, path: string, process: Process): Buffer {
  const given = descriptorOf(path, process);
  const descriptor = given ?? onPath('open', path, () => open(path));
  try {
    return onPath('read', path, () => readAll(descriptor, MAX_INPUT_SIZE));
  } finally {
    if (given === undefined) closeSync(descriptor);
  }
}

/**
 * Checks an input path without opening it, because a named pipe must be opened only once.
 *
 * @throws CommandError
 */
export function checkInput(path: string, process: Process): void {
  if (descriptorOf(path, process) === undefined) onPath('open', path, () => accessSync(path, constants.R_OK));
}

/**
 * Checks an output path; does not create or change anything.
 *
 * @throws CommandError
 */
export function checkOutput(path: string, process: Process): void {
  if (descriptorOf(path, process) !== undefined) return;
  onPath('open', path, () => {
    const target = resolveOutput(path);
    const found = statSync(target, { throwIfNoEntry: false });
    accessSync(found === undefined ? dirname(target) : target, constants.W_OK);
    if (found?.isDirectory() === true) throw new CommandError('it is a directory');
  });
}

/** Follows symbolic links to the file, whether or not the file exists. */
export function resolveOutput(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    try {
      // Not realpathSync, which ignores the slash of `file/` and resolves the empty path to the working directory.
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
