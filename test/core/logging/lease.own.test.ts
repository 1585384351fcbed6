// Leases of a logging specification: when the former specification returns, and when it does not.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { AgentError, LeveledLoggers, type LogEntry } from '../../../core/contract/index.js';
import type { NodeRequest, NodeResponse } from '../../../core/contract/metric-source.js';
import { createLeasedSpec, type LeasedSpec, type SpecEvent } from '../../../core/logging/index.js';
import { createNodeClient } from '../../../core/nodes/client.js';
import { createNodeSpec } from '../../../core/nodes/level.js';
import { stopClock } from '../../helpers/clock.js';

const CLIENT = { caller: 'CN=operator', requestId: '7' };
/** The members of a specification that this client has set at the start. */
const SET = { setBy: 'CN=operator', setAt: 1000 };
const MINUTE = 60_000;

/** An owner in memory. While `fault` is set, every call rejects with it. */
class Owner {
  readonly name = 'node peer0';
  readonly callers: string[] = [];
  spec = 'info';
  fault: Error | undefined;
  gets = 0;
  /** While it is set, changes happen and then fail with it. */
  late: Error | undefined;

  async get(): Promise<string> {
    this.gets += 1;
    if (this.fault !== undefined) throw this.fault;
    return this.spec;
  }

  async set(spec: string, { caller }: { caller: string }): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
    this.callers.push(caller);
    this.spec = spec === 'warning' ? 'warn' : spec;
    if (this.late !== undefined) throw this.late;
  }

  isUnchanged(error: unknown): boolean {
    return error === this.fault;
  }
}

interface Fixture {
  readonly owner: Owner;
  readonly leased: LeasedSpec;
  readonly changes: readonly SpecEvent[];
  readonly logged: LogEntry[];
  readonly clock: SinonFakeTimers;
}

/** A leased specification under fake timers. */
function fixture(t: ExecutionContext): Fixture {
  const clock = useFakeTimers({
    now: 1000,
    toFake: ['setTimeout', 'clearTimeout', 'Date'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  return { ...create(), clock };
}

function create(): Omit<Fixture, 'clock'> {
  const owner = new Owner();
  const logged: LogEntry[] = [];
  const log = new LeveledLoggers({ write: (entry) => void logged.push(entry) }).logger('nodes');
  const changes: SpecEvent[] = [];
  const leased = createLeasedSpec(owner, log, (event) => void changes.push(event));
  return { owner, logged, changes, leased };
}

const messages = (logged: readonly LogEntry[]): string[] =>
  logged.map(({ level, message }) => `${level}: ${message}`);

test.serial('the former specification returns at the end of the lease', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('debug', CLIENT, 10 * MINUTE);
  t.deepEqual(await leased.get(), { spec: 'debug', revertsAt: 1000 + 10 * MINUTE, ...SET });
  await clock.tickAsync(10 * MINUTE - 1);
  t.is(owner.spec, 'debug');
  await clock.tickAsync(1);
  t.deepEqual(await leased.get(), { spec: 'info' });
  t.deepEqual(owner.callers, ['CN=operator', 'end of the lease of CN=operator']);
});

test.serial('a specification that is shown in another form than requested returns too', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('warning', CLIENT, MINUTE);
  t.deepEqual(await leased.get(), { spec: 'warn', revertsAt: 1000 + MINUTE, ...SET });
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'info');
});

test.serial(
  'with leases of two agents on one node, the specification of the first one stays, and that is logged',
  async (t) => {
    const { owner, leased, logged, clock } = fixture(t);
    const log = new LeveledLoggers({ write: () => undefined }).logger('nodes');
    const other = createLeasedSpec(owner, log);
    await leased.set('debug', CLIENT, 3 * MINUTE);
    await clock.tickAsync(MINUTE);
    await other.set('warn', CLIENT, 5 * MINUTE);
    await clock.tickAsync(6 * MINUTE);
    t.is(owner.spec, 'debug');
    t.deepEqual(messages(logged), [
      "warn: the lease of the logging specification of node peer0 ends; 'debug' was changed to 'warn', which remains active. If that is a lease of another agent, 'debug' returns when it ends",
    ]);
  },
);

test.serial('a second lease replaces the first and keeps the original specification', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  await clock.tickAsync(MINUTE / 2);
  await leased.set('error', CLIENT, 2 * MINUTE);
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'error');
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'info');
});

