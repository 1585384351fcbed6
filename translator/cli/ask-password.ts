// Asks for a password on a terminal.

import { ReadStream } from 'node:tty';
import { CommandError } from './errors.js';

const INTERRUPT = '\u0003';
const END = '\u0004';
const ERASE = new Set(['\b', '\u007f']);
const LINE_ENDS = new Set(['\r', '\n', END]);

/**
 * Reads a line from a terminal without showing it.
 *
 * @param descriptor the file descriptor of the terminal
 * @param print writes the prompt, and the line end after it
 * @throws CommandError at Ctrl+C, or if the terminal is closed
 */
export async function askPassword(
  descriptor: number,
  prompt: string,
  print: (text: string) => void,
): Promise<string> {
  const terminal = new ReadStream(descriptor);
  // Before the prompt: the terminal shows what is typed until then.
  terminal.setRawMode(true).setEncoding('utf8');
  print(prompt);
  try {
    const password: string[] = [];
    for await (const text of terminal)
      for (const character of text as string) {
        if (character === INTERRUPT) throw new CommandError('interrupted, no password was given');
        if (LINE_ENDS.has(character)) return password.join('');
        if (ERASE.has(character)) password.pop();
        else password.push(character);
      }
    throw new CommandError('the terminal was closed, no password was given');
  } finally {
    terminal.setRawMode(false);
    terminal.destroy();
    print('\n');
  }
}
