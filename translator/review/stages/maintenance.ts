// Stage: the maintenance filter (Fabric's orderer/common/msgprocessor/maintenancefilter.go).

import { attempt } from '../../../proto/errors.js';
import { sameBytes } from '../../../proto/bytes.js';
import {
  allowsMaintenance,
  type BftVersion,
  type FabricVersion,
  channelOf,
  type Config,
  type ConfigGroup,
  readBftOptions,
  readRaftMetadata,
  smartBftFaults,
  STATE_NORMAL,
  type ConsensusType,
} from '../../channel/index.js';
import type { Proposal } from '../facts/proposal.js';
import type { Finding, FindingData } from '../../documents/index.js';
import { refused } from '../finding.js';

const PREFIX =
  'config update for existing channel did not pass maintenance checks: config transaction inspection failed: ';
const PATH = '/Channel/Orderer/ConsensusType';
const STATES = ['STATE_NORMAL', 'STATE_MAINTENANCE'];

/** The consensus types that a channel may change to. */
const TARGETS: Readonly<Record<FabricVersion, readonly string[]>> = {
  '2.5': ['etcdraft', 'solo', 'kafka'],
  '3.0': ['BFT'],
};

export function maintenanceFindings(proposal: Proposal): Finding[] {
  return problemsOf(proposal).map(([orderer, rule]) =>
    refused(PREFIX, {
      id: 'migration-invalid',
      orderer,
      path: PATH,
      data: typeof rule === 'string' ? { rule } : rule,
    }),
  );
}

type Rule = FindingData<'migration-invalid'>;

/** Fabric's text, and the rule. */
type Problem = readonly [orderer: string, rule: Exclude<Rule['rule'], 'target' | 'bft-options'> | Rule];

function problemsOf({ before, update, applied, fabric, bft }: Proposal): Problem[] {
  const { orderer } = channelOf(before);
  const { orderer: next } = channelOf(applied.config);
  if (next.group === undefined) return [];
  const [old, now] = [orderer.consensus, next.consensus];
  if (!allowsMaintenance(orderer.capabilities)) return withoutCapability(old, now);
  return [
    ...(old.state === now.state ? [] : stateProblems(update?.writeSet, old, now)),
    ...(old.type === now.type ? [] : typeProblems(old, now, { fabric, bft }, applied.config)),
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

/** What else the write set contains besides the consensus type, in Fabric's words. Unchanged elements count too. */
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
  { fabric, bft }: Pick<Proposal, 'fabric' | 'bft'>,
  config: Config,
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
  return now.type === 'BFT' ? bftProblems(old, now, bft, config) : [];
}

function bftProblems(old: ConsensusType, now: ConsensusType, version: BftVersion, config: Config): Problem[] {
  const problem = unreadable(() => readBftOptions(now.metadata));
  if (problem !== undefined)
    return [[`failed to unmarshal BFT metadata configuration: ${problem}`, 'bft-undecodable']];
  if (now.metadata.length === 0) return [['invalid BFT metadata configuration', 'bft-options-missing']];
  // The filter passes the metadata alone to SmartBFT, without the batch size.
  const [fault] = smartBftFaults(readBftOptions(now.metadata), version, { limitsRequest: false });
  if (fault !== undefined) return [['invalid BFT metadata configuration', { rule: 'bft-options', fault }]];
  const mapping = mappingProblem(old, config);
  return mapping === undefined
    ? []
    : [[`invalid BFT consenter mapping configuration: ${mapping}`, 'bft-consenters']];
}

function mappingProblem(old: ConsensusType, config: Config): string | undefined {
  const { consenters } = readRaftMetadata(old.metadata);
  const { consenters: consenterMapping } = channelOf(config).orderer;
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
