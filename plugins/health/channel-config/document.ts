// The document of a channel for `/nodes/<name>/channels`.

import type {
  CertificateDocument,
  ChangeDocument,
  ChannelDocument,
  ConfigDocument,
} from '../../../core/contract/index.js';
import type { LedgerFollower } from 'fabric-ops-agent/translator/node';
import type { ConfigFacts } from './config.js';
import type { ConfigVerifier } from './verifier.js';

/** A channel of the node. */
export interface KnownChannel {
  follower: LedgerFollower;
  readonly verifier: ConfigVerifier;
  facts?: ConfigFacts;
  /** The number of the config block of `facts`. */
  block?: bigint;
  /** The update that created the config, once it was read. */
  lastChange?: ChangeDocument | undefined;
  /** Why the newest config cannot be read. */
  problem?: string | undefined;
}

/** The document of a channel. */
export function documentOf(
  name: string,
  { follower, facts, block, lastChange, problem }: KnownChannel,
): ChannelDocument {
  const { height } = follower;
  return {
    name,
    height: height === undefined ? undefined : Number(height),
    problem,
    config: facts && configOf(facts, Number(block), lastChange),
  };
}

function configOf(facts: ConfigFacts, block: number, lastChange: ChangeDocument | undefined): ConfigDocument {
  const { capabilities, consenters, organisations, findings } = facts;
  const certificates = certificatesByOwner(facts);
  return {
    block,
    consensus: facts.type,
    capabilities,
    maintenance: facts.isInMaintenance,
    consenters: consenters.map(({ address, id, organisation }) => ({
      address,
      id,
      organisation,
      certificates: certificates.consenters.get(address) ?? [],
    })),
    organisations: organisations.map((mspid) => ({
      mspid,
      certificates: certificates.organisations.get(mspid) ?? [],
    })),
    findings,
    last_change: lastChange,
  };
}

/** The certificates of the consenters by their address, and of the organisations by their MSP id. */
function certificatesByOwner({ certificates }: ConfigFacts) {
  const owners = {
    consenters: new Map<string, CertificateDocument[]>(),
    organisations: new Map<string, CertificateDocument[]>(),
  };
  for (const { consenter, organisation, use, subject, serial, notAfter } of certificates) {
    const [owned, owner] =
      consenter === '' ? [owners.organisations, organisation] : [owners.consenters, consenter];
    const list = owned.get(owner) ?? [];
    owned.set(owner, list);
    list.push({
      use,
      subject,
      serial,
      not_after: Number.isNaN(notAfter) ? undefined : new Date(notAfter).toISOString(),
    });
  }
  return owners;
}
