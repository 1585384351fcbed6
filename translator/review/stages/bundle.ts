// Stage: MSPs and policies of the resulting config (Fabric's common/channelconfig: msp.go, bundle.go).

import type { Facts } from '../facts/gather.js';
import { applyingTo, refused, type Finding } from '../finding.js';

export function bundleFindings({
  proposal,
  mspFaults,
  after,
}: Pick<Facts, 'proposal' | 'mspFaults' | 'after'>): Finding[] {
  const prefix = applyingTo(proposal.channel);
  return [
    ...mspFaults.map(({ path, message }) => {
      const [, , group = ''] = path.split('/');
      return refused(
        `${prefix}initializing channelconfig failed: could not create channel ${group} sub-group config: `,
        {
          id: 'msp-invalid',
          orderer: message,
          path: `${path}/MSP`,
          text: `the MSP of ${path} cannot be set up`,
          todo: 'correct the MSP; its certificates must be CAs, PEM, and in one chain',
        },
      );
    }),
    ...after.policies.problems.map(({ path, text }) =>
      refused(`${prefix}initializing policymanager failed: `, {
        id: 'policy-invalid',
        orderer: text,
        path,
        text: 'the policy does not compile',
        todo: 'set the policy again, for example from the policy language',
      }),
    ),
  ];
}
