// Stage: the TLS certificates of Raft consenters (Fabric's orderer/consensus/etcdraft: chain.go ValidateConsensusMetadata, util.go
// VerifyConfigMetadata).

import { TranslateError } from '../../../proto/errors.js';
import type { Config } from '../../config/element.js';
import { membershipChange } from '../../config/membership.js';
import { mspIdOf } from '../../config/msp-id.js';
import { readRaftMetadata, valueOrEmpty, type RaftConsenter } from '../../config/values.js';
import { consenterError } from '../../msp/consenter.js';
import type { MspManager } from '../../msp/manager.js';
import type { Trust } from '../../msp/trust.js';
import { applyingTo, refused, type Finding } from '../finding.js';

const PATH = '/Channel/Orderer/ConsensusType';

/**
 * Checks the TLS certificates of the consenters of the resulting config. Those of the current config pass unread.
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
  const findings: Finding[] = [];
  for (const consenter of membershipChange(before, after).added) {
    const given = {
      ...consenter,
      clientCertificate: consenter.clientTlsCert,
      serverCertificate: consenter.serverTlsCert,
    };
    const chain = await consenterError(given, { tls, now, ignoreExpiration: true });
    const atAll = chain ?? (await consenterError(given, { tls, now, ignoreExpiration: false }));
    if (atAll === undefined) continue;
    const name = `${consenter.host}:${consenter.port}`;
    findings.push(
      refused(prefix, {
        id: 'consenter-certificate',
        orderer:
          chain === undefined
            ? `consenter ${name} has invalid certificates: ${atAll}`
            : `invalid new config metadata: consenter ${name} has invalid certificate: ${chain}`,
        path: PATH,
        text: `a TLS certificate of the new consenter ${name} is not valid`,
        todo: 'use TLS certificates that are valid now and come from a TLS CA of an orderer organisation of the channel',
      }),
    );
  }
  return findings;
}

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
