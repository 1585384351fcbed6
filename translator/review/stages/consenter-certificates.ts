// Stage: the TLS certificates of Raft consenters.

import type { Facts } from '../facts/gather.js';
import { applyingTo, refused, type Finding } from '../finding.js';

/** The consenters of the resulting config with certificates that are not valid. */
export function consenterCertificateFindings({
  proposal,
  consenterFaults,
}: Pick<Facts, 'proposal' | 'consenterFaults'>): Finding[] {
  const prefix = `${applyingTo(proposal.channel)}consensus metadata update for channel config update is invalid: `;
  return consenterFaults.map(({ name, isNew, chain, error }) =>
    refused(prefix, {
      id: 'consenter-certificate',
      orderer:
        chain === undefined
          ? `consenter ${name} has invalid certificates: ${error}`
          : `invalid new config metadata: consenter ${name} has invalid certificate: ${chain}`,
      path: '/Channel/Orderer/ConsensusType',
      text: `a TLS certificate of the ${isNew ? 'new ' : ''}consenter ${name} is not valid`,
      todo: isNew
        ? 'use TLS certificates that are valid now and come from a TLS CA of an orderer organisation of the channel'
        : 'keep the TLS CA of the certificate in the MSP of an orderer organisation, or replace the certificate first',
    }),
  );
}
