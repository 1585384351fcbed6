// Runs the program: arguments in, exit status out.

import { ERRORS, TranslateError } from '../../proto/errors.js';
import { CommandError, NotSigned, UsageError } from './errors.js';
import { printError, printText } from './files.js';
import type { Io } from './io.js';
import { parse, type HelpRequest } from './parse.js';

const OK = 0;
const FAILED = 1;

/** Runs a command; an error is printed on one line. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    const parsed = await parse(args, io);
    if (parsed.kind === 'command') return (await parsed.run(parsed.values, io)) ?? OK;
    await showHelp(parsed, io);
    return OK;
  } catch (error) {
    const text = describe(error);
    if (text !== undefined) printError(text, io);
    return exitStatusOf(error);
  }
}

function exitStatusOf(error: unknown): number {
  if (error instanceof NotSigned) return error.status;
  const failure = error instanceof CommandError ? error.cause : error;
  return failure instanceof TranslateError ? ERRORS[failure.code].exit : FAILED;
}

async function showHelp(parsed: HelpRequest, io: Io): Promise<void> {
  const { commandPage, familyPage, longPage, manualPage, networkPage, overview } = await import('./help.js');
  const { columns } = io;
  if (parsed.kind === 'help-man') printText(manualPage(), io);
  else if (parsed.kind === 'help-long') printText(longPage(columns), io);
  else if (parsed.kind === 'help-network') io.error(networkPage(columns));
  else if (parsed.kind === 'help-family') io.error(familyPage(parsed.word, parsed.commands, columns));
  else io.error(parsed.command === undefined ? overview(columns) : commandPage(parsed.command, columns));
}

/** The text to print for an error; undefined if the reader of the output has closed it. */
function describe(error: unknown): string | undefined {
  if (!(error instanceof CommandError || error instanceof TranslateError))
    return `internal error: ${(error as Error).message}`;
  if (isOfClosedOutput(error)) return undefined;
  return error instanceof UsageError ? `${error.message}, try --help` : error.message;
}

function isOfClosedOutput(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === 'EPIPE' || isOfClosedOutput(error.cause);
}