test.serial('a plain change ends the lease', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  await leased.set('error', CLIENT);
  t.deepEqual(await leased.get(), { spec: 'error', ...SET });
  await clock.tickAsync(2 * MINUTE);
  t.is(owner.spec, 'error');
});

test.serial('a plain change to the same specification ends the lease too', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  await leased.set('debug', CLIENT);
  await clock.tickAsync(2 * MINUTE);
  t.is(owner.spec, 'debug');
});

test.serial('a change by others stays, is logged, and has no end', async (t) => {
  const { owner, leased, logged, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  owner.spec = 'error';
  t.deepEqual(await leased.get(), { spec: 'error' });
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'error');
  t.deepEqual(messages(logged), [
    "warn: the lease of the logging specification of node peer0 ends; 'debug' was changed to 'error', which remains active. If that is a lease of another agent, 'debug' returns when it ends",
  ]);
});

test.serial('a second lease after a change by others goes back to that change', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  owner.spec = 'error';
  await leased.set('debug', CLIENT, MINUTE);
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'error');
});

test.serial('a failed change leaves the lease as it was', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  owner.fault = new Error('down');
  await t.throwsAsync(leased.set('error', CLIENT), { message: 'down' });
  await t.throwsAsync(leased.set('error', CLIENT, 5 * MINUTE), { message: 'down' });
  owner.fault = undefined;
  t.deepEqual(await leased.get(), { spec: 'debug', revertsAt: 1000 + MINUTE, ...SET });
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'info');
});

const LATE = new AgentError('NODE_UNREACHABLE', 'the response took longer than 5s');
const UNKNOWN =
  "the response took longer than 5s; whether the specification has changed is unknown: if it has, 'info' returns at 1970-01-01T00:01:01.000Z";

test.serial('a change that fails late begins the lease, and the error says so', async (t) => {
  const { owner, leased, logged, clock } = fixture(t);
  owner.late = LATE;
  const error = await t.throwsAsync(leased.set('warning', CLIENT, MINUTE));
  t.like(error, { message: UNKNOWN, code: 'NODE_UNREACHABLE' });
  owner.late = undefined;
  t.deepEqual(await leased.get(), { spec: 'warn', revertsAt: 1000 + MINUTE });
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'info');
  t.deepEqual(logged, []);
});

test.serial(
  'after a change that failed late, the next lease goes back to the specification before it',
  async (t) => {
    const { owner, leased, clock } = fixture(t);
    owner.late = LATE;
    await t.throwsAsync(leased.set('debug', CLIENT, MINUTE));
    owner.late = undefined;
    await leased.set('debug', CLIENT, 2 * MINUTE);
    await clock.tickAsync(2 * MINUTE);
    t.is(owner.spec, 'info');
  },
);

test.serial('a change that failed and has not happened ends without a change', async (t) => {
  const { owner, leased, logged, clock } = fixture(t);
  owner.late = LATE;
  await t.throwsAsync(leased.set('debug', CLIENT, MINUTE));
  owner.spec = 'info';
  await clock.tickAsync(MINUTE);
  t.deepEqual(owner.callers, ['CN=operator']);
  t.deepEqual(logged, []);
});

test.serial('a lease is restored at the end of its replacement if the replacement failed', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  owner.late = LATE;
  await t.throwsAsync(leased.set('error', CLIENT, 3 * MINUTE));
  owner.late = undefined;
  owner.spec = 'debug';
  await clock.tickAsync(2 * MINUTE);
  t.is(owner.spec, 'debug');
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'info');
});

test.serial(
  'a node that changes its level and responds late has its former level after the lease, also after a retry',
  async (t) => {
    const { clock } = fixture(t);
    let spec = 'info';
    let puts = 0;
    const endpoint = {
      async request({ method, body = '' }: NodeRequest): Promise<NodeResponse> {
        const reply = {
          status: 200,
          contentType: 'application/json',
          body: Buffer.from(JSON.stringify({ spec })),
        };
        if (method === 'GET') return reply;
        ({ spec } = JSON.parse(body) as { spec: string });
        puts += 1;
        return puts === 1 ? new Promise(() => undefined) : reply;
      },
    };
    const log = new LeveledLoggers({ write: () => undefined }).logger('nodes');
    const leased = createLeasedSpec(createNodeSpec('peer0', createNodeClient('peer0', endpoint), log), log);
    const late = t.throwsAsync(leased.set('debug', CLIENT, MINUTE), { message: /'info' returns at/ });
    await clock.tickAsync(5000);
    await late;
    t.is(spec, 'debug');
    await leased.set('debug', CLIENT, MINUTE);
    await clock.tickAsync(MINUTE);
    t.is(spec, 'info');
  },
);

