// The consenters of a channel, and why the TLS certificates of new Raft consenters are not valid (Fabric's orderer/consensus/etcdraft:
// chain.go ValidateConsensusMetadata, util.go VerifyConfigMetadata).

import { addressText } from '../../channel/address.js';
import { attempt } from '../../../proto/attempt.js';
import { channelOf, type Channel } from '../../channel/channel.js';
import type { Config } from '../../channel/element.js';
import { membershipChange, type Consenter } from '../../channel/consenters.js';
import { readRaftMetadata, type RaftConsenter } from '../../channel/values.js';
import { consenterError } from '../../msp/consenter.js';
import type { MspManager } from '../../msp/msp.js';
import type { Program } from '../../msp/releases.js';
import type { Trust } from '../../msp/trust.js';
import type { State } from './state.js';

/** The consenters of a channel; none of a Raft channel whose metadata does not parse, which a stage refuses. */
export const consentersOf = ({ orderer }: Channel): readonly Consenter[] =>
  orderer.isBft
    ? orderer.consenters
    : attempt(
        () => orderer.consenters,
        () => [],
      );

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
  { fabric, go }: Program,
): Promise<ConsenterFault[]> {
  const [old, current] = [raftConsenters(before.config), raftConsenters(config, fabric === '2.5')];
  if (old === undefined || current === undefined) return [];
  const tls = tlsTrust(config, msps);
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
