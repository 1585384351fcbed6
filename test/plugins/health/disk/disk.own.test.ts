// A disk that does not respond. The test replaces the clock and a function of the file system.

import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { stub } from 'sinon';
import disk from '../../../../plugins/health/disk/index.js';
import { DISK_OPTIONS, startChecker } from '../../../helpers/checker.js';
import { stopTimeouts } from '../../../helpers/clock.js';
import { temporaryFolder } from '../../../helpers/folder.js';

test.serial('a disk that does not respond is a warning, and critical after a minute', async (t) => {
  const path = temporaryFolder(t);
  let end = (): void => undefined;
  const hanging = new Promise<never>((_, reject) => {
    end = () => reject(new Error('the server is back'));
  });
  const statfs = stub(promises, 'statfs').returns(hanging);
  syncBuiltinESMExports();
  t.teardown(() => {
    end();
    statfs.restore();
    syncBuiltinESMExports();
  });
  const { check, severities } = await startChecker(t, disk, { ...DISK_OPTIONS, paths: [path] });
  const clock = stopTimeouts(t);
  const first = check();
  while (!statfs.called) await nextTurn();
  clock.tick(5000);
  const name = basename(path);
  const expected = { [name]: `could not be checked: it did not respond within 5s (${path})` };
  t.deepEqual(await first, expected);
  t.deepEqual(severities(), { [name]: 'warning' });
  for (const [time, severity] of [
    [54_999, 'warning'],
    [1, 'critical'],
  ] as const) {
    clock.tick(time);
    t.deepEqual(await check(), expected);
    t.deepEqual(severities(), { [name]: severity });
  }
});
