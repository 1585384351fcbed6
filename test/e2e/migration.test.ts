// Moves two channels of a real network from Raft to BFT, with our commands alone.

import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { readStatus } from '../../core/status/read.js';
import { startReceiver } from '../helpers/receiver.js';
import { check, eventually } from './daemon.js';
import { startBeside } from './fabric/agent.js';
import { send } from './fabric/endpoint.js';
import { broadcasts, networkOf, translatorAs, untilServed } from './fabric/live-channel.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import { CHANNEL, ordererIdentity, signingCertificate } from './fabric/network-files.js';
import { approveDefinitions } from './fabric/traffic.js';

const OTHER = 'channel2';
const CHANNELS = [CHANNEL, OTHER];

/** The number of blocks of each channel that the peer has. */
async function heights({ peers: [peer] }: FabricNetwork): Promise<readonly number[]> {
  const { body } = await send(peer.operations, '/metrics');
  return CHANNELS.map((channel) =>
    Number(new RegExp(`^ledger_blockchain_height{channel="${channel}"} (\\d+)$`, 'm').exec(body)?.[1]),
  );
}

/** What each orderer runs, by its metrics of both channels. */
const consensusOf = ({ orderers }: FabricNetwork): Promise<readonly string[]> =>
  Promise.all(
    orderers.map(async ({ operations }) => {
      const { body } = await send(operations, '/metrics');
      const kinds = CHANNELS.flatMap((channel) =>
        ['etcdraft', 'smartbft'].filter((kind) =>
          new RegExp(`^consensus_${kind}_\\w+{[^}]*channel="${channel}"`, 'm').test(body),
        ),
      );
      return [...new Set(kinds)].join();
    }),
  );

const transactions = async (network: FabricNetwork, ...names: readonly string[]): Promise<void> => {
  for (const channel of CHANNELS) await approveDefinitions(network, channel, names);
};

const identitiesOf = ({ directory, orderers }: FabricNetwork): readonly string[] =>
  orderers.flatMap(({ address }, index) => [
    '--identity',
    `${address}=${signingCertificate(ordererIdentity(directory, index + 1))}`,
  ]);

test.serial('two channels move from Raft to BFT', async (t) => {
  const network = await startNetwork(t, { orderers: 4, channels: CHANNELS });
  const { directory, orderers, peers } = network;
  const admin = translatorAs(t, network, orderers[0].identity);
  const org1 = translatorAs(t, network, peers[0].identity);
  const sources = CHANNELS.map((channel) => networkOf(orderers, channel));
  await untilServed(admin, orderers[0]);
  await transactions(network, 'one', 'two', 'three');
  t.deepEqual(await heights(network), [4, 4]);

  const identities = identitiesOf(network);
  /** The phase of each channel. */
  const status = async (): Promise<readonly string[]> => {
    const asked = await admin.run('migrate', 'status', ...sources, '--json');
    t.is(asked.status, 0, asked.stderr);
    const found = JSON.parse(asked.stdout) as { channel: string; phase: string; next: string[] }[];
    t.deepEqual(
      found.map(({ channel }) => channel),
      CHANNELS,
    );
    return found.map(({ phase }) => phase);
  };
  /** Submits a step; a new leader may have to be elected first. */
  const submit = async (step: string, ...flags: readonly string[]): Promise<void> => {
    await eventually(async () => {
      const { status: exit, stderr } = await admin.run('submit', step, '--quiet', ...flags);
      check(exit === 0, stderr);
    });
  };
  const notSent = async (step: string, exit: number, error: RegExp): Promise<void> => {
    const sent = broadcasts(network);
    const outcome = await admin.run('submit', step, '--quiet');
    t.is(outcome.status, exit, outcome.stderr);
    t.regex(outcome.stderr, error);
    t.is(broadcasts(network), sent);
  };

  // The plan, and its steps too early.
  t.deepEqual(await status(), ['no V3_0', 'no V3_0']);
  const planned = await admin.run('migrate', 'bft', ...sources, ...identities, '--sign', '-o', 'plan');
  t.is(planned.status, 0, planned.stderr);
  t.deepEqual(readdirSync(join(directory, 'plan')).toSorted(), [
    '1-capability',
    '2-maintenance',
    '3-bft',
    '4-normal',
  ]);
  await notSent('plan/1-capability', 3, /channel1\.pb was not sent: unsigned: signatures are missing\n$/);
  await notSent('plan/3-bft', 2, /channel1\.pb was not sent: orderers would refuse it\n$/);
  await notSent('plan/4-normal', 2, /channel1\.pb was not sent: orderers would refuse it\n$/);

  const signed = await org1.run('sign', 'plan/1-capability', '--quiet');
  t.is(signed.status, 0, signed.stderr);
  await submit('plan/1-capability');
  t.deepEqual(await status(), ['ready', 'ready']);

  // One orderer is down.
  const last = orderers.at(-1)!;
  await last.stop('SIGKILL');
  await untilServed(admin, orderers[0]);
  await notSent('plan/2-maintenance', 4, /it is dangerous; if that is wanted: --allow orderers-behind\n$/);
  await last.start();
  await submit('plan/2-maintenance');
  t.deepEqual(await status(), ['maintenance', 'maintenance']);

  // Interrupted and resumed: the plan is made again, and one channel has the step already.
  const again = await admin.run('migrate', 'bft', ...sources, ...identities, '--sign', '-o', 'rest');
  t.is(again.status, 0, again.stderr);
  t.deepEqual(readdirSync(join(directory, 'rest')).toSorted(), ['3-bft', '4-normal']);
  await submit('rest/3-bft/channel1.pb');
  t.deepEqual(await status(), ['restart', 'maintenance']);
  const rest = await admin.run('submit', 'rest/3-bft', '--quiet');
  t.is(rest.status, 0, rest.stderr);
  t.regex(rest.stdout, /^rest\/3-bft\/channel1\.pb: already in block 6, nothing is sent\n/);
  t.deepEqual(await status(), ['restart', 'restart']);

  // The orderers are not restarted yet.
  await notSent('rest/4-normal', 4, /it is dangerous; if that is wanted: --allow bft-not-restarted\n$/);
  t.deepEqual(await consensusOf(network), ['etcdraft', 'etcdraft', 'etcdraft', 'etcdraft']);
  for (const orderer of orderers) await orderer.stop();
  await Promise.all(orderers.map((orderer) => orderer.start()));
  t.deepEqual(await consensusOf(network), ['smartbft', 'smartbft', 'smartbft', 'smartbft']);
  await submit('rest/4-normal', '--allow', 'bft-not-restarted');
  t.deepEqual(await status(), ['done', 'done']);

  await transactions(network, 'four', 'five', 'six');
  await eventually(async () => {
    const found = await heights(network);
    check(
      found.every((height) => height === 11),
      found.join(),
    );
  });
});

