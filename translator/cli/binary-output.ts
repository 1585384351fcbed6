// Writes a binary output, but not to a terminal.

import { isatty } from 'node:tty';
import type { Process } from './context.js';
import { CommandError } from './errors.js';
import { descriptorOf } from './files.js';
import { writeOutput } from './output.js';

/** @throws CommandError if the output is a terminal */
function checkNoTerminal(path: string, process: Process): void {
  const descriptor = descriptorOf(path, process);
  if (descriptor !== undefined && isatty(descriptor))
    throw new CommandError(
      'the output is binary and standard output is a terminal: name a file with --output',
    );
}

/** @throws CommandError */
export function writeBinary(path: string, bytes: Uint8Array, process: Process): void {
  checkNoTerminal(path, process);
  writeOutput(path, bytes, process);
}
