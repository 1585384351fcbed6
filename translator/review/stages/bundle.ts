// Stages: MSPs and policies of the resulting config (Fabric's common/channelconfig: msp.go, bundle.go), and the TLS certificates of its Raft
// consenters.

import type { Finding } from '../../documents/index.js';
import type { Facts } from '../facts/gather.js';
import { applying, finding, refused } from '../finding.js';

export function bundleFindings({
  proposal,
  mspFaults,
  after,
}: Pick<Facts, 'proposal' | 'mspFaults' | 'after'>): Finding[] {
  const prefix = applying(proposal);
  return [
    ...mspFaults.map(({ path, message, isJudged }) => {
      if (!isJudged) return finding('danger', 'msp-not-judged', `${path}/MSP`, { reason: message });
      const [, , group = ''] = path.split('/');
      return refused(
        `${prefix}initializing channelconfig failed: could not create channel ${group} sub-group config: `,
        { id: 'msp-invalid', orderer: message, path: `${path}/MSP`, data: { group: path } },
      );
    }),
    ...after.policies.problems.map(({ path, text }) =>
      refused(`${prefix}initializing policymanager failed: `, {
        id: 'policy-invalid',
        orderer: text,
        path,
        data: {},
      }),
    ),
  ];
}

/** The consenters of the resulting config with certificates that are not valid. */
export function consenterCertificateFindings({
  proposal,
  consenterFaults,
}: Pick<Facts, 'proposal' | 'consenterFaults'>): Finding[] {
  const prefix = `${applying(proposal)}consensus metadata update for channel config update is invalid: `;
  return consenterFaults.map(({ name, isNew, chain, error }) =>
    refused(prefix, {
      id: 'consenter-certificate',
      orderer:
        chain === undefined
          ? `consenter ${name} has invalid certificates: ${error}`
          : `invalid new config metadata: consenter ${name} has invalid certificate: ${chain}`,
      path: '/Channel/Orderer/ConsensusType',
      data: { consenter: name, isNew },
    }),
  );
}
