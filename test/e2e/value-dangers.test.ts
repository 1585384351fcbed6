// Values, consenters and revocation lists that real orderers accept: `review` names the danger before, and it happens afterwards.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { check, eventually } from './daemon.js';
import { fetchBlock, submit, submitRefused } from './fabric/channel-edits.js';
import {
  bftOptions,
  changeWith,
  heightOf,
  logged,
  orderer,
  ordererMsp,
  peerMsp,
  raftOptions,
  reaches,
  refusalsOf,
  refusesNext,
  revocationList,
  signNext,
  type Edit,
} from './fabric/harmful-updates.js';
import { runPeerCommand, startNetwork, type FabricNetwork } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';
import { makeCertificate } from '../helpers/made-certificates.js';
import { addBlock } from './fabric/traffic.js';
import { CHANNEL, createCertificates, ordererIdentity } from './fabric/network-files.js';

const BFT = { orderers: 4, consensus: 'BFT' } as const;

/** Longest time from the acceptance of an update to its block, in milliseconds. */
const ORDERED_WITHIN = 5000;
/** An update may be proposed in the millisecond in which it is kept. */
const MAX_ORDERED = 10;

/** Stops and starts all orderers. */
async function restart({ orderers }: FabricNetwork): Promise<void> {
  await Promise.all(orderers.map((node) => node.stop()));
  await Promise.all(orderers.map((node) => node.start()));
}

/** What the peer program prints when it has waited in vain. */
const NOT_ORDERED = /timed out waiting for txid|context deadline exceeded|code = DeadlineExceeded/;

