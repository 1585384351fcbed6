// Stage: capabilities that the orderers' program does not support (Fabric's common/channelconfig/bundle.go and
// orderer/common/multichannel/ledgerresources.go, checkResources).

import { unsupported } from '../../channel/capabilities.js';
import { valueOrEmpty } from '../../channel/values.js';
import type { Proposal } from '../facts/proposal.js';
import type { Finding } from '../../describe/findings/index.js';
import { applying, refused } from '../finding.js';

export function unsupportedCapabilityFindings(proposal: Proposal): Finding[] {
  const { applied, fabric } = proposal;
  const root = applied.config.channelGroup;
  const orderer = root.groups.get('Orderer');
  const kinds = [
    [
      'orderer',
      'Orderer',
      '/Channel/Orderer/Capabilities',
      valueOrEmpty(orderer, 'orderer', 'Capabilities').capabilities,
    ],
    [
      'channel',
      'Channel',
      '/Channel/Capabilities',
      valueOrEmpty(root, 'channel', 'Capabilities').capabilities,
    ],
  ] as const;
  return kinds.flatMap(([kind, title, path, names]) =>
    unsupported(kind, names, fabric).map((name) => {
      const problem = `${title} capability ${name} is required but not supported`;
      return refused(`${applying(proposal)}config update is not compatible: `, {
        id: 'capability-unsupported',
        orderer: `config requires unsupported ${kind} capabilities: ${problem}: ${problem}`,
        path,
        data: { capability: name, group: kind, fabric },
      });
    }),
  );
}
