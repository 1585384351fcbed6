// The document of a channel for `/nodes/<name>/channels`.

import type {
  CertificateDocument,
  ChangeDocument,
  ChannelDocument,
  ConfigDocument,
  LedgerChannel,
  Maintenance,
} from '../../../core/contract/internal/index.js';
import type { KnownConfig } from './config.js';
import type { ConfigVerifier } from './verifier.js';

/** The newest config of a channel, as far as it was read. */
export interface ConfigReading {
  ledger: LedgerChannel;
  readonly verifier: ConfigVerifier;
  config?: KnownConfig;
  /** The number of the config block of `config`. */
  block?: bigint;
  /** The maintenance of the channel; undefined: it is not in maintenance. */
  maintenance?: Maintenance | undefined;
  /** The update that created the config, once it was read. */
  lastChange?: ChangeDocument | undefined;
  /** Why the newest config cannot be read. */
  problem?: string | undefined;
}

/** The document of a channel. */
export function documentOf(
  name: string,
  { ledger: { height }, config, block, lastChange, problem }: ConfigReading,
): ChannelDocument {
  return {
    name,
    height: height === undefined ? undefined : Number(height),
    problem,
    config: config && configOf(config, Number(block), lastChange),
  };
}

function configOf(
  config: KnownConfig,
  block: number,
  lastChange: ChangeDocument | undefined,
): ConfigDocument {
  const { capabilities, consenters, organisations, findings } = config;
  const certificates = certificatesByOwner(config);
  return {
    block,
    consensus: config.type,
    capabilities,
    maintenance: config.isInMaintenance,
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
function certificatesByOwner({ certificates }: KnownConfig) {
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
