// Maintenance mode, and the steps from Raft to BFT: the maintenance filter (Fabric's orderer/common/msgprocessor/maintenancefilter.go), and
// steps that orderers accept too early, because the filter checks only the config, not the orderers.

import { sameBytes } from '../../proto/bytes.js';
import { attempt } from '../../proto/errors.js';
import {
  type BftVersion,
  type Channel,
  type ConfigGroup,
  type ConsensusType,
  type FabricVersion,
  type SmartBftFault,
  STATE_MAINTENANCE,
  STATE_NORMAL,
  allowsMaintenance,
  readBftOptions,
  readRaftMetadata,
  smartBftFaults,
} from '../channel/index.js';
import { type FindingWords, words } from '../documents/index.js';
import { BATCH, smartBftWords } from './bft-options.js';
import type { ChannelState } from '../state/index.js';
import { lackingBlock } from './facts/orderers.js';
import type { Proposal } from './facts/proposal.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The rules of maintenance mode or of a migration that an update can break. */
const MIGRATION = {
  'state-not-allowed': 'the capabilities of the orderer group do not allow the maintenance state',
  'type-not-allowed': 'the capabilities of the orderer group do not allow another consensus type',
  'state-not-alone': 'the state changes together with something else',
  'state-and-type': 'state and consensus type change in one update',
  'state-and-metadata': 'state and metadata change in one update',
  'not-in-maintenance': 'the consensus type changes although the channel is not in maintenance',
  'leaves-maintenance': 'the consensus type changes while the channel leaves maintenance',
  'raft-undecodable': 'the Raft metadata does not parse',
  'bft-undecodable': 'the BFT options do not parse',
  'bft-options-missing': 'the BFT options are missing',
  'bft-consenters':
    'the BFT consenters do not have the hosts, ports and TLS certificates of the Raft consenters',
} as const;

/** A broken rule of maintenance mode or of a migration. */
type MigrationProblem =
  | { readonly rule: keyof typeof MIGRATION }
  | { readonly rule: 'target'; readonly type: string }
  | { readonly rule: 'bft-options'; readonly fault: SmartBftFault };

function migrationWords(data: MigrationProblem): FindingWords {
  if (data.rule === 'bft-options') {
    const { text, todo } = smartBftWords(data.fault, BATCH.metadata);
    return words(`${text} in the options of BFT`, todo);
  }
  return words(
    data.rule === 'target' ? `a channel cannot change to ${data.type}` : MIGRATION[data.rule],
    'change the state alone in one update, then the type in maintenance, then the state back',
  );
}

const migrationInvalid = defineRule({
  id: 'migration-invalid',
  severity: 'refused',
  meaning: 'the update breaks a rule of maintenance mode or of a consensus migration',
  words: migrationWords,
});

const orderersBehind = defineRule({
  id: 'orderers-behind',
  severity: 'danger',
  meaning: 'an orderer does not have the newest config block, which a migration needs',
  words: ({ orderers }: { orderers: readonly string[] }) =>
    words(
      `each orderer must have the newest config block before this step: ${orderers.join('; ')}`,
      'start the orderers, and wait until they have the block',
    ),
});

const bftNotRestarted = defineRule({
  id: 'bft-not-restarted',
  severity: 'danger',
  meaning: 'the orderers may still run Raft when maintenance ends with BFT',
  words: () =>
    words(
      'orderers that have not been restarted since the switch to BFT still run Raft and accept this update: no peer can verify the blocks that follow, and none takes a block any more',
      'restart all orderers, then allow this',
    ),
});

const PREFIX =
  'config update for existing channel did not pass maintenance checks: config transaction inspection failed: ';
const PATH = '/Channel/Orderer/ConsensusType';
const STATES = ['STATE_NORMAL', 'STATE_MAINTENANCE'];

