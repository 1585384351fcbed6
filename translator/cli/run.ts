// Runs the program: arguments in, exit status out.

import { ERRORS, TranslateError } from '../../proto/errors.js';
import type { Context } from './context.js';
import { CommandError, UsageError } from './errors.js';
import { printError, printText } from './output.js';
import { parse, type HelpRequest } from './parse.js';

const OK = 0;
const FAILED = 1;

/** Runs the command that the arguments name; an error is printed on one line. */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    const parsed = parse(args, context.process);
    if (parsed.kind === 'command')
      return (await (await parsed.command.load?.())?.run(parsed.values, context)) ?? OK;
    await showHelp(parsed, context);
    return OK;
  } catch (error) {
    const text = describe(error);
    if (text !== undefined) printError(text, context.process);
    return exitStatusOf(error);
  }
}

function exitStatusOf(error: unknown): number {
  const { cause } = error as Error;
  return cause instanceof TranslateError ? ERRORS[cause.code].exit : FAILED;
}

async function showHelp(parsed: HelpRequest, { process }: Context): Promise<void> {
  if (parsed.kind === 'help-man') {
    const { manualPage } = await import('./manual.js');
    printText(manualPage(), process);
    return;
  }
  const { commandPage, longPage, overview } = await import('./usage.js');
  const { columns } = process;
  if (parsed.kind === 'help-long') printText(longPage(columns), process);
  else process.error(parsed.command === undefined ? overview(columns) : commandPage(parsed.command, columns));
}

/** The text to print for an error; undefined if the reader of the output has closed it. */
function describe(error: unknown): string | undefined {
  if (!(error instanceof CommandError)) return `internal error: ${(error as Error).message}`;
  if ((error.cause as NodeJS.ErrnoException | undefined)?.code === 'EPIPE') return undefined;
  return error instanceof UsageError ? `${error.message}, try --help` : error.message;
}
