// What receivers were told before the agent was restarted, with the clock of the test.

import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { LeveledLoggers, type AgentEvent, type Notification } from '../../../core/contract/index.js';
import {
  attachNotifier,
  Events,
  openStateFile,
  Outbox,
  ToldFailures,
  type StateFile,
} from '../../../core/events/index.js';
import type { PluginInstance } from '../../../core/host/index.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { temporaryFolder } from '../../helpers/folder.js';

const NAME = 'told-failures.json';
const PAGER = 'pager (notifier)';

const FAILURE: AgentEvent = {
  id: 'peer0',
  component: 'peer0',
  node: 'peer0',
  state: 'failed',
  severity: 'critical',
  reason: 'connection refused',
  since: 1_000,
  runbook: 'FabricNodeDown',
  fields: { kind: 'peer' },
};

const logTo = (lines: string[]) =>
  new LeveledLoggers({ write: ({ level, message }) => void lines.push(`${level} ${message}`) }).logger(
    'events',
  );

/** A file in memory. */
const inMemory = (): StateFile => {
  let content: string | undefined;
  return {
    read: async () => content,
    write: async (text) => void (content = text),
  };
};

/** One process of an agent with a notifier. */
async function startAgent(
  t: ExecutionContext,
  file: StateFile,
  {
    events: wanted = 'all' as const,
    isJudged = (): boolean => true,
  }: { events?: 'all' | 'critical'; isJudged?: () => boolean } = {},
) {
  const log = logTo([]);
  const events = new Events(() => [{ name: 'peer0', kind: 'peer' }]);
  const outbox = new Outbox(events, [], isJudged);
  const told = new ToldFailures(file, log);
  await told.read([PAGER]);
  const got: string[] = [];
  const notify = ({ events: all }: Notification): void => {
    for (const { state, id, reason } of all)
      got.push(state === 'recovered' ? `${state} ${id}: ${reason}` : `${state} ${id}`);
  };
  const plugin = { schedule: { groupFor: 1_000, events: wanted }, notify };
  const instance = { name: 'pager', component: PAGER, log, plugin, requireRunning: () => undefined };
  const attachment = attachNotifier(instance as unknown as PluginInstance<never>, {
    agent: 'host1',
    describe: async (all) => all,
    events,
    outbox,
    told,
    health: { components: [], register: () => () => undefined },
    metrics: new MetricStore(100),
    readSources: () => undefined,
  });
  attachment.onStarted?.();
  const stop = async (): Promise<void> => {
    outbox.stop();
    await attachment.beforeStop?.();
    await told.written();
  };
  t.teardown(stop);
  return { events, got, stop };
}

