// The configs of the channels of a real orderer and a peer: a consenter's certificate that expires, and each change as an event.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { ChannelDocument } from '../../core/contract/internal/index.js';
import { temporaryFolder } from '../helpers/folder.js';
import { startReceiver, type Receiver } from '../helpers/receiver.js';
import { check, eventually } from './daemon.js';
import { startBeside } from './fabric/agent.js';
import { failedChecks, metricsOf, send } from './fabric/endpoint.js';
import { networkOf, translatorAs } from './fabric/live-channel.js';
import { CHANNEL, type Identity } from './fabric/network-files.js';
import { startNetwork } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';

const SECOND = 'channel2';
/** How long the certificate is valid, in milliseconds. */
const LASTS = 45_000;

/** A time as openssl writes it. */
const timeText = (time: number): string => new Date(time).toISOString().replaceAll(/[-:T]|\.\d+/g, '');

/** Issues a TLS certificate of the same CA with the same key, which is valid until a time. Returns its file. */
function renewUntil({ tls }: Identity, directory: string, end: number): string {
  const ca = join(tls.cert, '../../../../tlsca');
  const caCert = join(
    ca,
    readdirSync(ca).find((name) => name.endsWith('.pem'))!,
  );
  const [request, cert, settings] = ['request.pem', 'short.pem', 'ca.cnf'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  writeFileSync(join(directory, 'index.txt'), '');
  writeFileSync(
    settings,
    `[ca]
default_ca = network
[network]
database = ${directory}/index.txt
new_certs_dir = ${directory}
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = server
[any]
commonName = supplied
[server]
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = IP:127.0.0.1, DNS:localhost
`,
  );
  const openssl = (args: readonly string[]): unknown => execFileSync('openssl', args, { stdio: 'pipe' });
  openssl(['req', '-new', '-key', tls.key, '-subj', '/CN=orderer3.example.com', '-out', request]);
  const issuer = ['-cert', caCert, '-keyfile', join(ca, 'priv_sk')];
  const validity = ['-startdate', timeText(Date.now() - 3_600_000), '-enddate', timeText(end)];
  const files = ['-config', settings, '-in', request, '-out', cert];
  openssl(['ca', '-batch', '-notext', ...files, ...issuer, ...validity]);
  return cert;
}

const addressesOf = (orderers: readonly FabricNode[]): string[] =>
  orderers.map(({ address }) => address).toSorted();

/** An event of a webhook. */
interface SentEvent {
  readonly state: string;
  readonly component: string;
  readonly reason: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The events about config blocks that a webhook was sent. */
const changesIn = ({ received }: Receiver): SentEvent[] =>
  received
    .flatMap(({ document }) => (document as { events: SentEvent[] }).events)
    .filter(({ state }) => state === 'info');

test("a consenter's certificate that lasts minutes in a second channel names its recipe, then fails; each change is an event with its signers", async (t) => {
  t.timeout(240_000);
  const network = await startNetwork(t, { orderers: 3, organisations: 2, channels: [CHANNEL, SECOND] });
  const [first, , third] = network.orderers;
  const receiver = await startReceiver(t);
  // Both nodes have each block, which is one event.
  const agent = await startBeside(t, [third!, network.peers[0]], {
    plugins: [{ plugin: 'webhook', options: { url: receiver.url, groupFor: '1s' } }],
  });
  await eventually(async () => {
    const metrics = await metricsOf(agent);
    for (const channel of [CHANNEL, SECOND])
      check(
        new RegExp(`fabric_ops_agent_channel_config_consenter\\{.*channel="${channel}".*\\} 1\\n`).test(
          metrics,
        ),
        metrics,
      );
  });
  t.deepEqual(changesIn(receiver), []);

  /** Makes an update, signs it as each, and submits it as the first. */
  const change = async (
    channel: string,
    [name, ...args]: readonly [string, ...string[]],
    [submitter, ...others]: readonly [Identity, ...Identity[]],
  ): Promise<void> => {
    const source = networkOf(network.orderers, channel);
    const run = async (identity: Identity, ...command: readonly string[]): Promise<void> => {
      const { status, stderr } = await translatorAs(t, network, identity, { network: source }).run(
        ...command,
      );
      check(status === 0, `${command.join(' ')}: ${stderr}`);
    };
    await eventually(async () =>
      run(submitter, ...name.split(' '), source, ...args, '--sign', '-o', 'update.pb'),
    );
    for (const each of others)
      await run(each, 'sign', 'update.pb', '--block', source, '--quiet', '-o', 'update.pb');
    await run(submitter, 'submit', 'update.pb', '--quiet');
  };
  /** Waits for the event of the next config block, and compares it. */
  const reported = async (
    count: number,
    channel: string,
    signers: string,
    changes: RegExp,
  ): Promise<void> => {
    const start = performance.now();
    await eventually(async () => check(changesIn(receiver).length >= count, 'there is no event'));
    t.log(`event of block ${count} after ${Math.round(performance.now() - start)} ms`);
    const { component, reason, fields } = changesIn(receiver)[count - 1]!;
    t.regex(component, new RegExp(`^(orderer|peer1)/channel-config/${channel}$`));
    t.is(fields['signers'], signers);
    t.is(fields['channel'], channel);
    t.regex(fields['changes']!, changes);
    t.true(reason.startsWith(`config block ${fields['block']}, signed by `), reason);
  };

  const admin = first.identity;
  const [one, two] = network.peers.map(({ identity }) => identity) as [Identity, Identity];
  const byAdmin = 'OrdererMSP CN=Admin@example.com';
  await change(CHANNEL, ['edit', '--set', 'orderer.batchSize.maxMessageCount=50'], [admin]);
  await reported(1, CHANNEL, byAdmin, /Orderer\/BatchSize: maxMessageCount 10 → 50/);
  await change(CHANNEL, ['acl set', 'qscc/GetChainInfo', 'Writers'], [one, two]);
  await reported(
    2,
    CHANNEL,
    'Org1MSP CN=Admin@org1.example.com; Org2MSP CN=Admin@org2.example.com',
    /qscc\/GetChainInfo needs Writers/,
  );

  const end = Date.now() + LASTS;
  const short = renewUntil(third!.identity, temporaryFolder(t), end);
  await change(SECOND, ['consenter rotate', third!.address, '--tls-cert', short], [admin]);
  await reported(3, SECOND, byAdmin, /Orderer\/ConsensusType: /);
  const part = `orderer/channel-config/${SECOND}/${third!.address}/consenter_server_tls`;
  const recipe = `configtxlator consenter rotate BLOCK ${third!.address} --tls-cert FILE`;
  await eventually(async () => {
    const { body } = await send(agent, '/nodes');
    check(body.includes(`"component":"${part}"`) && body.includes(recipe), body);
  });
  // Its own certificate has expired: the orderer itself fails.
  copyFileSync(short, third!.identity.tls.cert);
  const started = performance.now();
  await eventually(async () => {
    const { status, failed } = await failedChecks(agent);
    const reason = failed[part] ?? '';
    check(status === 503 && /expired on /.test(reason) && reason.endsWith(recipe), JSON.stringify(failed));
  }, 2 * LASTS);
  t.log(
    `failed ${Math.round(Date.now() - end)} ms after the end, waited ${Math.round(performance.now() - started)} ms`,
  );

  // The recipe ends it.
  const renewed = renewUntil(third!.identity, temporaryFolder(t), Date.now() + 365 * 86_400_000);
  await change(SECOND, ['consenter rotate', third!.address, '--tls-cert', renewed], [admin]);
  await reported(4, SECOND, byAdmin, /Orderer\/ConsensusType: /);
  await eventually(async () => {
    const { failed } = await failedChecks(agent);
    check(failed[part] === undefined, failed[part] ?? '');
  });

  t.is(changesIn(receiver).length, 4);

  const { status, body } = await send(agent, '/nodes/orderer/channels');
  t.is(status, 200);
  const { channels } = JSON.parse(body) as { channels: ChannelDocument[] };
  t.deepEqual(
    channels.map(({ name, config }) => [name, config?.block, config?.last_change?.signers]),
    [
      [CHANNEL, 2, ['Org1MSP CN=Admin@org1.example.com', 'Org2MSP CN=Admin@org2.example.com']],
      [SECOND, 2, [byAdmin]],
    ],
  );
  const [, { config }] = channels as [ChannelDocument, ChannelDocument];
  t.deepEqual(config?.consenters.map(({ address }) => address).toSorted(), addressesOf(network.orderers));
  t.deepEqual(
    config?.organisations.map(({ mspid }) => mspid),
    ['OrdererMSP', 'Org1MSP', 'Org2MSP'],
  );
});
