// Channels in which a real node does not take part although its process runs: a ledger that a peer cannot open, a consenter with another key,
// and a Raft orderer that was removed and added again while it was down.

import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { StatusDocument } from '../../core/status/index.js';
import { check, eventually } from './daemon.js';
import { startBeside, type NodeAgent } from './fabric/agent.js';
import { blockFile, changeChannel } from './fabric/channel-edits.js';
import { failedChecks, send } from './fabric/endpoint.js';
import { CHANNEL, extendCertificates, renewCertificates } from './fabric/network-files.js';
import { startNetwork, startOrderer } from './fabric/network.js';
import { findFabric, NEWEST } from './fabric/programs.js';
import { addBlock } from './fabric/traffic.js';

/** Waits until a component fails with a reason. */
const untilFailed = (agent: NodeAgent, component: string, reason: RegExp): Promise<void> =>
  eventually(async () => {
    const { failed } = await failedChecks(agent);
    check(reason.test(failed[component] ?? ''), JSON.stringify(failed));
  });

/** Waits until the channel has a verdict with a reason. */
const untilVerdict = (agent: NodeAgent, expected: RegExp): Promise<void> =>
  eventually(async () => {
    const { channels } = JSON.parse((await send(agent, '/status')).body) as StatusDocument;
    const found = channels.map(({ verdict, reason }) => `${verdict}: ${reason}`).join();
    check(expected.test(found), found);
  });

for (const version of NEWEST)
  test.serial(
    `a channel that a peer of ${version} cannot load fails until rebuild-dbs, and not after a start`,
    async (t) => {
      const network = await startNetwork(t, { version });
      const [peer] = network.peers;
      for (let count = 0; count < 3; count += 1) await addBlock(network);
      await peer.stop();
      await peer.start();
      const agent = await startBeside(t, [peer], { hasLogs: true, names: ['peer1'] });
      const withoutLog = await startBeside(t, [peer]);
      const component = `peer1/loaded-channels/${CHANNEL}`;
      t.is((await failedChecks(withoutLog)).failed[component], undefined);
      await peer.stop();
      const chains = join(peer.directory, 'data/ledgersData/chains');
      const blocks = join(chains, 'chains', CHANNEL, 'blockfile_000000');
      truncateSync(blocks, Math.floor(0.6 * statSync(blocks).size));
      rmSync(join(chains, 'index'), { recursive: true });
      await peer.start();
      await untilFailed(
        agent,
        component,
        /: Failed to load ledger channel1\(the state database \[height=4\] is ahead/,
      );
      await untilFailed(withoutLog, component, /: the reason is in its log after its last start/);
      await peer.stop();
      const program = join(findFabric(version).bin, 'peer');
      execFileSync(program, ['node', 'rebuild-dbs'], { env: peer.environment(), stdio: 'ignore' });
      await peer.start();
      for (const each of [agent, withoutLog])
        await eventually(async () => {
          const { failed } = await failedChecks(each);
          check(failed[component] === undefined && failed['peer1'] === undefined, JSON.stringify(failed));
        });
    },
  );

for (const [orderers, expected] of [
  [
    1,
    /^stopped: its only consenter is not active \(orderer only follows the channel, because its certificate has another key\)$/,
  ],
  [
    3,
    /^at-risk: 2 of 3 consenters are active, one more failure stops it; orderer3 only follows the channel, because its certificate has another key$/,
  ],
] as const)
  test.serial(
    `the last of ${orderers} consenters with another TLS key is known by its address, also after a start of the agent`,
    async (t) => {
      const network = await startNetwork(t, { orderers });
      const { tools, directory } = network;
      const last = network.orderers.at(-1)!;
      const renewed = renewCertificates(tools, directory, { orderers, organisations: 1 }, orderers);
      await last.stop();
      for (const file of ['cert', 'key'] as const) copyFileSync(renewed.tls[file], last.identity.tls[file]);
      await last.start();
      const agent = await startBeside(t, network.orderers);
      await untilVerdict(agent, expected);
      t.pass();
    },
  );

test.serial(
  'a Raft orderer that was removed and added again while it was down is named, until it has joined again',
  async (t) => {
    const network = await startNetwork(t, { orderers: 2 });
    const { tools, directory, orderers } = network;
    const admin = [orderers[0].identity] as const;
    extendCertificates(tools, directory, { orderers: 3, organisations: 1 });
    const third = await startOrderer(t, network, 3);
    const { address, identity } = third.node;
    const add = ['consenter add', address, '--tls-cert', identity.tls.cert] as const;
    await changeChannel(network, add, admin);
    await third.join(blockFile(network));
    const agent = await startBeside(t, [...orderers, third.node], { hasLogs: true });
    await untilVerdict(agent, /^working: 3 of 3/);
    await third.node.stop();
    await changeChannel(network, ['consenter remove', address], admin);
    await changeChannel(network, add, admin);
    await third.node.start();
    await untilFailed(
      agent,
      `orderer3/consensus/${CHANNEL}`,
      /^the orderer gets no blocks: its Raft id is 4 now/,
    );
    await third.remove();
    await third.join(blockFile(network));
    await untilVerdict(agent, /^working: 3 of 3/);
    // The agent may not have seen that the orderer was without the channel.
    await eventually(async () => {
      const { failed } = await failedChecks(agent);
      check(Object.keys(failed).length === 0, JSON.stringify(failed));
    });
    t.pass();
  },
);