function fakeTime(t: ExecutionContext) {
  const clock = useFakeTimers({
    now: 0,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  return (seconds: number): Promise<number> => clock.tickAsync(1_000 * seconds);
}

const SINCE = 'failed since 1970-01-01T00:00:00Z, reason: refused';
const NOT_FOUND = `recovered peer0: no check has found it since the restart of the agent; ${SINCE}`;

/** An agent that has told that `peer0` fails, and was stopped. */
async function toldBefore(t: ExecutionContext): Promise<StateFile> {
  const file = inMemory();
  const { events, got, stop } = await startAgent(t, file);
  events.checked('peer0', 'refused', 'critical');
  await stop();
  t.deepEqual(got, ['failed peer0']);
  return file;
}

test.serial('after a restart the end of a failure that no check finds is sent, once', async (t) => {
  const pass = fakeTime(t);
  const file = await toldBefore(t);
  const { got, stop } = await startAgent(t, file);
  await pass(89);
  t.deepEqual(got, []);
  await pass(4);
  t.deepEqual(got, [NOT_FOUND]);
  await stop();
  const third = await startAgent(t, file);
  await pass(200);
  t.deepEqual(third.got, []);
});

test.serial('the end of a failure waits until its component is judged', async (t) => {
  const pass = fakeTime(t);
  const file = await toldBefore(t);
  let isJudged = false;
  const { got } = await startAgent(t, file, { isJudged: () => isJudged });
  await pass(600);
  t.deepEqual(got, []);
  isJudged = true;
  await pass(3);
  t.deepEqual(got, [NOT_FOUND]);
});

test.serial('a failure that lasts over a restart is sent again, and its end once', async (t) => {
  const pass = fakeTime(t);
  const file = await toldBefore(t);
  const { events, got } = await startAgent(t, file);
  events.checked('peer0', 'refused', 'critical');
  await pass(200);
  t.deepEqual(got, ['failed peer0']);
  events.checked('peer0', undefined, 'critical');
  await pass(200);
  t.deepEqual(got.slice(1), [`recovered peer0: recovered after 3m20s; ${SINCE}`]);
});

test.serial(
  'a critical failure that is a warning after the restart has ended for a receiver of critical failures',
  async (t) => {
    const pass = fakeTime(t);
    const file = await toldBefore(t);
    const { events, got } = await startAgent(t, file, { events: 'critical' });
    await pass(10);
    events.checked('peer0', 'slow', 'warning');
    await pass(200);
    t.deepEqual(got, [`recovered peer0: now a warning (slow) after 10s; ${SINCE}`]);
  },
);

test.serial('a failure that was told and has ended is not told again after a restart', async (t) => {
  const pass = fakeTime(t);
  const file = inMemory();
  const { events, stop } = await startAgent(t, file);
  events.checked('peer0', 'refused', 'critical');
  await pass(5);
  events.checked('peer0', undefined, 'critical');
  await stop();
  const { got } = await startAgent(t, file);
  await pass(200);
  t.deepEqual(got, []);
});

test('the file of a new directory is for the user of the agent only, and is read as it was written', async (t) => {
  const directory = join(temporaryFolder(t), 'state');
  const lines: string[] = [];
  const told = new ToldFailures(openStateFile(directory), logTo(lines));
  await told.read([PAGER]);
  told.record(PAGER, [{ ...FAILURE, id: 'old' }]);
  told.record(PAGER, [{ ...FAILURE, steps: [{ text: 'Start it' }] }]);
  await told.written();
  t.deepEqual(readdirSync(directory), [NAME]);
  t.is(statSync(join(directory, NAME)).mode & 0o777, 0o600);
  const next = new ToldFailures(openStateFile(directory), logTo(lines));
  await next.read([PAGER]);
  t.deepEqual(next.of(PAGER), [FAILURE]);
  t.deepEqual(lines, []);
});

test('a file larger than the limits: at most 1,000 failures of a notifier, long reasons are cut', async (t) => {
  const directory = temporaryFolder(t);
  const told = new ToldFailures(openStateFile(directory), logTo([]));
  told.record(
    PAGER,
    Array.from({ length: 1_500 }, (_, index) => ({
      ...FAILURE,
      id: `part${index}`,
      reason: 'x'.repeat(4_000),
    })),
  );
  await told.written();
  const next = new ToldFailures(openStateFile(directory), logTo([]));
  await next.read([PAGER]);
  t.is(next.of(PAGER).length, 1_000);
  t.is(next.of(PAGER)[0]?.id, 'part500');
  t.is(next.of(PAGER)[0]?.reason.length, 512);
});

const written = (value: unknown): string => JSON.stringify({ [PAGER]: value });

for (const [what, content] of [
  ['is empty', ''],
  ['is cut', written([FAILURE]).slice(0, -5)],
  ['is a list', '[]'],
  ['is null', 'null'],
  ['has 100,000 levels', `{"${PAGER}":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['has 9 MB', written(['x'.repeat(9_000_000)])],
  ['has 600,000 values', written(Array.from({ length: 600_000 }, () => 0))],
] as const)
  test(`a file that ${what} is one warning, and no failure is known`, async (t) => {
    const directory = temporaryFolder(t);
    writeFileSync(join(directory, NAME), content);
    const lines: string[] = [];
    const told = new ToldFailures(openStateFile(directory), logTo(lines));
    await told.read([PAGER]);
    t.deepEqual(told.of(PAGER), []);
    t.is(lines.length, 1);
    t.regex(lines[0]!, /^warn failures that receivers were told before the start are not known/);
  });

for (const [what, value] of [
  ['a number', 5],
  ['an object', { length: 1 }],
  ['a list of other types', [null, 5, 'text', [], {}]],
  ['a failure without an id', [{ ...FAILURE, id: undefined }]],
  ['a failure whose id is an object', [{ ...FAILURE, id: {} }]],
  ['a failure whose component has 1,000 characters', [{ ...FAILURE, component: 'x'.repeat(1_000) }]],
  ['a recovery', [{ ...FAILURE, state: 'recovered' }]],
  ['a failure with an impossible time', [{ ...FAILURE, since: 1e300 }]],
  ['a failure whose time is a text', [{ ...FAILURE, since: '2026' }]],
] as const)
  test(`in place of failures the file has ${what}: no failure is known`, async (t) => {
    const file = inMemory();
    await file.write(written(value));
    const told = new ToldFailures(file, logTo([]));
    await told.read([PAGER]);
    t.deepEqual(told.of(PAGER), []);
  });

test('members of a failure with wrong types are left out, and control characters of its reason are escaped', async (t) => {
  const file = inMemory();
  const fields = { kind: 'peer', number: 5, list: [] };
  await file.write(
    written([{ ...FAILURE, reason: 'a\u001b[31m', node: 7, runbook: [], fields, severity: 'x' }]),
  );
  const told = new ToldFailures(file, logTo([]));
  await told.read([PAGER]);
  const { node: _node, runbook: _runbook, ...known } = FAILURE;
  t.deepEqual(told.of(PAGER), [{ ...known, reason: String.raw`a\u001b[31m` }]);
});

test('notifiers that the agent no longer has are forgotten', async (t) => {
  const file = inMemory();
  await file.write(JSON.stringify({ [PAGER]: [FAILURE], 'mail (notifier)': [FAILURE] }));
  const told = new ToldFailures(file, logTo([]));
  await told.read([PAGER]);
  t.deepEqual(told.of('mail (notifier)'), []);
  t.is(told.of(PAGER).length, 1);
});

test('a directory that cannot be written is one warning until it can', async (t) => {
  const folder = temporaryFolder(t);
  const directory = join(folder, 'state');
  writeFileSync(directory, 'a file');
  const lines: string[] = [];
  const told = new ToldFailures(openStateFile(directory), logTo(lines));
  for (const id of ['a', 'b', 'c']) {
    told.record(PAGER, [{ ...FAILURE, id }]);
    await told.written();
  }
  t.is(lines.length, 1);
  t.regex(
    lines[0]!,
    /^warn told-failures\.json cannot be written, a restart forgets what receivers were told: /,
  );
});
