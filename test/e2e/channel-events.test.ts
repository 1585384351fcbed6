// What a receiver gets of changes in a channel: an orderer joins it, another one has it removed, and another leader, with Raft and with BFT.

import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { StatusDocument } from '../../core/status/index.js';
import { startReceiver } from '../helpers/receiver.js';
import { check, eventually } from './daemon.js';
import { startBeside, type NodeAgent } from './fabric/agent.js';
import { send } from './fabric/endpoint.js';
import { CHANNEL, extendCertificates, genesisBlock } from './fabric/network-files.js';
import { startNetwork, startOrderer } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';
import { startOrdering } from './fabric/ordering.js';

/** Channels that a node names so soon after its start are no news, in milliseconds. */
const START_TIME = 15_000;

/** An agent, and what its webhook sends. */
interface Watched {
  readonly agent: NodeAgent;
  /** Waits for an event of the channel: `info: orderer4 has joined channel1`. */
  readonly untilSent: (expected: RegExp) => Promise<void>;
}

async function watch(t: ExecutionContext, nodes: readonly FabricNode[]): Promise<Watched> {
  const { url, received } = await startReceiver(t);
  const agent = await startBeside(t, nodes, {
    plugins: [{ plugin: 'webhook', options: { url, groupFor: '1s' } }],
  });
  const sent = (): readonly string[] =>
    received.flatMap(({ document }) =>
      (document as { events: { state: string; component: string; reason: string }[] }).events.flatMap(
        ({ state, component, reason }) =>
          component === `channels/${CHANNEL}` ? [`${state}: ${reason}`] : [],
      ),
    );
  const untilSent = (expected: RegExp): Promise<void> =>
    eventually(async () =>
      check(
        sent().some((event) => expected.test(event)),
        `no ${String(expected)} in\n${sent().join('\n')}`,
      ),
    );
  return { agent, untilSent };
}

const statusOf = async (agent: NodeAgent): Promise<StatusDocument> =>
  JSON.parse((await send(agent, '/status')).body) as StatusDocument;

/** Waits until an orderer says that it leads the channel; returns its name. BFT: `leader_id` of the view. */
const untilLed = (agent: NodeAgent): Promise<string> =>
  eventually(async () => {
    for (const { name, channels } of (await statusOf(agent)).nodes)
      for (const { consensus } of channels) {
        if (consensus?.type === 'BFT' && (consensus.leader_id ?? 0) > 0)
          return `orderer${consensus.leader_id}`;
        if (consensus?.type !== 'BFT' && consensus?.is_leader === true) return name;
      }
    throw new Error('no orderer leads');
  });

test('Raft: another leader, an orderer that joins and one that has the channel removed are events', async (t) => {
  const network = await startNetwork(t, { orderers: 3 });
  const { directory, tools, orderers, peers } = network;
  extendCertificates(tools, directory, { orderers: 4, organisations: 1 });
  const fourth = await startOrderer(t, network, 4);
  const { agent, untilSent } = await watch(t, [...peers, ...orderers, fourth.node]);
  await eventually(async () => {
    const fourthNode = (await statusOf(agent)).nodes.find(({ name }) => name === fourth.node.name);
    check(fourthNode?.up === true, 'orderer4 has not been read');
  });
  const readAt = performance.now();
  const leader = await untilLed(agent);
  await orderers.find(({ name }) => name === leader)!.stop('SIGKILL');
  await untilSent(new RegExp(`^info: orderer[123] is the leader of ${CHANNEL}; before it was ${leader}$`));

  await sleep(Math.max(0, readAt + START_TIME + 3_000 - performance.now()));
  await fourth.join(genesisBlock(directory));
  await untilSent(new RegExp(`^info: orderer4 has joined ${CHANNEL}$`));
  await fourth.remove();
  await untilSent(new RegExp(`^info: ${CHANNEL} was removed from orderer4$`));
  t.pass();
});

test('BFT: the leader is killed, which the reason says until the view has changed, and another leader is an event', async (t) => {
  const network = await startNetwork(t, {
    orderers: 4,
    consensus: 'BFT',
    smartBft: { RequestComplainTimeout: '8s', ViewChangeTimeout: '8s' },
  });
  const { orderers, peers } = network;
  const { agent, untilSent } = await watch(t, [...peers, ...orderers]);
  const leader = await untilLed(agent);
  // The view changes when an envelope has waited for some time, or else after a minute.
  const ordering = await startOrdering(t, network);
  await eventually(async () => check(ordering.blocks.length > 0, 'no block'));
  await orderers.find(({ name }) => name === leader)!.stop('SIGKILL');
  await untilSent(
    new RegExp(
      `^warning: at risk: orders nothing: its leader ${leader} is down; the view changes within LeaderHeartbeatTimeout 1m0s; 3 of 4 `,
    ),
  );
  await untilSent(new RegExp(`^info: orderer[1-4] is the leader of ${CHANNEL}; before it was ${leader}$`));
  await ordering.stop();
  t.pass();
});
