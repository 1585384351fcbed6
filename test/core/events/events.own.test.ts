import test, { type ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { Events } from '../../../core/events/index.js';
import type { Consenter } from '../../../core/fabric/channel.js';

function record(t: ExecutionContext): { clock: SinonFakeTimers; events: Events; reasons: string[] } {
  const clock = useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5), toFake: ['Date', 'performance'] });
  t.teardown(() => clock.restore());
  const events = new Events(() => []);
  const reasons: string[] = [];
  events.subscribe(({ event: { state, reason } }) => void reasons.push(`${state} ${reason}`));
  return { clock, events, reasons };
}

test.serial('a recovery says since when it had failed, and marks the reason as the former one', (t) => {
  const { clock, events, reasons } = record(t);
  events.checked('peer0', 'connection refused', 'critical');
  clock.tick(60_000);
  events.checked('peer0', 'timed out', 'critical');
  clock.tick(240_500);
  events.checked('peer0', undefined, 'critical');
  t.deepEqual(reasons, [
    'failed connection refused',
    'recovered recovered after 5m; failed since 2026-01-02T03:04:05Z, reason: timed out',
  ]);
});

for (const jump of [2, -2])
  test.serial(`a wall clock that jumps by ${jump} hours changes no duration`, (t) => {
    const { clock, events, reasons } = record(t);
    events.checked('peer0', 'timed out', 'critical');
    clock.setSystemTime(Date.now() + jump * 3_600_000);
    clock.tick(60_000);
    events.checked('peer0', undefined, 'critical');
    t.is(
      reasons.at(-1),
      'recovered recovered after 1m; failed since 2026-01-02T03:04:05Z, reason: timed out',
    );
  });

test.serial('the end of a warning says so', (t) => {
  const { clock, events, reasons } = record(t);
  events.checked('disk', '6% left', 'warning');
  clock.tick(1_000);
  events.checked('disk', undefined, 'critical');
  t.is(reasons.at(-1), 'recovered recovered after 1s; warning since 2026-01-02T03:04:05Z, reason: 6% left');
});

test.serial('a component that is no longer checked does not work again', (t) => {
  const { events, reasons } = record(t);
  events.checked('disk', 'full', 'critical');
  events.removed('disk');
  t.is(
    reasons.at(-1),
    'recovered no longer checked after 0s; failed since 2026-01-02T03:04:05Z, reason: full',
  );
});

/** The events of an agent with three orderers and a peer, and one channel with inactive consenters that a test sets. */
function network(t: ExecutionContext, isSentElsewhere?: (component: string) => boolean) {
  const clock = useFakeTimers({
    now: Date.UTC(2026, 0, 2),
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
  });
  t.teardown(() => clock.restore());
  const inactive: Consenter[] = [];
  const out = (name: string): Consenter => ({ name, state: 'down', outage: 'is down' });
  const orderers = ['o1', 'o2', 'o3'].map((name) => ({ name, kind: 'orderer' as const }));
  const events = new Events(
    () => [...orderers, { name: 'p1', kind: 'peer' }],
    () => new Map([['ch1', inactive]]),
    undefined,
    undefined,
    isSentElsewhere,
  );
  const all: string[] = [];
  const critical: string[] = [];
  events.subscribe(({ event: { component, state, severity }, explained }) => {
    const text = `${state} ${component}`;
    if (explained === undefined) all.push(text);
    if (severity === 'critical') critical.push(text);
  });
  const unreachable = (node: string): void => {
    events.checked(node, 'connection refused', 'critical');
    for (const check of ['consensus', 'height', 'participation'])
      events.checked(`${node}/${check}`, 'cannot be read', 'warning', { follows: node });
  };
  const back = (...components: readonly string[]): void => {
    for (const component of components) events.checked(component, undefined, 'critical');
  };
  const CHECKS = ['', '/consensus', '/height', '/participation'];
  const nodeIsBack = (node: string): void => back(...CHECKS.map((check) => `${node}${check}`));
  const atRisk = (): void => events.checked('channels/ch1', 'at risk: …', 'warning');
  const stopped = (): void => events.checked('channels/ch1', 'stopped: …', 'critical');
  return { clock, events, inactive, out, all, critical, unreachable, back, nodeIsBack, atRisk, stopped };
}

