// A password that is typed on a terminal: python3 holds its other end.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { askPassword } from '../../../translator/cli/ask-password.js';

/** Prints the name of a terminal. Types each line of its input, in JSON, on it, and prints what the terminal shows of it. */
const HOLDER = `
import json, os, pty, sys
master, terminal = pty.openpty()
os.set_blocking(master, False)
print(json.dumps(os.ttyname(terminal)), flush=True)
for line in sys.stdin:
    os.write(master, json.loads(line).encode())
    try: shown = os.read(master, 4096).decode()
    except BlockingIOError: shown = ''
    print(json.dumps(shown), flush=True)
`;

interface Terminal {
  readonly descriptor: number;
  /** @returns what the terminal shows of it */
  readonly type: (text: string) => Promise<string>;
}

async function openTerminal(t: ExecutionContext): Promise<Terminal> {
  const holder = spawn('python3', ['-c', HOLDER], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => holder.kill());
  const lines = createInterface(holder.stdout);
  const next = async (): Promise<string> => JSON.parse(String((await once(lines, 'line'))[0])) as string;
  const descriptor = openSync(await next(), constants.O_RDWR | constants.O_NOCTTY);
  return {
    descriptor,
    type(text) {
      const shown = next();
      holder.stdin.write(`${JSON.stringify(text)}\n`);
      return shown;
    },
  };
}

/** Types a text after the prompt; returns the password, or the error, with what is printed. */
async function typed(t: ExecutionContext, text: string) {
  const { descriptor, type } = await openTerminal(t);
  const printed: string[] = [];
  let shown: Promise<string> | undefined;
  const password = await askPassword(descriptor, 'Password: ', (each) => {
    printed.push(each);
    shown ??= type(text);
  }).catch((error: Error) => `${error.name}: ${error.message}`);
  return { password, printed, shown: await shown };
}

for (const [what, text, password] of [
  ['ends with a return', 'secret\r', 'secret'],
  ['ends with a line feed', 'secret\n', 'secret'],
  ['ends with Ctrl+D', 'secret\u0004', 'secret'],
  ['is corrected', 'x\u007fsecr\u007f\bcret\r', 'secret'],
  ['is corrected before its begin', '\u007fsecret\r', 'secret'],
  ['has other letters', 'pä€𝄞\u007f𝄞\r', 'pä€𝄞'],
  ['is empty', '\r', ''],
  ['is interrupted', 'sec\u0003ret\r', 'CommandError: interrupted, no password was given'],
] as const)
  test(`a password that ${what} is not shown, and a line end follows the prompt`, async (t) => {
    t.deepEqual(await typed(t, text), { password, printed: ['Password: ', '\n'], shown: '' });
  });
