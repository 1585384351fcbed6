// The consenters of a channel, and faults of the TLS certificates of new Raft consenters (Fabric's orderer/consensus/etcdraft:
// chain.go ValidateConsensusMetadata, util.go VerifyConfigMetadata).

import {
  addressText,
  channelOf,
  consentersOf,
  type Organization,
  type Config,
  membershipChange,
  type Consenter,
  readRaftMetadata,
  type RaftConsenter,
} from '../../channel/index.js';
import { attempt } from '../../../proto/errors.js';
import { consenterError, type MspManager, certificateIn, type Trust } from '../../msp/index.js';
import { mspOf, nodeName, type ChannelState } from '../../state/index.js';
import type { Proposal } from './proposal.js';

/**
 * The BFT consenters with a TLS certificate that does not chain to the TLS CAs of their MSP: no other orderer connects to them
 * (orderer/consensus/smartbft/util.go, `RemoteNodesFromConfigBlock`). An orderer does not check it. Expired certificates are a separate
 * matter.
 */
async function unreachableIn({ channel, msps, now }: ChannelState): Promise<string[]> {
  const { manager } = await msps;
  const found = await Promise.all(
    consentersOf(channel).map(async (consenter) => {
      const tls = manager.msps.get(consenter.mspId ?? '')?.tls;
      const isReadable = [consenter.clientTlsCert, consenter.serverTlsCert].every(
        (pem) => certificateIn(pem) !== undefined,
      );
      // Unknown MSPs and unreadable certificates are separate findings.
      if (tls === undefined || !isReadable) return [];
      const error = await consenterError(consenter, { tls, now, ignoreExpiration: true });
      return error === undefined ? [] : [nodeName(consenter)];
    }),
  );
  return found.flat();
}

/** The unreachable consenters of a config (`unreachableIn`); of an update, only consenters that were reachable before. */
export async function unreachableConsenters({
  before,
  after,
}: Pick<Proposal, 'before' | 'after'>): Promise<string[]> {
  const now = await unreachableIn(after);
  if (before === after) return now;
  const old = new Set(await unreachableIn(before));
  return now.filter((name) => !old.has(name));
}

/** The orderer organisations of the consenters, by their TLS CAs; all orderer organisations if the TLS CAs do not tell. */
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

/** A fault of the TLS certificates of a consenter. */
interface ConsenterFault {
  /** `host:port` */
  readonly name: string;
  /** The update adds it: its certificates must be valid now. Certificates of other consenters may have expired. */
  readonly isNew: boolean;
  /** The reason that they are not valid at any time; undefined if they are only expired. */
  readonly chain: string | undefined;
  /** The reason that they are not valid now. */
  readonly error: string;
}

/** The faults of all consenters of the resulting config. Orderers of version 2.5 do not check its consensus type here. */
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
