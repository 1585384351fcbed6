// The shell of a story: bash, with a network of its own where the machine allows that.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { guardProcess } from '../guard.js';

/** How long a command, and what is waited for after it, may take, in milliseconds. */
export const PATIENCE = 60_000;
/** How long programs get to end after SIGTERM, in milliseconds. */
const STOP_TIMEOUT = 10_000;

// Each line of descriptor 3 names a file with commands. They are run by this shell itself, so that folders, variables and
// jobs stay; their output goes into a file, because a program in the background would keep a pipe open.
const LOOP = 'while IFS= read -r step <&3; do . "$step" >"$step.out" 2>&1 </dev/null; echo "$?" >&4; done';

const NETWORK = ['--net', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const UNSHARE = process.getuid?.() === 0 ? NETWORK : ['--map-root-user', ...NETWORK];

/** Whether programs can have a loopback of their own. Otherwise stories use the ports of the machine. */
const HAS_OWN_NETWORK = spawnSync('unshare', [...UNSHARE, 'true']).status === 0;

/** How far the output of each program in the background was read. */
export type Mark = ReadonlyMap<string, number>;

/** How a command ended. */
export interface Outcome {
  readonly status: number | null;
  /** What it printed; of a program in the background, what it printed until now. */
  readonly output: string;
}

/** A shell that runs the commands of a story. */
export class Shell {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #answers: Interface;
  readonly #ended: Promise<unknown>;
  readonly #background: string[] = [];
  #count = 0;

  /** Starts it; it is stopped at the end of the test, with all that it started. */
  constructor(t: ExecutionContext, cwd: string, environment: Readonly<Record<string, string>>) {
    this.#folder = join(dirname(cwd), 'steps');
    mkdirSync(this.#folder);
    const bash = ['bash', '--noprofile', '--norc', '-c', LOOP];
    const [command = '', ...args] = HAS_OWN_NETWORK ? ['unshare', ...UNSHARE, ...bash] : bash;
    // A session of its own: its process group is all that it starts.
    this.#child = spawn(command, args, {
      cwd,
      env: environment,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    });
    guardProcess(this.#child, true);
    this.#ended = once(this.#child, 'exit');
    this.#child.stdio[3]?.on('error', () => undefined);
    this.#answers = createInterface(this.#child.stdio[4] as Readable);
    t.teardown(() => this.#stop());
  }

  /** Runs commands; a program that they start in the background is not waited for. */
  async run(commands: string, isBackground: boolean): Promise<Outcome> {
    this.#count += 1;
    const file = join(this.#folder, String(this.#count));
    writeFileSync(file, commands);
    writeFileSync(`${file}.out`, '');
    if (isBackground) this.#background.push(`${file}.out`);
    const late = new AbortController();
    const answer = once(this.#answers, 'line', { signal: late.signal });
    (this.#child.stdio[3] as Writable).write(`${file}\n`);
    const status = await Promise.race([
      answer.then(([line]) => Number(line)),
      this.#ended.then(() => this.#child.exitCode ?? 1),
      sleep(PATIENCE, null, { signal: late.signal }),
    ]).finally(() => late.abort());
    return { status, output: readFileSync(`${file}.out`, 'utf8') };
  }

  /** Whether any program was started in the background. */
  get hasBackground(): boolean {
    return this.#background.length > 0;
  }

  /** How far the programs in the background are with their output. */
  mark(): Mark {
    return new Map(this.#background.map((file) => [file, readFileSync(file).length]));
  }

  /** What programs in the background printed since then. */
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
    this.#answers.close();
    const deadline = performance.now() + STOP_TIMEOUT;
    let isThere = this.#signal('SIGTERM');
    while (isThere && performance.now() < deadline) {
      await sleep(50);
      isThere = this.#signal(0);
    }
    this.#signal('SIGKILL');
  }

  /** Signals all that the shell started; false when nothing of it runs any more. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return this.#child.pid !== undefined && process.kill(-this.#child.pid, signal);
    } catch {
      return false;
    }
  }
}

/** Fails where a story would use a port of the machine that somebody else listens on. */
export async function refuseTakenPorts(text: string): Promise<void> {
  if (HAS_OWN_NETWORK) return;
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
        `something listens on port ${port}, which the document uses: stop it, or install what unshare and ip need to give the story a network of its own`,
      );
  }
}
