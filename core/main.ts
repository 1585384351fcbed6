#!/usr/bin/env node
// `fabric-ops-agent`: the only module of the agent that accesses the process.

import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import type { Process, Terminal } from './cli/command.js';
import { writeAll } from './common/files/descriptor.js';
import { placesIn } from './host/stack.js';

/**
 * Longest time from the first signal, or from an uncaught error of the agent, to the end of the process, in milliseconds. It is longer than
 * a stop of the agent (`STOP_TIMEOUT` of agent.ts and 5 s for the logging backend).
 */
const STOP_TIMEOUT = 30_000;
/** How long {@link exit} waits for file operations, and how often it checks, in milliseconds. */
const FILE_TIMEOUT = 500;
const FILE_CHECK_INTERVAL = 10;

// Keeps V8's young generation at its initial size, which saves about 29 MiB of resident memory after 100 probes and scrapes. It costs
// throughput that an agent does not need: about a third of the requests to /healthz over 200 connections.
// --max-semi-space-size has no effect once V8 runs.
setFlagsFromString('--semi-space-growth-factor=1');
// A small young generation makes most objects old, and V8 does not count memory of TLS connections and buffers outside its heap.
// Without this flag it collects them late: with six monitored nodes with TLS the agent needs 30 MiB more.
setFlagsFromString('--heap-growing-percent=30');
// docker-modem prints the private key of a client with DEBUG=modem or DEBUG=*.
delete process.env.DEBUG;
/** True when the program itself ends the process. */
let isEnding = false;
let watchdog: NodeJS.Timeout | undefined;
process.on('exit', (status) => isEnding || reportForeignExit(status));
// Done before other modules are loaded, so that an early signal causes an ordered shutdown. Other commands end at a signal as usual.
let signals = process.argv[2] === 'start' ? catchSignals() : undefined;
const { run } = await import('./cli/run.js');

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  nodeVersion: process.version,
  terminal: isatty(1) ? { size: terminalSize } : undefined,
  out: (text) => write(1, text),
  error: (text) => void write(2, text),
  onStop: (listener) => (signals ??= catchSignals()).onStop(listener),
  onReload: (listener) => signals?.onReload(listener),
  onUncaught(listener) {
    const handle = (error: unknown, isRejection: boolean): void => {
      if (!listener(error, isRejection)) watchEnd();
    };
    process.on('uncaughtException', (error) => handle(error, false));
    process.on('unhandledRejection', (error) => handle(error, true));
  },
});
// Timers and sockets that a plugin left open must not keep the process alive.
exit(process.exitCode);

/** The size of the terminal of standard output, which can change. */
function terminalSize(): ReturnType<Terminal['size']> {
  const { columns, rows } = process.stdout;
  return { columns, rows };
}

/** Catches the signals of the service. A stop signal that arrives before its listener is set is kept for it. */
function catchSignals(): Pick<Process, 'onStop' | 'onReload'> {
  let stopListener: (() => void) | undefined;
  let reloadListener: (() => void) | undefined;
  let isStopping = false;
  const hadTerminal = hasTerminal();
  const stop = (): void => {
    if (isStopping) return exit(1);
    isStopping = true;
    watchEnd();
    stopListener?.();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    // A closed terminal sends SIGHUP too.
    if (hadTerminal && !hasTerminal()) stop();
    else reloadListener?.();
  });
  return {
    onStop(listener) {
      stopListener = listener;
      if (isStopping) listener();
    },
    // The files have just been read: an earlier SIGHUP has nothing to reload.
    onReload: (listener) => void (reloadListener = listener),
  };
}

/** Ends the process after {@link STOP_TIMEOUT}, even if parts hang. */
function watchEnd(): void {
  watchdog ??= setTimeout(() => {
    write(2, `fabric-ops-agent: error: shutdown took longer than ${STOP_TIMEOUT / 1000}s\n`);
    exit(1);
  }, STOP_TIMEOUT).unref();
}

/** Reports that other code ended the process, and sets exit status 1, so that a service manager restarts it. */
function reportForeignExit(status: number): void {
  const stack = new Error('exit').stack ?? '';
  const call = stack.indexOf('at process.exit ');
  const [place = 'an unknown place'] = placesIn(stack.slice(call));
  const what =
    call === -1
      ? `the process ended with status ${status} before the command finished`
      : `process.exit(${status}) was called at ${place} before the command finished`;
  write(2, `fabric-ops-agent: error: ${what}\n`);
  process.exitCode = 1;
}

/** Returns true if the process has a controlling terminal. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends the process. `process.exit` waits without limit for file operations in progress, such as one on a hanging mount: if they do not
 * end within {@link FILE_TIMEOUT}, the process is killed.
 */
function exit(status: number, waited = 0): void {
  const isBusy = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
  if (!isBusy) {
    isEnding = true;
    process.exit(status);
  }
  if (waited >= FILE_TIMEOUT) {
    write(2, 'fabric-ops-agent: error: a file operation does not end; ending with SIGKILL\n');
    process.kill(process.pid, 'SIGKILL');
  }
  setTimeout(() => exit(status, waited + FILE_CHECK_INTERVAL), FILE_CHECK_INTERVAL);
}

/** Writes a text to a file descriptor. Returns false when the reader has closed the pipe, which is not an error. */
function write(descriptor: number, text: string): boolean {
  try {
    writeAll(descriptor, Buffer.from(text));
    return true;
  } catch {
    return false;
  }
}
