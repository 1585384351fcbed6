// The consenters of a channel, and why the TLS certificates of new Raft consenters are not valid (Fabric's orderer/consensus/etcdraft:
// chain.go ValidateConsensusMetadata, util.go VerifyConfigMetadata).

import {
  addressText,
  type BftVersion,
  channelOf,
  consentersOf,
  type Channel,
  type Organization,
  type Config,
  bftQuorum,
  membershipChange,
  raftQuorum,
  type Consenter,
  readRaftMetadata,
  type RaftConsenter,
} from '../../channel/index.js';
import { attempt } from '../../../proto/errors.js';
import { consenterError, type MspManager, certificateIn, type Trust } from '../../msp/index.js';
import { mspOf, type ChannelState } from '../../state/index.js';
import type { Proposal } from './proposal.js';

/** A consenter as the other nodes know it. */
export interface ConsenterNode {
  /** `host:port`; of a BFT consenter with its id. */
  readonly name: string;
  /**
   * What a node has to be, and where, to be this consenter when it starts. A renewed certificate with the same key is the same, except for
   * the identity of a BFT consenter before 3.1.2.
   */
  readonly key: string;
  /** Whose messages the others accept: the keys, without the address. */
  readonly identity: string;
}

/** The consenters of a channel, and how many of them must be up. */
export interface ConsenterNodes {
  readonly type: string;
  readonly nodes: readonly ConsenterNode[];
  readonly quorum: number;
}

/**
 * What a config says about which node is which consenter. Raft: the server certificate is that of the node itself
 * (orderer/consensus/etcdraft/consenter.go, `detectSelfID`), the client certificate that of its requests, and the others connect to its
 * address. BFT: a node is known by its identity and signs with its id; which TLS certificates it has does not count. When it starts, it
 * looks for its identity (orderer/consensus/smartbft/consenter.go, `detectSelfID`): before 3.1.2 it compares the bytes, then the public keys.
 */
export function consenterNodes(channel: Channel, version: BftVersion): ConsenterNodes {
  const nodes = consentersOf(channel).map((consenter) => {
    const { id, mspId, identity, serverTlsCert, clientTlsCert } = consenter;
    const keys = JSON.stringify(
      identity === undefined ? [keyOf(serverTlsCert), keyOf(clientTlsCert)] : [id, mspId, keyOf(identity)],
    );
    const name = nodeName(consenter);
    const bytes = version < '3.1.2' && identity !== undefined ? bytesOf(identity) : '';
    return { name, identity: keys, key: `${name} ${keys} ${bytes}` };
  });
  const { isBft, consensus } = channel.orderer;
  const quorum = isBft ? bftQuorum(nodes.length).quorum : raftQuorum(nodes.length);
  return { type: consensus.type, nodes, quorum };
}

const nodeName = (consenter: Consenter): string =>
  consenter.id === undefined ? addressText(consenter) : `${consenter.id} (${addressText(consenter)})`;

/** The public key of a certificate, or the bytes if it cannot be read. */
const keyOf = (pem: Uint8Array): string => String(certificateIn(pem)?.publicKey.spki ?? pem);

/** The bytes of a certificate, whatever its PEM looks like: nodes make the same text of it before they compare. */
const bytesOf = (pem: Uint8Array): string => String(certificateIn(pem)?.raw ?? pem);

/**
 * The BFT consenters with a TLS certificate that does not chain to the TLS CAs of their MSP: no other orderer connects to them
 * (orderer/consensus/smartbft/util.go, `RemoteNodesFromConfigBlock`). An orderer does not check it, and whether the certificate has
 * expired is another matter.
 */
