// The program `configtxlator`: the only module of the translator that accesses the process.

import { fstatSync } from 'node:fs';
import { styleText } from 'node:util';
import { writeAll } from '../core/common/files/descriptor.js';
import { run } from './cli/run.js';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const DEFAULT_COLUMNS = 80;

/** Returns true if a descriptor is open on a terminal. The module `node:tty` loads slowly: it is loaded for character devices only. */
function isTerminal(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    // The descriptor is closed.
    return false;
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor);
}

let stopListener: (() => void) | undefined;

function onSignal(): void {
  const listener = stopListener;
  // The second signal: the listener was already called.
  if (listener === undefined) process.exit(1);
  stopListener = undefined;
  listener();
}

function printError(text: string): void {
  try {
    writeAll(STDERR, Buffer.from(text));
  } catch {
    // Standard error is closed.
  }
}

/** The answers, by prompt: the files of a folder are signed with one key. */
const passwords = new Map<string, Promise<string>>();

function askOnce(prompt: string): Promise<string> {
  const asked =
    passwords.get(prompt) ??
    import('./cli/ask-password.js').then(({ askPassword }) => askPassword(STDIN, prompt, printError));
  passwords.set(prompt, asked);
  return asked;
}

// No top-level await: the build bundles this module as CommonJS.
void run(process.argv.slice(2), {
  stdin: STDIN,
  stdout: STDOUT,
  error: printError,
  askPassword: isTerminal(STDIN) ? askOnce : undefined,
  // A getter, because few commands need it and creating Node's streams takes time.
  get isErrorTerminal() {
    return process.stderr.isTTY;
  },
  get columns() {
    return Number(process.env.COLUMNS) || process.stderr.columns || DEFAULT_COLUMNS;
  },
  display: {
    style: (format, text) =>
      isTerminal(STDOUT) ? styleText(format, text, { stream: process.stdout }) : text,
    get width() {
      return isTerminal(STDOUT) ? process.stdout.columns : undefined;
    },
  },
  runtime: process,
  searchPath: process.env.PATH,
  onStop(listener) {
    stopListener = listener;
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  },
}).then((status) => process.exit(status));