/** The consensus types that a channel may change to. */
const TARGETS: Readonly<Record<FabricVersion, readonly string[]>> = {
  '2.5': ['etcdraft', 'solo', 'kafka'],
  '3.0': ['BFT'],
};

/** The refusals of the maintenance filter. */
export const maintenance = defineCheck({
  needs: 'proposal',
  rules: [migrationInvalid],
  find: (proposal) =>
    problemsOf(proposal).map(([orderer, rule]) =>
      migrationInvalid.refused(PREFIX + orderer, PATH, typeof rule === 'string' ? { rule } : rule),
    ),
});

/** Fabric's text, and the rule. */
type Problem = readonly [orderer: string, rule: keyof typeof MIGRATION | MigrationProblem];

function problemsOf({ before, after, update }: Proposal): Problem[] {
  const { orderer } = before.channel;
  const { orderer: next } = after.channel;
  if (next.group === undefined) return [];
  const [old, now] = [orderer.consensus, next.consensus];
  if (!allowsMaintenance(orderer.capabilities)) return withoutCapability(old, now);
  return [
    ...(old.state === now.state ? [] : stateProblems(update?.writeSet, old, now)),
    ...(old.type === now.type ? [] : typeProblems(old, now, after)),
  ];
}

function withoutCapability(old: ConsensusType, now: ConsensusType): Problem[] {
  const problems: Problem[] = [];
  if (now.state !== STATE_NORMAL)
    problems.push([
      `next config attempted to change ConsensusType.State to ${stateName(now.state)}, but capability is disabled`,
      'state-not-allowed',
    ]);
  if (old.type !== now.type)
    problems.push([
      `next config attempted to change ConsensusType.Type from ${old.type} to ${now.type}, but capability is disabled`,
      'type-not-allowed',
    ]);
  return problems;
}

function stateProblems(writeSet: ConfigGroup | undefined, old: ConsensusType, now: ConsensusType): Problem[] {
  const [from, to] = [stateName(old.state), stateName(now.state)];
  const alone = aloneProblem(writeSet);
  const problems: Problem[] = alone === undefined ? [] : [[alone, 'state-not-alone']];
  if (old.type !== now.type)
    problems.push([
      `attempted to change ConsensusType.Type from ${old.type} to ${now.type}, but ConsensusType.State is changing from ${from} to ${to}`,
      'state-and-type',
    ]);
  if (!sameBytes(old.metadata, now.metadata))
    problems.push([
      `attempted to change ConsensusType.Metadata, but ConsensusType.State is changing from ${from} to ${to}`,
      'state-and-metadata',
    ]);
  return problems;
}

/** The elements of the write set besides the consensus type, in Fabric's words. Unchanged elements count too. */
function aloneProblem(writeSet: ConfigGroup | undefined): string | undefined {
  if (writeSet === undefined || writeSet.groups.size === 0) return 'config update contains no changes';
  if (writeSet.values.size > 0) return 'config update contains changes to values in group Channel';
  if (writeSet.groups.size > 1) return 'config update contains changes to more than one group';
  const orderer = writeSet.groups.get('Orderer');
  if (orderer === undefined) return 'update does not contain the Orderer group';
  if (orderer.groups.size > 0) return 'config update contains changes to groups within the Orderer group';
  if (!orderer.values.has('ConsensusType')) return 'config update does not contain the ConsensusType value';
  if (orderer.values.size > 1)
    return 'config update contain more then just the ConsensusType value in the Orderer group';
  return undefined;
}

