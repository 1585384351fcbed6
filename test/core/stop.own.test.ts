// The duration of a stop with plugins that hang: plugins of one kind are stopped at the same time.

import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { createAgent, defineSettings, type Agent } from '../../core/index.js';
import { STOP_TIMEOUT as AGENT_STOP_TIMEOUT } from '../../core/agent.js';
import { STOP_TIMEOUT as PLUGIN_STOP_TIMEOUT } from '../../core/host/instance.js';
import { LAST_FLUSH_TIMEOUT } from '../../core/metrics/push.js';
import { temporaryFolder } from '../helpers/folder.js';
import { until } from '../helpers/until.js';

/** The calls of plugins, by test. */
const records = new Map<string, string[]>();
const logged = new Map<string, string[]>();
Object.assign(globalThis, {
  stopRecordOf: (key: string) => records.get(key) ?? [],
  stopLogOf: (key: string) => logged.get(key) ?? [],
});

/** The functions of a kind besides the lifecycle. Readings, checks, responses and flushes do not end. */
const MEMBERS: Readonly<Record<string, string>> = {
  source: 'read: () => never,',
  checker: 'check: () => never,',
  sink: 'push: { interval: 3_600_000, flush: () => never },',
  route: "route: { path: '/own', handle() { record.push('request'); return never; } },",
  notifier: 'notify: () => undefined,',
};

/** The source of a plugin with a recorded stop, which does not end if it hangs. */
function plugin(key: string, kind: string, hangs: boolean): string {
  return `const record = globalThis.stopRecordOf('${key}');
const never = new Promise(() => undefined);
export default { apiVersion: 1, kind: '${kind === 'route' ? 'sink' : kind}', name: '${kind}', options: {}, create: ({ name }) => ({
  ${MEMBERS[kind] ?? ''}
  stop() { record.push(name); return ${hangs ? 'never' : 'undefined'}; },
}) };`;
}

const backend = (key: string, hangs: boolean): string => `const log = globalThis.stopLogOf('${key}');
const write = (text) => void log.push(text);
export default { apiVersion: 1, kind: 'logging', name: 'own', options: {}, create: () => ({
  spec: () => 'info', activate() {},
  logger: (name) => ({ name, enabled: () => true, payload: write, debug: write, info: write, warn: write, error: write, dpanic: write, panic: write, fatal: write }),
  stop() { return ${hangs ? 'new Promise(() => undefined)' : 'undefined'}; },
}) };`;

/** Starts an agent with plugins, given by kind and name. */
async function start(
  t: ExecutionContext,
  plugins: readonly (readonly [kind: string, name: string])[],
  { hanging = [] }: { readonly hanging?: readonly string[] } = {},
): Promise<Agent> {
  records.set(t.title, []);
  logged.set(t.title, []);
  const kinds = [...new Set(plugins.map(([kind]) => kind))];
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'logging.js': backend(t.title, hanging.includes('logging')),
    ...Object.fromEntries(kinds.map((kind) => [`${kind}.js`, plugin(t.title, kind, hanging.includes(kind))])),
  });
  const declared = plugins.map(([kind, name]) => ({ plugin: `${folder}/${kind}.js`, name }));
  const settings = {
    'operations.listenAddress': '127.0.0.1:0',
    plugins: [{ plugin: `${folder}/logging.js` }, ...declared],
  };
  const agent = await createAgent(defineSettings(settings, '/'));
  await agent.start();
  return agent;
}

/** Stops an agent with a clock that only this function advances. Returns the duration, in milliseconds. */
async function timeOfStop(agent: Agent): Promise<number> {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],

    // The calls of the running agent.
    shouldClearNativeTimers: true,
  });
  try {
    const begin = performance.now();
    let end: number | undefined;
    void agent.stop().then(() => (end = performance.now()));
    while (end === undefined) {
      // The server is closed by real events, which need turns of the event loop and some time.
      await sleep(1);
      await clock.tickAsync(50);
    }
    return end - begin;
  } finally {
    clock.restore();
  }
}

test.serial(
  'plugins of one kind stop at the same time, the kinds in the reverse order of their starts',
  async (t) => {
    const agent = await start(t, [
      ['sink', 'm1'],
      ['checker', 'h1'],
      ['sink', 'm2'],
      ['source', 's1'],
      ['notifier', 'n1'],
      ['checker', 'h2'],
    ]);
    await timeOfStop(agent);
    t.deepEqual(records.get(t.title), ['n1', 'h2', 'h1', 'm2', 'm1', 's1']);
  },
);

test.serial('seven sinks with flushes and stops that hang delay the stop as much as one', async (t) => {
  const sinks = Array.from({ length: 7 }, (_, n) => ['sink', `sink${n}`] as const);
  const took = await timeOfStop(await start(t, sinks, { hanging: ['sink'] }));
  t.true(took >= PLUGIN_STOP_TIMEOUT, `${took} ms`);
  t.true(took <= LAST_FLUSH_TIMEOUT + PLUGIN_STOP_TIMEOUT + 1_000, `${took} ms`);
});

test.serial(
  'requests and plugins of all kinds that hang do not delay the stop beyond its deadline',
  async (t) => {
    const agent = await start(
      t,
      [
        ['source', 's1'],
        ['source', 's2'],
        ['checker', 'h1'],
        ['sink', 'm1'],
        ['route', 'm2'],
        ['notifier', 'n1'],
      ],
      { hanging: ['source', 'checker', 'sink', 'route', 'notifier', 'logging'] },
    );
    const record = records.get(t.title) ?? [];
    fetch(`http://${agent.address ?? ''}/own`).catch(() => undefined);
    await until(() => record.includes('request'));
    const took = await timeOfStop(agent);
    t.true(took > AGENT_STOP_TIMEOUT, `${took} ms`);
    t.true(took <= AGENT_STOP_TIMEOUT + PLUGIN_STOP_TIMEOUT + 1_000, `${took} ms`);
    t.deepEqual(record.slice(1), ['n1', 'm2', 'm1', 'h1', 's2', 's1']);
    const lines = logged.get(t.title) ?? [];
    const [begin, hanging, end, ...others] = lines.filter((line) => line.startsWith('stop'));
    t.deepEqual([begin, end, others], ['stopping', 'stopped', []]);
    // Whether the last flush waits for a reading that began before the stop decides which kind has not ended then.
    t.regex(hanging ?? '', /^stopping without waiting for (?:h1|s2, s1)$/);
  },
);