test.serial(
  'before the switch one command ends the migration, after it the backups of all nodes',
  async (t) => {
    const network = await startNetwork(t, { orderers: 4 });
    const { orderers, peers } = network;
    const nodes = [...orderers, ...peers];
    const admin = translatorAs(t, network, orderers[0].identity);
    const org1 = translatorAs(t, network, peers[0].identity);
    const channel = networkOf(orderers, CHANNEL);
    const run = async (translator: typeof admin, ...args: readonly string[]): Promise<void> =>
      eventually(async () => {
        const { status, stderr } = await translator.run(...args);
        check(status === 0, stderr);
      });
    const endMaintenance = async (): Promise<void> => {
      const state = ['--set', 'orderer.consensusType.state=STATE_NORMAL'];
      await run(admin, 'edit', channel, ...state, '--sign', '-o', 'back.pb');
      await run(admin, 'submit', 'back.pb', '--quiet');
    };
    await untilServed(admin, orderers[0]);
    await run(admin, 'migrate', 'bft', channel, ...identitiesOf(network), '--sign', '-o', 'plan');
    await run(org1, 'sign', 'plan/1-capability', '--quiet');
    await run(admin, 'submit', 'plan/1-capability', '--quiet');
    await run(admin, 'submit', 'plan/2-maintenance', '--quiet');

    // An orderer that is down does not keep the channel in maintenance.
    await orderers[3]!.stop('SIGKILL');
    await endMaintenance();
    await approveDefinitions(network, CHANNEL, ['one']);
    await orderers[3]!.start();

    await run(admin, 'migrate', 'bft', channel, ...identitiesOf(network), '--sign', '-o', 'plan2');
    await run(admin, 'submit', 'plan2/2-maintenance', '--quiet');
    for (const node of nodes) {
      await node.stop();
      cpSync(node.directory, `${node.directory}-backup`, { recursive: true });
    }
    await Promise.all(nodes.map((node) => node.start()));
    await run(admin, 'submit', 'plan2/3-bft', '--quiet');
    for (const node of nodes) {
      await node.stop();
      rmSync(node.directory, { recursive: true });
      cpSync(`${node.directory}-backup`, node.directory, { recursive: true });
    }
    await Promise.all(nodes.map((node) => node.start()));
    await endMaintenance();
    await approveDefinitions(network, CHANNEL, ['two', 'three']);
    const { stdout } = await admin.run('migrate', 'status', channel);
    t.regex(stdout, /^channel channel1, block 6: Raft, ready for maintenance\n/);
  },
);

