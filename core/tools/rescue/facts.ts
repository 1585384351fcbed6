// The inputs of a plan: the nodes, and the channels in the ledger folders of the orderers.

import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { addressText, channelOf, readConfigFile, type Consenter } from 'fabric-ops-agent/translator/channel';
import { blockBytes, Ledger } from 'fabric-ops-agent/translator/node';
import {
  openNodeFile,
  readEnvironmentFile,
  readNodeConfig,
  type Environment,
} from '../../../config/index.js';
import { certificateBlocks } from '../../common/certificates/pem.js';
import { reasonOf } from '../../contract/index.js';
import { hashOfKey } from '../../common/certificates/chain.js';
import { readNode, type NodeFacts } from './node-facts.js';

/** A consenter of a channel. */
export interface ConsenterFacts {
  /** `host:port` */
  readonly address: string;
  readonly host: string;
  /** The name of its node; undefined if its file was not given. */
  readonly node: string | undefined;
  /** The SHA-256 of the public keys of its certificates; `identity` of BFT only. */
  readonly clientKey: string;
  readonly serverKey: string;
  /** The SHA-256 of the certificate of a BFT consenter's identity. */
  readonly identity: string | undefined;
}

/** The group of an organisation in a channel. */
export interface OrganizationFacts {
  readonly name: string;
  readonly section: 'orderer' | 'application';
  readonly mspId: string;
  /** The addresses of its orderers. */
  readonly endpoints: readonly string[];
}

/** A channel, from the newest config block that a node has. */
export interface ChannelFacts {
  readonly name: string;
  readonly block: bigint;
  readonly isBft: boolean;
  readonly consenters: readonly ConsenterFacts[];
  /** The groups of the organisations, with the ids of their MSPs. */
  readonly organizations: readonly OrganizationFacts[];
}

/** The inputs of a plan. */
export interface Facts {
  readonly nodes: readonly NodeFacts[];
  readonly channels: readonly ChannelFacts[];
}

/** A file of a node, and the file with its variables; empty: none. */
export interface NamedFile {
  readonly file: string;
  readonly environmentFile: string;
}

/**
 * Reads the nodes and their channels.
 *
 * @param environment describes a node that is the only one of its kind
 * @throws Error with one line for each file that cannot be read
 */
export function readFacts(files: readonly NamedFile[], environment: Environment, cwd: string): Facts {
  const problems: string[] = [];
  const attempt = <Result>(call: () => Result): Result | undefined => {
    try {
      return call();
    } catch (error) {
      problems.push(reasonOf(error));
      return undefined;
    }
  };
  const opened = files.flatMap((each) => {
    const node = attempt(() => ({ ...openNodeFile(each.file, cwd), named: each }));
    return node === undefined ? [] : [node];
  });
  const nodes = opened.flatMap(({ file, kind, named: { environmentFile } }) => {
    const isOnly = opened.filter((other) => other.kind === kind).length === 1;
    const node = attempt(() => {
      const variables =
        environmentFile === '' ? (isOnly ? environment : {}) : readEnvironmentFile(environmentFile, cwd);
      const config = readNodeConfig({ file, kind }, variables, cwd);
      if ('problems' in config) throw new Error(config.problems.join('\n'));
      return readNode(config, resolve(cwd, file.name));
    });
    return node === undefined ? [] : [node];
  });
  const named = nodes.map((node, index) =>
    nodes.findIndex(({ name }) => name === node.name) === index
      ? node
      : { ...node, name: `${node.name}-${index + 1}` },
  );
  const channels = attempt(() => channelsOf(named)) ?? [];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { nodes: named, channels };
}

/** The channels of the orderers, each as of the newest config block. @throws Error naming the folder that cannot be read */
function channelsOf(nodes: readonly NodeFacts[]): readonly ChannelFacts[] {
  const found = new Map<string, ChannelFacts>();
  for (const { kind, channels } of nodes)
    for (const [name, folder] of kind === 'orderer' ? channels : []) {
      const block = Ledger.open(folder).newestConfig();
      if ((found.get(name)?.block ?? -1n) < block.number)
        found.set(name, readChannel(name, block.number, blockBytes(block), nodes));
    }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readChannel(
  name: string,
  block: bigint,
  bytes: Uint8Array,
  nodes: readonly NodeFacts[],
): ChannelFacts {
  const { orderer, application, ordererAddresses } = channelOf(readConfigFile(bytes).config);
  const groups = [
    ...orderer.organizations.map((each) => ({ each, section: 'orderer' as const })),
    ...application.organizations.map((each) => ({ each, section: 'application' as const })),
  ];
  return {
    name,
    block,
    isBft: orderer.isBft,
    consenters: orderer.consenters.map((each) => readConsenter(each, nodes)),
    organizations: groups.map(({ each, section }) => ({
      name: each.name,
      section,
      mspId: each.mspId ?? '',
      // Peers use the addresses of the channel for an organisation without endpoints.
      endpoints: section === 'orderer' ? (each.endpoints.length > 0 ? each.endpoints : ordererAddresses) : [],
    })),
  };
}

/** Finds the node of a consenter by a TLS key or by the key of the identity, because a renewed certificate has the same key. */
function readConsenter(consenter: Consenter, nodes: readonly NodeFacts[]): ConsenterFacts {
  const parsed = (pem: Uint8Array): X509Certificate =>
    new X509Certificate(certificateBlocks(Buffer.from(pem).toString('latin1'))[0] ?? '');
  const clientKey = hashOfKey(parsed(consenter.clientTlsCert));
  const serverKey = hashOfKey(parsed(consenter.serverTlsCert));
  const identity = consenter.identity && parsed(consenter.identity);
  const keys = new Set([clientKey, serverKey, ...(identity === undefined ? [] : [hashOfKey(identity)])]);
  const node = nodes.find(
    ({ kind, certificates }) => kind === 'orderer' && certificates.some(({ keyHash }) => keys.has(keyHash)),
  );
  return {
    address: addressText(consenter),
    host: consenter.host,
    node: node?.name,
    clientKey,
    serverKey,
    identity: identity?.fingerprint256,
  };
}
