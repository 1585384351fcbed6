// The ledgers of real orderers and peers: what `fetch` and `log` read is what the nodes deliver, while they run and after they were killed.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { TRANSLATOR } from '../helpers/program.js';
import { parseBlock } from '../../translator/ledger/stored-block.js';
import { check, eventually } from './daemon.js';
import { blockFile, changeChannel, fetchBlock, translate } from './fabric/channel-edits.js';
import { channelAt, translatorAs, untilServed } from './fabric/live-channel.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import { CHANNEL, runTool } from './fabric/network-files.js';
import type { FabricNode } from './fabric/node.js';
import { NEWEST } from './fabric/programs.js';
import { startApproving } from './fabric/traffic.js';

const channelOf = (node: FabricNode, kind: 'orderer' | 'peer'): string =>
  join(node.directory, 'data', kind === 'orderer' ? 'chains' : 'ledgersData/chains/chains', CHANNEL);

/** A block as the peer program fetches it from the peer. */
function deliveredByPeer({ tools, directory, peers: [peer] }: FabricNetwork, what: string): Buffer {
  const file = join(directory, 'delivered.pb');
  const { admin, mspId, tls } = peer.identity;
  runTool(tools, 'peer', ['channel', 'fetch', what, file, '-c', CHANNEL], {
    FABRIC_CFG_PATH: peer.directory,
    CORE_PEER_ADDRESS: peer.address,
    CORE_PEER_LOCALMSPID: mspId,
    CORE_PEER_MSPCONFIGPATH: admin,
    CORE_PEER_TLS_ENABLED: 'true',
    CORE_PEER_TLS_ROOTCERT_FILE: tls.ca,
  });
  return readFileSync(file);
}

/** A block of a ledger. */
function storedBlock(directory: string, ledger: string, ...flags: readonly string[]): Buffer {
  translate(directory, ['fetch', ledger, ...flags, '-o', 'stored.pb']);
  return readFileSync(join(directory, 'stored.pb'));
}

/** What `log --json` says of each block: its number, who signed, and the elements that changed. */
function history(ledger: string): readonly unknown[] {
  const { stdout } = spawnSync(process.execPath, [TRANSLATOR, 'log', ledger, '--json'], { encoding: 'utf8' });
  const entries = JSON.parse(stdout) as {
    block: string;
    signers: { mspid: string }[];
    submitter: { mspid: string } | null;
    changes: { element: string; words: string[] }[] | null;
  }[];
  return entries.map(({ block, signers, submitter, changes }) => [
    block,
    // The peer program signs again when it submits.
    [...new Set(signers.map(({ mspid }) => mspid))].toSorted(),
    submitter?.mspid ?? null,
    changes?.flatMap(({ element, words }) => words.map((each) => `${element} ${each}`)) ?? null,
  ]);
}

for (const version of NEWEST)
  test.serial(
    `ledgers of ${version} have the blocks that the nodes deliver, and the history of the channel`,
    async (t) => {
      const network = await startNetwork(t, { version, organisations: 2 });
      const { directory, orderers, peers } = network;
      const [orderer] = orderers;
      const [one, two] = peers.map((peer) => peer);
      const stored = channelOf(orderer, 'orderer');
      const atPeer = channelOf(one!, 'peer');

      await changeChannel(
        network,
        ['edit', '--set', 'orderer.batchSize.maxMessageCount=50'],
        [orderer.identity],
      );
      await changeChannel(
        network,
        ['acl set', 'qscc/GetChainInfo', 'Writers'],
        [one!.identity, two!.identity],
      );
      await changeChannel(network, ['anchor-peers set', 'Org1MSP', one!.address], [one!.identity]);
      t.is(await fetchBlock(network), 3n);
      const newest = readFileSync(blockFile(network));
      t.deepEqual(storedBlock(directory, stored), newest);
      t.deepEqual(storedBlock(directory, stored, '--number', 'newest'), newest);
      await eventually(async () =>
        t.deepEqual(storedBlock(directory, atPeer), deliveredByPeer(network, 'config')),
      );
      for (const number of ['0', '1', '2'])
        t.deepEqual(storedBlock(directory, atPeer, '--number', number), deliveredByPeer(network, number));

      const expected = [
        [
          '3',
          ['Org1MSP'],
          'Org1MSP',
          [
            '/Channel/Application/Org1MSP value AnchorPeers added',
            `/Channel/Application/Org1MSP/AnchorPeers added: ${one!.address} added`,
          ],
        ],
        [
          '2',
          ['Org1MSP', 'Org2MSP'],
          'Org1MSP',
          [
            '/Channel/Application value ACLs added',
            '/Channel/Application/ACLs added: qscc/GetChainInfo needs Writers',
          ],
        ],
        ['1', ['OrdererMSP'], 'OrdererMSP', ['/Channel/Orderer/BatchSize maxMessageCount 10 → 50']],
        ['0', [], null, null],
      ];
      for (const ledger of [stored, atPeer]) t.deepEqual(history(ledger), expected);

      await Promise.all([orderer.stop('SIGKILL'), one!.stop('SIGKILL')]);
      for (const ledger of [stored, atPeer]) t.deepEqual(history(ledger), expected);
    },
  );

for (const version of NEWEST)
  test.serial(`ledgers of ${version} while transactions of chaincode are written`, async (t) => {
    const network = await startNetwork(t, { version });
    const { directory, orderers, peers } = network;
    const [orderer] = orderers;
    const admin = translatorAs(t, network, orderer.identity);
    const channel = channelAt(orderer);
    await untilServed(admin, orderer);
    const stop = startApproving(network, CHANNEL);
    const ledgers = [channelOf(orderer, 'orderer'), channelOf(peers[0], 'peer')];
    let last = 0n;
    await eventually(async () => {
      for (const ledger of ledgers) {
        const read = await admin.run('fetch', ledger, '--number', 'newest', '-o', 'stored.pb');
        t.is(read.status, 0, read.stderr);
        const stored = readFileSync(join(directory, 'stored.pb'));
        last = parseBlock(stored).number;
        const fetched = await admin.run('fetch', channel, '--number', String(last), '-o', 'fetched.pb');
        t.is(fetched.status, 0, fetched.stderr);
        const delivered = parseBlock(readFileSync(join(directory, 'fetched.pb')));
        // A peer adds its verdict on each transaction to the metadata.
        const { metadata } = delivered;
        t.deepEqual({ ...parseBlock(stored), metadata }, delivered);
        t.is(history(ledger).length, 1);
      }
      check(last >= 10n, `block ${last}`);
    });
    t.true((await stop()) >= 10);
  });
