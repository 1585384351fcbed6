// Moves two channels of a real network from Raft to BFT, with our commands alone.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { check, eventually } from './daemon.js';
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

const transactions = async (network: FabricNetwork, ...names: readonly string[]): Promise<void> => {
  for (const channel of CHANNELS) await approveDefinitions(network, channel, names);
};

test.serial('two channels move from Raft to BFT', async (t) => {
  const network = await startNetwork(t, { orderers: 4, channels: CHANNELS });
  const { directory, orderers, peers } = network;
  const admin = translatorAs(t, network, orderers[0].identity);
  const org1 = translatorAs(t, network, peers[0].identity);
  const sources = CHANNELS.map((channel) => networkOf(orderers, channel));
  await untilServed(admin, orderers[0]);
  await transactions(network, 'one', 'two', 'three');
  t.deepEqual(await heights(network), [4, 4]);

  const identities = orderers.flatMap(({ address }, index) => [
    '--identity',
    `${address}=${signingCertificate(ordererIdentity(directory, index + 1))}`,
  ]);
  /** The first line about each channel, and what is next. */
  const status = async (): Promise<readonly string[]> => {
    const asked = await admin.run('migrate', 'status', ...sources, '--json');
    t.is(asked.status, 0, asked.stderr);
    const found = JSON.parse(asked.stdout) as { channel: string; stage: string; next: string[] }[];
    t.deepEqual(
      found.map(({ channel }) => channel),
      CHANNELS,
    );
    return found.map(({ stage }) => stage);
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
  await notSent('plan/1-capability', 3, /channel1\.pb was not sent: signatures are missing\n$/);
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

  // Interrupted and resumed: the plan is made anew, and one channel has the step already.
  const again = await admin.run('migrate', 'bft', ...sources, ...identities, '--sign', '-o', 'rest');
  t.is(again.status, 0, again.stderr);
  t.deepEqual(readdirSync(join(directory, 'rest')).toSorted(), ['3-bft', '4-normal']);
  await submit('rest/3-bft/channel1.pb');
  t.deepEqual(await status(), ['restart', 'maintenance']);
  const rest = await admin.run('submit', 'rest/3-bft', '--quiet');
  t.is(rest.status, 0, rest.stderr);
  t.regex(
    rest.stdout,
    /^rest\/3-bft\/channel1\.pb: nothing is sent, the config of block 6 has this update\n/,
  );
  t.deepEqual(await status(), ['restart', 'restart']);

  // The orderers are not restarted yet.
  await notSent('rest/4-normal', 4, /it is dangerous; if that is wanted: --allow bft-not-restarted\n$/);
  for (const orderer of orderers) await orderer.stop();
  await Promise.all(orderers.map((orderer) => orderer.start()));
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
