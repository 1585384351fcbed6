// Hazards: the steps from Raft to BFT, which orderers accept too early (Fabric's orderer/common/msgprocessor/maintenancefilter.go looks at
// the config only, not at the orderers).

import { STATE_MAINTENANCE, STATE_NORMAL, valueOrEmpty } from '../../config/values.js';
import type { Facts } from '../facts/gather.js';
import { lackingBlock } from '../facts/orderers.js';
import { ordererOf, type State } from '../facts/state.js';
import { hazard, type Finding } from '../finding.js';

const PATH = '/Channel/Orderer/ConsensusType';

export function migrationHazards({ before, after, block, orderers }: Facts): Finding[] {
  const [old, current] = [stepOf(before), stepOf(after)];
  const findings: Finding[] = [];
  if (old === BFT_MAINTENANCE && current === BFT_NORMAL)
    findings.push(
      hazard(
        'danger',
        'bft-not-restarted',
        PATH,
        'orderers that have not been restarted since the switch to BFT still run Raft and accept this update: no peer can verify the blocks that follow, and none takes a block any more',
        'restart all orderers, then allow this',
      ),
    );
  if (old === current || !NEEDS_ALL.has(current)) return findings;
  const lacking = lackingBlock(orderers, block.number ?? 0n);
  if (lacking.length > 0)
    findings.push(
      hazard(
        'danger',
        'orderers-behind',
        PATH,
        `each orderer must have the newest config block before this step: ${lacking.join('; ')}`,
        'start the orderers, and wait until they have the block',
      ),
    );
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

function stepOf(state: State): string {
  const { type, state: mode } = valueOrEmpty(ordererOf(state), 'orderer', 'ConsensusType');
  return `${type} ${mode}`;
}
