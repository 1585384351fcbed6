// Dangers: the steps from Raft to BFT, which orderers accept too early (Fabric's orderer/common/msgprocessor/maintenancefilter.go looks at
// the config only, not at the orderers).

import { STATE_MAINTENANCE, STATE_NORMAL } from '../../channel/index.js';
import type { Facts } from '../facts/gather.js';
import { lackingBlock } from '../facts/orderers.js';
import type { ChannelState } from '../../state/index.js';
import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';

const PATH = '/Channel/Orderer/ConsensusType';

export function migrationFindings({ before, after, block, orderers }: Facts): Finding[] {
  const [old, current] = [stepOf(before), stepOf(after)];
  const findings: Finding[] = [];
  if (old === BFT_MAINTENANCE && current === BFT_NORMAL)
    findings.push(finding('danger', 'bft-not-restarted', PATH, {}));
  if (old === current || !NEEDS_ALL.has(current)) return findings;
  const lacking = lackingBlock(orderers, block.number ?? 0n);
  if (lacking.length > 0) findings.push(finding('danger', 'orderers-behind', PATH, { orderers: lacking }));
  return findings;
}

const BFT_MAINTENANCE = `BFT ${STATE_MAINTENANCE}`;
const BFT_NORMAL = `BFT ${STATE_NORMAL}`;
/** What a step of a migration leads to. The way back to Raft is not one of them. */
const NEEDS_ALL: ReadonlySet<string> = new Set([
  `etcdraft ${STATE_MAINTENANCE}`,
  BFT_MAINTENANCE,
  BFT_NORMAL,
]);

function stepOf({ channel }: ChannelState): string {
  const { type, state } = channel.orderer.consensus;
  return `${type} ${state}`;
}