test.serial('a failed restoration is retried with growing delays and logged once', async (t) => {
  const { owner, leased, logged, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  owner.fault = new Error('connection refused');
  owner.gets = 0;
  await clock.tickAsync(MINUTE);
  t.is(owner.gets, 1);
  await clock.tickAsync(999);
  t.is(owner.gets, 1);
  await clock.tickAsync(1);
  t.is(owner.gets, 2);
  await clock.tickAsync(1999);
  t.is(owner.gets, 2);
  await clock.tickAsync(1);
  t.is(owner.gets, 3);
  owner.fault = undefined;
  await clock.tickAsync(4000);
  t.is(owner.spec, 'info');
  t.deepEqual(messages(logged), [
    "warn: the logging specification of node peer0 was not restored to 'info', retrying: connection refused",
  ]);
});

test.serial('a restoration that fails 20 times is given up with an error', async (t) => {
  const { owner, leased, logged, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  owner.fault = new Error('connection refused');
  owner.gets = 0;
  // The waits are 1, 2, 4, 8 and 16 s, then 30 s.
  await clock.tickAsync(MINUTE + 31_000 + 14 * 30_000 - 1);
  t.is(owner.gets, 19);
  await clock.tickAsync(1);
  t.is(owner.gets, 20);
  await clock.tickAsync(MINUTE);
  t.is(owner.gets, 20);
  t.is(
    messages(logged).at(-1),
    `error: the logging specification of node peer0 was not restored to 'info' after 20 attempts: connection refused`,
  );
  owner.fault = undefined;
  t.deepEqual(await leased.get(), { spec: 'debug', ...SET });
});

test.serial('a lease during the retries keeps the original specification', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  owner.fault = new Error('down');
  await clock.tickAsync(MINUTE);
  owner.fault = undefined;
  await leased.set('error', CLIENT, MINUTE);
  await clock.tickAsync(MINUTE - 1);
  t.is(owner.spec, 'error');
  await clock.tickAsync(1);
  t.is(owner.spec, 'info');
});

test.serial('stop restores the specification at once, and only once', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  await leased.stop();
  t.is(owner.spec, 'info');
  owner.spec = 'debug';
  await clock.tickAsync(MINUTE);
  await leased.stop();
  t.is(owner.spec, 'debug');
});

test.serial('stop without a lease does not call the owner', async (t) => {
  const { owner, leased } = fixture(t);
  await leased.set('debug', CLIENT);
  await leased.stop();
  t.is(owner.gets, 0);
  t.is(owner.spec, 'debug');
});

test.serial('stop does not wait longer than 5 s for the owner', async (t) => {
  const { owner, leased, logged, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  owner.get = () => new Promise(() => undefined);
  const stopped = leased.stop();
  await clock.tickAsync(5000);
  await stopped;
  t.deepEqual(messages(logged), [
    'warn: the logging specification of node peer0 was not restored at stop: the change took longer than 5s',
  ]);
});

test.serial('a lease begins although the owner cannot be read after the change', async (t) => {
  const { owner, leased, clock } = fixture(t);
  const set = owner.set.bind(owner);
  owner.set = async (...change) => {
    await set(...change);
    owner.fault = new Error('busy');
  };
  await leased.set('debug', CLIENT, MINUTE);
  owner.fault = undefined;
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'info');
});

test.serial('a lease of the current specification ends without a change by others', async (t) => {
  const { owner, leased, clock } = fixture(t);
  await leased.set('info', CLIENT, MINUTE);
  await clock.tickAsync(MINUTE);
  t.is(owner.spec, 'info');
  t.deepEqual(await leased.get(), { spec: 'info' });
});