/** Submits an approval of a chaincode, which no block may contain after five seconds; returns the error that the peer program prints. */
function approve(name: string, { tools, orderers: [first], peers: [peer] }: FabricNetwork): string {
  const connection = ['-o', first.address, '-C', CHANNEL, '--tls', '--cafile', first.identity.tls.ca];
  const target = ['--peerAddresses', peer.address, '--tlsRootCertFiles', peer.identity.tls.ca];
  const chaincode = ['-n', name, '-v', '1', '--sequence', '1', '--waitForEventTimeout', '5s'];
  try {
    const command = ['lifecycle', 'chaincode', 'approveformyorg'];
    runPeerCommand(tools, peer, [...command, ...chaincode, ...connection, ...target]);
    return '';
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
}

test.serial(
  'a batch timeout of a year, then the application capability V1_1: no transaction, no lifecycle',
  async (t) => {
    const network = await startNetwork(t);
    const {
      orderers: [first],
      peers: [peer],
    } = network;
    await eventually(async () => {
      const printed = approve('before', network);
      check(printed === '', printed);
    });
    const timeout: Edit = (channel) => (orderer(channel).values.BatchTimeout.value.timeout = '8760h');
    await changeWith(t, network, timeout, first, ['batch-timeout-long']);
    await reaches(peer, 3);
    t.regex(approve('waits', network), NOT_ORDERED);

    const capability: Edit = ({ groups }) =>
      (groups.Application!.values.Capabilities.value.capabilities = { V1_1: {} });
    await changeWith(t, network, capability, peer, ['capability-lowered']);
    await eventually(async () => {
      const printed = approve('refused', network);
      check(printed.includes('cannot use new lifecycle for channel'), printed);
    });
  },
);

for (const [what, danger, edit] of [
  [
    'the tick of Raft is a nanosecond',
    'raft-election-short',
    (channel) => (raftOptions(channel).tick_interval = '1ns'),
  ],
  [
    'all Raft consenters get other addresses',
    'consenters-changed',
    (channel) => {
      for (const consenter of bftOptions(channel).consenters) consenter.port = 9;
    },
  ],
] as const satisfies readonly (readonly [string, string, Edit])[])
  test.serial(`${what}: there is no leader after a restart`, async (t) => {
    const network = await startNetwork(t, { orderers: 3 });
    await changeWith(t, network, edit, network.orderers[0], [danger]);
    await reaches(network.peers[0], 2);
    await restart(network);
    await refusesNext(network, 'no Raft leader');
  });

test.serial(
  'a revocation list revokes the orderer: peers take no block after that, and it takes no update',
  async (t) => {
    const network = await startNetwork(t);
    const {
      orderers: [first],
      peers: [peer],
    } = network;
    await addBlock(network);
    const list = revocationList(network.directory, ['authorityKeyIdentifier=keyid']);
    const edit: Edit = (channel) => (ordererMsp(channel).revocation_list = [list]);
    await changeWith(t, network, edit, first, ['msp-revoked']);
    await reaches(peer, 3);
    // A transaction gets into a block, which the orderer signs.
    t.regex(approve('cc', network), NOT_ORDERED);
    await logged([peer], 1, 'could not be verified');
    t.is(await heightOf(peer), 3);
    await fetchBlock(network);
    // The orderer signs the config that it makes of an update, too.
    await refusesNext(network, 'did not pass final checks: implicit policy evaluation failed');
  },
);

test.serial('the largest BFT request has 500 bytes: orderers take no further update', async (t) => {
  const network = await startNetwork(t, BFT);
  const edit: Edit = (channel) => (bftOptions(channel).request_max_bytes = '500');
  await changeWith(t, network, edit, network.orderers[0], ['bft-request-bytes']);
  await reaches(network.peers[0], 2);
  await refusesNext(network, 'is bigger than request max bytes (500)');
});

test.serial('a BFT buffer of 2^63 - 1 messages: all orderers panic, and again at each start', async (t) => {
  const network = await startNetwork(t, BFT);
  const edit: Edit = (channel) => (bftOptions(channel).incoming_message_buffer_size = '9223372036854775807');
  await changeWith(t, network, edit, network.orderers[0], ['bft-buffer']);
  const panic = 'makechan: size out of range';
  const stopped = (): FabricNode[] => network.orderers.filter((node) => node.log().includes(panic));
  // The last one may not get the block any more.
  await eventually(async () => check(stopped().length >= 3, `${stopped().length} orderers panicked`));
  await t.throwsAsync(async () => stopped()[0]!.start(), { message: new RegExp(panic) });
});

/** How long a certificate is valid that the update with it must be in time for, in milliseconds. */
const SIGNER_LIFE = 45_000;

test.serial(
  'the MSP of Org1 has a signing identity, which expires: orderers take no further update, and do not start',
  async (t) => {
    const network = await startNetwork(t);
    const {
      orderers: [first],
      peers: [peer],
    } = network;
    const timeOf = (time: number): string => new Date(time).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
    const end = Math.ceil(Date.now() / 1000) * 1000 + SIGNER_LIFE;
    const { pem, key } = makeCertificate({
      commonName: 'node',
      validity: [timeOf(Date.now() - 3_600_000), timeOf(end)],
    });
    const edit: Edit = (channel) => {
      peerMsp(channel, 1).signing_identity = {
        public_signer: Buffer.from(pem).toString('base64'),
        private_signer: {
          key_identifier: 'key',
          key_material: Buffer.from(key.export({ type: 'pkcs8', format: 'pem' })).toString('base64'),
        },
      };
    };
    await changeWith(t, network, edit, peer, ['msp-signing-identity']);
    await reaches(peer, 2);
    await sleep(Math.max(0, end - Date.now()));
    const expired = 'setting up the MSP manager failed: signing identity expired';
    await fetchBlock(network);
    await refusesNext(network, expired);
    t.deepEqual(refusalsOf(network, first), ['msp-signer-expired']);
    await first.stop();
    await t.throwsAsync(async () => first.start(), { message: new RegExp(expired) });
  },
);

/** The TLS CA of the orderers in another set of certificates. */
function otherTlsCa({ tools, directory }: FabricNetwork): string {
  const other = join(directory, 'other');
  mkdirSync(other);
  createCertificates(tools, other, { orderers: 1, organisations: 1 });
  return readFileSync(ordererIdentity(other, 1).tls.ca, 'base64');
}

test.serial('all BFT consenters get other ids: no leader until all orderers are restarted', async (t) => {
  const network = await startNetwork(t, BFT);
  const [first] = network.orderers;
  const ids: Edit = (channel) => {
    for (const consenter of orderer(channel).values.Orderers.value.consenter_mapping) consenter.id += 10;
  };
  await changeWith(t, network, ids, first, ['consenters-changed']);
  await reaches(network.peers[0], 2);
  await refusesNext(network, 'no leader');
  await restart(network);
  await submit(network, first.identity);
});

for (const [what, dangers, isAfterRestart, edit] of [
  [
    'two of four BFT consenters get other addresses, and restart',
    ['consenters-changed'],
    true,
    () => (channel) => {
      for (const consenter of orderer(channel).values.Orderers.value.consenter_mapping.slice(0, 2))
        consenter.port = 9;
    },
  ],
  [
    'the TLS CA of BFT orderers is replaced, and they restart',
    ['consenter-unreachable', 'orderer-addresses-replaced'],
    true,
    (network) => {
      const ca = otherTlsCa(network);
      return (channel) => (ordererMsp(channel).tls_root_certs = [ca]);
    },
  ],
  [
    'two BFT consenters that are not the leader exchange their ids',
    ['consenters-changed'],
    false,
    () => (channel) => {
      // If the leader is one of them, another leader may order the update.
      const [, , three, four] = orderer(channel).values.Orderers.value.consenter_mapping;
      [three.id, four.id] = [four.id, three.id];
    },
  ],
] as const satisfies readonly (readonly [
  string,
  readonly string[],
  boolean,
  (network: FabricNetwork) => Edit,
])[])
  test.serial(`${what}: the next update is accepted and never ordered`, async (t) => {
    const network = await startNetwork(t, BFT);
    const [first] = network.orderers;
    await changeWith(t, network, edit(network), first, dangers);
    await reaches(network.peers[0], 2);
    await fetchBlock(network);
    if (isAfterRestart) await restart(network);
    signNext(network);
    await submit(network, first.identity);
    // An update that was ordered would be refused the second time.
    await sleep(ORDERED_WITHIN);
    t.is(submitRefused(network, first.identity), '');
    t.is(await heightOf(network.peers[0]), 2);
  });

test.serial(
  'BFT requests are removed after a millisecond: an update is accepted and never ordered',
  async (t) => {
    const network = await startNetwork(t, BFT);
    const {
      orderers: [first],
      peers: [peer],
    } = network;
    const limits: Edit = (channel) =>
      Object.assign(bftOptions(channel), {
        request_forward_timeout: '1ms',
        request_complain_timeout: '1ms',
        request_auto_remove_timeout: '1ms',
      });
    await changeWith(t, network, limits, first, ['bft-timeout-short']);
    for (let height = 2; height < 2 + MAX_ORDERED; height += 1) {
      await reaches(peer, height);
      await fetchBlock(network);
      signNext(network, height);
      await submit(network, first.identity);
      await sleep(ORDERED_WITHIN);
      if ((await heightOf(peer)) > height) continue;
      // An update that was ordered would be refused the second time.
      t.is(submitRefused(network, first.identity), '');
      return;
    }
    t.fail(`${MAX_ORDERED} updates were ordered`);
  },
);
