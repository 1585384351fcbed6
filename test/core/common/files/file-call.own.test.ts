// Files that do not respond. Their calls are promises that end with the test, because nothing can end a real one.

import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import {
  callFile,
  FILE_TIMEOUT,
  MAX_FILE_CALLS,
  readForeignBytes,
} from '../../../../core/common/files/file-call.js';
import type { FailedChecks } from '../../../../core/contract/index.js';
import { createLogReader } from '../../../../core/nodes/log.js';
import disk from '../../../../plugins/health/disk/index.js';
import { DISK_OPTIONS, startChecker } from '../../../helpers/checker.js';
import { temporaryFolder } from '../../../helpers/folder.js';

interface Fixture {
  readonly clock: SinonFakeTimers;
  /** Makes a call that hangs. */
  readonly hang: (path: string) => { readonly result: Promise<unknown>; readonly end: () => void };
}

function fixture(t: ExecutionContext): Fixture {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  const ends: (() => void)[] = [];
  t.teardown(async () => {
    for (const end of ends) end();
    clock.restore();
    // The ends are noticed in later turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  });
  const hang = (path: string): ReturnType<Fixture['hang']> => {
    let end: () => void = () => undefined;
    const result = callFile(path, () => new Promise<void>((resolve) => (end = resolve)));
    result.catch(() => undefined);
    ends.push(() => end());
    return { result, end: () => end() };
  };
  return { clock, hang };
}

const OTHERS = {
  name: 'FileNotResponding',
  message: 'not read, because other files do not respond: /a, /b',
};
const LATE = { name: 'FileNotResponding', message: 'it did not respond within 5s' };

test.serial(
  'a call that hangs fails after 5 s, and no other one on its path begins until it has ended',
  async (t) => {
    const { clock, hang } = fixture(t);
    const { result, end } = hang('/a');
    await clock.tickAsync(FILE_TIMEOUT - 1);
    const late = t.throwsAsync(result, LATE);
    await clock.tickAsync(1);
    await late;
    await t.throwsAsync(
      callFile('/a', async () => t.fail()),
      LATE,
    );
    t.is(await callFile('/b', async () => 'b'), 'b');
    end();
    await clock.tickAsync(0);
    t.is(await callFile('/a', async () => 'a'), 'a');
  },
);

test.serial(
  `at most ${MAX_FILE_CALLS} calls run, and when all of them hang the others fail at once with their paths`,
  async (t) => {
    const { clock, hang } = fixture(t);
    const calls = ['/a', '/b'].map(hang);
    let isRunning = false;
    const third = t.throwsAsync(
      callFile('/c', async () => (isRunning = true)),
      OTHERS,
    );
    await clock.tickAsync(FILE_TIMEOUT);
    await third;
    await t.throwsAsync(
      callFile('/c', async () => (isRunning = true)),
      OTHERS,
    );
    calls[0]?.end();
    await clock.tickAsync(0);
    t.false(isRunning);
    t.is(await callFile('/c', async () => 'c'), 'c');
  },
);

test.serial(
  'a log that does not respond is a problem at once, while the log of another node is read',
  async (t) => {
    const { clock, hang } = fixture(t);
    const folder = temporaryFolder(t, { hung: 'WARN a', log: 'WARN b' });
    const [hung, log] = [join(folder, 'hung'), join(folder, 'log')];
    hang(hung);
    await clock.tickAsync(FILE_TIMEOUT);
    t.deepEqual(await createLogReader({ file: hung })(), { source: hung, lines: [], problem: LATE.message });
    t.deepEqual(await createLogReader({ file: log })(), {
      source: log,
      lines: ['WARN b'],
      last: 'WARN b',
      cause: undefined,
    });
  },
);

test.serial(
  'a path whose file system does not respond is a warning of the disk, critical after a minute, and the others are checked',
  async (t) => {
    const { clock, hang } = fixture(t);
    const [hung, path] = [temporaryFolder(t), temporaryFolder(t)];
    hang(hung);
    await clock.tickAsync(FILE_TIMEOUT);
    const { check, checker } = await startChecker(t, disk, { ...DISK_OPTIONS, paths: [hung, path] });
    const reason = `could not be checked: ${LATE.message} (${hung})`;
    t.deepEqual(Object.values(await check()), [reason]);
    const severities = async (): Promise<unknown[]> => {
      const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
      return (error as FailedChecks).parts.map(({ severity = 'critical' }) => severity);
    };
    t.deepEqual(await severities(), ['warning']);
    await clock.tickAsync(60_000);
    t.deepEqual(await severities(), ['critical']);
  },
);

test.serial('a file of a file system that does not respond is not opened', async (t) => {
  const { clock, hang } = fixture(t);
  const file = join(temporaryFolder(t, { secret: 'x' }), 'secret');
  hang(file);
  await clock.tickAsync(FILE_TIMEOUT);
  await t.throwsAsync(readForeignBytes(file, 100), LATE);
});
