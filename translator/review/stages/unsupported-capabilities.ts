// Stage: capabilities that the orderers' program does not support (Fabric's common/channelconfig/bundle.go and
// orderer/common/multichannel/ledgerresources.go, checkResources).

import { unsupported, channelOf } from '../../channel/index.js';
import type { Proposal } from '../facts/proposal.js';
import type { Finding } from '../../documents/index.js';
import { applying, refused } from '../finding.js';

export function unsupportedCapabilityFindings(proposal: Proposal): Finding[] {
  const { applied, fabric } = proposal;
  const channel = channelOf(applied.config);
  const kinds = [
    ['orderer', 'Orderer', '/Channel/Orderer/Capabilities', channel.orderer.capabilities],
    ['channel', 'Channel', '/Channel/Capabilities', channel.capabilities],
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
