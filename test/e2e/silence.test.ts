// A rolling restart of a real network under one silence, with a webhook receiver that counts messages.

import test from 'ava';
import { readStatus } from '../../core/status/read.js';
import type { StatusDocument } from '../../core/status/document.js';
import { runProgram } from '../helpers/program.js';
import { startReceiver } from '../helpers/receiver.js';
import { check, eventually } from './daemon.js';
import { nameOf, startBeside, stopAgent, type NodeAgent } from './fabric/agent.js';
import { send } from './fabric/endpoint.js';
import { startNetwork } from './fabric/network.js';

const statusOf = async (agent: NodeAgent): Promise<StatusDocument> =>
  readStatus((await send(agent, '/status')).body);

/** The component that fails while the machine is too busy for the agent. */
const LATE = 'agent';

test('two peers and the only orderer restart one after the other under one silence: two messages', async (t) => {
  t.timeout(300_000);
  const receiver = await startReceiver(t);
  const { peers, orderers } = await startNetwork(t, { organisations: 2 });
  const nodes = [...peers, ...orderers];
  const agent = await startBeside(t, nodes, {
    plugins: [{ plugin: 'webhook', options: { url: receiver.url, groupFor: '1s' } }],
  });
  const { url } = agent;
  const untilWorking = (): Promise<void> =>
    eventually(async () => {
      const { problems, channels } = await statusOf(agent);
      const open = problems.map(({ component }) => component).filter((name) => name !== LATE);
      check(open.length === 0, `fails: ${open.join(', ')}`);
      check(channels[0]?.verdict === 'working', `the channel: ${channels[0]?.verdict}`);
    }, 120_000);
  await untilWorking();
  const before = receiver.received.length;

  const begun = await runProgram(t, ['silence', '--url', url, '--for', '20m', '--why', 'rolling restart']);
  const [, id = ''] =
    /^silence (\w+) of all nodes and channels until \S+: rolling restart\n$/.exec(begun.stdout) ?? [];
  t.is(begun.status, 0, begun.stderr);
  for (const node of nodes) {
    const name = nameOf(node);
    await node.stop('SIGTERM');
    await eventually(async () => {
      const { problems } = await statusOf(agent);
      const found = problems.find(({ component }) => component === name);
      check(found?.silenced === true, `${name} is not a silenced problem`);
      t.deepEqual(
        problems.filter(({ component, silenced }) => silenced !== true && component !== LATE),
        [],
      );
    });
    await node.start();
    await untilWorking();
  }
  await eventually(async () => {
    const { nodes: found } = await statusOf(agent);
    check(
      found.every(({ restarts_last_hour: restarts }) => restarts > 0),
      'not all restarts are known',
    );
  });
  const ended = await runProgram(t, ['silence', 'end', id, '--url', url]);
  t.is(ended.stdout, `silence ${id} has ended\n`);
  await eventually(async () =>
    check(JSON.stringify(receiver.received).includes('silence ended'), 'the end was not sent'),
  );
  // The last call of the agent sends what is queued.
  t.is(await stopAgent(agent), 0);
  const messages = receiver.received.slice(before).flatMap(({ document }) => {
    const { events } = document as { events: { state: string; component: string; reason: string }[] };
    const others = events.filter(({ component }) => component !== LATE);
    return others.length === 0 ? [] : [others.map(({ state, component }) => `${state} ${component}`)];
  });
  t.deepEqual(messages, [['info silence'], ['info silence']]);
  const reason = JSON.stringify(receiver.received.at(-1)?.document);
  t.true(
    reason.includes(`restarted: ${nodes.map(nameOf).join(', ')}; nothing fails that it covered`),
    reason,
  );
});
