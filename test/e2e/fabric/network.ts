// Real networks of Hyperledger Fabric on loopback: orderers (etcdraft or BFT), one peer for each organisation, one channel.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { callAdmin, joinOrderer } from '../../../translator/rehearse/network.js';
import { temporaryFolder, type Owner } from '../../helpers/folder.js';
import { freePorts } from '../../helpers/free-port.js';
import { eventually } from '../daemon.js';
import {
  type Address,
  CHANNEL,
  type Consensus,
  createCertificates,
  createGenesisBlock,
  ordererIdentity,
  peerIdentity,
  runTool,
} from './network-files.js';
import { writeSample, type NodeMetrics } from './node-files.js';
import { operationsEndpoint, prepareNode, type FabricNode } from './node.js';
import { findFabric, NEWEST, TOOLS, type FabricVersion } from './programs.js';

/** What a network is like. */
export interface NetworkOptions {
  /** The release of the nodes; of several, the nodes of each kind have them in turn. @default v3.1.5 */
  readonly version?: FabricVersion | readonly [FabricVersion, ...FabricVersion[]];
  /** @default 1 */
  readonly orderers?: number;
  /** Each has one peer. @default 1 */
  readonly organisations?: number;
  /** Whether the operations endpoints have mutual TLS. @default false */
  readonly operationsTls?: boolean;
  /** @default prometheus */
  readonly metrics?: NodeMetrics;
  /** All nodes join them. @default CHANNEL alone */
  readonly channels?: readonly string[];
  /** @default etcdraft */
  readonly consensus?: Consensus;
  /** Options of BFT that differ from the defaults of Fabric, such as `RequestComplainTimeout`. @default none */
  readonly smartBft?: Readonly<Record<string, string>>;
  /** Whether the peer of each organisation is its anchor peer. @default false */
  readonly hasAnchorPeers?: boolean;
  /** The ports of the nodes are this one and those that follow. @default free ones */
  readonly firstPort?: number;
  /** `CORE_*` or `ORDERER_*` of all nodes. @default none */
  readonly variables?: Readonly<Record<string, string>>;
  /** Changes the certificates in a directory before they get into the channels; returns what is done before the nodes start. */
  readonly prepare?: (directory: string) => () => void;
}

/** A running network; the nodes have joined the channel. It is stopped at the end of the test. */
export interface FabricNetwork {
  /** The directory of the tools. */
  readonly tools: string;
  /** The directory of all files. */
  readonly directory: string;
  readonly orderers: readonly [FabricNode, ...FabricNode[]];
  readonly peers: readonly [FabricNode, ...FabricNode[]];
}

/** The ports of a node: its service, its operations endpoint, and for an orderer its Admin endpoint, for a peer the chaincode port. */
type Ports = readonly [service: number, operations: number, other: number];

/** Starts a network; takes about three seconds with one orderer and one peer. */
export async function startNetwork(t: Owner, options: NetworkOptions = {}): Promise<FabricNetwork> {
  const size = { orderers: options.orderers ?? 1, organisations: options.organisations ?? 1 };
  const { bin: tools } = findFabric(TOOLS);
  const directory = temporaryFolder(t);
  createCertificates(tools, directory, size);
  const beforeStart = options.prepare?.(directory);
  const count = 3 * (size.orderers + size.organisations);
  const { firstPort } = options;
  const free =
    firstPort === undefined
      ? await freePorts(count)
      : Array.from({ length: count }, (_, index) => firstPort + index);
  const ports = (index: number): Ports => free.slice(3 * index, 3 * index + 3) as unknown as Ports;
  const ordererPorts = Array.from({ length: size.orderers }, (_, index) => ports(index));
  const peerPorts = Array.from({ length: size.organisations }, (_, index) => ports(size.orderers + index));
  const { channels = [CHANNEL], consensus = 'etcdraft', smartBft, hasAnchorPeers = false } = options;
  const address = ([port]: Ports): Address => ({ host: '127.0.0.1', port });
  const blocks = channels.map((channel) => ({
    channel,
    file: createGenesisBlock(tools, directory, {
      channel,
      organisations: size.organisations,
      addresses: ordererPorts.map(address),
      ...(hasAnchorPeers && { anchorPeers: peerPorts.map(address) }),
      consensus,
      ...(smartBft && { smartBft }),
    }),
  }));
  const orderers = ordererPorts.map((each, index) =>
    createNode(t, directory, 'orderer', index + 1, each, options),
  );
  const peers = peerPorts.map((each, index) => createNode(t, directory, 'peer', index + 1, each, options));
  beforeStart?.();
  await Promise.all([...orderers, ...peers].map((node) => node.start(options.variables)));
  for (const { file } of blocks) {
    // At the same time: an orderer of BFT waits some seconds for the others.
    await Promise.all(orderers.map(({ process }) => joinOrderer(process, readFileSync(file))));
    for (const peer of peers) runPeerCommand(tools, peer, ['channel', 'join', '-b', file]);
  }
  return {
    tools,
    directory,
    orderers: orderers as unknown as FabricNetwork['orderers'],
    peers: peers as unknown as FabricNetwork['peers'],
  };
}

