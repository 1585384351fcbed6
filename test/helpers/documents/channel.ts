// The files of an administrator of a channel, as the cookbook assumes them: certificates in the layout of cryptogen, and config blocks.

import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from '../../../translator/index.js';
import {
  createCertificates,
  createGenesisBlock,
  renewCertificates,
  signingCertificate,
  type Consensus,
} from '../../e2e/fabric/network-files.js';
import { makeCertificate } from '../made-certificates.js';
import { findFabric, TOOLS } from '../../e2e/fabric/programs.js';

/** Five orderers have certificates; three are consenters with Raft, four with BFT. Org3 is not in the channel. */
const SIZE = { orderers: 5, organisations: 3 };
const CONSENTERS: Readonly<Record<Consensus, number>> = { etcdraft: 3, BFT: 4 };

/**
 * Writes `organizations/`, the config blocks `config_block.pb` (Raft) and `bft_block.pb` of the channel `mychannel`, `new_block.pb`, in
 * which the batch has 50 messages, `orderer3-tls.pem` and `orderer3-signcert.pem`, other certificates of the third orderer, and
 * `org1-new-ca.pem`, another CA for Org1.
 */
export function writeChannel(directory: string): void {
  const { bin } = findFabric(TOOLS);
  createCertificates(bin, directory, SIZE);
  const renewed = renewCertificates(bin, directory, SIZE, 3);
  copyFileSync(renewed.tls.cert, join(directory, 'orderer3-tls.pem'));
  copyFileSync(signingCertificate(renewed), join(directory, 'orderer3-signcert.pem'));
  writeBlock(bin, directory, 'etcdraft', 'config_block.pb');
  writeBlock(bin, directory, 'BFT', 'bft_block.pb');
  writeFileSync(
    join(directory, 'new_block.pb'),
    withBatchOf50(readFileSync(join(directory, 'config_block.pb'))),
  );
  renameSync(join(directory, 'crypto'), join(directory, 'organizations'));
  const ca = makeCertificate({ commonName: 'ca2.org1.example.com', organization: 'org1.example.com' });
  writeFileSync(join(directory, 'org1-new-ca.pem'), ca.pem);
  for (const name of ['crypto.yaml', 'renewed-3']) rmSync(join(directory, name), { recursive: true });
}

function writeBlock(bin: string, directory: string, consensus: Consensus, name: string): void {
  const addresses = Array.from({ length: CONSENTERS[consensus] }, (_, index) => ({
    host: `orderer${index + 1}.example.com`,
    port: 7050,
  }));
  const block = createGenesisBlock(bin, directory, {
    channel: 'mychannel',
    organisations: 2,
    addresses,
    consensus,
  });
  renameSync(block, join(directory, name));
  rmSync(join(directory, 'configtx-mychannel'), { recursive: true });
}

interface Block {
  header: { number: string };
  data: { data: { payload: { data: { config: Config } } }[] };
}
interface Config {
  sequence: string;
  channel_group: {
    groups: { Orderer: { values: { BatchSize: { version: string; value: { max_message_count: number } } } } };
  };
}

function withBatchOf50(block: Uint8Array): Uint8Array {
  const json = JSON.parse(decode('common.Block', block)) as Block;
  json.header.number = '1';
  const { config } = json.data.data[0]!.payload.data;
  config.sequence = '1';
  const size = config.channel_group.groups.Orderer.values.BatchSize;
  size.version = '1';
  size.value.max_message_count = 50;
  return encode('common.Block', JSON.stringify(json));
}
