// Runs the built program as its user would.

import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';

/** The built entry of `fabric-ops-agent`. */
export const PROGRAM = fileURLToPath(new URL('../../core/main.js', import.meta.url));

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
  /** Resolves with the first line of standard error that matches, rejects when the program ends before. */
  readonly line: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly ended: Promise<Outcome>;
}

/**
 * Starts the program; it is killed at the end of the test. The environment is only what is given, and PATH.
 *
 * @param options.under a command that becomes the command after it
 */
export function startProgram(
  t: ExecutionContext,
  args: readonly string[],
  options: { environment?: Readonly<Record<string, string>>; cwd?: string; under?: readonly string[] } = {},
): RunningProgram {
  const [command = process.execPath, ...rest] = [
    ...(options.under ?? []),
    process.execPath,
    PROGRAM,
    ...args,
  ];
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH, ...options.environment },
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
    for (const look of waiting) look();
  });
  const ended = new Promise<Outcome>((resolve) => {
    child.on('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
  const line = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(stderr);
        if (match === null) return;
        waiting.delete(look);
        resolve(match);
      };
      waiting.add(look);
      look();
      void ended.then(() =>
        reject(new Error(`the program ended without a line that matches ${String(pattern)}:\n${stderr}`)),
      );
    });
  return { child, stderr: () => stderr, line, ended };
}

/** Runs the program to its end. */
export function runProgram(
  t: ExecutionContext,
  args: readonly string[],
  options: { environment?: Readonly<Record<string, string>>; cwd?: string } = {},
): Promise<Outcome> {
  return startProgram(t, args, options).ended;
}
