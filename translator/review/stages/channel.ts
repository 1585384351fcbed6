// Stage: the channel of the envelope.

import type { Facts } from '../facts/gather.js';
import { refused, type Finding } from '../finding.js';

/** An orderer finds the channel by the header of the envelope. */
export function channelFindings({ file, block }: Facts): Finding[] {
  if (file.channel === undefined || block.channel === undefined || file.channel === block.channel) return [];
  return [
    refused('', {
      id: 'channel-mismatch',
      orderer: 'channel does not exist',
      path: '',
      text: `the envelope is for the channel ${JSON.stringify(file.channel)}, the block is of ${JSON.stringify(block.channel)}`,
      todo: 'use a block of the channel, or correct the channel_id of the envelope',
    }),
  ];
}
