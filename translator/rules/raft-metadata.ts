// The metadata of a Raft channel, except certificates (Fabric's orderer/consensus/etcdraft: chain.go ValidateConsensusMetadata, util.go
// VerifyConfigMetadata, membership.go).

import { parseDuration } from '../../core/common/text/go-duration.js';
import { attempt } from '../../proto/errors.js';
import {
  type MembershipChange,
  type RaftConsenter,
  type RaftMetadata,
  addressText,
  membershipChange,
  quorumLoss,
  readRaftMetadata,
} from '../channel/index.js';
import { type FindingWords, quoted, words } from '../documents/index.js';
import { type Active, applying } from './facts/proposal.js';
import { type RawFinding, defineCheck, defineRule, prefixed } from './rule.js';
import { consensusType } from './succession.js';

/** The reason that the Raft options or consenters are not valid. */
type RaftProblem =
  | { readonly problem: 'undecodable' | 'options-missing' | 'zero' | 'tick-interval-zero' | 'no-consenters' }
  | { readonly problem: 'election-tick'; readonly electionTick: number; readonly heartbeatTick: number }
  | { readonly problem: 'tick-interval'; readonly value: string }
  | { readonly problem: 'certificate-shared'; readonly consenter: string };

function raftWords(data: RaftProblem): FindingWords {
  const duration = 'set a duration with a unit, for example 500ms';
  switch (data.problem) {
    case 'undecodable':
      return words(
        'the metadata of the consensus type is not a serialized message',
        'set the metadata again from its JSON form',
      );
    case 'options-missing':
      return words('the Raft options are missing', 'set the options');
    case 'zero':
      return words(
        'one of heartbeat_tick, election_tick and max_inflight_blocks is 0',
        'set all of them to 1 or more',
      );
    case 'election-tick':
      return words(
        `election_tick ${data.electionTick} is not greater than heartbeat_tick ${data.heartbeatTick}`,
        'set election_tick to about ten times heartbeat_tick',
      );
    case 'tick-interval':
      return words(`the tick interval ${quoted(data.value)} is not a duration`, duration);
    case 'tick-interval-zero':
      return words('the tick interval is 0', duration);
    case 'no-consenters':
      return words('no consenter would be left', 'keep at least one consenter');
    case 'certificate-shared':
      break;
  }
  return words(
    `the consenter ${data.consenter} has a TLS certificate that another consenter has too`,
    'give each consenter its own TLS certificates',
  );
}

export interface ActiveConsenters {
  readonly active: number;
  readonly consenters: number;
  /** The update is refused only if the consenter that is removed or replaced is alive. */
  readonly ifAlive: boolean;
}

const quorumWords = ({ active, consenters, ifAlive }: ActiveConsenters): FindingWords =>
  words(
    `with ${active} of ${consenters} consenters alive, the update would leave fewer of them than a quorum${ifAlive ? ' if the one that is removed or replaced is alive; the orderer refuses that' : ''}`,
    `start the other consenters first${ifAlive ? ', or remove one that is not alive' : ''}`,
  );

const raftMetadata = defineRule({
  id: 'raft-metadata',
  severity: 'refused',
  meaning: 'the Raft consenters or options are not valid',
  words: raftWords,
});

const consentersQuorum = defineRule({
  id: 'consenters-quorum',
  severity: ['refused', 'warning'],
  meaning: 'too few consenters are alive for the change',
  words: quorumWords,
});

const consentersTooMany = defineRule({
  id: 'consenters-too-many',
  severity: 'refused',
  meaning: 'more than one consenter is added, removed or replaced',
  words: ({ added, removed }: { added: number; removed: number }) =>
    words(
      `the update adds ${added} consenters and removes ${removed}; only one may be added, removed or replaced`,
      'make one update for each consenter, and wait until a new one has joined',
    ),
});

const PATH = '/Channel/Orderer/ConsensusType';
const RAFT = 'etcdraft';
const ASCII = new TextDecoder('latin1');

function tryRead(metadata: Uint8Array): RaftMetadata | string {
  return attempt(
    () => readRaftMetadata(metadata),
    ({ message }) => message,
  );
}

/** Faults of the metadata by itself, in the order of Fabric's checks. */
function metadataRefusals(metadata: RaftMetadata): RawFinding[] {
  const { options, consenters } = metadata;
  if (options === undefined)
    return [refusal('nil Raft config metadata options', { problem: 'options-missing' })];
  const { heartbeatTick, electionTick, maxInflightBlocks } = options;
  const refusals: RawFinding[] = [];
  if (heartbeatTick === 0 || electionTick === 0 || maxInflightBlocks === 0)
    refusals.push(
      refusal(
        `none of HeartbeatTick (${heartbeatTick}), ElectionTick (${electionTick}) and MaxInflightBlocks (${maxInflightBlocks}) can be zero`,
        { problem: 'zero' },
      ),
    );
  if (electionTick <= heartbeatTick)
    refusals.push(
      refusal(`ElectionTick (${electionTick}) must be greater than HeartbeatTick (${heartbeatTick})`, {
        problem: 'election-tick',
        electionTick,
        heartbeatTick,
      }),
    );
  refusals.push(...tickRefusals(options.tickInterval));
  if (consenters.length === 0) refusals.push(refusal('empty consenter set', { problem: 'no-consenters' }));
  refusals.push(...duplicateRefusals(metadata));
  return refusals;
}

