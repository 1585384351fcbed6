// Notifications of the agent beside a real peer, to a real Alertmanager and to a webhook receiver.

import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { TestCa } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { startReceiver, type Receiver } from '../helpers/receiver.js';
import { prepareAlertmanager } from './alertmanager.js';
import { check, eventually } from './daemon.js';
import { startBeside, stopAgent } from './fabric/agent.js';
import { send } from './fabric/endpoint.js';
import { startNetwork } from './fabric/network.js';

const DAY = 24 * 60 * 60 * 1000;
const KIT = fileURLToPath(new URL('../../../config/deploy/alertmanager/alertmanager.yaml', import.meta.url));

/** A time as openssl writes it. */
const timeText = (time: number): string => new Date(time).toISOString().replaceAll(/[-:T]|\.\d+/g, '');

/** For {@link eventually}. */
function same(found: readonly string[], expected: readonly string[]): void {
  check(
    found.join('\n') === expected.join('\n'),
    `found ${found.join(', ')}; expected ${expected.join(', ')}`,
  );
}

/** The component that fails while the machine is too busy for the agent. */
const LATE = 'agent';

/** The other events that a receiver was sent, as `state component`. */
const sentTo = ({ received }: Receiver): string[] =>
  received.flatMap(({ document }) =>
    (document as { events: { state: string; component: string }[] }).events.flatMap(({ state, component }) =>
      component === LATE ? [] : [`${state} ${component}`],
    ),
  );

test('a certificate that expires in 6 days is reported once, its renewal too; so is a peer that is killed while the receivers are down', async (t) => {
  t.timeout(240_000);
  const folder = temporaryFolder(t);
  const ca = new TestCa(folder, 'ca');
  const soon = ca.issue('soon', 'serverAuth', ['20200101000000Z', timeText(Date.now() + 6 * DAY)]);
  const certificate = join(folder, 'watched.pem');
  copyFileSync(soon.cert, certificate);

  const alertmanager = await prepareAlertmanager(t, readFileSync(KIT, 'utf8'));
  const daemon = await alertmanager.start();
  const receiver = await startReceiver(t);
  const network = await startNetwork(t);
  const [peer] = network.peers;
  const agent = await startBeside(t, [peer], {
    plugins: [
      { plugin: 'certificates', name: 'watched', options: { paths: [certificate] } },
      { plugin: 'webhook', options: { url: receiver.url, groupFor: '1s' } },
      { plugin: 'alertmanager', options: { urls: [alertmanager.url], repeat: '5s', heartbeat: '5s' } },
    ],
  });

  const warning = `FabricHealthCheckWarning warning watched/watched.pem`;
  const heartbeat = 'FabricOpsAgentHeartbeat none ';
  await eventually(async () => same(await alertmanager.active(), [warning, heartbeat]));
  t.is((await send(agent, '/readyz')).status, 200);
  // Several checks later.
  await sleep(7_000);
  t.deepEqual(await alertmanager.active(), [warning, heartbeat]);
  t.deepEqual(sentTo(receiver), [`warning watched/watched.pem`]);

  copyFileSync(ca.issue('renewed', 'serverAuth').cert, certificate);
  await eventually(async () => same(await alertmanager.active(), [heartbeat]));
  await eventually(async () =>
    same(sentTo(receiver), [`warning watched/watched.pem`, `recovered watched/watched.pem`]),
  );

  await daemon.stop('SIGKILL');
  receiver.stop();
  await peer.stop('SIGKILL');
  await sleep(5_000);
  await alertmanager.start();
  const restarted = await startReceiver(t, Number(new URL(receiver.url).port));
  await eventually(async () =>
    same(await alertmanager.active(), [`FabricNodeDown critical ${peer.name}`, heartbeat]),
  );
  await eventually(async () =>
    check(sentTo(restarted).includes(`failed ${peer.name}`), 'the webhook was not called'),
  );

  await peer.start();
  await eventually(async () => same(await alertmanager.active(), [heartbeat]));
  await eventually(async () => {
    const sent = sentTo(restarted)
      .filter((each) => each.endsWith(` ${peer.name}`))
      .toSorted();
    same(
      sent,
      ['failed', 'info', 'recovered'].map((state) => `${state} ${peer.name}`),
    );
  });
  t.is(await stopAgent(agent), 0);
});
