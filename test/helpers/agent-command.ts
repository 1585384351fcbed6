// Runs commands of the agent within the test; what only the program itself does is tested with `runProgram`.

import { run } from '../../core/cli/run.js';

/** Where a command is run. */
export interface CommandFixture {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** How a command ended. */
export interface CommandOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that comes to an end by itself. */
export async function runAgentCommand(
  args: readonly string[],
  { cwd = process.cwd(), environment = {} }: CommandFixture = {},
): Promise<CommandOutcome> {
  let stdout = '';
  let stderr = '';
  const status = await run(args, {
    environment,
    cwd,
    out: (text) => void (stdout += text),
    error: (text) => void (stderr += text),
    onStop: () => undefined,
    onReload: () => undefined,
    onUncaught: () => undefined,
  });
  return { status, stdout, stderr };
}