for (const [by, isElsewhere, expected] of [
  ['this agent', false, ['warning channels/ch1']],
  ['another agent', true, ['warning channels/ch1', 'failed o1']],
] as const)
  test.serial(
    `an orderer that is down, in a channel at risk that ${by} sends, is ${isElsewhere ? 'an event' : 'no event for its receivers'}`,
    (t) => {
      const { clock, events, inactive, out, all, critical, unreachable, atRisk } = network(
        t,
        () => isElsewhere,
      );
      inactive.push(out('o1'));
      atRisk();
      for (let count = 0; count < 5; count += 1) {
        unreachable('o1');
        events.checked('o1/consensus/ch1', 'the orderer knows no raft leader', 'warning');
        clock.tick(5_000);
      }
      t.deepEqual(all, expected);
      t.deepEqual(critical, ['failed o1']);
    },
  );

test.serial(
  'orderers that are killed one after the other are events of the channel only, and so is that they are back',
  (t) => {
    const { clock, events, inactive, out, all, unreachable, back, nodeIsBack, atRisk, stopped } = network(t);
    const link = (severity: 'warning' | 'critical'): void =>
      events.checked('p1/orderer-link/ch1', 'connection refused', severity, { follows: 'channels/ch1' });
    // Single checks fail before the channel is checked.
    unreachable('o1');
    link('warning');
    clock.tick(5_000);
    inactive.push(out('o1'));
    atRisk();
    clock.tick(100_000);
    unreachable('o1');
    link('warning');
    clock.tick(100_000);
    t.deepEqual(all, ['warning channels/ch1']);

    inactive.push(out('o2'));
    unreachable('o2');
    stopped();
    clock.tick(100_000);
    link('critical');
    events.checked('o3/consensus/ch1', 'the orderer knows no raft leader', 'critical');
    clock.tick(100_000);
    t.deepEqual(all.slice(1), ['failed channels/ch1']);

    inactive.pop();
    atRisk();
    clock.tick(5_000);
    // Their last check runs were earlier.
    link('critical');
    events.checked('o3/consensus/ch1', 'the orderer knows no raft leader', 'critical');
    unreachable('o2');
    clock.tick(30_000);
    link('warning');
    nodeIsBack('o2');
    back('o3/consensus/ch1');
    inactive.pop();
    back('channels/ch1');
    link('warning');
    unreachable('o1');
    clock.tick(30_000);
    nodeIsBack('o1');
    back('p1/orderer-link/ch1');
    clock.tick(100_000);
    t.deepEqual(all.slice(2), ['warning channels/ch1', 'recovered channels/ch1']);
    t.deepEqual(events.open, []);
  },
);

test.serial(
  'a peer that gets no blocks is one event, although its height is compared before its orderers are asked',
  (t) => {
    const { clock, events, all, critical, back } = network(t);
    const behind = (severity: 'warning' | 'critical'): void =>
      events.checked('p1/height/ch1', 'the ledger does not grow', severity, {
        follows: 'p1/orderer-link/ch1',
      });
    const link = (severity: 'warning' | 'critical'): void => {
      for (let looks = 0; looks < 2; looks += 1) {
        events.checked('p1/orderer-link/ch1', 'the ledger does not grow', severity);
        clock.tick(15_000);
      }
    };
    behind('warning');
    clock.tick(25_000);
    link('warning');
    clock.tick(100_000);
    behind('warning');
    behind('critical');
    clock.tick(25_000);
    link('critical');
    clock.tick(100_000);
    t.deepEqual(all, ['warning p1/orderer-link/ch1', 'failed p1/orderer-link/ch1']);
    t.deepEqual(critical, ['failed p1/orderer-link/ch1']);
    back('p1/orderer-link/ch1', 'p1/height/ch1');
    clock.tick(100_000);
    t.deepEqual(all.slice(2), ['recovered p1/orderer-link/ch1']);
  },
);

