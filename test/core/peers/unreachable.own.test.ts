// A peer that becomes unreachable, with the clock of the test.

import test from 'ava';
import { useFakeTimers } from 'sinon';
import { LeveledLoggers } from '../../../core/contract/index.js';
import { Peers } from '../../../core/peers/index.js';
import { send, startStandInNode } from '../../helpers/stand-in-node.js';
import { until } from '../../helpers/until.js';

const log = new LeveledLoggers({ write: () => undefined }).logger('peers');

test.serial('a peer counts for 20 s after its last response, and is a warning a minute later', async (t) => {
  const clock = useFakeTimers({
    now: 0,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const service = await startStandInNode(t);
  const answers = { status: 200 };
  service.override = (_request, response) => {
    send(response, answers.status, {}, JSON.stringify({ agent: { name: 'host2', healthy: true } }));
  };
  const settings = { name: 'host2', url: service.url, ca: '', cert: '', key: '', origin: 'peers[0]' };
  const peers = new Peers([settings], 'host1', log);
  t.deepEqual(peers.open(), []);
  t.teardown(() => peers.stop());
  peers.start({ register: () => () => undefined });
  await until(() => peers.statuses[0]?.reachable === true);
  answers.status = 503;
  const poll = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 5) await clock.tickAsync(5_000);
  };
  await poll(15);
  t.true(peers.statuses[0]?.reachable);
  await until(async () => {
    await poll(5);
    return peers.statuses[0]?.reachable === false && peers.statuses[0].since !== '1970-01-01T00:00:00.000Z';
  });
  t.is(peers.statuses[0]?.reason, 'GET /status: HTTP status 503');
  t.notThrows(() => peers.check());
  await poll(60);
  t.throws(() => peers.check(), {
    message: 'host2: the agent host2 cannot be read: GET /status: HTTP status 503',
  });
});