/** An orderer that joins the channel and leaves it. */
export interface FurtherOrderer {
  readonly node: FabricNode;
  /** Joins it to the channel. @param block the file of a config block */
  readonly join: (block: string) => Promise<void>;
  /** Removes the channel from it. */
  readonly remove: () => Promise<void>;
}

/** Starts another orderer, whose certificates exist; it has not joined the channel. */
export async function startOrderer(
  t: Owner,
  { directory }: FabricNetwork,
  number: number,
): Promise<FurtherOrderer> {
  const ports = (await freePorts(3)) as unknown as Ports;
  const node = createNode(t, directory, 'orderer', number, ports, {});
  await node.start();
  return {
    node,
    // An orderer removes a channel after its response, and refuses to join it until then.
    join: (block) => eventually(() => joinOrderer(node.process, readFileSync(block))),
    remove: () => callAdmin(node.process, 'DELETE', `/participation/v1/channels/${CHANNEL}`),
  };
}

function createNode(
  t: Owner,
  parent: string,
  kind: 'orderer' | 'peer',
  number: number,
  ports: Ports,
  { version = NEWEST[0], operationsTls = false, metrics = 'prometheus' }: NetworkOptions,
): FabricNode {
  const versions = typeof version === 'string' ? [version] : version;
  const { bin, config } = findFabric(versions[(number - 1) % versions.length]!);
  const name = `${kind}${number}`;
  const directory = join(parent, name);
  const identity = kind === 'orderer' ? ordererIdentity(parent, number) : peerIdentity(parent, number);
  const [service, operations, other] = ports;
  const { cert: certificate, key, ca: roots } = identity.tls;
  const keys = { certificate, key };
  const values = {
    name,
    kind,
    mspId: identity.mspId,
    directory,
    msp: identity.msp,
    tls: { server: keys, client: keys, roots },
    ports: { service, operations, admin: other },
  };
  const file = writeSample(values, { samples: config, operationsTls, metrics, chaincode: other });
  const description = {
    name,
    kind,
    directory,
    file,
    identity,
    values,
    address: `127.0.0.1:${service}`,
    operations: operationsEndpoint(operations, identity, operationsTls),
  };
  return prepareNode(t, description, bin);
}

/** Runs a command of the peer program as the administrator of the organisation of a peer; returns its standard output. */
export const runPeerCommand = (tools: string, peer: FabricNode, args: readonly string[]): string =>
  runTool(tools, 'peer', args, peerVariables(peer));

/** The variables of the peer program for the administrator of the organisation of a peer. */
export const peerVariables = (peer: FabricNode): Readonly<Record<string, string>> => ({
  FABRIC_CFG_PATH: peer.directory,
  CORE_PEER_MSPCONFIGPATH: peer.identity.admin,
  // The parts of the data directory that a command opens, such as its key store, are its own.
  CORE_PEER_FILESYSTEMPATH: join(peer.directory, basename(peer.identity.admin), 'command'),
});
