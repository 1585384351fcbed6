#!/usr/bin/env node
// `configtxlator`: the only module of the translator that touches the process.

import { writeAll } from '../core/service/descriptor.js';
import { run } from './cli/run.js';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const DEFAULT_COLUMNS = 80;

let stopListener: (() => void) | undefined;

function onSignal(): void {
  const listener = stopListener;
  // A second signal finds no listener any more.
  if (listener === undefined) process.exit(1);
  stopListener = undefined;
  listener();
}

function printError(text: string): void {
  try {
    writeAll(STDERR, Buffer.from(text));
  } catch {
    // Nobody reads it.
  }
}

// No `await` out here: the build makes CommonJS of it.
void run(process.argv.slice(2), {
  load: {
    decode: async () => (await import('../proto/decode.js')).decode,
    encode: async () => (await import('../proto/encode.js')).encode,
    computeUpdate: async () => (await import('./update/index.js')).computeUpdate,
    messageNames: async () => (await import('../proto/registry.js')).messageNames,
  },
  process: {
    stdin: STDIN,
    stdout: STDOUT,
    error: printError,
    // Asked for by few commands; the streams of node take time to make.
    get isErrorTerminal() {
      return process.stderr.isTTY;
    },
    get columns() {
      return Number(process.env.COLUMNS) || process.stderr.columns || DEFAULT_COLUMNS;
    },
    runtime: process,
    onStop(listener) {
      stopListener = listener;
      process.on('SIGTERM', onSignal);
      process.on('SIGINT', onSignal);
    },
  },
}).then((status) => process.exit(status));