function typeProblems(
  old: ConsensusType,
  now: ConsensusType,
  { channel, program: { fabric, bft } }: ChannelState,
): Problem[] {
  const change = `attempted to change consensus type from ${old.type} to ${now.type}`;
  if (old.state === STATE_NORMAL)
    return [
      [`${change}, but current config ConsensusType.State is not in maintenance mode`, 'not-in-maintenance'],
    ];
  if (now.state === STATE_NORMAL)
    return [
      [`${change}, but next config ConsensusType.State is not in maintenance mode`, 'leaves-maintenance'],
    ];
  if (!TARGETS[fabric].includes(now.type))
    return [[`${change}, transition not supported`, { rule: 'target', type: now.type }]];
  if (now.type === 'etcdraft') {
    const problem = unreadable(() => readRaftMetadata(now.metadata));
    return problem === undefined
      ? []
      : [[`failed to unmarshal etcdraft metadata configuration: ${problem}`, 'raft-undecodable']];
  }
  return now.type === 'BFT' ? bftProblems(old, now, bft, channel) : [];
}

function bftProblems(
  old: ConsensusType,
  now: ConsensusType,
  version: BftVersion,
  channel: Channel,
): Problem[] {
  const problem = unreadable(() => readBftOptions(now.metadata));
  if (problem !== undefined)
    return [[`failed to unmarshal BFT metadata configuration: ${problem}`, 'bft-undecodable']];
  if (now.metadata.length === 0) return [['invalid BFT metadata configuration', 'bft-options-missing']];
  // The filter passes the metadata alone to SmartBFT, without the batch size.
  const [fault] = smartBftFaults(readBftOptions(now.metadata), version, { limitsRequest: false });
  if (fault !== undefined) return [['invalid BFT metadata configuration', { rule: 'bft-options', fault }]];
  const mapping = mappingProblem(old, channel);
  return mapping === undefined
    ? []
    : [[`invalid BFT consenter mapping configuration: ${mapping}`, 'bft-consenters']];
}

function mappingProblem(old: ConsensusType, { orderer }: Channel): string | undefined {
  const { consenters } = readRaftMetadata(old.metadata);
  const { consenters: consenterMapping } = orderer;
  if (consenterMapping.length === 0) return 'Invalid new config: bft consenters are missing';
  if (consenterMapping.length !== consenters.length)
    return `Invalid new config: the number of bft consenters: ${consenterMapping.length} is not equal to the number of raft consenters: ${consenters.length}`;
  const isSame = consenters.every((raft) =>
    consenterMapping.some(
      (bft) =>
        bft.host === raft.host &&
        bft.port === raft.port &&
        sameBytes(bft.clientTlsCert, raft.clientTlsCert) &&
        sameBytes(bft.serverTlsCert, raft.serverTlsCert),
    ),
  );
  return isSame ? undefined : 'No suitable BFT consenter for Raft consenter: …';
}

function unreadable(read: () => unknown): string | undefined {
  return attempt(
    () => void read(),
    ({ message }) => message,
  );
}

const stateName = (state: number): string => STATES[state] ?? String(state);

/** The current step of a migration, and its requirements for the orderers. */
export const migrationSteps = defineCheck({
  needs: 'update',
  rules: [bftNotRestarted, orderersBehind],
  find({ before, after, block, orderers }) {
    const [old, current] = [stepOf(before), stepOf(after)];
    const findings: RawFinding[] = [];
    if (old === BFT_MAINTENANCE && current === BFT_NORMAL) findings.push(bftNotRestarted.at(PATH, {}));
    if (old === current || !NEEDS_ALL.has(current)) return findings;
    const lacking = lackingBlock(orderers, block.number ?? 0n);
    if (lacking.length > 0) findings.push(orderersBehind.at(PATH, { orderers: lacking }));
    return findings;
  },
});

const BFT_MAINTENANCE = `BFT ${STATE_MAINTENANCE}`;
const BFT_NORMAL = `BFT ${STATE_NORMAL}`;
/** The consensus types and states after the steps of a migration, without the way back to Raft. */
const NEEDS_ALL: ReadonlySet<string> = new Set([
  `etcdraft ${STATE_MAINTENANCE}`,
  BFT_MAINTENANCE,
  BFT_NORMAL,
]);

function stepOf({ channel }: ChannelState): string {
  const { type, state } = channel.orderer.consensus;
  return `${type} ${state}`;
}
