// Runs the built programs as child processes.

import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { guardProcess } from './guard.js';
import { PATIENCE } from './patience.js';

/** The built entry file of `fabric-ops-agent`. */
export const PROGRAM = fileURLToPath(new URL('../../core/main.js', import.meta.url));

/** The built entry file of `configtxlator`. */
export const TRANSLATOR = fileURLToPath(new URL('../../configtxlator/main.cjs', import.meta.url));

/** Options for running a program. */
export interface ProgramOptions {
  /** Its entry file. @default {@link PROGRAM} */
  readonly program?: string;
  /** The Node.js executable. @default the one that runs the tests */
  readonly node?: string;
  /** Environment variables in addition to PATH. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A command that executes the command given as its arguments, such as `env A=b`. */
  readonly under?: readonly string[];
  /** Standard input. @default none */
  readonly input?: string | Buffer;
}

/** The result of a program that exited. */
export interface Outcome {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** Returns its standard error so far. */
  readonly stderr: () => string;
  /** Resolves with the first match in standard error. Rejects if the program exits first or after {@link PATIENCE}. */
  readonly line: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly ended: Promise<Outcome>;
}

/** Starts a program. It is killed when the test ends. Its environment is PATH and `environment`. */
export function startProgram(
  t: ExecutionContext,
  args: readonly string[],
  { program = PROGRAM, node = process.execPath, environment, cwd, input, under = [] }: ProgramOptions = {},
): RunningProgram {
  const [command = node, ...rest] = [...under, node, program, ...args];
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH, ...environment },
    cwd,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  guardProcess(child);
  child.stdin?.on('error', () => undefined).end(input);
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  const checks = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
    for (const check of checks) check();
  });
  const ended = new Promise<Outcome>((resolve) => {
    child.on('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
  const line = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const fail = (what: string): void =>
        reject(new Error(`${what} before it printed ${String(pattern)}:\n${stderr}`));
      const timer = setTimeout(() => fail(`${PATIENCE / 1000} s passed`), PATIENCE);
      const check = (): void => {
        const match = pattern.exec(stderr);
        if (match === null) return;
        checks.delete(check);
        clearTimeout(timer);
        resolve(match);
      };
      checks.add(check);
      check();
      void ended.then(() => fail('the program exited')).finally(() => clearTimeout(timer));
    });
  return { child, stderr: () => stderr, line, ended };
}

/** Waits until an agent serves and returns its URL. */
export async function urlOf(agent: RunningProgram): Promise<string> {
  const [, url = ''] = await agent.line(/serving on (https?:\S+) with/);
  return url;
}

/** Runs a program until it exits. */
export async function runProgram(
  t: ExecutionContext,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<Outcome> {
  return startProgram(t, args, options).ended;
}
