// Failures that this host may have caused are checked again before they are reported.

import test, { type ExecutionContext } from 'ava';
import type { SinonFakeTimers } from 'sinon';
import { AgentError, CheckWarning, FailedChecks, LeveledLoggers } from '../../../core/contract/index.js';
import type { DetailedPart } from '../../../core/contract/internal/index.js';
import {
  Clock,
  CLOCK,
  createHealth,
  Lag,
  LONGEST_DOUBT,
  type AgentHealth,
} from '../../../core/health/index.js';
import { SECOND_LOOK } from '../../../core/health/health.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { stopTimeouts } from '../../helpers/clock.js';
import { valuesOf } from '../../helpers/snapshot.js';

/** A lag that a test sets. */
class SetLag extends Lag {
  isSlow = false;

  override hasLaggedSince(): boolean {
    return this.isSlow;
  }
}

interface Subject {
  readonly health: AgentHealth;
  readonly host: SetLag;
  readonly clock: Clock;
  /** The observed results, which events are made from. */
  readonly observed: string[];
  readonly store: MetricStore;
}

function subject(t: ExecutionContext, nodes: readonly string[] = []): Subject {
  const [host, clock, store] = [new SetLag(), new Clock(), new MetricStore(100)];
  const observed: string[] = [];
  const health = createHealth({
    timeout: 10_000,
    cacheFor: 0,
    interval: 60_000,
    groups: {},
    metrics: store,
    log: new LeveledLoggers({ write: () => undefined }).logger('health'),
    cpuTime: () => 0,
    nodes: () => nodes,
    lag: host,
    clock,
    observer: {
      checked: (name, reason, severity) =>
        void observed.push(`${name} ${reason === undefined ? 'ok' : severity}`),
      removed: () => undefined,
    },
  });
  t.teardown(() => health.stop());
  return { health, host, clock, observed, store };
}

/** A check with a result that a test sets. */
function outcome(health: AgentHealth, name: string): (thrown: unknown) => void {
  let thrown: unknown;
  health.register(name, () => {
    if (thrown !== undefined) throw thrown;
  });
  return (next) => (thrown = next);
}

const failing = async (health: AgentHealth): Promise<string[]> =>
  (await health.run()).failedChecks.map(({ component }) => component);

const settle = async (clock: SinonFakeTimers): Promise<void> => void (await clock.tickAsync(SECOND_LOOK));

test.serial('on a host that is not slow, a failure is reported at once', async (t) => {
  stopTimeouts(t);
  const { health } = subject(t);
  outcome(health, 'peer0')(new AgentError('PLUGIN_TIMED_OUT', 'took longer than 3s'));
  t.deepEqual(await failing(health), ['peer0']);
});

test.serial(
  'while the agent lags, a refusal is reported when it is seen again, in responses, metrics and events',
  async (t) => {
    const timeouts = stopTimeouts(t);
    const { health, host, observed, store } = subject(t);
    const end = outcome(health, 'peer0');
    await health.run();
    host.isSlow = true;
    end(new Error('connection refused'));
    t.deepEqual(await failing(health), []);
    t.deepEqual(health.unconfirmed, [{ component: 'peer0', reason: 'connection refused' }]);
    t.deepEqual(observed, ['peer0 ok']);
    t.is((await valuesOf(store, 'fabric_ops_agent_health_check_status'))[0]?.value, 1);
    end(new Error('connection refused'));
    await settle(timeouts);
    t.deepEqual(observed, ['peer0 ok', 'peer0 critical']);
    t.deepEqual(health.unconfirmed, []);
    t.is((await valuesOf(store, 'fabric_ops_agent_health_check_status'))[0]?.value, 0);
  },
);

for (const [what, late] of [
  ['a timeout', () => new AgentError('PLUGIN_TIMED_OUT', 'took longer than 3s')],
  [
    'a part that did not respond',
    () => new FailedChecks([{ component: 'ch1', reason: 'silent', isLate: true } as DetailedPart]),
  ],
] as const)
  test.serial(`while the agent lags, ${what} is not reported; after the lag it is`, async (t) => {
    const timeouts = stopTimeouts(t);
    const { health, host } = subject(t);
    const end = outcome(health, 'peer0');
    host.isSlow = true;
    for (let look = 0; look < 5; look += 1) {
      end(late());
      t.deepEqual(await failing(health), []);
      await settle(timeouts);
    }
    host.isSlow = false;
    end(late());
    t.is((await failing(health)).length, 1);
  });

test.serial('a timeout that lasts five minutes is reported although the agent lags', async (t) => {
  const timeouts = stopTimeouts(t);
  const { health, host } = subject(t);
  const end = outcome(health, 'peer0');
  host.isSlow = true;
  end(new AgentError('PLUGIN_TIMED_OUT', 'took longer than 3s'));
  t.deepEqual(await failing(health), []);
  await timeouts.tickAsync(LONGEST_DOUBT);
  t.deepEqual(await failing(health), ['peer0']);
});

