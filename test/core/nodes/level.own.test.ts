import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { AgentError } from '../../../core/contract/index.js';
import type { NodeRequest, NodeResponse } from '../../../core/contract/metric-source.js';
import type { ActiveSpec } from '../../../core/logging/index.js';
import { createNodeSpec, levelReason, watchLeftLevel } from '../../../core/nodes/level.js';

/** Watches a level that the test can change; `unknown` makes it unreadable. */
async function watch(
  t: ExecutionContext,
  level: Partial<ActiveSpec>,
  configured?: string,
): Promise<{
  level: Partial<ActiveSpec>;
  warning: () => Promise<string | undefined>;
  wait: () => Promise<void>;
}> {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const subject = { level };
  let check: (() => Promise<void>) | undefined;
  const end = watchLeftLevel({
    node: 'peer0',
    level: {
      async get() {
        const { spec, ...others } = subject.level;
        if (spec === undefined) throw new Error('down');
        return { spec, ...others };
      },
    },
    configured,
    health: {
      register(component, registered) {
        t.is(component, 'peer0/level');
        check = registered;
      },
    },
  });
  t.teardown(end);
  await clock.tickAsync(0);
  return Object.assign(subject, {
    wait: async () => void (await clock.tickAsync(10_000)),
    async warning() {
      try {
        await check?.();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
  });
}

const ADVICE = 'it does not end by itself: set it with PUT /nodes/peer0/logspec, or restart the node';

test.serial('a level below info that an agent finds at its start is a warning until it ends', async (t) => {
  const subject = await watch(t, { spec: 'gossip=debug:info' });
  t.is(await subject.warning(), `the log level is 'gossip=debug:info'; ${ADVICE}`);
  subject.level = {};
  t.is(await subject.warning(), undefined, 'a node that is down has other failures');
  subject.level = { spec: 'debug', revertsAt: 1 };
  t.is(await subject.warning(), undefined, 'a lease ends');
  subject.level = { spec: 'info' };
  t.is(await subject.warning(), undefined);
});

for (const [spec, configured, expected] of [
  ['info', undefined, undefined],
  ['gossip=error:warn', undefined, undefined],
  ['info', '', undefined],
  ['gossip=debug:info', 'info:gossip=debug', undefined],
  ['error', 'info', `the log level is 'error', but FABRIC_LOGGING_SPEC of the node is 'info'; ${ADVICE}`],
  ['debug', '', `the log level is 'debug', but FABRIC_LOGGING_SPEC of the node is 'info'; ${ADVICE}`],
] as const)
  test.serial(`a level at the start: ${spec}, configured ${configured ?? 'unknown'}`, async (t) => {
    const subject = await watch(t, { spec }, configured);
    t.is(await subject.warning(), expected);
  });

test.serial('the level of a node that is down at the start is read later', async (t) => {
  const subject = await watch(t, {});
  subject.level = { spec: 'debug' };
  t.is(await subject.warning(), undefined);
  await subject.wait();
  t.is(await subject.warning(), `the log level is 'debug'; ${ADVICE}`);
});

const systemError = (syscall: string): Error => Object.assign(new Error('x'), { syscall });
const unreachable = (cause: unknown): Error => new AgentError('NODE_UNREACHABLE', 'x', { cause });
const nested = (depth: number): Error => {
  let error = systemError('connect');
  for (let level = 1; level < depth; level += 1) error = new Error('x', { cause: error });
  return error;
};
for (const [what, error, isUnchanged] of [
  ['a failed connection', unreachable(systemError('connect')), true],
  ['an unknown host name', unreachable(systemError('getaddrinfo')), true],
  ['a connection that was lost', unreachable(systemError('read')), false],
  [
    'failed connections to all addresses of a host name',
    unreachable(new AggregateError([systemError('connect'), systemError('connect')])),
    true,
  ],
  [
    'a connection to one address that was lost',
    unreachable(new AggregateError([systemError('connect'), systemError('read')])),
    false,
  ],
  ['no attempt at all', unreachable(new AggregateError([])), false],
  ['a failed connection as the cause at the depth 5', nested(5), true],
  ['a failed connection as the cause at the depth 6', nested(6), false],
  ['a refused specification', new AgentError('LOG_SPEC_INVALID', 'x'), true],
  ['a busy node', new AgentError('NODE_BUSY', 'x'), true],
  ['a node that refuses', new AgentError('NODE_REFUSED', 'x'), true],
  ['an unknown response', new AgentError('NODE_RESPONSE_INVALID', 'x'), false],
  ['something that is no error', 'x', false],
] as const)
  test(`after ${what} the level is ${isUnchanged ? 'certainly unchanged' : 'perhaps changed'}`, (t) => {
    const spec = createNodeSpec('peer0', {} as never, {} as never);
    t.is(spec.isUnchanged(error), isUnchanged);
  });

for (const [event, reason] of [
  [{}, "the log level is 'debug', set by CN=\\u202ebob"],
  [
    { revertsAt: Date.UTC(2026, 0, 2, 3, 4, 5) },
    "the log level is 'debug', set by CN=\\u202ebob, until 2026-01-02T03:04:05.000Z",
  ],
  [{ isReturn: true }, "the log level is 'debug' again: the change of CN=\\u202ebob has ended"],
] as const)
  test(`a change of a level is described as: ${reason}`, (t) => {
    t.is(levelReason({ spec: 'debug', caller: 'CN=\u202ebob', isReturn: false, ...event }), reason);
  });

/** The specification of a node that responds with this, and what was sent and logged. */
function nodeSpec(status: number, document: unknown) {
  const sent: unknown[] = [];
  const logged: unknown[] = [];
  const client = {
    async request(request: Omit<NodeRequest, 'signal'>): Promise<NodeResponse> {
      sent.push(request);
      return { status, contentType: 'application/json', body: Buffer.from(JSON.stringify(document)) };
    },
  };
  const log = { info: (...entry: unknown[]) => void logged.push(entry) } as never;
  return { spec: createNodeSpec('peer0', client, log), sent, logged };
}

for (const [status, document, code, message] of [
  [199, {}, 'NODE_RESPONSE_INVALID', 'node peer0 responded to PUT /logspec with status 199'],
  [201, {}, 'NODE_RESPONSE_INVALID', 'node peer0 responded to PUT /logspec with status 201'],
  [399, {}, 'NODE_RESPONSE_INVALID', 'node peer0 responded to PUT /logspec with status 399'],
  [400, {}, 'NODE_REFUSED', 'node peer0 responded to PUT /logspec with status 400'],
  [400, { error: 'bad spec' }, 'LOG_SPEC_INVALID', 'bad spec'],
  [401, { error: 'why' }, 'NODE_REFUSED', 'node peer0 responded to PUT /logspec with status 401: why'],
  [
    401,
    { error: `not [${'45 '.repeat(500)}45]` },
    'NODE_REFUSED',
    'node peer0 responded to PUT /logspec with status 401: not …',
  ],
  [499, {}, 'NODE_REFUSED', 'node peer0 responded to PUT /logspec with status 499'],
  [500, { error: 7 }, 'NODE_RESPONSE_INVALID', 'node peer0 responded to PUT /logspec with status 500'],
] as const)
  test(`a node that responds to a change with ${status} ${JSON.stringify(document)}: ${code}`, async (t) => {
    const { spec, logged } = nodeSpec(status, document);
    await t.throwsAsync(spec.set('debug', { caller: 'CN=a' }), { code, message });
    t.deepEqual(logged, []);
  });

for (const status of [200, 204])
  test(`a node that responds to a change with ${status} has made it, which is logged`, async (t) => {
    const { spec, sent, logged } = nodeSpec(status, {});
    await spec.set('debug', { caller: 'CN=a' });
    await spec.set('info', { caller: 'CN=b', requestId: '7' });
    const request = { method: 'PUT', path: '/logspec' };
    t.deepEqual(sent, [
      { ...request, body: '{"spec":"debug"}' },
      { ...request, body: '{"spec":"info"}', requestId: '7' },
    ]);
    t.deepEqual(logged, [
      ["logging specification of node peer0 changes to 'debug'", { client: 'CN=a', requestId: undefined }],
      ["logging specification of node peer0 changes to 'info'", { client: 'CN=b', requestId: '7' }],
    ]);
  });

for (const [status, document, isValid] of [
  [200, { spec: 'a'.repeat(16 * 1024) }, true],
  [200, { spec: 'a'.repeat(16 * 1024 + 1) }, false],
  [200, { spec: 7 }, false],
  [204, { spec: 'info' }, false],
] as const)
  test(`a node that responds with ${status} and ${JSON.stringify(document).length} characters has ${isValid ? 'a' : 'no'} specification`, async (t) => {
    const { spec } = nodeSpec(status, document);
    if (isValid) t.is(await spec.get(), document.spec);
    else
      await t.throwsAsync(spec.get(), {
        code: 'NODE_RESPONSE_INVALID',
        message: `node peer0 responded to GET /logspec with ${status === 200 ? 'an invalid document' : 'status 204'}`,
      });
  });

test.serial('a node that is down is asked for its level until the agent stops', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  let reads = 0;
  let fail: ((reason: Error) => void) | undefined;
  const level = {
    get: (): Promise<ActiveSpec> => {
      reads += 1;
      return new Promise((_, reject) => (fail = reject));
    },
  };
  const health = { register: () => t.fail() };
  const end = watchLeftLevel({ node: 'peer0', level, configured: undefined, health });
  fail?.(new Error('down'));
  await clock.tickAsync(9_999);
  t.is(reads, 1);
  await clock.tickAsync(1);
  t.is(reads, 2);
  fail?.(new Error('down'));
  await clock.tickAsync(0);
  t.is(clock.countTimers(), 1);
  end();
  t.is(clock.countTimers(), 0);
  const second = watchLeftLevel({ node: 'peer0', level, configured: undefined, health });
  second();
  fail?.(new Error('down'));
  await clock.tickAsync(0);
  t.deepEqual([reads, clock.countTimers()], [3, 0]);
});
