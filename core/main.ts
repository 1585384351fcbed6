#!/usr/bin/env node
// `fabric-ops-agent`: the only module of the agent that touches the process.

import { writeSync } from 'node:fs';
import { run } from './cli/run.js';

/** How long to wait before writing again to a pipe that is full, in milliseconds. */
const FULL_PIPE_WAIT = 5;

let stopListener: (() => void) | undefined;

function onSignal(): void {
  const listener = stopListener;
  // A second signal finds no listener any more.
  if (listener === undefined) process.exit(1);
  stopListener = undefined;
  listener();
}

/** Writes all of a text to a descriptor; a reader that went away is not an error. */
function write(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // Anything but a pipe that is full for the moment: nobody reads any more.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_WAIT);
    }
  }
}

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  out: (text) => write(1, text),
  error: (text) => write(2, text),
  onStop(listener) {
    stopListener = listener;
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  },
  onReload: (listener) => void process.on('SIGHUP', listener),
  onUncaught(listener) {
    process.on('uncaughtException', (error) => listener(error, false));
    process.on('unhandledRejection', (error) => listener(error, true));
  },
});
// What a plugin left open must not keep a stopped agent alive.
process.exit();
