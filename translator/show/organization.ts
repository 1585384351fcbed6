// Summarises the organisations of a channel: MSP, addresses.

import { addressText } from '../config/address.js';
import type { OrganizationView } from '../config/view.js';
import { valueOf } from '../config/values.js';
import { summariseMsp, type MspSummary } from '../describe/msp.js';
import type { MspVersion } from '../msp/version.js';

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
    anchorPeers: anchorPeers.map(addressText),
    endpoints,
  };
}
