// The health of a peer whose Docker engine stops: the peer's own check appears in the agent.

import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { check, eventually } from './daemon.js';
import { pingSocket, startEngine } from './engine.js';
import { startBeside, type NodeAgent } from './fabric/agent.js';
import { failedChecks, metricsOf, send } from './fabric/endpoint.js';
import { seriesOf } from './fabric/exposition.js';
import { startNetwork } from './fabric/network.js';

/** The name in the peer, which /healthz of an agent beside one node keeps. */
const NAME = 'docker';
/** The name in the metrics. */
const COMPONENT = `peer1/${NAME}`;

test.serial(
  'the docker check of a peer fails in the agent with the name and the reason of the peer',
  async (t) => {
    const directory = temporaryFolder(t);
    const socket = join(directory, 'docker.sock');
    const { peers } = await startNetwork(t);
    const [peer] = peers;
    await peer.stop();
    await peer.start({ CORE_VM_ENDPOINT: `unix://${socket}` });
    const atPeer = await failedChecks(peer.operations);
    t.is(atPeer.status, 503);
    t.deepEqual(Object.keys(atPeer.failed), ['docker']);

    const agent = await startBeside(t, [peer]);
    await hasStatus(agent, 503);
    t.deepEqual((await failedChecks(agent)).failed, { [NAME]: atPeer.failed['docker'] ?? '' });
    for (const name of [NAME, COMPONENT]) {
      t.is((await send(agent, `/healthz/${name}`)).status, 503);
      t.is((await send(agent, `/healthz?exclude=${name}`)).status, 200);
    }
    const verbose = await send(agent, '/healthz?verbose');
    t.true(verbose.body.includes(`[-]${NAME} failed`), verbose.body);
    const metrics = seriesOf(await metricsOf(agent));
    t.is(metrics.get(`fabric_ops_agent_health_check_status{component="${COMPONENT}"}`), 0);
    t.is(metrics.get('fabric_ops_agent_source_up{node="peer1"}'), 1, 'the metrics of the peer are read');

    const engine = await startEngine(t, directory, [`--host=unix://${socket}`], () => pingSocket(socket));
    await hasStatus(agent, 200);
    t.deepEqual((await failedChecks(agent)).failed, {});
    // Requests within a second share a rendering.
    await eventually(async () => {
      const status = `fabric_ops_agent_health_check_status{component="${COMPONENT}"}`;
      check(seriesOf(await metricsOf(agent)).get(status) === 1, 'the metrics say that the check fails');
    });

    await engine.stop('SIGTERM');
    await hasStatus(agent, 503);
    t.deepEqual(Object.keys((await failedChecks(agent)).failed), [NAME]);
  },
);

/** Waits for a status of /healthz: the health of the node is polled in the background. */
async function hasStatus(agent: NodeAgent, status: number): Promise<void> {
  await eventually(async () => {
    const found = await failedChecks(agent);
    check(found.status === status, `/healthz is ${found.status}: ${JSON.stringify(found.failed)}`);
  });
}
