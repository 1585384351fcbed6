// Restarts that nobody announced to the agent: with the log of a node, a webhook gets the restart; without a signal, the failure.

import test from 'ava';
import { readStatus } from '../../core/status/read.js';
import { startReceiver } from '../helpers/receiver.js';
import { check, eventually } from './daemon.js';
import { startBeside, stopAgent } from './fabric/agent.js';
import { send } from './fabric/endpoint.js';
import { startNetwork } from './fabric/network.js';
import { prepareNode } from './fabric/node.js';
import { findFabric } from './fabric/programs.js';

/** The component that fails while the machine is too busy for the agent. */
const LATE = 'agent';

test('a peer is upgraded and an orderer restarts: two events of the state info; a killed peer is a failure', async (t) => {
  t.timeout(300_000);
  const receiver = await startReceiver(t);
  const network = await startNetwork(t, { orderers: 3, version: 'v2.5.16' });
  const [peer] = network.peers;
  const [orderer] = network.orderers;
  const agent = await startBeside(t, [...network.peers, ...network.orderers], {
    hasLogs: true,
    plugins: [{ plugin: 'webhook', options: { url: receiver.url, groupFor: '1s' } }],
  });
  const sent = (): string[] =>
    receiver.received.flatMap(({ document }) =>
      (document as { events: { state: string; component: string; reason: string }[] }).events
        .filter(({ component, reason }) => component !== LATE && !reason.includes('is the leader'))
        .map(({ state, component, reason }) => `${state} ${component}: ${reason}`),
    );
  const until = (condition: (problems: readonly string[]) => boolean, what: string): Promise<void> =>
    eventually(async () => {
      const { problems, nodes } = readStatus((await send(agent, '/status')).body);
      const open = problems.map(({ component }) => component).filter((name) => name !== LATE);
      check(nodes.length > 0 && condition(open), `${what}: fails: ${open.join(', ')}`);
    }, 120_000);
  const untilWorking = () => until((open) => open.length === 0, 'everything works');
  await untilWorking();
  await eventually(async () =>
    check(
      readStatus((await send(agent, '/status')).body).nodes.every(({ version }) => version !== undefined),
      'a version is unknown',
    ),
  );
  const before = sent().length;

  await peer.stop('SIGTERM');
  await until((open) => open.includes(peer.name), 'the peer is down');
  const upgraded = prepareNode(t, peer, findFabric('v3.1.5').bin);
  await upgraded.start();
  await untilWorking();
  await orderer.stop('SIGTERM');
  await until((open) => open.includes('channels/channel1'), 'the channel is at risk');
  await orderer.start();
  await untilWorking();
  await eventually(async () => check(sent().length >= before + 2, sent().slice(before).join('\n')));
  t.deepEqual(sent().slice(before), [
    `info ${peer.name}: the process has restarted: v2.5.16 → v3.1.5`,
    `info ${orderer.name}: the process has restarted`,
  ]);

  await upgraded.stop('SIGKILL');
  await eventually(async () => check(sent().length > before + 2, 'the failure was not sent'));
  t.regex(sent()[before + 2] ?? '', new RegExp(`^failed ${peer.name}: .*connection refused$`));
  t.is(await stopAgent(agent), 0);
});
