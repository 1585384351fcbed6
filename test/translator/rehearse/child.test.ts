// Programs and directories that end with the process that made them: real processes, which are killed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { startChild } from '../../../translator/rehearse/child.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { guardFolder, guardProcess } from '../../helpers/guard.js';

const CHILD = new URL('../../../translator/rehearse/child.js', import.meta.url).href;
/** Starts a program in a temporary directory, and prints the id of the one and the path of the other. */
const PARENT = `
import { openSync } from 'node:fs';
const { startChild, temporaryDirectory } = await import(process.argv[1]);
const { path } = temporaryDirectory('rehearse-test-');
const output = openSync(path + '/log', 'a');
const { pid } = startChild('/bin/sleep', ['3600'], { cwd: path, environment: {}, output });
console.log(pid + ' ' + path);
setInterval(() => undefined, 1000);
`;

const isRunning = (pid: number): boolean => {
  try {
    // A process that has ended remains until its parent asks for its status.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(10);
}

async function startParent(t: ExecutionContext) {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, CHILD], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  guardProcess(parent);
  t.teardown(() => parent.kill('SIGKILL'));
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
  const [pid = '', path = ''] = line.split(' ');
  guardFolder(path);
  return { parent, pid: Number(pid), path };
}

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`a program and a temporary directory end with a process that gets ${signal}`, async (t) => {
    const { parent, pid, path } = await startParent(t);
    t.true(isRunning(pid));
    t.true(existsSync(path));
    parent.kill(signal);
    await until(() => !isRunning(pid) && !existsSync(path));
    t.pass();
  });

test('a suspended program ends with the process that started it', async (t) => {
  const { parent, pid } = await startParent(t);
  // The shell has become the program, and the part of it that waits for the end of the pipe runs.
  await until(() => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n');
  process.kill(pid, 'SIGSTOP');
  parent.kill('SIGKILL');
  await until(() => !isRunning(pid));
  t.pass();
});

function start(t: ExecutionContext, program: string, args: readonly string[]) {
  const directory = temporaryFolder(t);
  const log = join(directory, 'log');
  const output = openSync(log, 'a');
  const child = startChild(program, args, { cwd: directory, environment: { NAME: 'value' }, output });
  closeSync(output);
  return { child, log };
}

test('the id of a child is that of its program, which has the arguments, the environment and no input', async (t) => {
  const { child, log } = start(t, '/bin/sh', ['-c', 'echo $$ "$1" "$NAME"; cat; exit 7', 'sh', "a 'b"]);
  t.deepEqual(await once(child, 'exit'), [7, null]);
  t.is(readFileSync(log, 'utf8'), `${child.pid} a 'b value\n`);
});

test('a missing program ends with status 127, and the output has the reason', async (t) => {
  const { child, log } = start(t, '/missing/orderer', []);
  t.deepEqual(await once(child, 'exit'), [127, null]);
  t.regex(readFileSync(log, 'utf8'), /\/missing\/orderer: not found/);
});

test('the shell that waits for the end of this process ends after its program', async (t) => {
  const { child } = start(t, '/bin/sleep', ['3600']);
  const waiting = (): string => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  await until(() => waiting() !== '');
  const shell = Number(waiting());
  child.kill('SIGTERM');
  t.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
  await until(() => !isRunning(shell));
  t.pass();
});
