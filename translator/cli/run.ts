// From the arguments of the program to a command and an exit status.

import { writeAll } from './descriptor.js';
import type { Context } from './context.js';
import { codeOf, CommandError, UsageError } from './errors.js';
import { parse } from './parse.js';

const OK = 0;
const FAILED = 1;

/** Runs the command that the arguments name; an error is printed as one line. */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    const parsed = parse(args, context.process);
    if (parsed.kind === 'command') await (await parsed.command.load?.())?.run(parsed.values, context);
    else await showHelp(parsed, context);
    return OK;
  } catch (error) {
    const text = describe(error);
    if (text !== undefined) context.process.error(`configtxlator: error: ${text}\n`);
    return FAILED;
  }
}

async function showHelp(
  parsed: Exclude<ReturnType<typeof parse>, { kind: 'command' }>,
  { process }: Context,
): Promise<void> {
  if (parsed.kind === 'help') {
    const { commandPage, overview } = await import('./usage.js');
    process.error(
      parsed.command === undefined ? overview(process.columns) : commandPage(parsed.command, process.columns),
    );
  } else if (parsed.kind === 'help-long') {
    const { longPage } = await import('./usage.js');
    writeAll(process.stdout, Buffer.from(longPage(process.columns)));
  } else {
    const { manualPage } = await import('./manual.js');
    writeAll(process.stdout, Buffer.from(manualPage()));
  }
}

/** What to print about an error; undefined where nobody reads the output any more, which needs no words. */
function describe(error: unknown): string | undefined {
  const cause = error instanceof CommandError ? (error.cause ?? error) : error;
  if (codeOf(cause) === 'EPIPE') return undefined;
  const { message } = error as Error;
  return error instanceof UsageError ? `${message}, try --help` : message;
}
