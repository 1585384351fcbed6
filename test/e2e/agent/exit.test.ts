// The program ends at a signal whatever hangs, with status 0, or 1 at the second signal.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../../helpers/folder.js';
import { PROGRAM, startProgram } from '../../helpers/program.js';
import { until } from '../../helpers/until.js';

const START = ['start', '--set', 'operations.listenAddress=127.0.0.1:0'];

/** Runs a shell command that starts the program with its arguments in `"$@"`. */
function shell(t: ExecutionContext, command: string, args: readonly string[] = START) {
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, PROGRAM, ...args], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  return { child, ended: once(child, 'exit') as Promise<[number | null, string | null]> };
}

/** Whether a process runs. One that has ended but is not reaped does not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until the program catches SIGHUP, which is long before it serves. Node by itself does not catch it. */
async function catchesHangup(pid: number | undefined): Promise<void> {
  for (;;) {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8');
    if ((Number.parseInt(/^SigCgt:\s+([0-9a-f]+)/m.exec(status)?.[1]?.slice(-1) ?? '0', 16) & 1) === 1)
      return;
    await sleep(5);
  }
}

test('a log on a full disk does not keep the program from ending', async (t) => {
  const { child, ended } = shell(t, 'exec "$@" 2>/dev/full');
  await sleep(2500);
  child.kill('SIGTERM');
  t.deepEqual(await ended, [0, null]);
});

test('SIGHUP while the program loads does not end it, SIGTERM ends it with status 0', async (t) => {
  const program = startProgram(t, START);
  await catchesHangup(program.child.pid);
  program.child.kill('SIGHUP');
  await program.line(/serving on/);
  program.child.kill('SIGTERM');
  t.is((await program.ended).status, 0);
  const early = startProgram(t, START);
  await catchesHangup(early.child.pid);
  early.child.kill('SIGTERM');
  t.is((await early.ended).status, 0);
});

test('closing its terminal ends the program', async (t) => {
  // script(1) runs the command on a pseudo terminal, whose closing sends SIGHUP to the program.
  const directory = temporaryFolder(t);
  const typescript = join(directory, 'typescript');
  const command = [process.execPath, PROGRAM, ...START].map((word) => `'${word}'`).join(' ');
  const pidFile = join(directory, 'pid');
  const terminal = spawn('script', ['-qfc', `echo $$ >${pidFile}; exec ${command}`, typescript], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  t.teardown(() => terminal.kill('SIGKILL'));
  await until(() => existsSync(typescript) && readFileSync(typescript, 'utf8').includes('serving on'));
  const pid = Number(readFileSync(pidFile, 'utf8'));
  t.teardown(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
  process.kill(pid, 'SIGHUP');
  await until(() => readFileSync(typescript, 'utf8').includes('there are no certificates to reload'));
  t.true(isRunning(pid), 'with its terminal SIGHUP is a reload');
  terminal.kill('SIGKILL');
  await until(() => !isRunning(pid));
  t.pass();
});

test('hanging file operations of a plugin keep neither the log nor the end of the program', async (t) => {
  const directory = temporaryFolder(t, {
    'hang.mjs': `import { readFile } from 'node:fs/promises';
      export default { apiVersion: 1, kind: 'checker', name: 'hang', options: {},
        create: () => ({ start: () => { for (let n = 0; n < 8; n += 1) readFile('fifo').catch(() => undefined); }, check() {} }) };`,
    'agent.yaml': `operations: { listenAddress: '127.0.0.1:0' }\nplugins: [{ plugin: ./hang.mjs }]\n`,
  });
  await once(spawn('mkfifo', [join(directory, 'fifo')]), 'exit');
  const program = startProgram(t, ['start', '--config', join(directory, 'agent.yaml')], { cwd: directory });
  await program.line(/serving on/);
  program.child.kill('SIGTERM');
  const { stderr } = await program.ended;
  t.regex(stderr, /stopped\n/);
  t.regex(stderr, /fabric-ops-agent: error: a file operation does not end; ending with SIGKILL\n$/);
});
