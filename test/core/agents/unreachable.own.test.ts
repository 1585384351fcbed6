// An agent that becomes unreachable, with the clock of the test.

import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { FailedChecks, LeveledLoggers } from '../../../core/contract/index.js';
import { OtherAgents } from '../../../core/agents/index.js';
import { send, startStandInNode } from '../../helpers/stand-in-node.js';
import { until } from '../../helpers/until.js';

const log = new LeveledLoggers({ write: () => undefined }).logger('agents');

/** Reads an agent, with the clock of the test. `answers.status` is the status of its next responses. */
async function readAgent(t: ExecutionContext, agent: object, nodes: readonly object[] = []) {
  const clock = useFakeTimers({
    now: 0,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const service = await startStandInNode(t);
  const answers = { status: 200 };
  service.override = (_request, response) =>
    send(response, answers.status, {}, JSON.stringify({ agent, nodes }));
  const settings = { name: 'host2', url: service.url, ca: '', cert: '', key: '', origin: 'agents[0]' };
  const agents = new OtherAgents([settings], 'host1', log);
  t.deepEqual(agents.open(), []);
  t.teardown(() => agents.stop());
  agents.start({ register: () => () => undefined });
  await until(() => agents.statuses[0]?.reachable === true);
  return { clock, agents, answers };
}

test.serial(
  'a dead agent is unreachable 20 s and a warning 60 s after its last response, and not well before its next one',
  async (t) => {
    const { clock, agents, answers } = await readAgent(t, { name: 'host2', healthy: true });
    answers.status = 503;
    // The polls in this time fail.
    await clock.tickAsync(19_999);
    t.is(agents.statuses[0]?.reachable, true);
    await clock.tickAsync(1);
    t.is(agents.statuses[0]?.reachable, false);
    // The time of the last response.
    t.is(agents.statuses[0]?.since, '1970-01-01T00:00:00.000Z');
    await until(async () => {
      await clock.tickAsync(0);
      return agents.statuses[0]?.reason?.startsWith('GET /status') === true;
    });
    await clock.tickAsync(39_999);
    t.notThrows(() => agents.check());
    await clock.tickAsync(1);
    t.is(agents.statuses[0]?.reason, 'GET /status: HTTP status 503');
    const { parts } = t.throws(() => agents.check(), {
      instanceOf: FailedChecks,
      message: 'host2: the agent host2 cannot be read: GET /status: HTTP status 503',
    });
    t.deepEqual(
      parts.map(({ component, severity }) => [component, severity]),
      [['host2', 'warning']],
    );
    for (let polls = 0; polls < 20; polls += 1) {
      await clock.tickAsync(5_000);
      t.throws(() => agents.check());
    }
    answers.status = 200;
    await until(async () => {
      await clock.tickAsync(1_000);
      return agents.statuses[0]?.reachable === true;
    });
    t.notThrows(() => agents.check());
    t.not(agents.statuses[0]?.since, '1970-01-01T00:00:00.000Z');
  },
);

test.serial('an agent that was reachable for more than a minute is no warning', async (t) => {
  const { clock, agents } = await readAgent(t, { name: 'host2' }, [{ name: 'o1' }]);
  for (let seconds = 0; seconds < 75; seconds += 15) {
    await clock.tickAsync(15_000);
    // Reads the agent, while no time passes.
    t.is(await agents.restartOf('o1')?.(), undefined);
  }
  t.notThrows(() => agents.check());
  t.is(agents.statuses[0]?.since, '1970-01-01T00:00:00.000Z');
});
