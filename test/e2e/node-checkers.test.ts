// The checkers that --beside declares, with real nodes: certificates, consensus and height.

import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { TestCa } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { check, eventually } from './daemon.js';
import { startBeside } from './fabric/agent.js';
import { failedChecks, metricsOf, send, type Endpoint } from './fabric/endpoint.js';
import { CHANNEL } from './fabric/network-files.js';
import { startNetwork } from './fabric/network.js';
import { addBlock } from './fabric/traffic.js';

/** Waits until exactly these components fail; returns their reasons. */
const untilFailed = (agent: Endpoint, ...components: readonly string[]): Promise<Record<string, string>> =>
  eventually(async () => {
    const { failed } = await failedChecks(agent);
    check(Object.keys(failed).join() === components.join(), JSON.stringify(failed));
    return failed;
  });

test.serial('an expired certificate of an orderer fails, and the former one is healthy again', async (t) => {
  const { orderers } = await startNetwork(t);
  const [orderer] = orderers;
  const agent = await startBeside(t, [orderer]);
  await untilFailed(agent);
  const metrics = await metricsOf(agent);
  for (const kind of ['signing', 'ca', 'tls', 'tls_ca'])
    t.regex(metrics, new RegExp(`x509_cert_not_after\\{.*kind="${kind}"`), kind);
  t.regex(metrics, new RegExp(`fabric_ops_agent_participation_channel_height\\{.*channel="${CHANNEL}"`));
  t.regex(metrics, /fabric_ops_agent_disk_free_bytes\{path="/);

  const directory = temporaryFolder(t);
  const expired = new TestCa(directory, 'other').issue('expired', undefined, [
    '20200101000000Z',
    '20200201000000Z',
  ]);
  const folder = join(orderer.identity.msp, 'signcerts');
  const [name = ''] = readdirSync(folder);
  const file = join(folder, name);
  copyFileSync(file, join(directory, 'former.pem'));
  copyFileSync(expired.cert, file);
  const component = `orderer/certificates/${file}`;
  const { [component]: reason = '' } = await untilFailed(agent, component);
  t.regex(reason, /^CN=expired expired on 2020-02-01T00:00:00Z, \d+ days ago$/);
  t.regex(await metricsOf(agent), /x509_cert_expired\{.*CN=expired".*\} 1\n/);

  copyFileSync(join(directory, 'former.pem'), file);
  await untilFailed(agent);
  // Scrapes of the same second get the same text.
  await sleep(1_100);
  t.false((await metricsOf(agent)).includes('CN=expired'));
});

test.serial(
  'two of three orderers die: the consensus of the channel fails, and recovers with one of them',
  async (t) => {
    const { orderers } = await startNetwork(t, { orderers: 3 });
    const [first, second, third] = orderers;
    const quick = { plugin: 'consensus', name: 'quick', options: { node: 'orderer', leaderTimeout: '3s' } };
    const agent = await startBeside(t, [first], { plugins: [quick] });
    await untilFailed(agent);
    await third?.stop('SIGKILL');
    await eventually(async () =>
      check(
        (await metricsOf(agent)).includes(`consensus_etcdraft_active_nodes{channel="${CHANNEL}"} 2`),
        'not two active nodes',
      ),
    );
    t.is((await send(agent, '/healthz')).status, 200);
    await second?.stop('SIGKILL');
    const component = `quick/${CHANNEL}`;
    const { [component]: reason = '' } = await untilFailed(agent, component);
    t.regex(
      reason,
      /^(1 of 3 orderers are active; the channel needs 2|the orderer knows no raft leader), for \d+s$/,
    );
    await second?.start();
    await untilFailed(agent);
  },
);

test.serial('a peer that receives no blocks fails, and recovers when it receives them', async (t) => {
  const network = await startNetwork(t);
  const [peer] = network.peers;
  const quick = { plugin: 'height', name: 'quick', options: { node: peer.name, timeout: '3s' } };
  const agent = await startBeside(t, [peer, network.orderers[0]], { plugins: [quick] });
  await untilFailed(agent);
  await peer.stop();
  // Neither leader of its organisation nor a candidate: it does not connect to the orderer.
  await peer.start({ CORE_PEER_GOSSIP_ORGLEADER: 'false', CORE_PEER_GOSSIP_USELEADERELECTION: 'false' });
  const height = await addBlock(network);
  const component = `quick/${CHANNEL}`;
  const { [component]: reason } = await untilFailed(agent, component);
  t.is(reason, `the ledger does not grow: it has ${height - 1} blocks, orderer has ${height}`);
  await peer.stop();
  await peer.start({ CORE_PEER_GOSSIP_ORGLEADER: 'true' });
  await untilFailed(agent);
});
