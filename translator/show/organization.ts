// Summarises the organisations of a channel: MSP, CAs, admins.

import { TranslateError } from '../../proto/errors.js';
import type { OrganizationView } from '../config/view.js';
import { valueOf } from '../config/values.js';
import { readMspConfig, type MspConfig } from '../msp/config.js';
import { MspError } from '../msp/errors.js';
import { isAtLeast, type MspVersion } from '../msp/version.js';
import { summariseCertificate, type CertificateSummary } from '../describe/certificate.js';

/** An organisation of a group. */
export interface OrganizationSummary {
  /** `Application`, `Orderer`, or `Consortiums/` and the name of the consortium. */
  readonly section: string;
  readonly name: string;
  /** Absent if there is no MSP, or one that cannot be read. */
  readonly mspid?: string;
  readonly msp: MspSummary;
  /** `host:port` */
  readonly anchorPeers: readonly string[];
  /** `host:port` of its orderers. */
  readonly endpoints: readonly string[];
}

/** An MSP. `none`: the organisation has none. `other`: idemix, or an MSP that cannot be read; `error` says why. */
export interface MspSummary {
  readonly type: 'fabric' | 'other' | 'none';
  readonly error?: string;
  /** Whether roles are those of organisational units. */
  readonly nodeOus: boolean;
  /** The organisational unit whose identities are admins; absent if no unit counts. */
  readonly adminUnit?: string;
  /** Certificates that are admins by a list. */
  readonly admins: readonly CertificateSummary[];
  readonly rootCas: readonly CertificateSummary[];
  readonly intermediateCas: readonly CertificateSummary[];
  readonly tlsCas: readonly CertificateSummary[];
  readonly revocationLists: number;
}

const FABRIC = 0;
const NO_MSP: MspSummary = {
  type: 'none',
  nodeOus: false,
  admins: [],
  rootCas: [],
  intermediateCas: [],
  tlsCas: [],
  revocationLists: 0,
};

/** Summarises an organisation. @param version the rules for MSPs that the channel capabilities allow */
export function summariseOrganization(
  section: string,
  { name, mspId, anchorPeers, endpoints, group }: OrganizationView,
  version: MspVersion,
): OrganizationSummary {
  return {
    section,
    name,
    ...(mspId !== undefined && { mspid: mspId }),
    msp: summariseMsp(() => valueOf(group, 'applicationOrganization', 'MSP'), version),
    anchorPeers: anchorPeers.map(({ host, port }) => `${host}:${port}`),
    endpoints,
  };
}

/** Summarises a `msp.MSPConfig`; errors of reading it become part of the summary. */
export function summariseMsp(
  read: () => { readonly type: number; readonly config: Uint8Array } | undefined,
  version: MspVersion,
): MspSummary {
  try {
    const msp = read();
    if (msp === undefined) return NO_MSP;
    if (msp.type !== FABRIC) return { ...NO_MSP, type: 'other', error: `MSP of type ${msp.type}` };
    return fabricMsp(readMspConfig(msp.config), version);
  } catch (error) {
    if (error instanceof MspError || error instanceof TranslateError)
      return { ...NO_MSP, type: 'other', error: error.message };
    throw error;
  }
}

function fabricMsp(config: MspConfig, version: MspVersion): MspSummary {
  const nodeOus = config.nodeOus?.isEnabled === true;
  // Admin units count since V1_4_3 (msp/mspimplsetup.go, setupNodeOUsV143).
  const unit = nodeOus && isAtLeast(version, 'V1_4_3') ? config.nodeOus?.roles.get('admin')?.unit : undefined;
  const all = (certificates: readonly Uint8Array[]): CertificateSummary[] =>
    certificates.map((pem) => summariseCertificate(pem));
  return {
    type: 'fabric',
    nodeOus,
    ...(unit !== undefined && unit !== '' && { adminUnit: unit }),
    admins: all(config.admins),
    rootCas: all(config.roots),
    intermediateCas: all(config.intermediates),
    tlsCas: all([...config.tlsRoots, ...config.tlsIntermediates]),
    revocationLists: config.revocationLists.length,
  };
}