test.serial('each change is reported with its client, and so is the end of a lease', async (t) => {
  const { owner, leased, changes, clock } = fixture(t);
  await leased.set('warning', CLIENT);
  await leased.set('debug', CLIENT, MINUTE);
  await clock.tickAsync(MINUTE);
  owner.fault = new Error('down');
  await t.throwsAsync(leased.set('error', CLIENT));
  const { caller } = CLIENT;
  t.deepEqual(changes, [
    { spec: 'warning', caller, isReturn: false },
    { spec: 'debug', caller, revertsAt: 1000 + MINUTE, isReturn: false },
    { spec: 'warn', caller, isReturn: true },
  ]);
});

test.serial('a specification that others have set has no client', async (t) => {
  const { owner, leased } = fixture(t);
  await leased.set('debug', CLIENT);
  owner.spec = 'error';
  t.deepEqual(await leased.get(), { spec: 'error' });
});

test.serial(
  'displays read the specification at most once in 5 s, also after a failure, and again after a change',
  async (t) => {
    const clock = stopClock(t);
    const { owner, leased } = create();
    t.is((await leased.recent()).spec, 'info');
    owner.spec = 'warn';
    clock.tick(5000);
    t.is((await leased.recent()).spec, 'info');
    clock.tick(1);
    t.is((await leased.recent()).spec, 'warn');
    await leased.set('debug', CLIENT);
    t.like(await leased.recent(), { spec: 'debug', setBy: 'CN=operator' });
    owner.fault = new Error('down');
    clock.tick(5001);
    const { gets } = owner;
    for (let count = 0; count < 2; count += 1) await t.throwsAsync(leased.recent(), { message: 'down' });
    t.is(owner.gets, gets + 1);
    owner.fault = undefined;
    owner.late = new Error('late');
    await t.throwsAsync(leased.set('error', CLIENT), { message: 'late' });
    t.is((await leased.recent()).spec, 'error');
  },
);

test.serial('a specification that its owner would refuse is neither read nor set', async (t) => {
  const { owner, leased, changes } = fixture(t);
  const check = (spec: string): void => {
    if (spec === 'loud') throw new AgentError('LOG_SPEC_INVALID', 'bad');
  };
  Object.assign(owner, { check });
  await t.throwsAsync(leased.set('loud', CLIENT, MINUTE), { code: 'LOG_SPEC_INVALID' });
  await t.throwsAsync(leased.set('loud', CLIENT), { code: 'LOG_SPEC_INVALID' });
  t.deepEqual([owner.gets, owner.callers, changes], [0, [], []]);
  await leased.set('debug', CLIENT);
  t.is(owner.spec, 'debug');
});

test.serial('an owner that refuses a specification itself begins no lease', async (t) => {
  const { owner, leased, clock } = fixture(t);
  const set = owner.set.bind(owner);
  owner.set = async (spec, change) => {
    if (spec === 'loud') throw new AgentError('LOG_SPEC_INVALID', 'bad');
    return set(spec, change);
  };
  await t.throwsAsync(leased.set('loud', CLIENT, MINUTE), { code: 'LOG_SPEC_INVALID', message: 'bad' });
  t.is(clock.countTimers(), 0);
  t.deepEqual(await leased.get(), { spec: 'info' });
});

test.serial(
  'a change that fails late without a code has none, and after a stop no timer is left',
  async (t) => {
    const { owner, leased, clock } = fixture(t);
    owner.late = new Error('the response took longer than 5s');
    const error = await t.throwsAsync(leased.set('debug', CLIENT, MINUTE), { message: UNKNOWN });
    t.false(error instanceof AgentError);
    t.is(error.cause, owner.late);
    owner.late = undefined;
    t.is(clock.countTimers(), 1);
    await leased.stop();
    t.is(clock.countTimers(), 0);
    t.deepEqual(await leased.get(), { spec: 'info' });
  },
);

test.serial('a lease that begins after a stop has no timer', async (t) => {
  const { leased, clock } = fixture(t);
  await leased.stop();
  await leased.set('debug', CLIENT, MINUTE);
  t.is(clock.countTimers(), 0);
});

test.serial('a stop that cannot restore the specification ends the lease nevertheless', async (t) => {
  const { owner, leased, logged, clock } = fixture(t);
  await leased.set('debug', CLIENT, MINUTE);
  owner.fault = new Error('down');
  await leased.stop();
  owner.fault = undefined;
  t.deepEqual(await leased.get(), { spec: 'debug', ...SET });
  t.is(clock.countTimers(), 0);
  t.deepEqual(messages(logged), [
    'warn: the logging specification of node peer0 was not restored at stop: down',
  ]);
});
