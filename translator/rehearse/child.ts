// Programs and directories that end with this process, also if it is killed: a shell waits for the end of a pipe from it.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

const SHELL = '/bin/sh';
/** The shell becomes the program, and its part in the background kills the program when the pipe ends without a line. */
const PROGRAM =
  'exec 3<&0 </dev/null; { read -r _ <&3 || kill -s KILL $$; } >/dev/null 2>&1 & exec "$@" 3<&-';
/** Processes that end at the same time may still write files. */
const DIRECTORY =
  'read -r _ || for second in 1 2 3 4 5 6 7 8 9 10; do rm -rf -- "$1" && exit; sleep 1; done 2>/dev/null';
/** The line that ends the wait for the end of the pipe. */
const RELEASE = '\n';

/** Where a program runs. */
export interface ChildOptions {
  readonly cwd: string;
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The descriptor of the file that gets its output; `pipe`: the streams of the child. */
  readonly output: number | 'pipe';
}

/**
 * Starts a program that is killed when this process ends. It has its own session: a Ctrl+C of the terminal does not reach it.
 *
 * @param program its path; without such a program the exit status is 127, and the output has the reason
 */
export function startChild(
  program: string,
  args: readonly string[],
  { cwd, environment, output }: ChildOptions,
): ChildProcess {
  const child = spawn(SHELL, ['-c', PROGRAM, 'sh', program, ...args], {
    cwd,
    env: { ...environment },
    stdio: ['pipe', output, output],
    detached: true,
  });
  const pipe = held(child.stdin!);
  // Its id may soon be that of another process.
  child.once('exit', () => pipe.end(RELEASE));
  return child;
}

/** A temporary directory of this user alone. */
export interface TemporaryDirectory {
  readonly path: string;
  /** Removes it. */
  remove(): void;
}

/** Creates a directory in the directory for temporary files, which is removed when this process ends. */
export function temporaryDirectory(prefix: string): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), prefix));
  const shell = spawn(SHELL, ['-c', DIRECTORY, 'sh', path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.unref();
  const pipe = held(shell.stdin);
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true, maxRetries: 10 });
      pipe.end(RELEASE);
    },
  };
}

/** A pipe that does not keep this process running. */
function held(pipe: Writable): Writable {
  (pipe as Writable & { unref(): void }).unref();
  return pipe.on('error', () => undefined);
}