test.serial('a consenter that took part again before a look explains nothing that the look finds', (t) => {
  const { clock, events, inactive, out, all, back, atRisk } = network(t);
  inactive.push(out('o1'));
  atRisk();
  clock.tick(10_000);
  inactive.pop();
  back('channels/ch1');
  clock.tick(10_000);
  const observedAt = performance.now();
  clock.tick(1_000);
  // The node has another problem now.
  events.checked('o1', 'connection refused', 'critical');
  const link = (time: number): void =>
    events.checked('p1/orderer-link/ch1', 'connection refused', 'warning', {
      follows: 'channels/ch1',
      observedAt: time,
    });
  link(observedAt);
  clock.tick(15_000);
  link(performance.now());
  clock.tick(10_000);
  t.true(all.includes('warning p1/orderer-link/ch1'), all.join());
});

test.serial('explained failures are always visible as open, with their severity', (t) => {
  const { events, inactive, out, unreachable, stopped } = network(t);
  inactive.push(out('o1'), out('o2'));
  stopped();
  unreachable('o1');
  events.checked('o3/consensus/ch1', 'the orderer knows no raft leader', 'critical');
  t.deepEqual(
    events.open.map(({ component, state }) => `${state} ${component}`),
    [
      'failed channels/ch1',
      'failed o1',
      'warning o1/consensus',
      'warning o1/height',
      'warning o1/participation',
      'failed o3/consensus/ch1',
    ],
  );
});

test.serial(
  'a failure that lasts a minute after its explanation has ended is sent, and so is its recovery',
  (t) => {
    const { clock, events, inactive, out, all, back, nodeIsBack, unreachable, atRisk } = network(t);
    const failing = (): void => {
      events.checked('o1/participation', 'HTTP status 405', 'warning', { follows: 'o1' });
      events.checked('o1/consensus/ch1', 'the orderer knows no raft leader', 'critical');
    };
    inactive.push(out('o1'));
    atRisk();
    unreachable('o1');
    failing();
    clock.tick(100_000);
    nodeIsBack('o1');
    inactive.pop();
    back('channels/ch1');
    failing();
    clock.tick(10_000);
    failing();
    clock.tick(49_999);
    t.deepEqual(all, ['warning channels/ch1', 'recovered channels/ch1']);
    clock.tick(1);
    t.deepEqual(all.slice(2), ['warning o1/participation', 'failed o1/consensus/ch1']);
    back('o1/participation', 'o1/consensus/ch1');
    t.deepEqual(all.slice(4), ['recovered o1/participation', 'recovered o1/consensus/ch1']);
  },
);

test.serial(
  'receivers of critical events get the failure of the node, because they do not get the risk; then they get the stop only',
  (t) => {
    const { clock, inactive, out, critical, unreachable, back, nodeIsBack, atRisk, stopped } = network(t);
    inactive.push(out('o1'));
    atRisk();
    unreachable('o1');
    clock.tick(5_000);
    unreachable('o1');
    clock.tick(5_000);
    t.deepEqual(critical, ['failed o1']);
    inactive.push(out('o2'));
    stopped();
    unreachable('o2');
    clock.tick(100_000);
    t.deepEqual(critical.slice(1), ['failed channels/ch1']);
    inactive.length = 0;
    back('channels/ch1');
    nodeIsBack('o1');
    nodeIsBack('o2');
    t.deepEqual(critical.slice(2), ['recovered channels/ch1', 'recovered o1']);
  },
);

test.serial(
  'the failure of an orderer that no event of a channel names is sent after 10 s, failures of its checks and links are not',
  (t) => {
    const { clock, events, inactive, out, all, unreachable, nodeIsBack } = network(t);
    // One of five: the channel works.
    inactive.push(out('o1'));
    unreachable('o1');
    events.checked('p1/orderer-link/ch1', '4 of 5 orderers serve this peer', 'warning', {
      follows: 'channels/ch1',
    });
    clock.tick(5_000);
    unreachable('o1');
    clock.tick(4_999);
    t.deepEqual(all, []);
    clock.tick(100_000);
    unreachable('o1');
    t.deepEqual(all, ['failed o1']);
    nodeIsBack('o1');
    t.deepEqual(all.slice(1), ['recovered o1']);
  },
);

