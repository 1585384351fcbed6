// How far the migration of a channel from Raft to BFT is, and what comes next.

import type { Config } from '../config/element.js';
import { channelView } from '../config/view.js';
import { policyRefusals } from '../review/stages/bft.js';

/** Where a channel is. */
export type Stage = 'no V3_0' | 'ready' | 'maintenance' | 'BlockValidation' | 'restart' | 'done';

/** What an orderer says. */
export interface OrdererProgress {
  readonly address: string;
  /** The number of its newest config block; null if it does not respond. */
  readonly block: string | null;
  /** Why it does not respond; null if it does. */
  readonly reason: string | null;
}

/** A channel. Everything in it can be written as JSON. */
export interface MigrationStatus {
  readonly channel: string;
  /** The number of the newest config block. */
  readonly block: string;
  readonly stage: Stage;
  readonly orderers: readonly OrdererProgress[];
  /** What is next, sentences without a period. */
  readonly next: readonly string[];
}

const NEXT: Readonly<Record<Stage, readonly string[]>> = {
  'no V3_0': [
    'see that all orderers and peers run Fabric 3.0 or newer: older ones stop at the capability V3_0',
    'submit the step capability',
  ],
  ready: [
    'stop the clients, and back up the files of each orderer: there is no way back after the step bft',
    'submit the step maintenance',
  ],
  maintenance: ['submit the step bft', 'do not restart orderers before it'],
  BlockValidation: [
    'set BlockValidation so that it fits the consenters: until then each orderer alone can make blocks',
    'do not submit the step normal: orderers refuse it',
  ],
  restart: [
    'restart all orderers, if that is not done yet: until then they run Raft',
    'then submit the step normal',
  ],
  done: ['start the clients again'],
};

/** The status of a channel by its newest config. */
export function migrationStatus(
  channel: string,
  block: bigint,
  config: Config,
  orderers: readonly OrdererProgress[],
): MigrationStatus {
  const stage = stageOf(config);
  const behind = orderers.filter((each) => each.block !== String(block));
  const isWaiting = stage !== 'done' && behind.length > 0;
  const wait = behind.map(
    ({ address, block: own, reason }) =>
      `${address} ${reason === null ? `has config block ${own ?? ''} only` : `does not respond (${reason})`}`,
  );
  const next = isWaiting
    ? [`wait until all orderers have block ${block}: ${wait.join('; ')}`, 'do not submit another step before']
    : NEXT[stage];
  return { channel, block: String(block), stage, orderers, next };
}

function stageOf(config: Config): Stage {
  const { orderer, capabilities } = channelView(config);
  if (orderer?.consensusType !== 'BFT') {
    if (!capabilities.includes('V3_0')) return 'no V3_0';
    return orderer?.maintenance === true ? 'maintenance' : 'ready';
  }
  if (policyRefusals(config.channelGroup.groups.get('Orderer')!).length > 0) return 'BlockValidation';
  return orderer.maintenance ? 'restart' : 'done';
}
