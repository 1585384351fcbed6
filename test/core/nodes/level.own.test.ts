import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import type { ActiveSpec } from '../../../core/logging/index.js';
import { watchLeftLevel } from '../../../core/nodes/level.js';

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