test.serial('the result of a poll is confirmed by the next poll', async (t) => {
  const timeouts = stopTimeouts(t);
  const { health, host } = subject(t);
  const end = outcome(health, 'peer0');
  host.isSlow = true;
  end(new Error('connection refused'));
  t.deepEqual(await failing(health), []);
  host.isSlow = false;
  await settle(timeouts);
  t.deepEqual(await failing(health), [], 'the same error');
  end(undefined);
  t.deepEqual(await failing(health), []);
  t.deepEqual(health.unconfirmed, []);
});

test.serial('a warning that begins while the agent lags is checked again, too', async (t) => {
  stopTimeouts(t);
  const { health, host, observed } = subject(t);
  host.isSlow = true;
  outcome(health, 'disk')(new CheckWarning('could not be checked'));
  t.deepEqual((await health.run()).warnings, []);
  t.deepEqual(observed, []);
});

test.serial('nodes that begin to fail at the same time are checked again, a single one is not', async (t) => {
  const timeouts = stopTimeouts(t);
  const names = ['orderer1', 'peer1'];
  const { health } = subject(t, names);
  const [orderer, peer] = names.map((name) => outcome(health, name)) as [
    (error: unknown) => void,
    (error: unknown) => void,
  ];
  await health.run();
  orderer(new Error('connection refused'));
  t.deepEqual(await failing(health), ['orderer1']);
  orderer(undefined);
  t.deepEqual(await failing(health), []);
  for (const fail of [orderer, peer]) fail(new Error('connection refused'));
  t.deepEqual(await failing(health), []);
  for (const fail of [orderer, peer]) fail(new Error('connection refused'));
  await settle(timeouts);
  t.deepEqual(await failing(health), names);
});

test.serial('nodes that all fail when the agent starts are reported at once', async (t) => {
  stopTimeouts(t);
  const names = ['orderer1', 'peer1'];
  const { health } = subject(t, names);
  for (const name of names) outcome(health, name)(new Error('connection refused'));
  t.deepEqual(await failing(health), names);
});

for (const [onTimeout, expected] of [
  ['critical', { failed: ['timed out after 10s'], warnings: [] }],
  ['warning', { failed: [], warnings: ['could not be checked: timed out after 10s'] }],
] as const)
  test.serial(`a check that does not end in time is a ${onTimeout} if it says so`, async (t) => {
    const timeouts = stopTimeouts(t);
    const { health } = subject(t);
    health.register('files', () => new Promise(() => undefined), { onTimeout });
    const report = health.run();
    await timeouts.tickAsync(10_000);
    const { failedChecks, warnings } = await report;
    t.deepEqual(
      failedChecks.map(({ reason }) => reason),
      expected.failed,
    );
    t.deepEqual(
      warnings.map(({ reason }) => reason),
      expected.warnings,
    );
  });

test.serial(
  'while the clock of the host is wrong it is the only failure, and failures that do not depend on it are reported',
  async (t) => {
    stopTimeouts(t);
    const { health, clock } = subject(t);
    outcome(health, 'orderer1')(new Error('GET https://orderer1/healthz: its certificate is not yet valid'));
    outcome(health, 'orderer2')(new Error('connection refused'));
    outcome(
      health,
      'peer1/certificates',
    )(
      new FailedChecks([
        { component: 'a.pem', reason: 'CN=a is not valid before 2026-01-01T00:00:00Z' },
        { component: 'b.pem', reason: 'is a CA' },
      ]),
    );
    health.watch();
    clock.of('peer1/certificates').record({
      certificates: { count: 2, early: 2, expired: 0, newest: Date.now() + 7_200_000 },
    });
    t.deepEqual(await failing(health), [CLOCK, 'orderer2', 'peer1/certificates/b.pem']);
    const { warnings } = await health.run();
    t.deepEqual(warnings, [
      {
        component: 'orderer1',
        reason: 'cannot be checked while the clock of this host is wrong',
        severity: 'warning',
      },
    ]);
  },
);

test.serial(
  'a failure that a wrong clock may explain is checked again, until the other checkers have recorded their evidence',
  async (t) => {
    const timeouts = stopTimeouts(t);
    const { health, clock } = subject(t);
    const end = outcome(health, 'orderer1');
    end(new Error('its certificate has expired'));
    t.deepEqual(await failing(health), ['orderer1'], 'a single one is reported at once');
    end(undefined);
    await health.run();
    clock.of('orderer1').record({ difference: -3_600_000 });
    end(new Error('its certificate has expired'));
    t.deepEqual(await failing(health), []);
    end(new Error('its certificate has expired'));
    await settle(timeouts);
    t.deepEqual(await failing(health), ['orderer1']);
  },
);
