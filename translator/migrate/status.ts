// The progress of the migration of a channel from Raft to BFT, and the next steps.

import { is, requireTypes } from '../../proto/arguments.js';
import { type Config, channelOf, resultTypes } from '../channel/index.js';
import { blockValidationFault, lackingBlock, type OrdererProgress } from '../rules/index.js';

/** The progress of a channel. */
export type Phase = 'no V3_0' | 'ready' | 'maintenance' | 'BlockValidation' | 'restart' | 'done';

/** The status of a channel. It can be written as JSON. */
export interface MigrationStatus {
  readonly channel: string;
  /** The number of the newest config block. */
  readonly block: string;
  readonly phase: Phase;
  readonly orderers: readonly OrdererProgress[];
  /** The next steps, sentences without a period. */
  readonly next: readonly string[];
}

const NEXT: Readonly<Record<Phase, readonly string[]>> = {
  'no V3_0': [
    'check that all orderers and peers run Fabric 3.0 or newer: older ones stop at the capability V3_0',
    'submit the step capability',
  ],
  ready: ['stop the clients: orderers in maintenance refuse transactions', 'submit the step maintenance'],
  maintenance: [
    'back up all orderers and peers: after the step bft, only the backups allow a return to Raft',
    'submit the step bft',
    'then restart all orderers',
  ],
  BlockValidation: [
    'set BlockValidation to match the consenters: until then each orderer alone can create blocks',
    'do not submit the step normal: orderers refuse it',
  ],
  restart: [
    'restart all orderers: until its restart, an orderer still runs Raft, and the step normal would stop all peers',
    'then submit the step normal, with --allow bft-not-restarted',
  ],
  done: ['start the clients again'],
};

/** The status of a channel, from its newest config and the number of its block. */
export function migrationStatus(
  config: Config,
  orderers: readonly OrdererProgress[],
  channel: string,
  block: bigint,
): MigrationStatus {
  requireTypes(
    { config, orderers, channel, block },
    { config: resultTypes.config, orderers: is.list(is.record({})), channel: is.text, block: is.bigint },
  );
  const phase = phaseOf(config);
  const lacking = phase === 'done' ? [] : lackingBlock(orderers, block);
  const next =
    lacking.length === 0
      ? NEXT[phase]
      : [
          `wait until all orderers have block ${block}: ${lacking.join('; ')}`,
          'do not submit another step until then',
        ];
  return { channel, block: String(block), phase, orderers, next };
}

function phaseOf(config: Config): Phase {
  const { orderer, capabilities } = channelOf(config);
  if (!orderer.isBft) {
    if (!capabilities.has('V3_0')) return 'no V3_0';
    return orderer.isInMaintenance ? 'maintenance' : 'ready';
  }
  if (blockValidationFault(orderer.group!) !== undefined) return 'BlockValidation';
  return orderer.isInMaintenance ? 'restart' : 'done';
}
