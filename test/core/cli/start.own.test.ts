// The command `start` in the process of the test.

import { writeFileSync } from 'node:fs';
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

test.serial(
  'after an uncaught error of the agent it is stopped in order, with a last flush, and the status is 1',
  async (t) => {
    const cwd = projectFolder(t, {
      files: {
        'checker.js': pluginSource(
          'checker',
          'checker',
          `return { check() { ${RECORDS('check')}; }, stop() { ${RECORDS('stop of the checker')}; } };`,
        ),
        'sink.js': pluginSource(
          'sink',
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
  },
);

/** Runs the command in a project, with what it prints to standard error and functions for signals and errors. */
function startIn(cwd: string) {
  const printed: string[] = [];
  const signals = { stop: (): void => undefined, reload: (): void => undefined };
  let onError: (error: unknown, isRejection: boolean) => boolean = () => true;
  const ended = run(['start', '--config', 'agent.yaml'], {
    environment: {},
    cwd,
    nodeVersion: process.version,
    terminal: undefined,
    out: () => true,
    error: (text) => printed.push(text),
    onStop: (listener) => (signals.stop = listener),
    onReload: (listener) => (signals.reload = listener),
    onUncaught: (listener) => (onError = listener),
  });
  return { ended, printed, signals, fail: (error: unknown) => onError(error, false) };
}

const LOGS = `const logger = (name) => new Proxy({ name, enabled: () => true }, {
  get: (known, level) => known[level] ?? ((text) => globalThis.recordOfStart.push(level + ' ' + text)),
});
return { spec: () => 'info', activate() {}, logger };`;

test.serial(
  'SIGHUP reloads the TLS files, and warns of configuration files that have changed since the start',
  async (t) => {
    const cwd = projectFolder(t, {
      files: { 'log.js': pluginSource('logging', 'log', LOGS) },
      settings: { plugins: [{ plugin: './log.js' }] },
    });
    record.splice(0);
    const { ended, signals } = startIn(cwd);
    await until(() => record.some((line) => line.startsWith('info serving on ')));
    record.splice(0);
    signals.reload();
    const reloaded = 'info TLS is disabled, there are no certificates to reload';
    t.deepEqual(record, [reloaded]);
    writeFileSync(`${cwd}/agent.yaml`, '{}');
    signals.reload();
    t.deepEqual(record, [
      reloaded,
      reloaded,
      'warn configuration files are only read at start; restart to apply the changes in agent.yaml',
    ]);
    signals.stop();
    t.is(await ended, 0);
  },
);

for (const [stack, place] of [
  ['Error: broken\n    at work (/plugins/own.js:7:2)', ', at /plugins/own.js:7:2'],
  ['Error: broken', ''],
] as const)
  test(`an uncaught error while the plugins are being loaded ends the command, with its place${place}`, async (t) => {
    const cwd = projectFolder(t, {
      files: { 'waits.js': `await new Promise(() => undefined);\n${pluginSource('checker', 'waits', '')}` },
      settings: { plugins: [...QUIET, { plugin: './waits.js' }] },
    });
    const { ended, printed, fail } = startIn(cwd);
    await nextTurn();
    await until(() => !fail(Object.assign(new Error('broken'), { stack })));
    t.is(await ended, 1);
    t.deepEqual(printed, [
      `fabric-ops-agent: error: uncaught error while loading the plugins: broken${place}\n`,
    ]);
  });
