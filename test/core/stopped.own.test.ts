// An agent that was stopped, in a program that goes on: it reads nothing, and has no timer.

import { rmSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import type { NodeSettings } from '../../config/index.js';
import type { NodeEndpoint } from '../../core/contract/metric-source.js';
import { createAgent, defineSettings, type Agent } from '../../core/index.js';
import { TestCa } from '../helpers/certificates.js';
import { counters, declareSource, FakeSource } from '../helpers/fake-source.js';
import { temporaryFolder } from '../helpers/folder.js';
import { NoLag } from '../helpers/no-lag.js';
import { trackTimers } from '../helpers/timers.js';
import { until } from '../helpers/until.js';

/** A notifier whose receiver does not respond, with everything that a notifier can have scheduled. */
const NOTIFIER = `export default { apiVersion: 1, kind: 'notifier', name: 'broken', options: {}, create: () => ({
  schedule: { groupFor: 1, repeat: 60_000, heartbeat: 60_000 },
  notify({ cause }) { globalThis.stoppedCalls.push(cause); throw new Error('refused'); },
}) };`;
const calls: string[] = [];
Object.assign(globalThis, { stoppedCalls: calls });

const STOPPED = '2026-01-02 03:04:05.678 UTC 0001 INFO [nodeCmd] serve -> Received signal: 15 (terminated)\n';

/** An agent with one node, which the test can make fail. */
interface Monitored {
  readonly agent: Agent;
  /** Requests a path of the agent. */
  readonly get: (path: string, options?: RequestInit) => Promise<string>;
  /** Makes the checks of the node fail, and waits for one. */
  readonly fail: () => Promise<void>;
  /** How often the node was read or got a request. */
  readonly requests: () => number;
}

/** What the agent does before it is stopped. */
interface Scenario {
  readonly kind?: NodeSettings['kind'];
  /** The log of the node. @default unknown */
  readonly log?: string;
  readonly isSilenced?: boolean;
  readonly before: (monitored: Monitored) => Promise<void>;
}

async function monitor(
  t: ExecutionContext,
  { kind = 'peer', log, isSilenced = false }: Scenario,
): Promise<Monitored> {
  let count = 0;
  let isDown = false;
  const endpoint: NodeEndpoint = {
    kind,
    request: async ({ path, method }) => {
      count += 1;
      if (isDown) throw new Error('connection refused');
      const body = path === '/logspec' && method === 'GET' ? '{"spec":"info"}' : '{"Version":"v3.1.5"}';
      return { status: 200, contentType: 'application/json', body: Buffer.from(body) };
    },
  };
  const source = new FakeSource(endpoint);
  source.reading = counters(1, 1);
  const cwd = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'notifier.js': NOTIFIER,
    'node.log': log ?? '',
  });
  const settings = defineSettings(
    {
      'operations.listenAddress': '127.0.0.1:0',
      'logging.spec': 'fatal',
      'health.cacheFor': '0s',
      'health.interval': '1s',
      plugins: [{ plugin: 'prometheus' }, declareSource(t, source, 'node0'), { plugin: './notifier.js' }],
    },
    cwd,
  );
  const silence = {
    origin: 'test',
    node: 'node0',
    channel: undefined,
    until: Date.now() + 3_600_000,
    why: 'upgrade',
  };
  const node: NodeSettings = {
    name: 'node0',
    kind,
    ...(log !== undefined && { log: { file: `${cwd}/node.log` } }),
  };
  const agent = await createAgent(
    { ...settings, nodes: [node], silences: isSilenced ? [silence] : [] },
    [],
    new NoLag(),
  );
  const get: Monitored['get'] = async (path, options) =>
    (await fetch(`http://${agent.address ?? ''}${path}`, options)).text();
  return {
    agent,
    get,
    async fail() {
      // An earlier reading, so that the log of the node explains its end.
      await get('/nodes');
      [isDown, source.reading] = [true, undefined];
      agent.health.register('node0', () => {
        throw new Error('connection refused');
      });
      await agent.health.run();
    },
    requests: () => count + source.reads,
  };
}

const failed = async ({ agent, fail }: Monitored): Promise<void> => {
  await agent.start();
  await fail();
};

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'that was never started': { before: async () => undefined },
  'that has just begun to start': {
    before: async ({ agent }) => {
      agent.start().catch(() => undefined);
    },
  },
  'with a node, a scrape and a temporary log level': {
    before: async ({ agent, get }) => {
      await agent.start();
      await get('/metrics');
      await get('/status');
      await get('/nodes/node0/logspec?for=10m', { method: 'PUT', body: '{"spec":"debug"}' });
    },
  },
  'whose notifications of a peer that fails are refused': {
    before: async (monitored) => {
      await failed(monitored);
      await until(() => calls.includes('change'));
    },
  },
  'whose orderer fails, which is not reported at once': { kind: 'orderer', before: failed },
  'whose peer was stopped by a signal': {
    log: STOPPED,
    before: async (monitored) => {
      await failed(monitored);
      await until(async () => (await monitored.get('/nodes')).includes('"restarting":true'));
    },
  },
  'whose failed peer is silenced': { isSilenced: true, before: failed },
};

for (const [what, scenario] of Object.entries(SCENARIOS))
  test.serial(`an agent ${what} reads nothing after its stop, and has no timer`, async (t) => {
    const timers = trackTimers(t);
    calls.length = 0;
    const monitored = await monitor(t, scenario);
    await scenario.before(monitored);
    await monitored.agent.stop();
    const before = monitored.requests();
    t.deepEqual(await timers(), []);
    t.is(monitored.requests(), before);
  });

test.serial('a stopped agent does not reload its TLS files', async (t) => {
  const directory = temporaryFolder(t);
  const ca = new TestCa(directory, 'ca');
  const server = ca.issue('agent', 'serverAuth');
  const logged: string[] = [];
  Object.assign(globalThis, { stoppedLog: logged });
  const cwd = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'logging.js': `const write = (text) => void globalThis.stoppedLog.push(text);
export default { apiVersion: 1, kind: 'logging', name: 'own', options: {}, create: () => ({
  spec: () => 'info', activate() {},
  logger: (name) => ({ name, enabled: () => true, payload: write, debug: write, info: write, warn: write, error: write, dpanic: write, panic: write, fatal: write }),
}) };`,
  });
  const values = {
    'operations.listenAddress': '127.0.0.1:0',
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
    plugins: [{ plugin: './logging.js' }],
  };
  const agent = await createAgent(defineSettings(values, cwd));
  await agent.start();
  await agent.stop();
  rmSync(server.cert);
  agent.reloadTls();
  t.is(logged.at(-1), 'stopped');
});
