// Stage: the TLS certificates of Raft consenters (Fabric's orderer/consensus/etcdraft: chain.go ValidateConsensusMetadata, util.go
// VerifyConfigMetadata).

import { TranslateError } from '../../proto/errors.js';
import type { Config } from '../config/element.js';
import { membershipChange } from '../config/membership.js';
import { mspIdOf } from '../config/msp-id.js';
import { readRaftMetadata, valueOrEmpty, type RaftConsenter } from '../config/values.js';
import { consenterError } from '../msp/consenter.js';
import type { MspManager } from '../msp/manager.js';
import type { Trust } from '../msp/trust.js';
import { applyingTo, refused, type Finding, type Refusal } from './finding.js';

const PATH = '/Channel/Orderer/ConsensusType';

/**
 * Checks the TLS certificates of all consenters of the resulting config. Those of new consenters must be valid now; other ones may have
 * expired.
 *
 * @param manager the MSPs of the resulting config
 */
export async function consenterCertificateFindings(
  channel: string,
  configs: { readonly before: Config; readonly after: Config },
  manager: MspManager,
  now: Date,
): Promise<Finding[]> {
  const [before, after] = [raftConsenters(configs.before), raftConsenters(configs.after)];
  if (before === undefined || after === undefined) return [];
  const prefix = `${applyingTo(channel)}consensus metadata update for channel config update is invalid: `;
  const tls = tlsTrust(configs.after, manager);
  const added = new Set(membershipChange(before, after).added);
  const findings = await Promise.all(
    after.map(async (consenter) => {
      const orderer = await refusalOf(consenter, tls, now, added.has(consenter));
      return orderer === undefined
        ? []
        : refused(prefix, findingOf(consenter, orderer, added.has(consenter)));
    }),
  );
  return findings.flat();
}

async function refusalOf(
  { host, port, clientTlsCert, serverTlsCert }: RaftConsenter,
  tls: Pick<Trust, 'roots' | 'intermediates'>,
  now: Date,
  isNew: boolean,
): Promise<string | undefined> {
  const given = { host, port, clientCertificate: clientTlsCert, serverCertificate: serverTlsCert };
  const chain = await consenterError(given, { tls, now, ignoreExpiration: true });
  if (chain !== undefined)
    return `invalid new config metadata: consenter ${host}:${port} has invalid certificate: ${chain}`;
  const validity = isNew ? await consenterError(given, { tls, now, ignoreExpiration: false }) : undefined;
  return validity === undefined
    ? undefined
    : `consenter ${host}:${port} has invalid certificates: ${validity}`;
}

const findingOf = ({ host, port }: RaftConsenter, orderer: string, isNew: boolean): Refusal => ({
  id: 'consenter-certificate',
  orderer,
  path: PATH,
  text: `a TLS certificate of the ${isNew ? 'new ' : ''}consenter ${host}:${port} is not valid`,
  todo: isNew
    ? 'use TLS certificates that are valid now and come from a TLS CA of an orderer organisation of the channel'
    : 'keep the TLS CA of the certificate in the MSP of an orderer organisation, or use certificates of one that stays',
});

/** The consenters of a Raft channel; undefined for another consensus type, and for metadata that another stage refuses. */
function raftConsenters({ channelGroup }: Config): readonly RaftConsenter[] | undefined {
  const { type, metadata } = valueOrEmpty(channelGroup.groups.get('Orderer'), 'orderer', 'ConsensusType');
  if (type !== 'etcdraft') return undefined;
  try {
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
