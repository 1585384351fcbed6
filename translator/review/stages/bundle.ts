// Stage: MSPs and policies of the resulting config (Fabric's common/channelconfig: msp.go, bundle.go).

import type { MspFault } from '../../msp/channel-msps.js';
import type { Policies } from '../../policy/policies.js';
import { applyingTo, refused, type Finding } from '../finding.js';

/** @param result the policies of the resulting config, and the faults of its MSPs */
export function bundleFindings(
  channel: string,
  result: { readonly policies: Policies; readonly mspFaults: readonly MspFault[] },
): Finding[] {
  const prefix = applyingTo(channel);
  return [
    ...result.mspFaults.map(({ path, message }) => {
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
    ...result.policies.problems.map(({ path, text }) =>
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
