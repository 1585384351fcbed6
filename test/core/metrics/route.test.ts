import test from 'ava';
import { LeveledLoggers } from '../../../core/contract/index.js';
import type { SinkReply } from '../../../core/contract/metric-sink.js';
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

/** The reply to a request for a sink that replies with this, and what was logged. */
async function replyTo(
  given: unknown,
  state = 'running',
): Promise<{ reply: Reply | undefined; lines: string[] }> {
  const lines: string[] = [];
  const log = new LeveledLoggers({ write: ({ message }) => void lines.push(message) }).logger('plugins.page');
  const instance = { name: 'page', state, log, countFault: () => undefined };
  const { handlers } = sinkRoute(instance, { path: '/page', handle: async () => given as SinkReply });
  return { reply: await handlers.GET?.(REQUEST as never), lines };
}

for (const [given, status] of [
  [{ headers: {}, body: '' }, 200],
  [{ status: 200, headers: { 'X-A': 'b' }, body: new Uint8Array() }, 200],
  [{ status: 599, headers: {}, body: '' }, 599],
] as const)
  test(`a pull sink may reply with ${JSON.stringify(given)}`, async (t) => {
    const { reply, lines } = await replyTo(given);
    t.deepEqual(reply, { headers: given.headers, body: given.body, status });
    t.deepEqual(lines, []);
  });

for (const [given, reason] of [
  [{ status: 199, headers: {}, body: '' }, 'invalid HTTP status 199'],
  [{ status: 600, headers: {}, body: '' }, 'invalid HTTP status 600'],
  [{ status: 200.5, headers: {}, body: '' }, 'invalid HTTP status 200.5'],
  [{ status: '200', headers: {}, body: '' }, 'invalid HTTP status 200'],
  [{ headers: {}, body: 7 }, 'the body is neither a string nor a Uint8Array'],
  [{ headers: {} }, 'the body is neither a string nor a Uint8Array'],
  [{ headers: { 'a b': '' }, body: '' }, 'Header name must be a valid HTTP token ["a b"]'],
  [{ headers: { a: 'b\n' }, body: '' }, 'Invalid character in header content ["a"]'],
] as const)
  test(`a reply of a pull sink that Node cannot send is a fault without details: ${JSON.stringify(given)}`, async (t) => {
    const { reply, lines } = await replyTo(given);
    t.is(reply?.status, 500);
    t.is(String(reply?.body).trim(), '{"error":"internal error"}');
    t.deepEqual(lines, [`scrape failed: ${reason}`]);
  });

test('a pull sink that does not run is not called', async (t) => {
  const { reply, lines } = await replyTo(PAGE, 'disabled');
  t.is(reply?.status, 503);
  t.is(String(reply?.body).trim(), '{"error":"metric sink page is not running: its state is disabled"}');
  t.deepEqual(lines, []);
});
