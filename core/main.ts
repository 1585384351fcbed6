#!/usr/bin/env node
// `fabric-ops-agent`: the only module of the agent that touches the process.

import { writeAll } from './service/index.js';
import { run } from './cli/run.js';

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
  try {
    writeAll(descriptor, Buffer.from(text));
  } catch {
    // Nobody reads it.
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
