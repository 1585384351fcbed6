// The command `start` in the process of the test.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { run } from '../../../core/cli/run.js';
import { pluginSource, projectFolder } from '../../helpers/plugin-program.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { until } from '../../helpers/until.js';

/** What the plugins did. */
const record: string[] = [];
Object.assign(globalThis, { recordOfStart: record });
const RECORDS = (text: string): string => `globalThis.recordOfStart.push('${text}')`;

test('after an uncaught error of the agent it is stopped in order, with a last flush, and the status is 1', async (t) => {
  const cwd = projectFolder(t, {
    files: {
      'checker.js': pluginSource(
        'health',
        'checker',
        `return { check() { ${RECORDS('check')}; }, stop() { ${RECORDS('stop of the checker')}; } };`,
      ),
      'sink.js': pluginSource(
        'metrics',
        'sink',
        `return { push: { interval: 3_600_000, async flush() { ${RECORDS('flush')}; } }, stop() { ${RECORDS('stop of the sink')}; } };`,
      ),
    },
    settings: {
      health: { interval: '1h' },
      plugins: [...QUIET, { plugin: './checker.js' }, { plugin: './sink.js' }],
    },
  });
  let onError: (error: unknown, isRejection: boolean) => boolean = () => true;
  let stop = (): void => undefined;
  const ended = run(['start', '--config', 'agent.yaml'], {
    environment: {},
    cwd,
    nodeVersion: process.version,
    terminal: undefined,
    out: () => true,
    error: (text) => t.fail(text),
    onStop: (listener) => (stop = listener),
    onReload: () => undefined,
    onUncaught: (listener) => (onError = listener),
  });
  await until(() => record.length > 0);
  const error = new Error('broken');
  const file = fileURLToPath(new URL('../../../../core/agent.ts', import.meta.url));
  error.stack = `Error: broken\n    at work (${file}:1:2)`;
  t.false(onError(error, false));
  await nextTurn();
  // Ends the command also if the error does not.
  stop();
  t.is(await ended, 1);
  t.deepEqual(record, ['check', 'flush', 'stop of the sink', 'stop of the checker']);
});
