// Traffic in a network: config updates make new blocks, queries make proposals.

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { computeUpdate, decode, encode, readConfigFile } from '../../../translator/index.js';
import { check, eventually } from '../daemon.js';
import { peerVariables, runPeerCommand, type FabricNetwork } from './network.js';
import type { FabricNode } from './node.js';
import { CHANNEL, runTool } from './network-files.js';

interface Config {
  readonly channel_group: {
    readonly groups: {
      readonly Orderer: { readonly values: { readonly BatchSize: { value: { max_message_count: number } } } };
    };
  };
}

/** Runs a command of the peer program as the administrator of the orderers. */
function runAsOrderer({ tools, peers, orderers: [orderer] }: FabricNetwork, ...args: string[]): void {
  const connection = ['-o', orderer.address, '-c', CHANNEL, '--tls', '--cafile', orderer.identity.tls.ca];
  runTool(tools, 'peer', ['channel', ...args, ...connection], {
    FABRIC_CFG_PATH: peers[0].directory,
    CORE_PEER_LOCALMSPID: orderer.identity.mspId,
    CORE_PEER_MSPCONFIGPATH: orderer.identity.admin,
  });
}

/**
 * Adds one block to the channel: a change of the batch size, computed with our translator; waits for it. Retries while there is no leader.
 *
 * @returns the number of blocks that the channel then has, its height
 */
export async function addBlock(network: FabricNetwork): Promise<number> {
  const { directory } = network.peers[0];
  const block = join(directory, 'config_block.pb');
  const envelope = join(directory, 'envelope.pb');
  await eventually(async () => runAsOrderer(network, 'fetch', 'config', block));
  const { header, data } = JSON.parse(decode('common.Block', readFileSync(block))) as {
    header: { number: string };
    data: { data: [{ payload: { data: { config: Config } } }] };
  };
  const original = JSON.stringify(data.data[0].payload.data.config);
  const config = JSON.parse(original) as Config;
  config.channel_group.groups.Orderer.values.BatchSize.value.max_message_count += 1;
  const update = computeUpdate(
    encode('common.Config', Buffer.from(original)),
    encode('common.Config', Buffer.from(JSON.stringify(config))),
    CHANNEL,
  );
  writeFileSync(envelope, envelopeOf(update));
  await eventually(async () => runAsOrderer(network, 'update', '-f', envelope));
  // Config blocks follow each other: nothing else makes blocks here. An orderer that is killed before it has the block may lose the update.
  const expected = BigInt(header.number) + 1n;
  await eventually(async () => {
    runAsOrderer(network, 'fetch', 'newest', block);
    const { number } = readConfigFile(readFileSync(block));
    check(number === expected, `the newest block is ${number}`);
  });
  return Number(expected) + 1;
}

function envelopeOf(update: Uint8Array): Uint8Array {
  const config_update = JSON.parse(decode('common.ConfigUpdate', Buffer.from(update))) as unknown;
  const envelope = {
    payload: {
      header: { channel_header: { channel_id: CHANNEL, type: 2 } },
      data: { config_update },
    },
  };
  return encode('common.Envelope', Buffer.from(JSON.stringify(envelope)));
}

/** Sends proposals to the first peer: the system chaincode `qscc` reads the height of the channel, `_lifecycle` its definitions. */
export function sendProposals(network: FabricNetwork, count: number): void {
  const [peer] = network.peers;
  const call = JSON.stringify({ Args: ['GetChainInfo', CHANNEL] });
  for (let index = 0; index < count; index += 1) {
    runPeerCommand(network.tools, peer, ['chaincode', 'query', '-C', CHANNEL, '-n', 'qscc', '-c', call]);
    runPeerCommand(network.tools, peer, ['lifecycle', 'chaincode', 'querycommitted', '-C', CHANNEL]);
  }
}

/** Transactions of chaincode: an organisation approves definitions. Each one is a block; resolves once the peer has them. */
export async function approveDefinitions(
  network: FabricNetwork,
  channel: string,
  names: readonly string[],
): Promise<void> {
  for (const [index, name] of names.entries())
    await eventually(async () =>
      approve(network, channel, name, network.orderers[index % network.orderers.length]!),
    );
}

/** Approves definitions until it is stopped, one after the other; stopping resolves with their number. */
export function startApproving(network: FabricNetwork, channel: string): () => Promise<number> {
  let isStopped = false;
  const run = async (): Promise<number> => {
    for (let count = 0; ; count += 1) {
      if (isStopped) return count;
      await approve(network, channel, `running${count}`, network.orderers[0]);
    }
  };
  const running = run();
  return async () => {
    isStopped = true;
    return running;
  };
}

async function approve(
  { tools, peers: [peer] }: FabricNetwork,
  channel: string,
  name: string,
  { address, identity }: FabricNode,
): Promise<void> {
  const definition = ['-C', channel, '-n', name, '-v', '1', '--sequence', '1'];
  const connection = ['-o', address, '--tls', '--cafile', identity.tls.ca];
  const args = ['lifecycle', 'chaincode', 'approveformyorg', ...definition, ...connection];
  const env = { PATH: process.env.PATH, ...peerVariables(peer) };
  await promisify(execFile)(join(tools, 'peer'), args, { env, timeout: 60_000 });
}
