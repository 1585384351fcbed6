// A node of Fabric as a process that can be stopped and started again with the same data.

import { execFile, type ChildProcess } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { join, resolve as absolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TranslateError } from '../../proto/errors.js';
import { startChild } from './child.js';
import type { NodeValues } from './node-files.js';

/** How long a node may take until it serves, in milliseconds. */
const UP_WITHIN = 60_000;
/** The variables that turn TLS of the service off. */
const PLAIN = ['CORE_PEER_TLS_ENABLED', 'ORDERER_GENERAL_TLS_ENABLED'];
/** How long it may take to end after SIGTERM, in milliseconds, before it is killed. */
const END_WITHIN = 10_000;
/** Time limit of a TLS handshake, in milliseconds. */
const HANDSHAKE_WITHIN = 2_000;
/** Time between two tries, in milliseconds. */
const PAUSE = 50;
/** Time limit of a program that prints its version, in milliseconds. */
const VERSION_WITHIN = 20_000;

/** A program of Fabric and where it is. */
export interface Program {
  readonly path: string;
  /** Such as `3.1.5`. */
  readonly version: string;
}

/** Time limit of a request for metrics, in milliseconds. */
const METRICS_WITHIN = 5_000;

const VERSION = /^ Version: v?(?<version>\S+)$/m;

/**
 * Finds a program of Fabric in a directory and asks it for its version.
 *
 * @throws TranslateError BAD_NODE if there is no such program, or it is another one
 */
export async function findProgram(directory: string, name: 'orderer' | 'peer'): Promise<Program> {
  // Nodes run in directories of their own.
  const path = absolute(directory, name);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new TranslateError('BAD_NODE', `${path} is not a program that can be run`);
  }
  const printed = await promisify(execFile)(path, ['version'], {
    env: {},
    timeout: VERSION_WITHIN,
    killSignal: 'SIGKILL',
  }).then(
    ({ stdout }) => stdout,
    () => '',
  );
  const version = VERSION.exec(printed)?.groups?.version;
  if (version === undefined || !printed.startsWith(`${name}:\n`))
    throw new TranslateError(
      'BAD_NODE',
      `${path} is not the program ${name} of Fabric: it prints no version`,
    );
  return { path, version };
}

/** What a program prints that the host does not let run. */
const OF_HOST =
  /no space left on device|disk quota exceeded|file too large|file size limit exceeded|bind: address already in use|too many open files|cannot allocate memory/i;

/**
 * The line of the log of a node that its host did not let run, with the name of the node: the disk is full, or another program has its
 * port. What nodes lose then says nothing about an update.
 *
 * @param directory that of all nodes
 */
export function hostFaultIn(directory: string): string | undefined {
  for (const name of readdirSync(directory)) {
    const log = join(directory, name, 'log');
    if (!existsSync(log)) continue;
    const line = readFileSync(log, 'utf8')
      .split('\n')
      .find((each) => OF_HOST.test(each));
    if (line !== undefined) return `${name}: ${line.replaceAll(ESCAPES, '').trim().replace(LOG_PREFIX, '')}`;
  }
  return undefined;
}

/** A node that may run. */
export class FabricProcess {
  readonly values: NodeValues;
  /** The path of its program. */
  readonly program: string;
  readonly #log: string;
  #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #hasEnded = true;
  #isStopped = false;
  #startFailure: string | undefined;
  /** The size of the log at the last start, in bytes. */
  #logStart = 0;

  constructor(values: NodeValues, program: string) {
    this.values = values;
    this.program = program;
    this.#log = join(values.directory, 'log');
    this.#environment = { FABRIC_CFG_PATH: values.directory };
  }

  /** `127.0.0.1:PORT` of its service. */
  get address(): string {
    return `127.0.0.1:${this.values.ports.service}`;
  }

  /** The id of its process; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#hasEnded ? undefined : this.#child?.pid;
  }

  /** Why its last start failed; undefined if it did not. */
  get startFailure(): string | undefined {
    return this.#startFailure;
  }

  /** Whether {@link stop} has ended it. */
  get isStopped(): boolean {
    return this.#hasEnded && this.#isStopped;
  }

  /** The variables of its last start: all of its environment. */
  get environment(): Readonly<Record<string, string>> {
    return this.#environment;
  }