const refusal = (orderer: string, data: RaftProblem): RawFinding => raftMetadata.refused(orderer, PATH, data);

function tickRefusals(interval: string): RawFinding[] {
  const tick = parseDuration(interval);
  if ('error' in tick)
    return [
      refusal(`failed to parse TickInterval (${interval}) to time duration: ${tick.error}`, {
        problem: 'tick-interval',
        value: interval,
      }),
    ];
  return tick.nanoseconds === 0n
    ? [refusal('TickInterval cannot be zero', { problem: 'tick-interval-zero' })]
    : [];
}

function duplicateRefusals({ consenters }: RaftMetadata): RawFinding[] {
  const seen = new Set<string>();
  return consenters.flatMap((consenter) => {
    const { serverTlsCert, clientTlsCert } = consenter;
    const [server, client] = [ASCII.decode(serverTlsCert), ASCII.decode(clientTlsCert)];
    const isKnown = seen.has(server) || seen.has(client);
    seen.add(server).add(client);
    return isKnown
      ? [
          refusal(`duplicate consenter: server cert: ${server}, client cert: ${client}`, {
            problem: 'certificate-shared',
            consenter: addressText(consenter),
          }),
        ]
      : [];
  });
}

function membershipFindings(
  change: MembershipChange,
  prefix: string,
  present: readonly RaftConsenter[],
  given: Active | undefined,
): RawFinding[] {
  const { kind, added, removed, before, after } = change;
  const active = typeof given === 'object' ? given.size : (given ?? before);
  const isRemovedActive =
    typeof given === 'object' ? removed.some((each) => given.has(present.indexOf(each))) : undefined;
  if (kind === 'unsupported')
    return [
      consentersTooMany.refused(
        `${prefix}update of more than one consenter at a time is not supported, requested changes: add ${added.length} node(s), remove ${removed.length} node(s)`,
        PATH,
        { added: added.length, removed: removed.length },
      ),
    ];
  const loss = after === 0 ? 'no' : quorumLoss(change, active, isRemovedActive);
  return loss === 'no' ? [] : [quorumFinding(loss, active, before, prefix)];
}

function quorumFinding(loss: 'yes' | 'if-alive', active: number, before: number, prefix: string): RawFinding {
  const data = { active, consenters: before, ifAlive: loss === 'if-alive' };
  if (loss === 'if-alive') return consentersQuorum.at(PATH, data, 'warning');
  const orderer = `${prefix}${active} out of ${before} nodes are alive, configuration will result in quorum loss`;
  return consentersQuorum.refused(orderer, PATH, data);
}

/** The metadata and the number of consenters that change: one pass in the order of Fabric's checks. */
export const raftMembership = defineCheck({
  needs: 'proposal',
  rules: [raftMetadata, consensusType, consentersTooMany, consentersQuorum],
  isOfConfig: true,
  find(proposal) {
    const { before, after, active } = proposal;
    const [old, now] = [before.channel.orderer.consensus, after.channel.orderer.consensus];
    // Fabric does not check empty metadata, and the maintenance filter checks a migration.
    if (old.type !== RAFT || now.metadata.length === 0) return [];
    // Version 2.5 does not check the type here.
    if (after.program.fabric !== '2.5' && now.type !== RAFT) {
      const text = `illegal consensus type detected during consensus metadata validation: ${now.type}`;
      const data = { type: now.type, isAllowed: true };
      return now.type === 'BFT' ? [] : [consensusType.refused(text, PATH, data)];
    }
    const prefix = `${applying(proposal)}consensus metadata update for channel config update is invalid: `;
    const read = tryRead(now.metadata);
    if (typeof read === 'string')
      return prefixed(prefix, [
        refusal(`failed to unmarshal new etcdraft metadata configuration: ${read}`, {
          problem: 'undecodable',
        }),
      ]);
    const previous = tryRead(old.metadata);
    const present = typeof previous === 'string' ? [] : previous.consenters;
    const change = membershipChange(present, read.consenters);
    return [
      ...prefixed(`${prefix}invalid new config metadata: `, metadataRefusals(read)),
      ...membershipFindings(change, prefix, present, active),
    ];
  },
});
