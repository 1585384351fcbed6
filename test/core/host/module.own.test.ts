// A plugin module that does not finish loading. The interval timers of the process are replaced.

import { pathToFileURL } from 'node:url';
import test from 'ava';
import { useFakeTimers } from 'sinon';
import { importPlugin, timeoutProblem } from '../../../core/host/module.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { until } from '../../helpers/until.js';

test.serial('a module that waits for ever at its top level is given up after 10 s', async (t) => {
  const folder = temporaryFolder(t, { 'hangs.mjs': 'await new Promise(() => undefined);\n' });
  const { href } = pathToFileURL(`${folder}/hangs.mjs`);
  const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldClearNativeTimers: true });
  t.teardown(() => clock.restore());
  let result: unknown;
  void importPlugin(href).then((found) => (result = found));
  clock.tick(9_999);
  await Promise.resolve();
  t.is(clock.countTimers(), 1);
  clock.tick(1);
  await until(() => result !== undefined);
  t.deepEqual(result, {
    problem: `the module did not finish loading within 10s: ${folder}/hangs.mjs`,
  });
  t.is(clock.countTimers(), 0);
  t.is(timeoutProblem(href), `the module did not finish loading within 10s: ${folder}/hangs.mjs`);
});
