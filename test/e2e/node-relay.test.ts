// The metrics of a node, read through the agent, equal those of the node.

import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { nameOf, startBeside, type NodeAgent } from './fabric/agent.js';
import { metricsOf } from './fabric/endpoint.js';
import { commentsOf, compareRelay, fabricSeries, seriesOf } from './fabric/exposition.js';
import { startNetwork } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';
import { NEWEST } from './fabric/programs.js';
import { addBlock, sendProposals } from './fabric/traffic.js';

/** How long the agent uses a reading, and a bit. */
const READING = 1_200;

for (const version of NEWEST) {
  for (const operationsTls of [false, true]) {
    const how = operationsTls ? 'with mutual TLS' : 'without TLS';
    test.serial(`every series of a peer and an orderer of ${version} ${how} is relayed`, async (t) => {
      const network = await startNetwork(t, { version, operationsTls });
      await addBlock(network);
      sendProposals(network, 2);
      for (const node of [network.orderers[0], network.peers[0]]) {
        const agent = await startBeside(t, [node], { isTls: operationsTls });
        await isRelayed(t, node, agent);
      }
    });
  }
}

async function isRelayed(t: ExecutionContext, node: FabricNode, agent: NodeAgent): Promise<void> {
  const text = await metricsOf(node.operations);
  // The agent must read the node after this.
  await sleep(READING);
  const relayedText = await metricsOf(agent);
  const [before, relayed] = [seriesOf(text), seriesOf(relayedText)];
  const after = seriesOf(await metricsOf(node.operations));

  t.is(relayed.get(`fabric_ops_agent_source_up{node="${nameOf(node)}"}`), 1, agent.program.stderr());
  const fabric = fabricSeries(before);
  t.true(fabric.size > 150, `only ${fabric.size} series of Fabric`);
  t.deepEqual(compareRelay(before, relayed, after), [], node.name);

  const relayedComments = commentsOf(relayedText);
  const missing = [...commentsOf(text)].filter((line) => !relayedComments.has(line));
  t.deepEqual(missing, [], 'HELP and TYPE lines');

  // Everything else is the agent's own.
  const names = [...relayed.keys()].filter((series) => !before.has(series) && !after.has(series));
  t.deepEqual(
    names.filter((series) => !/^(?:fabric_ops_agent_|x509_)/.test(series)),
    [],
    'series that are neither relayed nor named as the own ones',
  );
  t.true(names.length > 0);
}
