// A checker that creates thousands of series and increments each of them once per second.

import { defineHealthChecker, type Counter } from '../../../core/contract/index.js';

const FAMILIES = 5;
const SERIES_PER_FAMILY = 1000;
/** Series incremented per step, and milliseconds between steps: every series once per second, in steps too short to stall. */
const STEP = 50;
const INTERVAL = 10;

export default defineHealthChecker({
  name: 'series',
  create({ name, metrics }) {
    const counters: Counter[] = [];
    for (let family = 0; family < FAMILIES; family += 1) {
      const calls = metrics.counter({
        namespace: 'bench',
        subsystem: name.replaceAll('-', '_'),
        name: `calls_${family}`,
        help: 'A family of the bench.',
        labelNames: ['channel', 'peer'],
      });
      for (let n = 0; n < SERIES_PER_FAMILY; n += 1)
        counters.push(calls.with({ channel: `channel-${n % 10}`, peer: `peer${n}.org1.example.com` }));
    }
    let timer: NodeJS.Timeout | undefined;
    let next = 0;
    return {
      start() {
        timer = setInterval(() => {
          for (let count = 0; count < STEP; count += 1) counters[(next + count) % counters.length]?.inc();
          next += STEP;
        }, INTERVAL);
      },
      stop: () => clearInterval(timer),
      async check() {
        // Healthy, and asynchronous like most checks.
      },
    };
  },
});