test.serial(
  'the last step without a restart of the orderers: accepted, and no peer takes its block',
  async (t) => {
    const network = await startNetwork(t, { orderers: 4 });
    const { orderers, peers } = network;
    const admin = translatorAs(t, network, orderers[0].identity);
    const org1 = translatorAs(t, network, peers[0].identity);
    const channel = networkOf(orderers, CHANNEL);
    await untilServed(admin, orderers[0]);
    await admin.run('migrate', 'bft', channel, ...identitiesOf(network), '--sign', '-o', 'plan');
    await org1.run('sign', 'plan/1-capability', '--quiet');
    for (const step of ['1-capability', '2-maintenance', '3-bft']) {
      const { status, stderr } = await admin.run('submit', `plan/${step}`, '--quiet');
      t.is(status, 0, stderr);
    }
    const allow = ['--allow', 'bft-not-restarted', '--wait', '10s'];
    const last = await admin.run('submit', 'plan/4-normal', '--quiet', ...allow);
    // The block has one signature, and BlockValidation requires three.
    t.regex(last.stderr, /block 4 is not used: /);
    // During maintenance peers may not read the channel: they reconnect after it.
    await eventually(async () => {
      const [height] = await heights(network);
      check(height === 4, `the peer has ${height} blocks`);
    }, 90_000);
    await eventually(async () => {
      check(peers[0].log().includes('signature set did not satisfy policy'), 'the peer has not refused it');
    });
    t.is((await heights(network))[0], 4);
  },
);

test.serial(
  'an agent names the maintenance, and the orderers that still run Raft, as one warning',
  async (t) => {
    t.timeout(600_000);
    const receiver = await startReceiver(t);
    const network = await startNetwork(t, { orderers: 4 });
    const { orderers, peers } = network;
    const admin = translatorAs(t, network, orderers[0].identity);
    const org1 = translatorAs(t, network, peers[0].identity);
    const channel = networkOf(orderers, CHANNEL);
    await untilServed(admin, orderers[0]);
    const agent = await startBeside(t, [...orderers, peers[0]], {
      plugins: [{ plugin: 'webhook', options: { url: receiver.url, groupFor: '1s' } }],
    });
    /** The sentences of the agent about the channel that differ from the one before. */
    const said: string[] = [];
    const untilSaid = (expected: RegExp): Promise<void> =>
      eventually(async () => {
        const { channels, problems } = readStatus((await send(agent, '/status')).body);
        const found = channels.map(({ verdict, reason }) => `${verdict}: ${reason}`).join();
        if (said.at(-1) !== found) said.push(found);
        check(expected.test(found), `${found} ${JSON.stringify(problems)}`);
      }, 120_000);
    const submit = (step: string, ...flags: readonly string[]): Promise<void> =>
      eventually(async () => {
        const { status, stderr } = await admin.run('submit', step, '--quiet', ...flags);
        check(status === 0, stderr);
      });
    await untilSaid(/^working: 4 of 4/);
    await admin.run('migrate', 'bft', channel, ...identitiesOf(network), '--sign', '-o', 'plan');
    await org1.run('sign', 'plan/1-capability', '--quiet');
    await submit('plan/1-capability');
    await submit('plan/2-maintenance');
    await untilSaid(/^maintenance: no transaction is accepted \(since block 2\)$/);
    await submit('plan/3-bft');
    await untilSaid(
      /^maintenance: no transaction is accepted \(since block 2\); .* still run Raft, the channel is BFT: restart them before maintenance ends$/,
    );
    // Longer than a peer, whose requests are refused, may be behind.
    await sleep(75_000);
    const problems = readStatus((await send(agent, '/status')).body).problems.map(
      ({ component, reason }) => `${component}: ${reason}`,
    );
    t.log(said, problems);
    for (const orderer of orderers.slice(0, 3)) {
      await orderer.stop();
      await orderer.start();
    }
    await untilSaid(
      /^maintenance: no transaction is accepted \(since block 2\); \S+ still runs Raft, the channel is BFT: restart it before maintenance ends$/,
    );
    await orderers[3]!.stop();
    await orderers[3]!.start();
    await untilSaid(/^maintenance: no transaction is accepted \(since block 2\)$/);
    await submit('plan/4-normal', '--allow', 'bft-not-restarted');
    await untilSaid(/^working: 4 of 4 consenters are active/);
    const events = receiver.received.flatMap(({ document }) =>
      (document as { events: { state: string; component: string; reason: string }[] }).events.map(
        ({ state, component, reason }) => `${state} ${component}: ${reason}`,
      ),
    );
    t.log(said, events);
    t.deepEqual(
      problems.filter((each) => !/^(?:channels\/|agent: )/.test(each)),
      [],
    );
    const failures = events.filter((each) => /^(?:failed|warning) (?!agent: )/.test(each));
    t.true(
      failures.every((each) => each.startsWith('warning channels/channel1: in maintenance: ')),
      failures.join('\n'),
    );
  },
);
