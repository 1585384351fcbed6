import test from 'ava';
import { LeveledLoggers, type SinkReply } from '../../../core/contract/index.js';
import type { Reply } from '../../../core/http/index.js';
import { sinkRoute } from '../../../core/metrics/index.js';
import { until } from '../../helpers/until.js';
import { stopTimeouts } from '../../helpers/clock.js';
import { PATIENCE } from '../../helpers/patience.js';

const REQUEST = { headers: new Map<string, string>() };
const PAGE: SinkReply = { headers: {}, body: 'page' };

/** A sink whose calls end only when the test ends them. */
function hangingSink(timeout: number) {
  const lines: string[] = [];
  const faults: string[] = [];
  const ends: (() => void)[] = [];
  const log = new LeveledLoggers({ write: ({ message }) => void lines.push(message) }).logger('plugins.page');
  const instance = {
    name: 'page',
    state: 'running',
    log,
    countFault: (phase: string) => void faults.push(phase),
  };
  const handle = (): Promise<SinkReply> => new Promise((resolve) => ends.push(() => resolve(PAGE)));
  const { handlers } = sinkRoute(instance, { path: '/page', handle }, timeout);
  const get = async (): Promise<Reply | undefined> => handlers.GET?.(REQUEST as never);
  return { get, ends, lines, faults };
}

test('two calls of a pull sink run at a time; further requests wait and are served in order', async (t) => {
  const { get, ends, faults } = hangingSink(PATIENCE);
  const served: number[] = [];
  const requests = [0, 1, 2, 3].map(async (index) => {
    t.is((await get())?.body, 'page');
    served.push(index);
  });
  await until(() => ends.length === 2);
  ends[1]?.();
  await until(() => ends.length === 3);
  ends[2]?.();
  await until(() => ends.length === 4);
  t.deepEqual(served, [1, 2]);
  ends[0]?.();
  ends[3]?.();
  await Promise.all(requests);
  t.deepEqual(served, [1, 2, 0, 3]);
  t.deepEqual(faults, []);
});

test.serial(
  'while two calls of a pull sink hang, further requests fail at the timeout and the sink is not called again',
  async (t) => {
    const clock = stopTimeouts(t);
    const { get, ends, lines, faults } = hangingSink(20);
    for (let count = 0; count < 4; count += 1) {
      const request = get();
      await until(() => clock.countTimers() > 0);
      clock.tick(20);
      t.is((await request)?.status, 500);
    }
    t.is(ends.length, 2);
    t.deepEqual(lines, ['scrape failed: the scrape took longer than 0.02s']);
    t.deepEqual(faults, ['scrape', 'scrape', 'scrape', 'scrape']);
    ends[0]?.();
    const request = get();
    await until(() => ends.length === 3);
    ends[2]?.();
    t.is((await request)?.body, 'page');
    t.is(lines.at(-1), 'scrapes succeed again');
  },
);
