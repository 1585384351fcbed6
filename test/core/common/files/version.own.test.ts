// The versions of files, on a file system that does not respond as well.

import { renameSync, rmSync, statSync, type Stats, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { ReloadingTls } from '../../../../core/kit/tls.js';
import { callFile, FILE_TIMEOUT } from '../../../../core/common/files/file-call.js';
import { FileVersions } from '../../../../core/common/files/version.js';
import { WATCH_INTERVAL, WatchedFiles } from '../../../../core/common/files/watched-files.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { until } from '../../../helpers/until.js';

/** A file system that responds when the test says so. */
class Mount {
  /** How many calls were made. */
  calls = 0;
  readonly #waiting: (() => void)[] = [];

  readonly stat = (file: string): Promise<Stats> => {
    this.calls += 1;
    return new Promise((resolve) => this.#waiting.push(() => resolve(statSync(file))));
  };

  /** Responds to the calls so far. */
  respond(): void {
    for (const end of this.#waiting.splice(0)) end();
  }
}

/** Stops all timers until the test ends. Not a hook: hooks of a file run for all files of its process. */
function stopTimers(t: ExecutionContext): SinonFakeTimers {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  return clock;
}

test.serial('a file system that does not respond is waited for once, with one call', async (t) => {
  const clock = stopTimers(t);
  const folder = temporaryFolder(t, { a: 'a', b: 'b' });
  const mount = new Mount();
  const versions = new FileVersions([join(folder, 'a'), join(folder, 'b')], mount.stat);
  const reads = Promise.all([versions.read(), versions.read()]);
  await clock.tickAsync(FILE_TIMEOUT);
  for (const read of [...(await reads), await versions.read()])
    t.is((read as Error).message, `${join(folder, 'a')}: it did not respond within 5s`);
  t.is(mount.calls, 1);

  mount.respond();
  await clock.tickAsync(1);
  const read = versions.read();
  for (const calls of [2, 3]) {
    await clock.tickAsync(1);
    t.is(mount.calls, calls);
    mount.respond();
  }
  t.is(await read, versions.readSync());
});

test.serial(
  'files that are watched on a file system that does not respond are compared when it responds',
  async (t) => {
    const clock = stopTimers(t);
    const folder = temporaryFolder(t, { a: 'old' });
    const file = join(folder, 'a');
    const mount = new Mount();
    let changes = 0;
    const hangs: string[] = [];
    const watched = new WatchedFiles([file], new FileVersions([file], mount.stat));
    watched.start(
      () => (changes += 1),
      (reason) => void hangs.push(reason),
    );
    writeFileSync(join(folder, 'new'), 'new');
    renameSync(join(folder, 'new'), file);
    await clock.tickAsync(10 * WATCH_INTERVAL);
    t.is(changes, 0);
    t.is(mount.calls, 1);
    for (let left = 4; left > 0; left -= 1) {
      mount.respond();
      await clock.tickAsync(WATCH_INTERVAL);
    }
    t.is(changes, 1);
    t.deepEqual(hangs, [`${file}: it did not respond within 5s`]);
    watched.stop();
    mount.respond();
  },
);

test.serial('a value of TLS files is made again when they have changed', async (t) => {
  const folder = temporaryFolder(t, { a: 'old' });
  const file = join(folder, 'a');
  const logged: string[] = [];
  const log = {
    info: (text: string) => void logged.push(text),
    warn: (text: string) => void logged.push(text),
  };
  let made = 0;
  const renewed = new ReloadingTls([file, ''], () => (made += 1), log);
  await t.throwsAsync(renewed.current(), { message: 'the plugin is not started' });
  renewed.open();
  t.is(await renewed.current(), 1);
  writeFileSync(join(folder, 'new'), 'new');
  renameSync(join(folder, 'new'), file);
  await until(async () => (await renewed.current()) === 2);
  t.deepEqual(logged, ['the TLS files have changed and were read again']);
});

test('the versions change when a file appears, is written, is replaced and disappears', async (t) => {
  const folder = temporaryFolder(t, { other: 'x' });
  const file = join(folder, 'a');
  const versions = new FileVersions([join(folder, 'other'), '', file]);
  const absent = await versions.read();
  const found = new Set([absent]);
  for (const change of [
    () => writeFileSync(file, 'a'),
    () => writeFileSync(file, 'ab'),
    () => {
      writeFileSync(join(folder, 'new'), 'ab');
      renameSync(join(folder, 'new'), file);
    },
  ]) {
    change();
    const now = await versions.read();
    t.is(now, await versions.read());
    t.is(now, versions.readSync());
    found.add(now);
  }
  t.is(found.size, 4);
  rmSync(file);
  t.is(await versions.read(), absent);
});

test.serial(
  'TLS files that do not respond are reported once until they respond, and their value stays',
  async (t) => {
    const clock = stopTimers(t);
    const file = join(temporaryFolder(t, { a: 'a' }), 'a');
    const logged: string[] = [];
    const log = { info: () => t.fail(), warn: (text: string) => void logged.push(text) };
    const tls = new ReloadingTls([file], () => 'value', log);
    tls.open();
    const warning = `changes of the TLS files are not noticed: ${file}: it did not respond within 5s`;
    for (const count of [1, 2]) {
      let end: (() => void) | undefined;
      const hanging = t.throwsAsync(
        callFile(file, () => new Promise<void>((resolve) => (end = resolve))),
        { name: 'FileNotResponding' },
      );
      await clock.tickAsync(FILE_TIMEOUT);
      await hanging;
      for (let call = 0; call < 2; call += 1) t.is(await tls.current(), 'value');
      t.deepEqual(logged, Array<string>(count).fill(warning));
      end?.();
      await clock.tickAsync(1);
      t.is(await tls.current(), 'value');
    }
  },
);
