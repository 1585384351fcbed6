// The consenters of a channel, and why the TLS certificates of new Raft consenters are not valid (Fabric's orderer/consensus/etcdraft:
// chain.go ValidateConsensusMetadata, util.go VerifyConfigMetadata).

import { addressText } from '../../channel/address.js';
import { TranslateError } from '../../../proto/errors.js';
import type { Config } from '../../channel/element.js';
import type { FabricVersion } from '../../channel/capabilities.js';
import { membershipChange } from '../../channel/membership.js';
import { mspIdOf } from '../../channel/msp-id.js';
import { readRaftMetadata, valueOrEmpty, type RaftConsenter } from '../../channel/values.js';
import { consenterError } from '../../msp/consenter.js';
import type { MspManager } from '../../msp/manager.js';
import type { Trust } from '../../msp/trust.js';
import { ordererOf, type State } from './state.js';

const RAFT_PATH = '/Channel/Orderer/ConsensusType';
/** The value with the consenters of a BFT channel. */
export const BFT_PATH = '/Channel/Orderer/Orderers';

/** What Raft and BFT consenters have in common. */
export interface Consenter {
  readonly host: string;
  readonly port: number;
  readonly clientTlsCert: Uint8Array;
  readonly serverTlsCert: Uint8Array;
}

/** The consenters of a channel, and the path of the value that has them. */
export function consentersOf(state: Pick<State, 'config'>): {
  readonly path: string;
  readonly list: readonly Consenter[];
} {
  const orderer = ordererOf(state);
  const { type, metadata } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  if (type === 'BFT')
    return { path: BFT_PATH, list: valueOrEmpty(orderer, 'orderer', 'Orderers').consenterMapping };
  if (type !== 'etcdraft') return { path: RAFT_PATH, list: [] };
  try {
    return { path: RAFT_PATH, list: readRaftMetadata(metadata).consenters };
  } catch (error) {
    if (error instanceof TranslateError) return { path: RAFT_PATH, list: [] };
    throw error;
  }
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
export async function consenterFaults(
  before: State,
  { config, msps, now }: State,
  fabric: FabricVersion,
): Promise<ConsenterFault[]> {
  const [old, current] = [raftConsenters(before.config), raftConsenters(config, fabric === '2.5')];
  if (old === undefined || current === undefined) return [];
  const tls = tlsTrust(config, msps);
  const added = new Set(membershipChange(old, current).added);
  const faults = await Promise.all(
    current.map(async (consenter) => {
      const { host, port, clientTlsCert, serverTlsCert } = consenter;
      const given = { host, port, clientCertificate: clientTlsCert, serverCertificate: serverTlsCert };
      const isNew = added.has(consenter);
      const chain = await consenterError(given, { tls, now, ignoreExpiration: true });
      const error =
        chain ?? (isNew ? await consenterError(given, { tls, now, ignoreExpiration: false }) : undefined);
      return error === undefined ? [] : { name: addressText(consenter), isNew, chain, error };
    }),
  );
  return faults.flat();
}

/** The consenters of a Raft channel; undefined for another consensus type, and for values that another stage refuses. */
function raftConsenters({ channelGroup }: Config, isAnyType = false): readonly RaftConsenter[] | undefined {
  try {
    const { type, metadata } = valueOrEmpty(channelGroup.groups.get('Orderer'), 'orderer', 'ConsensusType');
    if (type !== 'etcdraft' && !isAnyType) return undefined;
    return readRaftMetadata(metadata).consenters;
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}

/** The TLS CAs of the orderer organisations. */
function tlsTrust({ channelGroup }: Config, { msps }: MspManager): Pick<Trust, 'roots' | 'intermediates'> {
  const organizations = channelGroup.groups.get('Orderer')?.groups ?? new Map<string, never>();
  const found = [...organizations.values()].flatMap((group) => msps.get(mspIdOf(group) ?? '')?.tls ?? []);
  return {
    roots: found.flatMap(({ roots }) => roots),
    intermediates: found.flatMap(({ intermediates }) => intermediates),
  };
}
