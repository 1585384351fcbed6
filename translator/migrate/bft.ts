// The updates that move a channel from Raft to BFT, in their order (Fabric's integration/raft/migration_test.go and
// orderer/common/msgprocessor/maintenancefilter.go). Each one is made for the config that results from the previous one.

import { is, requireTypes } from '../../proto/arguments.js';
import { OrdererConsensusType, OrdererSmartbftOptions } from '../../proto/messages.js';
import { replaceFields, writeMessage } from '../../proto/typed.js';
import {
  applyUpdate,
  type Config,
  readEnvelope,
  ROTATION_OFF,
  STATE_MAINTENANCE,
  STATE_NORMAL,
  channelOf,
  resultTypes,
} from '../channel/index.js';
import {
  withBftConsenters,
  setCapabilities,
  badEdit,
  edited,
  type Edited,
  changeGroup,
  withValue,
  unsignedUpdate,
} from '../edit/index.js';
import { bftConsentersOf, type ConsenterIdentity } from './identities.js';

/** The steps in their order. */
export const STEPS = ['capability', 'maintenance', 'bft', 'normal'] as const;
export type Step = (typeof STEPS)[number];

/** A step of a migration. */
export interface PlannedStep {
  readonly step: Step;
  /** The config that the update is made for: of the channel, or after the previous step. */
  readonly base: Config;
  /** An unsigned envelope with the update. */
  readonly envelope: Uint8Array;
  /** The changes, see `Edited.notes`. */
  readonly notes: readonly string[];
}

const ORDERER = ['Orderer'];

/** Fabric's defaults (smartbft/pkg/types/config.go), as in a recorded migration. */
const OPTIONS: OrdererSmartbftOptions = {
  requestBatchMaxCount: 100n,
  requestBatchMaxBytes: 10_485_760n,
  requestBatchMaxInterval: '50ms',
  incomingMessageBufferSize: 200n,
  requestPoolSize: 400n,
  requestForwardTimeout: '2s',
  requestComplainTimeout: '20s',
  requestAutoRemoveTimeout: '3m0s',
  requestMaxBytes: 0n,
  viewChangeResendInterval: '5s',
  viewChangeTimeout: '20s',
  leaderHeartbeatTimeout: '1m0s',
  leaderHeartbeatCount: 10n,
  collectTimeout: '1s',
  syncOnStart: true,
  speedUpViewChange: false,
  leaderRotation: ROTATION_OFF,
  decisionsPerLeader: 3n,
};

/**
 * Plans the migration of a channel. Completed steps are omitted.
 *
 * @param identities one for each consenter
 * @throws TranslateError BAD_EDIT if the channel or an identity is not suitable
 */
export async function planBft(
  config: Config,
  identities: readonly ConsenterIdentity[],
  channel: string,
  now = new Date(),
): Promise<PlannedStep[]> {
  requireTypes(
    { config, channel, now },
    { config: resultTypes.config, channel: is.text, now: is.date },
    'BAD_EDIT',
  );
  const { orderer, capabilities } = channelOf(config);
  const type = orderer.group === undefined ? 'missing' : orderer.consensus.type;
  if (type !== 'etcdraft')
    throw badEdit(
      `the consensus type of ${channel} is ${type}: only channels with etcdraft can be moved to BFT`,
    );
  const consenters = await bftConsentersOf(config, identities, now);
  const edits: readonly (readonly [Step, boolean, (config: Config) => Edited])[] = [
    ['capability', capabilities.has('V3_0'), (each) => setCapabilities(each, 'channel', ['V3_0'])],
    ['maintenance', orderer.isInMaintenance, (each) => setState(each, STATE_MAINTENANCE)],
    ['bft', false, (each) => switchToBft(each, consenters)],
    ['normal', false, (each) => setState(each, STATE_NORMAL)],
  ];
  const steps: PlannedStep[] = [];
  let current = config;
  for (const [step, isDone, edit] of edits) {
    if (isDone) continue;
    const { config: changed, notes } = edit(current);
    const { bytes: envelope } = unsignedUpdate(current, changed, channel);
    steps.push({ step, base: current, envelope, notes });
    current = applyUpdate(current, readEnvelope(envelope).update).config;
  }
  return steps;
}

function setState(config: Config, state: number): Edited {
  const group = changeGroup(config.channelGroup, ORDERER, (orderer) => {
    const { value } = orderer.values.get('ConsensusType')!;
    return withValue(orderer, 'ConsensusType', replaceFields(OrdererConsensusType, value, { state }));
  });
  const note =
    state === STATE_MAINTENANCE
      ? 'maintenance begins: orderers accept config updates only'
      : 'maintenance ends: orderers accept transactions again';
  return edited(config, group, note);
}

function switchToBft(config: Config, consenters: readonly Uint8Array[]): Edited {
  const group = changeGroup(config.channelGroup, ORDERER, (orderer) => {
    const { value } = orderer.values.get('ConsensusType')!;
    const metadata = writeMessage(OrdererSmartbftOptions, OPTIONS);
    const changed = withValue(
      orderer,
      'ConsensusType',
      replaceFields(OrdererConsensusType, value, { type: 'BFT', metadata }),
    );
    return withBftConsenters(
      changed,
      consenters.map((bytes) => ({ bytes })),
    );
  });
  return edited(
    config,
    group,
    `BFT with ${consenters.length} consenters, and a matching policy BlockValidation`,
  );
}