async function unreachableIn({ channel, msps, now }: ChannelState): Promise<string[]> {
  const { manager } = await msps;
  const found = await Promise.all(
    consentersOf(channel).map(async (consenter) => {
      const tls = manager.msps.get(consenter.mspId ?? '')?.tls;
      const isReadable = [consenter.clientTlsCert, consenter.serverTlsCert].every(
        (pem) => certificateIn(pem) !== undefined,
      );
      // An unknown MSP and what is not a certificate are findings of their own.
      if (tls === undefined || !isReadable) return [];
      const error = await consenterError(consenter, { tls, now, ignoreExpiration: true });
      return error === undefined ? [] : [nodeName(consenter)];
    }),
  );
  return found.flat();
}

/** The consenters of a config that cannot be reached (`unreachableIn`); of an update, those that could be reached before. */
export async function unreachableConsenters({
  before,
  after,
}: Pick<Proposal, 'before' | 'after'>): Promise<string[]> {
  const now = await unreachableIn(after);
  if (before === after) return now;
  const old = new Set(await unreachableIn(before));
  return now.filter((name) => !old.has(name));
}

/** The orderer organisations with one of the consenters, as their TLS CAs tell; all of them if they do not tell. */
export function withConsenters(state: ChannelState, consenters: readonly Consenter[]): Organization[] {
  const orderers = state.channel.orderer.organizations.filter(
    ({ mspId }) => mspId !== undefined && mspId !== '',
  );
  const issuers = new Set(
    consenters.map(({ serverTlsCert }) => String(certificateIn(serverTlsCert)?.issuer.raw)),
  );
  const owners = orderers.filter((organization) => {
    const { tlsRoots = [], tlsIntermediates = [] } = mspOf(organization) ?? {};
    return [...tlsRoots, ...tlsIntermediates].some((pem) =>
      issuers.has(String(certificateIn(pem)?.subject.raw)),
    );
  });
  return owners.length > 0 ? owners : orderers;
}

/** Why the TLS certificates of a consenter are not valid. */
export interface ConsenterFault {
  /** `host:port` */
  readonly name: string;
  /** The update adds it: its certificates must be valid now. Those of other consenters may have expired. */
  readonly isNew: boolean;
  /** Why they are not valid at any time; undefined if they are only expired. */
  readonly chain: string | undefined;
  /** Why they are not valid now. */
  readonly error: string;
}

/** The faults of all consenters of the resulting config. Orderers of version 2.5 do not look at its consensus type here. */
export async function consenterFaults({
  before,
  after,
}: Pick<Proposal, 'before' | 'after'>): Promise<ConsenterFault[]> {
  const { config, msps, now } = after;
  const { fabric, go } = after.program;
  const [old, current] = [raftConsenters(before.config), raftConsenters(config, fabric === '2.5')];
  if (old === undefined || current === undefined) return [];
  const tls = tlsTrust(config, (await msps).manager);
  const added = new Set(membershipChange(old, current).added);
  const faults = await Promise.all(
    current.map(async (consenter) => {
      const isNew = added.has(consenter);
      const chain = await consenterError(consenter, { tls, now, go, ignoreExpiration: true });
      const error =
        chain ??
        (isNew ? await consenterError(consenter, { tls, now, go, ignoreExpiration: false }) : undefined);
      return error === undefined ? [] : { name: addressText(consenter), isNew, chain, error };
    }),
  );
  return faults.flat();
}

/** The consenters of a Raft channel; undefined for another consensus type, and for values that another stage refuses. */
const raftConsenters = (config: Config, isAnyType = false): readonly RaftConsenter[] | undefined =>
  attempt(
    () => {
      const { type, metadata } = channelOf(config).orderer.consensus;
      return type === 'etcdraft' || isAnyType ? readRaftMetadata(metadata).consenters : undefined;
    },
    () => undefined,
  );

/** The TLS CAs of the orderer organisations. */
function tlsTrust(config: Config, { msps }: MspManager): Pick<Trust, 'roots' | 'intermediates'> {
  const { organizations } = channelOf(config).orderer;
  const found = organizations.flatMap(({ mspId = '' }) => msps.get(mspId)?.tls ?? []);
  return {
    roots: found.flatMap(({ roots }) => roots),
    intermediates: found.flatMap(({ intermediates }) => intermediates),
  };
}
