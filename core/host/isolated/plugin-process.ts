// One process of an isolated plugin, and the calls in progress.

import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LevelName, SourceState } from '../../contract/index.js';
import { fromWire, type CallName, type Calls, type Reply, type Request, type Updates } from './messages.js';

const MODULE = fileURLToPath(new URL('./main.js', import.meta.url));

/** How long a call may continue after its signal was aborted, in milliseconds; then the process is killed. */
export const KILL_DELAY = 1_000;

/** What a process reports. */
export interface ProcessListener {
  updated(updates: Updates): void;
  uncaught(error: Error): void;
  /** The process has ended; the calls in progress have failed with the reason. */
  ended(reason: string): void;
}

/** What accompanies a call. */
export interface CallContext {
  readonly level: LevelName;
  /** The readings of the sources, when they changed. */
  readonly readings?: readonly SourceState[];
  /** Aborts the call, and kills the process if the call does not end. */
  readonly signal?: AbortSignal;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A process with one instance of a plugin. */
export class PluginProcess {
  readonly #child: ChildProcess;
  readonly #maxMemory: number;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  /** Why this side ended the process. */
  #killReason: string | undefined;
  #ended: string | undefined;

  /** @param maxMemory most resident memory, in MiB */
  constructor(maxMemory: number, listener: ProcessListener) {
    this.#maxMemory = maxMemory;
    this.#child = fork(MODULE, [String(maxMemory)], {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [`--max-old-space-size=${maxMemory}`, '--semi-space-growth-factor=1'],
    });
    this.#unref();
    this.#child.on('message', (reply) => this.#receive(reply as Reply, listener));
    const end = (reason: string): void => {
      if (this.#ended !== undefined) return;
      this.#ended = reason;
      for (const { reject } of this.#pending.values()) reject(new Error(reason));
      this.#pending.clear();
      listener.ended(reason);
    };
    this.#child.on('error', (error) => {
      if (this.#child.pid === undefined) end(`its process cannot be started: ${error.message}`);
    });
    this.#child.on('exit', (status, signal) => end(this.#killReason ?? this.#describeExit(status, signal)));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Performs a call. Rejects with the error of the plugin, or with the reason when the process ends. */
  call<Name extends CallName>(
    call: Name,
    args: Calls[Name][0],
    { level, readings, signal }: CallContext,
  ): Promise<Calls[Name][1]> {
    if (this.#ended !== undefined) return Promise.reject(new Error(this.#ended));
    this.#calls += 1;
    const id = this.#calls;
    let killTimer: NodeJS.Timeout | undefined;
    const abort = (): void => {
      const reason: unknown = signal?.reason;
      this.#send({ abort: id, reason: reason instanceof Error ? reason.message : String(reason) });
      killTimer = setTimeout(
        () => this.kill(`its process was killed: ${call} did not end when it was aborted`),
        KILL_DELAY,
      ).unref();
    };
    // Only a call in progress keeps the agent alive.
    this.#child.ref();
    this.#child.channel?.ref();
    const done = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, call, args, level, ...(readings !== undefined && { readings }) });
    });
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
    return done.finally(() => {
      clearTimeout(killTimer);
      signal?.removeEventListener('abort', abort);
      if (this.#pending.size === 0) this.#unref();
    }) as Promise<Calls[Name][1]>;
  }

  /** Ends the process at once. */
  kill(reason: string): void {
    this.#killReason ??= reason;
    this.#child.kill('SIGKILL');
  }

  #unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  #send(request: Request): void {
    // A failure is followed by the end of the process.
    if (this.#child.connected) this.#child.send(request, () => undefined);
  }

  #receive(reply: Reply, listener: ProcessListener): void {
    if ('updates' in reply) return listener.updated(reply.updates);
    if ('uncaught' in reply) return listener.uncaught(fromWire(reply.uncaught));
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('error' in reply) pending?.reject(fromWire(reply.error));
    else pending?.resolve(reply.result);
  }

  #describeExit(status: number | null, signal: string | null): string {
    if (signal === null) return `its process ended with status ${status ?? 0}`;
    const limit = signal === 'SIGKILL' || signal === 'SIGABRT';
    return `its process ended by ${signal}${limit ? `; its memory limit is ${this.#maxMemory} MiB` : ''}`;
  }
}
