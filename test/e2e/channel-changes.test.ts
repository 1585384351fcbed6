// Changes of real channels with the commands of configtxlator; each one is accepted by the orderers.
// `review` says so before, and `verify` finds each one in the new block.

import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Channel } from '../../translator/channel/index.js';
import { addressesOf, changeChannel, blockFile } from './fabric/channel-edits.js';
import { startNetwork, startOrderer } from './fabric/network.js';
import {
  createCertificates,
  extendCertificates,
  peerIdentity,
  renewCertificates,
  signingCertificate,
  type Identity,
} from './fabric/network-files.js';

/** The variables that give an orderer another TLS certificate. */
const tlsVariables = ({ tls: { cert, key } }: Identity): Record<string, string> => ({
  ORDERER_GENERAL_TLS_CERTIFICATE: cert,
  ORDERER_GENERAL_TLS_PRIVATEKEY: key,
  ORDERER_GENERAL_CLUSTER_CLIENTCERTIFICATE: cert,
  ORDERER_GENERAL_CLUSTER_CLIENTPRIVATEKEY: key,
});

/** The MSP ids of the organisations; Fabric writes them in any order. */
const mspIds = ({ application }: Channel): string[] =>
  application.organizations
    .map(({ mspId = '' }) => mspId)
    .toSorted((left, right) => left.localeCompare(right));

test.serial('a Raft channel: orderers accept every kind of change', async (t) => {
  const size = { orderers: 3, organisations: 2 };
  const network = await startNetwork(t, size);
  const { directory, tools, orderers, peers } = network;
  const [orderer, , third] = orderers.map((node) => node);
  const admin = orderer!.identity;
  const [one, two] = [peers[0].identity, peers[1]!.identity];

  const batch = await changeChannel(
    network,
    ['edit', '--set', 'orderer.batchSize.maxMessageCount=50', '--set', 'orderer.batchTimeout=1s'],
    [admin],
  );
  t.is(batch.orderer.batchSize.maxMessageCount, 50);
  t.is(batch.orderer.batchTimeout, '1s');

  const anchors = await changeChannel(network, ['anchor-peers set', 'Org1MSP', peers[0].address], [one]);
  t.deepEqual(
    anchors.application.organizations.flatMap(({ mspId, anchorPeers }) =>
      anchorPeers.map(({ host, port }) => `${mspId} ${host}:${port}`),
    ),
    [`Org1MSP ${peers[0].address}`],
  );

  const other = join(directory, 'other');
  mkdirSync(other);
  createCertificates(tools, other, { orderers: 1, organisations: 3 });
  const msp = join(peerIdentity(other, 3).admin, '../../../msp');
  const added = await changeChannel(network, ['org add', '--msp', msp, '--mspid', 'Org3MSP'], [one, two]);
  t.deepEqual(mspIds(added), ['Org1MSP', 'Org2MSP', 'Org3MSP']);
  // The new organisation signs as well as the others.
  const removed = await changeChannel(network, ['org remove', 'Org3MSP'], [one, peerIdentity(other, 3)]);
  t.deepEqual(mspIds(removed), ['Org1MSP', 'Org2MSP']);

  const twoCas = join(directory, 'org2-new-msp');
  cpSync(join(two.admin, '../../../msp'), twoCas, { recursive: true });
  const newCas = join(peerIdentity(other, 2).admin, 'cacerts');
  for (const name of readdirSync(newCas)) cpSync(join(newCas, name), join(twoCas, 'cacerts', `new-${name}`));
  await changeChannel(network, ['org set-msp', 'Org2MSP', '--msp', twoCas], [two]);

  const acl = await changeChannel(network, ['acl set', 'qscc/GetChainInfo', 'Writers'], [one, two]);
  t.deepEqual([...acl.application.acls], [['qscc/GetChainInfo', 'Writers']]);

  await changeChannel(network, ['policy set', 'Application/Endorsement', 'ANY Endorsement'], [two, one]);

  await changeChannel(network, ['mod-policy set', 'Orderer/BatchTimeout', '/Channel/Admins'], [admin]);

  const addresses = orderers.map((node) => node.address).toReversed();
  const endpoints = await changeChannel(network, ['endpoints set', 'OrdererOrg', ...addresses], [admin]);
  t.deepEqual(endpoints.orderer.organizations[0]!.endpoints, addresses);

  const capability = await changeChannel(network, ['capabilities set', 'channel', 'V3_0'], [one, two, admin]);
  t.deepEqual([...capability.capabilities], ['V3_0']);

  const renewed = renewCertificates(tools, directory, size, 3);
  const rotated = await changeChannel(
    network,
    ['consenter rotate', third!.address, '--tls-cert', renewed.tls.cert],
    [admin],
  );
  const certificate = rotated.orderer.consenters[2]!.clientTlsCert;
  t.deepEqual(Buffer.from(certificate), readFileSync(renewed.tls.cert));
  await third!.stop();
  await third!.start(tlsVariables(renewed));

  extendCertificates(tools, directory, { ...size, orderers: 4 });
  const fourth = await startOrderer(t, network, 4);
  const { address, identity } = fourth.node;
  const more = await changeChannel(
    network,
    ['consenter add', address, '--tls-cert', identity.tls.cert],
    [admin],
  );
  t.is(more.orderer.consenters.length, 4);
  t.true(more.orderer.organizations[0]!.endpoints.includes(address));
  await fourth.join(blockFile(network));

  const fewer = await changeChannel(network, ['consenter remove', address], [admin]);
  t.deepEqual(
    addressesOf(fewer.orderer.consenters),
    orderers.map((node) => node.address),
  );
  t.false(fewer.orderer.organizations[0]!.endpoints.includes(address));
});

