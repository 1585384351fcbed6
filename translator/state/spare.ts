// The consenters of a channel that may fail, and the changes of consenters: which ones must restart, join or listen elsewhere before they
// take part again.

import { groupBy } from '../../core/common/group-by.js';
import {
  addressText,
  bftQuorum,
  consentersOf,
  raftQuorum,
  type BftVersion,
  type Channel,
  type Consenter,
} from '../channel/index.js';
import { certificateIn } from '../msp/index.js';
import type { ChannelState } from './channel-state.js';

/** A consenter from the view of the other nodes. */
export interface ConsenterNode {
  /** `host:port`; of a BFT consenter with its id. */
  readonly name: string;
  /** `host:port` */
  readonly address: string;
  /**
   * The identity and address that a node needs to start as this consenter. A renewed certificate with the same key is the same, except for
   * the identity of a BFT consenter before 3.1.2.
   */
  readonly key: string;
  /** The identity that the others accept messages from: the keys, without the address. */
  readonly identity: string;
  /** Undefined for Raft. */
  readonly id: number | undefined;
}

/** The consenters of a channel, and the number of them that must be up. */
export interface ConsenterNodes {
  readonly type: string;
  readonly nodes: readonly ConsenterNode[];
  readonly quorum: number;
}

/**
 * Returns the nodes that a config defines as consenters. Raft: a node finds itself by its server certificate
 * (orderer/consensus/etcdraft/consenter.go, `detectSelfID`), sends requests with its client certificate, and the others connect to its
 * address. BFT: the others know a node by its identity, and it signs with its id; its TLS certificates do not matter. When it starts, it
 * searches its identity (orderer/consensus/smartbft/consenter.go, `detectSelfID`): before 3.1.2 it compares the bytes, later public keys.
 */
export function consenterNodes(channel: Channel, version: BftVersion): ConsenterNodes {
  const nodes = consentersOf(channel).map((consenter) => {
    const { id, mspId, identity, serverTlsCert, clientTlsCert } = consenter;
    const address = addressText(consenter);
    const keys = identity === undefined ? [keyOf(clientTlsCert)] : [id, mspId, keyOf(identity)];
    const own = identity === undefined ? keyOf(serverTlsCert) : version < '3.1.2' ? bytesOf(identity) : '';
    return {
      name: nodeName(consenter),
      address,
      identity: JSON.stringify(keys),
      key: JSON.stringify([address, keys, own]),
      id,
    };
  });
  const { isBft, consensus } = channel.orderer;
  const quorum = isBft ? bftQuorum(nodes.length).quorum : raftQuorum(nodes.length);
  return { type: consensus.type, nodes, quorum };
}

/** The name of a consenter in texts: `host:port`, of a BFT consenter with its id. */
export const nodeName = (consenter: Consenter): string =>
  consenter.id === undefined ? addressText(consenter) : `${consenter.id} (${addressText(consenter)})`;

/** The public key of a certificate, or the bytes if it cannot be read. */
const keyOf = (pem: Uint8Array): string => String(certificateIn(pem)?.publicKey.spki ?? pem);

/** The DER bytes of a certificate: nodes normalise its PEM before they compare. */
const bytesOf = (pem: Uint8Array): string => String(certificateIn(pem)?.raw ?? pem);

/** The consenters that an update changes. */
export interface ChangedNodes {
  /** They take part again when they run with the new keys: the others accept no message with the previous ones from the block on. */
  readonly renewed: readonly ConsenterNode[];
  /** They take part until they restart, then only with the address or certificate of the config. */
  readonly moved: readonly ConsenterNode[];
  /** They take part when they have joined the channel. */
  readonly added: readonly ConsenterNode[];
  readonly removed: readonly ConsenterNode[];
}

/** Compares the consenters of two configs. A consenter with another identity has the place of the one with its id, or its address. */
export function changedNodes(before: ConsenterNodes, after: ConsenterNodes): ChangedNodes {
  const identities = new Map(before.nodes.map((node) => [node.identity, node]));
  const inPlaceOf = ({ id, address }: ConsenterNode): ConsenterNode | undefined =>
    before.nodes.find((node) => id !== undefined && node.id === id) ??
    before.nodes.find((node) => node.address === address);
  const [renewed, moved, added]: ConsenterNode[][] = [[], [], []];
  const kept = new Set<ConsenterNode>();
  for (const node of after.nodes) {
    const same = identities.get(node.identity);
    const previous = same ?? inPlaceOf(node);
    if (previous === undefined || kept.has(previous)) added!.push(node);
    else if (same === undefined) renewed!.push(node);
    else if (same.key !== node.key) moved!.push(node);
    if (previous !== undefined) kept.add(previous);
  }
  const removed = before.nodes.filter((node) => !kept.has(node));
  return { renewed: renewed!, moved: moved!, added: added!, removed };
}

/**
 * The addresses of consenters that take no part, however they run: one for each further consenter at the same address, and the ones of BFT
 * consenters without an identity that their MSP accepts.
 */
export async function lostConsenters(state: ChannelState): Promise<readonly string[]> {
  const shared = [...sharedAddresses(state.channel)].flatMap(([address, [, ...further]]) =>
    further.map(() => address),
  );
  return [...shared, ...((await state.blockSigners)?.invalid ?? []).map(({ consenter }) => consenter)];
}

/** Groups of consenters with one address: the others connect to one of each group at most. */
export function sharedAddresses(channel: Channel): ReadonlyMap<string, readonly Consenter[]> {
  const byAddress = groupBy(consentersOf(channel), addressText);
  return new Map([...byAddress].filter(([, { length }]) => length > 1));
}
