// Runs the built programs as their users would.

import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { guardProcess } from './guard.js';

/** The built entry of `fabric-ops-agent`. */
export const PROGRAM = fileURLToPath(new URL('../../core/main.js', import.meta.url));

/** How long a line is waited for, in milliseconds; less than ava waits for a test. */
const PATIENCE = 50_000;

/** The built entry of `configtxlator`. */
export const TRANSLATOR = fileURLToPath(new URL('../../configtxlator/main.cjs', import.meta.url));

/** How a program is run. */
export interface ProgramOptions {
  /** Its entry; without it {@link PROGRAM}. */
  readonly program?: string;
  /** The Node.js that runs it. @default the one that runs this */
  readonly node?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A command that becomes the command after it. */
  readonly under?: readonly string[];
  /** What it reads on standard input; without it there is none. */
  readonly input?: string | Buffer;
}

/** How a program ended. */
export interface Outcome {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** What it wrote to standard error so far. */
  readonly stderr: () => string;
  /** Resolves with the first line of standard error that matches, rejects when the program ends before or takes too long. */
  readonly line: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly ended: Promise<Outcome>;
}

/** Starts a program; it is killed at the end of the test. The environment is only what is given, and PATH. */
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
  const waiting = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
    for (const look of waiting) look();
  });
  const ended = new Promise<Outcome>((resolve) => {
    child.on('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
  const line = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const giveUp = (what: string): void =>
        reject(new Error(`${what} without a line that matches ${String(pattern)}:\n${stderr}`));
      const timer = setTimeout(() => giveUp(`${PATIENCE / 1000}s went by`), PATIENCE);
      const look = (): void => {
        const match = pattern.exec(stderr);
        if (match === null) return;
        waiting.delete(look);
        clearTimeout(timer);
        resolve(match);
      };
      waiting.add(look);
      look();
      void ended.then(() => giveUp('the program ended')).finally(() => clearTimeout(timer));
    });
  return { child, stderr: () => stderr, line, ended };
}

/** The address of an agent, once it serves. */
export async function urlOf(agent: RunningProgram): Promise<string> {
  const [, url = ''] = await agent.line(/serving on (https?:\S+) with/);
  return url;
}

/** Runs a program to its end. */
export function runProgram(
  t: ExecutionContext,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<Outcome> {
  return startProgram(t, args, options).ended;
}
