// Nothing is left of tests that do not get to their teardown.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { startProgram } from '../helpers/program.js';
import { check, eventually } from './daemon.js';

interface Left {
  /** A process, and the leader of a group. */
  readonly pids: readonly number[];
  readonly folder: string;
  readonly mounted: string;
}

const UNTIDY = fileURLToPath(new URL('untidy.js', import.meta.url));

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
  test(`what a run started, made and mounted is gone after it was ended by ${signal}`, async (t) => {
    const run = startProgram(t, [], { program: UNTIDY });
    const [, text = ''] = await run.line(/left behind: (.*)\n/);
    const { pids, folder, mounted } = JSON.parse(text) as Left;
    t.deepEqual(pids.map(isRunning), [true, true]);
    t.true(isMounted(mounted));

    run.child.kill(signal);
    t.is((await run.ended).signal, signal);

    await eventually(async () => {
      check(!pids.some(isRunning), 'a process runs');
      check(!isMounted(mounted), 'the mount is there');
      check(!existsSync(folder) && !existsSync(mounted), 'the folder is there');
    });
    t.false(existsSync(folder));
  });
}

function isRunning(pid: number): boolean {
  // One that has ended and that nobody waited for is still listed.
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  return status !== '' && !/^State:\tZ/m.test(status);
}

function isMounted(folder: string): boolean {
  return readFileSync('/proc/self/mounts', 'utf8').includes(` ${folder} `);
}