test.serial('other causes are sent while an orderer is down and its channel is at risk', (t) => {
  const { clock, events, inactive, out, all, unreachable, atRisk } = network(t);
  inactive.push(out('o1'));
  atRisk();
  unreachable('o1');
  events.checked('o1/disk', '1% left', 'critical');
  events.checked('o1/channel-config/ch1/maintenance', 'maintenance mode', 'warning');
  events.checked('p1', 'connection refused', 'critical');
  t.deepEqual(all.slice(1), ['failed o1/disk', 'warning o1/channel-config/ch1/maintenance', 'failed p1']);
  for (const time of [0, 5_000, 5_000]) {
    clock.tick(time);
    events.checked('p1/height/ch1', 'the ledger does not grow', 'warning');
    events.checked('p1/orderer-link/ch1', 'all 3 orderers refuse this peer', 'critical', {
      follows: 'channels/ch1',
    });
  }
  t.deepEqual(all.slice(4), ['warning p1/height/ch1', 'failed p1/orderer-link/ch1']);
});

test.serial('a failure that ends before it is sent is no event, nor is its end', (t) => {
  const { clock, all, unreachable, nodeIsBack } = network(t);
  unreachable('o1');
  clock.tick(9_999);
  nodeIsBack('o1');
  clock.tick(100_000);
  t.deepEqual(all, []);
});

test.serial('checks that cannot read a node that works are sent after a minute', (t) => {
  const { clock, events, all } = network(t);
  const failing = (): void =>
    events.checked('p1/height', 'the metrics of p1 cannot be read: HTTP status 500', 'warning', {
      follows: 'p1',
    });
  failing();
  clock.tick(10_000);
  failing();
  clock.tick(49_999);
  t.deepEqual(all, []);
  clock.tick(1);
  t.deepEqual(all, ['warning p1/height']);
});

test.serial(
  'a warning that was sent and becomes a failure when the channel stops is sent as such when it remains',
  (t) => {
    const { clock, events, all, back, stopped } = network(t);
    for (const time of [0, 10_000]) {
      clock.tick(time);
      events.checked('p1/orderer-link/ch1', '2 of 3 orderers serve this peer', 'warning', {
        follows: 'channels/ch1',
      });
    }
    stopped();
    const failing = (): void =>
      events.checked('p1/orderer-link/ch1', 'none of 3 orderers serves this peer', 'critical', {
        follows: 'channels/ch1',
      });
    failing();
    clock.tick(100_000);
    t.deepEqual(all, ['warning p1/orderer-link/ch1', 'failed channels/ch1']);
    back('channels/ch1');
    failing();
    clock.tick(30_000);
    failing();
    clock.tick(30_000);
    t.deepEqual(all.slice(2), ['recovered channels/ch1', 'failed p1/orderer-link/ch1']);
  },
);

test.serial(
  'an orderer that fails after its channel has stopped is an event: the event of the channel did not name it',
  (t) => {
    const { clock, inactive, out, all, unreachable, stopped } = network(t);
    inactive.push(out('o1'), out('o2'), { name: 'o3', state: 'electing' });
    stopped();
    unreachable('o1');
    unreachable('o2');
    clock.tick(100_000);
    inactive.splice(2, 1, out('o3'));
    stopped();
    unreachable('o3');
    clock.tick(5_000);
    unreachable('o3');
    clock.tick(100_000);
    t.deepEqual(all, ['failed channels/ch1', 'failed o3']);
  },
);

test.serial(
  'a channel in which a consenter knows no leader is a warning only if a second check finds it after 10 s',
  (t) => {
    const { clock, inactive, all, back, atRisk } = network(t);
    inactive.push({ name: 'o1', state: 'electing' });
    atRisk();
    clock.tick(9_000);
    atRisk();
    back('channels/ch1');
    clock.tick(100_000);
    t.deepEqual(all, []);

    atRisk();
    clock.tick(5_000);
    atRisk();
    clock.tick(4_999);
    t.deepEqual(all, []);
    clock.tick(1);
    t.deepEqual(all, ['warning channels/ch1']);
  },
);

test.serial(
  'a channel in which a consenter knows no leader is sent at once when a consenter is down',
  (t) => {
    const { clock, inactive, out, all, atRisk } = network(t);
    inactive.push({ name: 'o1', state: 'electing' });
    atRisk();
    clock.tick(2_000);
    inactive.push(out('o2'));
    atRisk();
    t.deepEqual(all, ['warning channels/ch1']);
  },
);