  /** Its output since the first start. */
  log(): string {
    return readFileSync(this.#log, 'utf8');
  }

  /** Its output since the last start, without colours. */
  lastLog(): string {
    return readFileSync(this.#log).subarray(this.#logStart).toString().replaceAll(ESCAPES, '');
  }

  /**
   * The line of its log since the last start that explains most: the first one with a panic, else the last one with an error, else the last
   * one with a warning; undefined if there is none. Without its time and number.
   */
  problemLine(): string | undefined {
    const lines = this.lastLog()
      .split('\n')
      .filter((each) => !OF_PROBES.test(each));
    const line =
      lines.find((each) => /^panic: |\bPANI\b/.test(each)) ??
      lines.findLast((each) => /\b(?:FATA|ERRO|CRIT)\b|^Error: |fatal error: |not found$/.test(each)) ??
      lines.findLast((each) => /\bWARN\b/.test(each));
    return line?.trim().replace(LOG_PREFIX, '');
  }

  /**
   * Starts it and waits until it serves.
   *
   * @param variables `CORE_*` or `ORDERER_*`, kept for later starts
   * @throws TranslateError BAD_NODE if it ends before it serves, or needs too long
   */
  async start(variables: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<void> {
    const { name, kind, directory } = this.values;
    this.#environment = { ...this.#environment, ...variables };
    const output = openSync(this.#log, 'a');
    this.#logStart = statSync(this.#log).size;
    const child = startChild(this.program, kind === 'peer' ? ['node', 'start'] : ['start'], {
      cwd: directory,
      environment: this.#environment,
      output,
    });
    closeSync(output);
    this.#child = child;
    this.#hasEnded = false;
    this.#isStopped = false;
    this.#startFailure = undefined;
    this.#ended = new Promise((resolve) => {
      const end = (): void => {
        this.#hasEnded = true;
        resolve();
      };
      child.once('exit', end).once('error', end);
    });
    const start = performance.now();
    while (!(await this.#serves())) {
      signal?.throwIfAborted();
      if (this.#hasEnded)
        throw this.#failed(`${name} ended during its start: ${this.problemLine() ?? 'no reason'}`);
      if (performance.now() - start > UP_WITHIN)
        throw this.#failed(`${name} does not serve after ${UP_WITHIN / 1000} s`);
      await sleep(PAUSE);
    }
  }

  #failed(reason: string): TranslateError {
    this.#startFailure = reason;
    return new TranslateError('BAD_NODE', reason);
  }

  async #serves(): Promise<boolean> {
    const { service, operations } = this.values.ports;
    const isPlain = PLAIN.some((name) => this.#environment[name] === 'false');
    return (await accepts(operations)) && (await (isPlain ? accepts(service) : handshakes(service)));
  }

  /** @returns the text of its metrics. @throws Error */
  async metrics(): Promise<string> {
    const url = `http://127.0.0.1:${this.values.ports.operations}/metrics`;
    const response = await fetch(url, { signal: AbortSignal.timeout(METRICS_WITHIN) });
    return response.text();
  }

  /** Ends it, and kills it if that takes too long; a second call does nothing. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#hasEnded) return;
    this.#isStopped = true;
    this.#child?.kill(signal);
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), END_WITHIN);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Suspends it (SIGSTOP). */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  /** Continues it (SIGCONT). */
  resume(): void {
    this.#child?.kill('SIGCONT');
  }
}

/** What the probes cause: handshakes that they break off, and transactions that orderers accept and peers mark as invalid. */
const OF_PROBES =
  /\bServer TLS handshake failed in \S+ with error (?:EOF|.*connection reset)|\bInvalid transaction with index \d+|returns err error unmarshalling Transaction: proto:/;
/** The time and the number of a line of a log. */
const LOG_PREFIX = /^\d{4}-\d\d-\d\d \S+ \S+ [0-9a-f]+ /;
const ESCAPES = /\u001b\[[0-9;]*m/g;

/** Whether a server has read from a connection: a node listens long before it serves, and may end in between. */
const handshakes = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    // The certificate is not verified: whether others accept it is tried later.
    const socket = connectTls({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
    socket.setTimeout(HANDSHAKE_WITHIN, () => socket.destroy(new Error('no handshake')));
    socket.once('secureConnect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('secureConnect', () => socket.destroy());
  });

/** Whether a server accepts connections. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
