// `fabric-ops-agent status --watch` as a process: how it ends.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { guardProcess } from '../../helpers/guard.js';
import { PROGRAM, runProgram, startProgram } from '../../helpers/program.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { until } from '../../helpers/until.js';

const WATCH = ['status', '--timeout', '30s', '--watch', '100ms'];

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends --watch with the status of the last screen`, async (t) => {
    const { url } = await startAgent(t, { plugins: QUIET });
    const { child, ended } = startProgram(t, [...WATCH, '--url', url]);
    let stdout = '';
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    await until(() => stdout.split('healthy').length > 3);
    child.kill(signal);
    const outcome = await ended;
    t.deepEqual([outcome.status, outcome.signal, outcome.stderr], [0, null, '']);
    // Not a terminal: nothing is redrawn.
    t.false(outcome.stdout.includes('\u001b'));
  });

test('a reader that closes its end ends --watch', async (t) => {
  const { url } = await startAgent(t, { plugins: QUIET });
  const child = spawn(process.execPath, [PROGRAM, ...WATCH, '--url', url], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  guardProcess(child);
  t.teardown(() => child.kill('SIGKILL'));
  const closed = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code, signal] = (await closed) as [number | null, string | null];
  t.deepEqual([code, signal], [0, null]);
});

test('the exit status is 1 for an agent that is not healthy', async (t) => {
  const { agent, url } = await startAgent(t, { plugins: QUIET });
  agent.health.register('disk', () => Promise.reject(new Error('full')));
  const { status, stdout, stderr } = await runProgram(t, ['status', '--timeout', '30s', '--url', url]);
  t.is(status, 1);
  t.regex(stdout, /^The check disk fails(?: \(for \d+ s\))?\nFull\.\n/);
  t.is(stderr, '');
});
