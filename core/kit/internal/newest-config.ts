// The newest config of a channel that any checker has read.

import type { ChannelConsenters, Facts } from '../../contract/internal/index.js';

/** The consenters in the newest config of a channel in the ledger folders of all monitored nodes; undefined: none was read. */
export function newestConsenters(
  facts: Pick<Facts, 'latest'>,
  channel: string,
): ChannelConsenters | undefined {
  let newest: ChannelConsenters | undefined;
  for (const each of facts.latest('consenters').flatMap(({ value }) => value))
    if (each.channel === channel && each.block > (newest?.block ?? -1)) newest = each;
  return newest;
}
