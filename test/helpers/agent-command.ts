// Runs commands of the agent in the test process. `runProgram` runs the program itself.

import { run } from '../../core/cli/run.js';

/** The directory and the environment of a command. */
export interface CommandFixture {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Exit status and output of a command. */
export interface CommandOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The arguments with a flag and its value, unless they have the flag. */
export const withFlag = (flag: string, value: string, args: readonly string[]): readonly string[] =>
  args.includes(flag) ? args : [flag, value, ...args];

/** Runs a command that ends by itself. */
export async function runAgentCommand(
  args: readonly string[],
  { cwd = process.cwd(), environment = {} }: CommandFixture = {},
): Promise<CommandOutcome> {
  let stdout = '';
  let stderr = '';
  const status = await run(args, {
    environment,
    cwd,
    nodeVersion: process.version,
    terminal: undefined,
    out: (text) => {
      stdout += text;
      return true;
    },
    error: (text) => void (stderr += text),
    onStop: () => undefined,
    onReload: () => undefined,
    onUncaught: () => undefined,
  });
  return { status, stdout, stderr };
}
