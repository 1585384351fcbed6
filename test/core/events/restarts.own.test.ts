// Restarts that the logs of nodes announce, from the checks to a notifier, with the clock of the test.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { LeveledLoggers } from '../../../core/contract/index.js';
import {
  createNotifierMetrics,
  Events,
  NotifierRunner,
  Outbox,
  Restarts,
} from '../../../core/events/index.js';
import type { Consenter } from '../../../core/fabric/channel.js';
import { MetricStore } from '../../../core/metrics/index.js';

type End = 'crashed' | 'killed' | 'returned' | 'stopped' | undefined;

/** Three orderers, a peer and one channel, whose logs the agent reads, and a node without a log; with a notifier. */
function network(t: ExecutionContext) {
  const clock = useFakeTimers({
    now: Date.UTC(2026, 0, 2, 3, 0, 0),
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const inactive: Consenter[] = [];
  /** How the last process of each node ended according to its log; a promise: the log is still being read. */
  const ends = new Map<string, End | Promise<End>>();
  /** The names of the nodes whose logs were read. */
  const reads: string[] = [];
  const names = ['o1', 'o2', 'o3', 'p1', 'unlogged'];
  const events = new Events(
    () => names.map((name) => ({ name, kind: name.startsWith('o') ? 'orderer' : 'peer' })),
    () => new Map([['ch1', inactive]]),
  );
  const restarts = new Restarts({
    events,
    processEndOf: (node) =>
      names.includes(node) && node !== 'unlogged'
        ? async () => {
            reads.push(node);
            return ends.get(node);
          }
        : undefined,
  });
  const messages: string[] = [];
  const runner = new NotifierRunner({
    agent: 'host1',
    component: 'own (notifier)',
    schedule: { groupFor: 1_000 },
    notify: (notification) => {
      for (const { state, component, reason } of notification.events)
        messages.push(
          state === 'info' || component === 'p1'
            ? `${state} ${component}: ${reason}`
            : `${state} ${component}`,
        );
    },
    events: new Outbox(events, [restarts]),
    metrics: createNotifierMetrics(new MetricStore(1000), 'own'),
    log: new LeveledLoggers({ write: () => undefined }).logger('plugins.own'),
  });
  runner.start();
  const judge = (): void => {
    if (inactive.length === 0) events.checked('channels/ch1', undefined, 'critical');
    else events.checked('channels/ch1', 'not fine', inactive.length > 1 ? 'critical' : 'warning');
  };
  /** Ends a node, as the checks find it. @param end as its log says */
  const end = (name: string, how: End | Promise<End>): void => {
    ends.set(name, how);
    if (name.startsWith('o')) inactive.push({ name, state: 'down', outage: 'is down' });
    judge();
    events.checked(name, 'connection refused', 'critical');
    events.checked(`${name}/consensus`, 'cannot be read', 'warning', { follows: name });
  };
  const start = (name: string, versions?: { before: string; now: string }): void => {
    ends.delete(name);
    const index = inactive.findIndex((each) => each.name === name);
    if (index >= 0) inactive.splice(index, 1);
    events.checked(name, undefined, 'critical');
    events.checked(`${name}/consensus`, undefined, 'critical');
    events.restarted(name, versions);
  };
  const pass = (seconds: number): Promise<number> => clock.tickAsync(1_000 * seconds);
  return { events, restarts, inactive, ends, reads, messages, end, start, judge, pass };
}

const RESTARTED = 'the process has restarted';

test.serial(
  'a peer that a signal stops and that returns is one event: its restart, with its versions',
  async (t) => {
    const { messages, end, start, pass } = network(t);
    end('p1', 'stopped');
    await pass(40);
    t.deepEqual(messages, []);
    start('p1', { before: 'v2.5.16', now: 'v3.1.5' });
    await pass(120);
    t.deepEqual(messages, [`info p1: ${RESTARTED}: v2.5.16 → v3.1.5`]);
  },
);

test.serial(
  'a check run that began before the return of a node finds it down later: nothing is sent, and the usual time stays',
  async (t) => {
    const { messages, end, start, pass } = network(t);
    for (const [how, seconds] of [
      ['returned', 3],
      ['returned', 90],
      ['stopped', 55],
    ] as const) {
      end('p1', how);
      await pass(seconds);
      start('p1');
      await pass(60);
    }
    t.deepEqual(messages, Array(3).fill(`info p1: ${RESTARTED}`));
  },
);

test.serial(
  'a node that is killed while a check run from before its return fails is sent at once',
  async (t) => {
    const { messages, ends, end, pass } = network(t);
    end('p1', 'returned');
    await pass(5);
    t.deepEqual(messages, []);
    ends.set('p1', 'killed');
    await pass(3);
    t.deepEqual(messages, ['failed p1: connection refused']);
  },
);

test.serial('whether a node may return is known before its failure is sent', async (t) => {
  const { restarts, reads, inactive, ends, judge, pass } = network(t);
  t.false(restarts.mayReturn('o1'));
  ends.set('o1', 'stopped');
  inactive.push({ name: 'o1', state: 'down', outage: 'is down' });
  t.true(restarts.mayReturn('o1'));
  await pass(1);
  t.true(restarts.mayReturn('o1'));
  ends.set('o1', 'killed');
  await pass(3);
  t.false(restarts.mayReturn('o1'));
  t.deepEqual(reads, ['o1', 'o1']);
  inactive.pop();
  judge();
  t.false(restarts.mayReturn('o1'));
});

test.serial('a rolling restart of orderers, one after the other, is one event for each', async (t) => {
  const { messages, end, start, judge, pass } = network(t);
  for (const name of ['o1', 'o2', 'o3']) {
    end(name, 'stopped');
    await pass(20);
    start(name);
    // The leader reaches it a few seconds later.
    await pass(8);
    judge();
    await pass(30);
  }
  t.deepEqual(
    messages,
    ['o1', 'o2', 'o3'].map((name) => `info ${name}: ${RESTARTED}`),
  );
});

test.serial(
  'the election that begins before the agent knows that the leader was stopped is not sent',
  async (t) => {
    const { messages, inactive, end, start, judge, pass } = network(t);
    inactive.push({ name: 'o1', state: 'electing' });
    judge();
    await pass(3);
    inactive.pop();
    end('o2', 'stopped');
    await pass(30);
    start('o2');
    judge();
    await pass(60);
    t.deepEqual(messages, [`info o2: ${RESTARTED}`]);
  },
);

for (const how of [undefined, 'crashed'] as const)
  test.serial(
    `a node that no signal stopped is sent at once; its log says ${how ?? 'nothing'}`,
    async (t) => {
      const { messages, end, pass } = network(t);
      end('p1', how);
      end('o1', how);
      await pass(2);
      t.deepEqual(messages, ['failed p1: connection refused', 'warning channels/ch1']);
    },
  );

test.serial('a node without a log is sent at once', async (t) => {
  const { messages, end, pass } = network(t);
  end('unlogged', 'stopped');
  await pass(2);
  t.deepEqual(messages, ['failed unlogged']);
});

test.serial('a node that does not return is sent after a minute, and the reason says so', async (t) => {
  const { messages, end, pass } = network(t);
  end('p1', 'stopped');
  await pass(59);
  t.deepEqual(messages, []);
  await pass(6);
  t.deepEqual(messages, [
    'failed p1: connection refused; a signal stopped it, and it has not returned after 1m',
  ]);
});

test.serial('a node whose next process crashes is sent at once', async (t) => {
  const { messages, ends, end, pass } = network(t);
  end('p1', 'stopped');
  await pass(10);
  // The log begins with the next start.
  ends.delete('p1');
  await pass(10);
  t.deepEqual(messages, []);
  ends.set('p1', 'crashed');
  await pass(4);
  t.deepEqual(messages, ['failed p1: connection refused']);
});

test.serial('after a measured restart of 8 s, a node may take twice as long', async (t) => {
  const { messages, end, start, pass } = network(t);
  end('p1', 'stopped');
  await pass(7);
  start('p1');
  await pass(60);
  messages.splice(0);
  end('p1', 'stopped');
  await pass(15);
  t.deepEqual(messages, []);
  await pass(3);
  t.deepEqual(messages, [
    'failed p1: connection refused; a signal stopped it, and it has not returned after 16s',
  ]);
});

test.serial('after a measured restart of 90 s, which was sent, one of 90 s is not sent', async (t) => {
  const { messages, end, start, pass } = network(t);
  end('p1', 'stopped');
  await pass(90);
  start('p1');
  await pass(60);
  t.is(messages.length, 3);
  messages.splice(0);
  end('p1', 'stopped');
  await pass(90);
  start('p1');
  await pass(60);
  t.deepEqual(messages, [`info p1: ${RESTARTED}`]);
});

test.serial(
  'two orderers that a signal stops at the same time stop their channel: it is sent at once',
  async (t) => {
    const { messages, end, pass } = network(t);
    end('o1', 'stopped');
    await pass(5);
    t.deepEqual(messages, []);
    end('o2', 'stopped');
    await pass(2);
    t.deepEqual(messages, ['failed channels/ch1']);
  },
);

test.serial(
  'a channel that stops while the agent knows of one stopped orderer is sent at once',
  async (t) => {
    const { inactive, ends, events, messages, pass } = network(t);
    ends.set('o1', 'stopped');
    inactive.push({ name: 'o1', state: 'down', outage: 'is down' });
    events.checked('channels/ch1', 'at risk', 'warning');
    await pass(5);
    t.deepEqual(messages, []);
    events.checked('channels/ch1', 'stopped', 'critical');
    await pass(2);
    t.deepEqual(messages, ['failed channels/ch1']);
  },
);

test.serial('an orderer that is killed while another one restarts is sent at once', async (t) => {
  const { messages, inactive, end, start, pass } = network(t);
  end('o1', 'stopped');
  await pass(5);
  inactive.splice(0);
  start('o1');
  end('o2', undefined);
  await pass(5);
  t.deepEqual(messages, [`info o1: ${RESTARTED}`, 'warning channels/ch1']);
});

test.serial('a channel that stays at risk after its orderer has returned is sent after 15 s', async (t) => {
  const { messages, end, start, pass } = network(t);
  end('o1', 'stopped');
  await pass(10);
  start('o1');
  await pass(14);
  t.deepEqual(messages, [`info o1: ${RESTARTED}`]);
  await pass(8);
  t.deepEqual(messages.slice(1), ['warning channels/ch1']);
});

test.serial('a full disk of a node that restarts is sent at once', async (t) => {
  const { events, messages, end, pass } = network(t);
  end('p1', 'stopped');
  events.checked('p1/disk', 'no space left', 'critical');
  await pass(2);
  t.deepEqual(messages, ['failed p1/disk']);
});

for (const [count, isSent] of [
  [4, false],
  [5, true],
] as const)
  test.serial(
    `after a restart of 30 s and ${count} of 6 s, a node that is down for 40 s is ${isSent ? '' : 'not '}sent: the longest of the last five counts`,
    async (t) => {
      const { messages, end, start, pass } = network(t);
      for (const seconds of [30, ...Array.from({ length: count }, () => 6)]) {
        end('p1', 'stopped');
        await pass(seconds);
        start('p1');
        await pass(60);
      }
      messages.splice(0);
      end('p1', 'stopped');
      await pass(40);
      t.is(messages.length, isSent ? 1 : 0);
    },
  );

test.serial(
  'a failure waits while the log of its node is read, which is not read twice at a time',
  async (t) => {
    const { messages, ends, reads, restarts, end, pass } = network(t);
    let finish: (how: End) => void = () => undefined;
    const reading = (): Promise<End> => new Promise((resolve) => (finish = resolve));
    t.false(restarts.mayReturn('p1'));
    end('p1', reading());
    await pass(10);
    t.deepEqual([messages, reads, restarts.mayReturn('p1')], [[], ['p1'], true]);
    finish('stopped');
    await pass(2);
    t.true(restarts.mayReturn('p1'));
    ends.set('p1', reading());
    const before = reads.length;
    await pass(20);
    t.is(reads.length, before + 1);
    finish('crashed');
    await pass(2);
    t.deepEqual(messages, ['failed p1: connection refused']);
    t.false(restarts.mayReturn('p1'));
  },
);

test.serial('the log of a node that has returned meanwhile changes nothing', async (t) => {
  const { messages, restarts, end, start, pass } = network(t);
  let finish: (how: End) => void = () => undefined;
  end('p1', new Promise((resolve) => (finish = resolve)));
  await pass(1);
  start('p1');
  await pass(4);
  finish('stopped');
  await pass(60);
  t.deepEqual([messages, restarts.mayReturn('p1')], [[`info p1: ${RESTARTED}`], false]);
});

for (const [severity, sentAfter] of [
  ['warning', 15],
  ['critical', 0],
] as const)
  test.serial(
    `a channel that becomes ${severity} just after its orderer has returned is sent after ${sentAfter} s`,
    async (t) => {
      const { events, messages, end, start, judge, pass } = network(t);
      end('o1', 'stopped');
      await pass(10);
      start('o1');
      judge();
      await pass(4);
      messages.splice(0);
      events.checked('channels/ch1', 'the leader reaches 2 of 3', severity);
      await pass(8);
      t.is(messages.length, sentAfter === 0 ? 1 : 0);
      await pass(20);
      t.is(messages.length, 1);
    },
  );

test.serial('an orderer that is down again just after its return may return again', async (t) => {
  const { ends, inactive, restarts, end, start, judge, pass } = network(t);
  end('o1', 'stopped');
  await pass(6);
  start('o1');
  judge();
  await pass(4);
  t.false(restarts.mayReturn('o1'));
  // Its own failure waits for an explanation.
  ends.set('o1', 'stopped');
  inactive.push({ name: 'o1', state: 'down', outage: 'is down' });
  await pass(3);
  t.true(restarts.mayReturn('o1'));
});