test.serial('a BFT channel: orderers accept a rotated, a removed and an added consenter', async (t) => {
  const size = { orderers: 4, organisations: 1 };
  const network = await startNetwork(t, { ...size, consensus: 'BFT' });
  const { directory, tools, orderers } = network;
  const fourth = orderers[3]!;
  const admin = orderers[0].identity;
  const renewed = renewCertificates(tools, directory, size, 4);

  const tls = ['consenter rotate', fourth.address, '--tls-cert', renewed.tls.cert] as const;
  const rotated = await changeChannel(network, [...tls], [admin]);
  const [, , , consenter] = rotated.orderer.consenters;
  t.deepEqual(Buffer.from(consenter!.clientTlsCert), readFileSync(renewed.tls.cert));
  await fourth.stop();
  await fourth.start(tlsVariables(renewed));

  const identity = signingCertificate(renewed);
  const signing = await changeChannel(
    network,
    ['consenter rotate', fourth.address, '--identity', identity],
    [admin],
  );
  t.deepEqual(Buffer.from(signing.orderer.consenters[3]!.identity!), readFileSync(identity));
  await fourth.stop();
  await fourth.start({ ORDERER_GENERAL_LOCALMSPDIR: renewed.msp });

  const removed = await changeChannel(network, ['consenter remove', fourth.address], [admin]);
  t.deepEqual(
    addressesOf(removed.orderer.consenters),
    orderers.slice(0, 3).map((node) => node.address),
  );

  extendCertificates(tools, directory, { ...size, orderers: 5 });
  const fifth = await startOrderer(t, network, 5);
  const certificates = [
    '--tls-cert',
    fifth.node.identity.tls.cert,
    '--identity',
    signingCertificate(fifth.node.identity),
  ];
  const added = await changeChannel(network, ['consenter add', fifth.node.address, ...certificates], [admin]);
  t.is(added.orderer.consenters.length, 4);
  await fifth.join(blockFile(network));
  const last = await changeChannel(network, ['edit', '--set', 'batchTimeout=300ms'], [admin]);
  t.is(last.orderer.batchTimeout, '300ms');
});
