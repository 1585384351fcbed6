// The guard removes what is left of a test run whose teardown does not run.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { startProgram } from '../helpers/program.js';
import { check, eventually } from './daemon.js';

interface Leftovers {
  /** A process, and the leader of a process group. */
  readonly pids: readonly number[];
  readonly directory: string;
  readonly mounted: string;
}

const ABANDONED_RUN = fileURLToPath(new URL('abandoned-run.js', import.meta.url));

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
  test(`processes, directories and mounts of a test run are removed after ${signal}`, async (t) => {
    const run = startProgram(t, [], { program: ABANDONED_RUN });
    const [, text = ''] = await run.line(/left behind: (.*)\n/);
    const { pids, directory, mounted } = JSON.parse(text) as Leftovers;
    t.deepEqual(pids.map(isRunning), [true, true]);
    t.true(isMounted(mounted));

    run.child.kill(signal);
    t.is((await run.ended).signal, signal);

    await eventually(async () => {
      check(!pids.some(isRunning), 'a process is still running');
      check(!isMounted(mounted), 'the mount still exists');
      check(!existsSync(directory) && !existsSync(mounted), 'the directory still exists');
    });
    t.false(existsSync(directory));
  });
}

function isRunning(pid: number): boolean {
  // /proc also lists zombies: processes that have exited but are not reaped.
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  return status !== '' && !/^State:\tZ/m.test(status);
}

function isMounted(directory: string): boolean {
  return readFileSync('/proc/self/mounts', 'utf8').includes(` ${directory} `);
}
