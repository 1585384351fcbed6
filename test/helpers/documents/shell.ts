// The shell that runs the commands of a document: bash, in a separate network namespace if the machine allows it.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { guardProcess } from '../guard.js';
import { HAS_NETWORK_NAMESPACE, inNetworkNamespace } from '../network-namespace.js';

/** Longest time that a command may take, and longest wait for output after it, in milliseconds. */
export const COMMAND_TIMEOUT = 60_000;
/** Time between SIGTERM and SIGKILL, in milliseconds. */
const STOP_TIMEOUT = 10_000;

// Each line of file descriptor 3 names a file with commands. This shell sources it, so that the working directory, variables and
// jobs are kept. Output goes to a file, because a background program would keep a pipe open.
const LOOP = 'while IFS= read -r step <&3; do . "$step" >"$step.out" 2>&1 </dev/null; echo "$?" >&4; done';

/** The length of the output of each background program, by its file. */
export type Mark = ReadonlyMap<string, number>;

/** The result of a command. */
export interface Outcome {
  /** Null if it did not finish in time. */
  readonly status: number | null;
  /** What it printed so far, on either stream. */
  readonly output: string;
}

/** A shell that runs the commands of one document. */
export class Shell {
  readonly #directory: string;
  readonly #child: ChildProcess;
  readonly #statuses: Interface;
  readonly #ended: Promise<unknown>;
  readonly #background: string[] = [];
  #count = 0;

  /** Starts the shell. It is stopped when the test ends, with all programs that it started. */
  constructor(
    t: ExecutionContext,
    cwd: string,
    environment: Readonly<Record<string, string>>,
    usesNetworkOfTests = false,
  ) {
    this.#directory = join(dirname(cwd), 'steps');
    mkdirSync(this.#directory);
    const bash = ['bash', '--noprofile', '--norc', '-c', LOOP];
    const [command = '', ...args] = usesNetworkOfTests ? bash : inNetworkNamespace(bash);
    // Its process group contains all programs that it starts.
    this.#child = spawn(command, args, {
      cwd,
      env: environment,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    });
    guardProcess(this.#child, true);
    this.#ended = once(this.#child, 'exit');
    this.#child.stdio[3]?.on('error', () => undefined);
    this.#statuses = createInterface(this.#child.stdio[4] as Readable);
    t.teardown(() => this.#stop());
  }

  /** Runs commands; does not wait for programs that they start in the background. */
  async run(commands: string, isBackground: boolean): Promise<Outcome> {
    this.#count += 1;
    const file = join(this.#directory, String(this.#count));
    writeFileSync(file, commands);
    writeFileSync(`${file}.out`, '');
    if (isBackground) this.#background.push(`${file}.out`);
    const timer = new AbortController();
    const done = once(this.#statuses, 'line', { signal: timer.signal });
    (this.#child.stdio[3] as Writable).write(`${file}\n`);
    const status = await Promise.race([
      done.then(([line]) => Number(line)),
      this.#ended.then(() => this.#child.exitCode ?? 1),
      sleep(COMMAND_TIMEOUT, null, { signal: timer.signal }),
    ]).finally(() => timer.abort());
    return { status, output: readFileSync(`${file}.out`, 'utf8') };
  }

  /** Whether a program was started in the background. */
  get hasBackground(): boolean {
    return this.#background.length > 0;
  }

  /** Returns the current length of the output of the background programs. */
  mark(): Mark {
    return new Map(this.#background.map((file) => [file, readFileSync(file).length]));
  }

  /** Returns what background programs printed since the mark. */
  printedSince(mark: Mark): string {
    return this.#background
      .map((file) =>
        readFileSync(file)
          .subarray(mark.get(file) ?? 0)
          .toString('utf8'),
      )
      .join('');
  }

  async #stop(): Promise<void> {
    this.#statuses.close();
    const deadline = performance.now() + STOP_TIMEOUT;
    let isRunning = this.#signal('SIGTERM');
    while (isRunning && performance.now() < deadline) {
      await sleep(50);
      isRunning = this.#signal(0);
    }
    this.#signal('SIGKILL');
  }

  /** Signals the process group; returns false when no process is left. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return this.#child.pid !== undefined && process.kill(-this.#child.pid, signal);
    } catch {
      return false;
    }
  }
}

/** Throws if the document would use a port of the machine that another program listens on. */
export async function refuseTakenPorts(text: string, usesNetworkOfTests = false): Promise<void> {
  if (HAS_NETWORK_NAMESPACE && !usesNetworkOfTests) return;
  const ports = new Set(
    [...text.matchAll(/(?:127\.0\.0\.1|localhost|\s):(\d{4,5})\b/g)].map(([, port]) => Number(port)),
  );
  for (const port of ports) {
    const socket = connect(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'close').then(() => ['close']),
    ]).catch(() => ['error']);
    socket.destroy();
    if (event === 'connect')
      throw new Error(
        `port ${port} is used by the document but another program listens on it: stop that program, or install unshare and ip so that documents run in a network namespace`,
      );
  }
}
