// The genesis block of a real network's channel, with the names of Fabric's test network, and variants of it.

import { decode } from '../../translator/index.js';
import { makeBlock } from './made-block.js';
import { readBody, readVectors } from './vectors/vector.js';

const VECTORS = 'test/vectors/translator';
const NAMES: Readonly<Record<string, string>> = {
  'river-main': 'mychannel',
  MillOrg: 'Org1MSP',
  MillMSP: 'Org1MSP',
  WeirOrg: 'Org2MSP',
  WeirMSP: 'Org2MSP',
  RiverOrg: 'OrdererOrg',
  RiverMSP: 'OrdererMSP',
  localhost: 'orderer.example.com',
  'localhost:23100': 'orderer.example.com:7050',
};

/** The request body of a recorded exchange with Fabric's configtxlator. */
export function recordedRequest(id: string): Buffer {
  const vector = readVectors(VECTORS).find((each) => each.id === id);
  if (vector === undefined) throw new Error(`unknown exchange ${id}`);
  return readBody(VECTORS, vector.request);
}

/** The block as fetched from the orderer. */
export const recordedBlock = (): Buffer => recordedRequest('network.river.orderer-00.decode');

/** The block with other names: the channel `mychannel` of `Org1MSP` and `Org2MSP`, with the orderers of `OrdererOrg`. */
export const networkBlock = (): Uint8Array => makeBlock(networkJson());

function networkJson(): string {
  let json = decode('common.Block', recordedBlock());
  for (const [from, to] of Object.entries(NAMES)) json = json.replaceAll(`"${from}"`, `"${to}"`);
  return json.replaceAll('"port": 23100', '"port": 7050');
}

/** The same block as that of a BFT channel with four consenters. */
export function bftBlock(): Uint8Array {
  const block = JSON.parse(networkJson()) as {
    data: { data: { payload: { data: { config: { channel_group: { groups: { Orderer: Orderer } } } } } }[] };
  };
  const [envelope] = block.data.data;
  const orderer = envelope!.payload.data.config.channel_group.groups.Orderer;
  orderer.values.ConsensusType!.value = { type: 'BFT' };
  orderer.values.Orderers = {
    mod_policy: 'Admins',
    value: { consenter_mapping: [1, 2, 3, 4].map(consenter) },
    version: '0',
  };
  return makeBlock(JSON.stringify(block));
}

interface Orderer {
  readonly values: Record<
    string,
    { value: unknown; readonly mod_policy?: string; readonly version?: string }
  >;
}

const consenter = (id: number): object => ({
  id,
  host: `orderer${id}.example.com`,
  port: 7050,
  msp_id: 'OrdererMSP',
  identity: Buffer.from(`identity of orderer${id}`).toString('base64'),
  client_tls_cert: Buffer.from(`certificate of orderer${id}`).toString('base64'),
  server_tls_cert: Buffer.from(`certificate of orderer${id}`).toString('base64'),
});