/** The result of a check of `orderer-link` that began at a time. */
const linkFailed = (events: Events, observedAt: number, severity: 'warning' | 'critical' = 'warning'): void =>
  events.checked('p1/orderer-link/ch1', 'connection refused', severity, {
    follows: 'channels/ch1',
    observedAt,
  });

test.serial(
  'a failure that was found before its explanation ended is not sent, however often it is reported, until another run finds it',
  (t) => {
    const { clock, events, inactive, out, all, back, atRisk } = network(t);
    inactive.push(out('o1'));
    atRisk();
    clock.tick(3_000);
    const polledAt = performance.now();
    clock.tick(3_000);
    inactive.pop();
    back('channels/ch1');
    // The check reports the result of the poll until the next poll.
    for (let count = 0; count < 30; count += 1) {
      linkFailed(events, polledAt);
      clock.tick(10_000);
    }
    t.deepEqual(all, ['warning channels/ch1', 'recovered channels/ch1']);
    linkFailed(events, performance.now());
    clock.tick(59_999);
    linkFailed(events, performance.now());
    t.is(all.length, 2);
    clock.tick(1);
    t.deepEqual(all.slice(2), ['warning p1/orderer-link/ch1']);
  },
);

test.serial('an unexplained failure from a single run is sent when a second run also finds it', (t) => {
  const { clock, events, all, back } = network(t);
  const polledAt = performance.now();
  linkFailed(events, polledAt);
  clock.tick(60_000);
  linkFailed(events, polledAt);
  t.deepEqual(all, []);
  back('p1/orderer-link/ch1');
  t.deepEqual(all, []);
  linkFailed(events, performance.now());
  clock.tick(15_000);
  linkFailed(events, performance.now());
  t.deepEqual(all, ['warning p1/orderer-link/ch1']);
});

test.serial(
  'an orderer that is back explains failures that were found while it was down, also of a channel that worked',
  (t) => {
    const { clock, events, inactive, out, all, unreachable, nodeIsBack } = network(t);
    inactive.push(out('o1'));
    unreachable('o1');
    clock.tick(1_000);
    const polledAt = performance.now();
    clock.tick(1_000);
    inactive.pop();
    nodeIsBack('o1');
    for (let count = 0; count < 30; count += 1) {
      linkFailed(events, polledAt);
      clock.tick(10_000);
    }
    t.deepEqual(all, []);
  },
);

test.serial(
  'a stopped channel that is now at risk explains failures that were found while it was stopped',
  (t) => {
    const { clock, events, inactive, out, all, critical, back, atRisk, stopped } = network(t);
    inactive.push(out('o1'), out('o2'));
    stopped();
    clock.tick(1_000);
    const polledAt = performance.now();
    linkFailed(events, polledAt, 'critical');
    clock.tick(1_000);
    inactive.pop();
    atRisk();
    for (let count = 0; count < 30; count += 1) {
      linkFailed(events, polledAt, 'critical');
      clock.tick(10_000);
    }
    inactive.pop();
    back('p1/orderer-link/ch1', 'channels/ch1');
    const expected = ['failed channels/ch1', 'warning channels/ch1', 'recovered channels/ch1'];
    t.deepEqual([all, critical], [expected, ['failed channels/ch1']]);
  },
);

test.serial(
  'a wait that began while another failure explained the first one begins again when this has ended',
  (t) => {
    const { clock, events, inactive, out, all, unreachable, back, nodeIsBack, atRisk } = network(t);
    const failing = (): void => linkFailed(events, performance.now());
    inactive.push(out('o1'));
    atRisk();
    unreachable('o1');
    failing();
    clock.tick(30_000);
    nodeIsBack('o1');
    failing();
    clock.tick(6_000);
    inactive.pop();
    back('channels/ch1');
    clock.tick(4_000);
    failing();
    clock.tick(10_000);
    back('p1/orderer-link/ch1');
    t.deepEqual(all, ['warning channels/ch1', 'recovered channels/ch1']);
  },
);
