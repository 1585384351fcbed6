// The first block of the channel of a real network, with the names of Fabric's test network.

import { decode, encode } from '../../translator/index.js';
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

/** The request of a recorded exchange with Fabric's configtxlator. */
export function recordedRequest(id: string): Buffer {
  const vector = readVectors(VECTORS).find((each) => each.id === id);
  if (vector === undefined) throw new Error(`there is no exchange ${id}`);
  return readBody(VECTORS, vector.request);
}

/** The block as its orderer gave it. */
export const recordedBlock = (): Buffer => recordedRequest('network.river.orderer-00.decode');

/** The block under other names: the channel `mychannel` of `Org1MSP` and `Org2MSP`, and of `OrdererOrg`. */
export function networkBlock(): Uint8Array {
  let json = decode('common.Block', recordedBlock());
  for (const [from, to] of Object.entries(NAMES)) json = json.replaceAll(`"${from}"`, `"${to}"`);
  return encode('common.Block', json);
}
