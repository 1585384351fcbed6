// A copy of a channel for rehearsals with certificates of cryptogen.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CopiedNode, CopiedPerson, Copy, KeyPair, MspFiles } from '../../../translator/rehearse/copy.js';
import { freePorts } from '../../../translator/rehearse/ports.js';
import { temporaryFolder, type Owner } from '../../helpers/folder.js';
import {
  CHANNEL,
  createCertificates,
  createGenesisBlock,
  ordererIdentity,
  peerIdentity,
  type Consensus,
  type Identity,
} from './network-files.js';
import { findFabric, TOOLS } from './programs.js';

/** What a copy is like. */
export interface CopyOptions {
  readonly orderers: number;
  /** Each has one peer, which is its anchor peer. */
  readonly organisations: number;
  readonly consensus: Consensus;
}

/** Makes the certificates and the genesis block of a copy without updates. */
export async function makeCopy(t: Owner, { orderers, organisations, consensus }: CopyOptions): Promise<Copy> {
  const { bin } = findFabric(TOOLS);
  const directory = temporaryFolder(t);
  createCertificates(bin, directory, { orderers, organisations });
  const ports = await freePorts(orderers + organisations);
  const addresses = ports.map((port) => ({ host: '127.0.0.1', port }));
  const genesis = createGenesisBlock(bin, directory, {
    channel: CHANNEL,
    organisations,
    addresses: addresses.slice(0, orderers),
    anchorPeers: addresses.slice(orderers),
    consensus,
  });
  const nodes = addresses.map((address, index): CopiedNode => {
    const kind = index < orderers ? 'orderer' : 'peer';
    const number = index < orderers ? index + 1 : index - orderers + 1;
    const identity = (kind === 'orderer' ? ordererIdentity : peerIdentity)(directory, number);
    const tls = { certificate: text(identity.tls.cert), key: text(identity.tls.key) };
    return {
      name: `${kind}${number}`,
      kind,
      mspId: identity.mspId,
      address,
      original: undefined,
      ...mspOf(identity.msp),
      tls: { server: tls, client: tls, roots: [text(identity.tls.ca)] },
      isDown: false,
    };
  });
  const identities = [
    ordererIdentity(directory, 1),
    ...numbers(organisations).map((each) => peerIdentity(directory, each)),
  ];
  const people = identities.flatMap((identity, index) => [
    personOf(identity, 'admin'),
    ...(index === 0 ? [] : [personOf(identity, 'client')]),
  ]);
  return {
    channel: CHANNEL,
    genesis: readFileSync(genesis),
    consensus,
    nodes: withAllRoots(nodes),
    people,
    updates: [],
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const text = (file: string): string => readFileSync(file, 'utf8');

/** All nodes know the TLS CAs of all. */
function withAllRoots(nodes: readonly CopiedNode[]): CopiedNode[] {
  const roots = [...new Set(nodes.flatMap(({ tls }) => tls.roots))];
  return nodes.map((node) => ({ ...node, tls: { ...node.tls, roots } }));
}

const personOf = ({ mspId, admin, client }: Identity, role: 'admin' | 'client'): CopiedPerson => {
  const { signing, msp } = mspOf(role === 'admin' ? admin : client);
  return { name: mspId, mspId, role, ca: undefined, pair: signing, msp };
};

/** The parts of an MSP directory with a key. */
function mspOf(directory: string): { msp: MspFiles; signing: KeyPair } {
  const only = (name: string): string => {
    const [file = ''] = readdirSync(join(directory, name));
    return text(join(directory, name, file));
  };
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !/^(?:signcerts|keystore)\b/.test(path) && statSync(join(directory, path)).isFile(),
  );
  return {
    msp: new Map(files.map((path) => [path, text(join(directory, path))])),
    signing: { certificate: only('signcerts'), key: only('keystore') },
  };
}
