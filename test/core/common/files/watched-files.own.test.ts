// Changes of files, with versions and a clock of the test.

import { setImmediate as nextTurn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { FileNotResponding } from '../../../../core/common/files/file-call.js';
import type { FileVersions } from '../../../../core/common/files/version.js';
import { WatchedFiles } from '../../../../core/common/files/watched-files.js';

/** Files of the version `a`; each step sets their version, and lets an interval of 2 s pass. */
function watch(t: ExecutionContext, files: readonly string[] = ['/file']) {
  const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldClearNativeTimers: true });
  t.teardown(() => clock.restore());
  let version: string | FileNotResponding = 'a';
  const versions = {
    readSync: () => String(version),
    read: async () => version,
  } as unknown as FileVersions;
  const watched = new WatchedFiles(files, versions);
  const reported: string[] = [];
  watched.start(
    () => reported.push('changed'),
    (reason) => reported.push(reason),
  );
  t.teardown(() => watched.stop());
  const step = async (next: string | FileNotResponding): Promise<number> => {
    version = next;
    clock.tick(2000);
    await nextTurn();
    return reported.length;
  };
  return { clock, watched, reported, step, set: (next: string) => (version = next) };
}

test.serial('a change is reported once, when the files have not changed for an interval', async (t) => {
  const { step, reported } = watch(t);
  t.is(await step('a'), 0);
  t.is(await step('b'), 0);
  t.is(await step('c'), 0);
  t.is(await step('c'), 1);
  t.is(await step('c'), 1);
  t.is(await step('d'), 1);
  t.is(await step('d'), 2);
  t.deepEqual(reported, ['changed', 'changed']);
});

test.serial('files that are as before after a change are not reported', async (t) => {
  const { step } = watch(t);
  t.is(await step('b'), 0);
  t.is(await step('a'), 0);
  t.is(await step('a'), 0);
});

test.serial('files that were read for another reason are not reported', async (t) => {
  const { step, watched, set } = watch(t);
  t.is(await step('b'), 0);
  set('b');
  watched.beforeRead();
  t.is(await step('b'), 0);
  t.is(await step('b'), 0);
  t.is(await step('c'), 0);
  t.is(await step('c'), 1);
});

test.serial('files that do not respond are reported once, until they respond', async (t) => {
  const { step, reported } = watch(t);
  const hangs = new FileNotResponding('/file does not respond', true);
  t.is(await step(hangs), 1);
  t.is(await step(hangs), 1);
  t.is(await step('a'), 1);
  t.is(await step(hangs), 2);
  t.is(await step('b'), 2);
  t.is(await step('b'), 3);
  t.deepEqual(reported, ['/file does not respond', '/file does not respond', 'changed']);
});

test.serial('after the stop nothing is reported, not even by a comparison in progress', async (t) => {
  const { step, watched, clock } = watch(t);
  t.is(await step('b'), 0);
  clock.tick(2000);
  watched.stop();
  await nextTurn();
  t.is(await step('b'), 0);
  t.is(clock.countTimers(), 0);
});

test.serial('without files there is no timer', (t) => {
  t.is(watch(t, []).clock.countTimers(), 0);
});
