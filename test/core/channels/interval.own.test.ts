// How often the channels are checked.

import test from 'ava';
import { useFakeTimers } from 'sinon';
import { FactStore } from '../../../core/nodes/index.js';
import { Channels } from '../../../core/channels/index.js';
import { LeveledLoggers } from '../../../core/contract/index.js';
import { createHealth } from '../../../core/health/index.js';
import { MetricStore } from '../../../core/metrics/index.js';

for (const [others, neighbours] of [
  ['no other component', []],
  ['another component', ['disk']],
] as const)
  test.serial(
    `the channels are read at each interval, although requests share outcomes for an hour: ${others}`,
    async (t) => {
      const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] });
      t.teardown(() => clock.restore());
      const metrics = new MetricStore(100);
      const health = createHealth({
        timeout: 10_000,
        cacheFor: 3_600_000,
        interval: 3_600_000,
        groups: {},
        metrics,
        log: new LeveledLoggers({ write: () => undefined }).logger('health'),
        cpuTime: () => 0,
      });
      const readAt: number[] = [];
      const read = async (): Promise<[]> => {
        readAt.push(performance.now());
        return [];
      };
      const channels = new Channels({
        nodes: () => [{ name: 'orderer0', kind: 'orderer', hasMetrics: true }],
        sources: { read },
        facts: new FactStore(),
        events: { happened: () => undefined },
        metrics,
        clock: { problem: undefined },
        lag: { hasLaggedSince: () => false },
        interval: 3_000,
      });
      for (const name of neighbours) health.register(name, () => undefined);
      channels.register(health);
      channels.start(health);
      for (let second = 1; second <= 10; second += 1) {
        await clock.tickAsync(1_000);
        await health.run();
      }
      // The first request finds no cached result.
      t.deepEqual(readAt, [1_000, 3_000, 6_000, 9_000]);
      channels.stop();
      await clock.tickAsync(10_000);
      t.is(readAt.length, 4);
      health.stop();
    },
  );

test.serial('without nodes the channels are not checked', (t) => {
  const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  t.teardown(() => clock.restore());
  const channels = new Channels({
    nodes: () => [],
    sources: { read: async () => [] },
    facts: new FactStore(),
    events: { happened: () => undefined },
    metrics: new MetricStore(100),
    clock: { problem: undefined },
    lag: { hasLaggedSince: () => false },
    interval: 3_000,
  });
  channels.start({ check: async () => t.fail() });
  t.is(clock.countTimers(), 0);
});
