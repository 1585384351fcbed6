// Stages about the update itself: whether all of it is understood, its channel, read set, write set, versions, names and mod_policies.

import { updateFault } from '../../channel/index.js';
import type { Finding } from '../../documents/index.js';
import type { Facts } from '../facts/gather.js';
import type { Proposal } from '../facts/proposal.js';
import { applying, finding, refused } from '../finding.js';

/** The update has one meaning only. An orderer may accept other ones, but nobody should sign them. */
export function understoodFindings({ file }: Facts): Finding[] {
  const content = updateFault(file.update);
  return content === undefined ? [] : [finding('refused', 'update-not-canonical', '', { content })];
}

/** An orderer finds the channel by the header of the envelope. */
export function channelFindings({ file, block }: Facts): Finding[] {
  if (file.channel === undefined || block.channel === undefined || file.channel === block.channel) return [];
  return [
    refused('', {
      id: 'channel-mismatch',
      orderer: 'channel does not exist',
      path: '',
      data: { channel: file.channel, expected: block.channel },
    }),
  ];
}

/** The rules that the update breaks, in the order of Fabric's checks (common/configtx/update.go). */
export function versionFindings(proposal: Proposal): Finding[] {
  return proposal.applied.faults.map(({ rule, text, path = '' }) =>
    refused(`${applying(proposal)}error authorizing update: `, {
      id: `update-${rule}`,
      orderer: text,
      path,
      data: {},
    }),
  );
}
