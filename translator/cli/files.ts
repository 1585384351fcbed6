// Paths that commands are given: those that stand for a descriptor, and what can be known before they are opened.

import { accessSync, closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readAll } from '../../core/service/descriptor.js';
import { codeOf, CommandError, onPath } from './errors.js';
import type { Process } from './process.js';

/** Largest input, in bytes: about the longest text that node can hold. */
const MAX_INPUT_SIZE = 512 * 1024 * 1024;
const MAX_LINKS = 40;

/** The descriptor that a path such as `/dev/stdin` stands for. */
export function descriptorOf(path: string, { stdin, stdout }: Process): number | undefined {
  if (path === '/dev/stdin') return stdin;
  if (path === '/dev/stdout') return stdout;
  if (path === '/dev/stderr') return 2;
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}

/**
 * Reads a file or what a descriptor gives.
 *
 * @throws CommandError `open …` or `read …`
 */
export function readInput(path: string, process: Process): Buffer {
  const given = descriptorOf(path, process);
  const descriptor = given ?? onPath('open', path, () => openSync(path, 'r'));
  try {
    return onPath('read', path, () => readAll(descriptor, MAX_INPUT_SIZE));
  } finally {
    if (given === undefined) closeSync(descriptor);
  }
}

/**
 * Says what is wrong with an input path without opening it: opening a pipe twice would break it.
 *
 * @throws CommandError
 */
export function checkInput(path: string, process: Process): void {
  if (descriptorOf(path, process) === undefined) onPath('open', path, () => accessSync(path, constants.R_OK));
}

/**
 * Says what is wrong with an output path; nothing is created or changed.
 *
 * @throws CommandError
 */
export function checkOutput(path: string, process: Process): void {
  if (descriptorOf(path, process) !== undefined) return;
  onPath('open', path, () => {
    const target = resolveOutput(path);
    const found = statSync(target, { throwIfNoEntry: false });
    accessSync(found === undefined ? dirname(target) : target, constants.W_OK);
    if (found?.isDirectory() === true) throw new CommandError('is a directory');
  });
}

/** The file behind symbolic links, be it there or not. */
export function resolveOutput(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    try {
      // The other one of node's takes the slash off `file/`, and the empty path for the working folder.
      return realpathSync.native(target);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || target === '') throw error;
    }
    if (target.endsWith('/')) throw new CommandError('is a directory');
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
