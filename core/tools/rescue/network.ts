// The inputs of a plan: the nodes, and the channels in the ledger folders of the orderers.

import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import type { Consenter } from 'fabric-ops-agent/translator/channel';
import {
  openNodeFile,
  readNodeConfig,
  variablesOfNamedNode,
  type Environment,
  type NodeFiles,
} from '../../../config/index.js';
import { certificateBlocks } from '../../common/certificates/pem.js';
import { reasonOf } from '../../contract/index.js';
import { hashOfKey } from '../../common/certificates/chain.js';
import { readStoredChannel, type StoredChannel } from '../../fabric/stored-channel.js';
import { readRescueNode, type RescueNode } from './node.js';

/** The nodes of a plan, and the channels of their orderers. */
export interface Network {
  readonly nodes: readonly RescueNode[];
  readonly channels: readonly StoredChannel[];
}

/**
 * Reads the nodes and their channels.
 *
 * @param environment describes a node that is the only one of its kind without its own variables
 * @throws Error with one line for each file that cannot be read
 */
export function readNetwork(files: readonly NodeFiles[], environment: Environment, cwd: string): Network {
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
  const nodes = opened.flatMap(({ file, kind, named }) => {
    const node = attempt(() => {
      const { variables, container } = variablesOfNamedNode(named, files, environment, cwd);
      const config = readNodeConfig({ file, kind }, variables, cwd, undefined, container);
      if ('problems' in config) throw new Error(config.problems.join('\n'));
      return readRescueNode(config, resolve(cwd, file.name));
    });
    return node === undefined ? [] : [node];
  });
  const named = nodes.map((node, index) =>
    nodes.findIndex(({ name }) => name === node.name) === index
      ? node
      : { ...node, name: `${node.name}-${index + 1}` },
  );
  const channels = attempt(() => readChannels(named)) ?? [];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { nodes: named, channels };
}

/** The channels of the orderers, each as of the newest config block. @throws Error naming the folder that cannot be read */
function readChannels(nodes: readonly RescueNode[]): readonly StoredChannel[] {
  const found = new Map<string, StoredChannel>();
  for (const { kind, channels } of nodes)
    for (const [name, folder] of kind === 'orderer' ? channels : []) {
      const channel = readStoredChannel(folder);
      if ((found.get(name)?.number ?? -1n) < channel.number) found.set(name, channel);
    }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a channel has BFT, else it has Raft. */
export const isBft = ({ channel }: StoredChannel): boolean => channel.orderer.isBft;

/** The SHA-256 of the public keys of a consenter. A renewed certificate has the same key. @throws Error for a certificate that does not parse */
export function consenterKeys({ clientTlsCert, serverTlsCert, identity }: Consenter): {
  readonly client: string;
  readonly server: string;
  /** Only of BFT. */
  readonly identity: string | undefined;
} {
  const keyOf = (pem: Uint8Array): string =>
    hashOfKey(new X509Certificate(certificateBlocks(Buffer.from(pem).toString('latin1'))[0] ?? ''));
  return {
    client: keyOf(clientTlsCert),
    server: keyOf(serverTlsCert),
    identity: identity && keyOf(identity),
  };
}

/** The node of a consenter, by any of its keys; undefined if the file of the node was not given. */
export function nodeOf(consenter: Consenter, nodes: readonly RescueNode[]): RescueNode | undefined {
  const { client, server, identity } = consenterKeys(consenter);
  return nodes.find(
    ({ kind, certificates }) =>
      kind === 'orderer' && certificates.some(({ keyHash }) => [client, server, identity].includes(keyHash)),
  );
}
