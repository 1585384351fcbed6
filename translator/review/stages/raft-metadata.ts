// Stage: the metadata of a Raft channel, except certificates (Fabric's orderer/consensus/etcdraft: chain.go
// ValidateConsensusMetadata, util.go VerifyConfigMetadata, membership.go).

import { addressText } from '../../config/address.js';
import { TranslateError } from '../../../proto/errors.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';
import type { Config } from '../../config/element.js';
import { membershipChange, quorumLoss, raftQuorum, type MembershipChange } from '../../config/membership.js';
import {
  readRaftMetadata,
  valueOrEmpty,
  type ConsensusType,
  type RaftConsenter,
  type RaftMetadata,
} from '../../config/values.js';
import type { Active, Proposal } from '../facts/proposal.js';
import { applyingTo, refused, type Finding, type Refusal } from '../finding.js';

const PATH = '/Channel/Orderer/ConsensusType';
const RAFT = 'etcdraft';
const ASCII = new TextDecoder('latin1');

export function raftMetadataFindings({ channel, before, applied, active, fabric }: Proposal): Finding[] {
  const [old, now] = [consensusTypeOf(before), consensusTypeOf(applied.config)];
  // Fabric does not look at empty metadata, and the maintenance filter checks a migration.
  if (old.type !== RAFT || now.metadata.length === 0) return [];
  if (fabric !== '2.5' && now.type !== RAFT) return now.type === 'BFT' ? [] : [illegalType(now.type)];
  const prefix = `${applyingTo(channel)}consensus metadata update for channel config update is invalid: `;
  const metadata = tryRead(now.metadata);
  if (typeof metadata === 'string')
    return [
      refused(prefix, {
        id: 'raft-metadata',
        orderer: `failed to unmarshal new etcdraft metadata configuration: ${metadata}`,
        path: PATH,
        text: 'the metadata of the consensus type is not a serialized message',
        todo: 'set the metadata again from its JSON form',
      }),
    ];
  const previous = tryRead(old.metadata);
  const present = typeof previous === 'string' ? [] : previous.consenters;
  const change = membershipChange(present, metadata.consenters);
  return [
    ...metadataRefusals(metadata).map((refusal) =>
      refused(`${prefix}invalid new config metadata: `, refusal),
    ),
    ...membershipFindings(change, prefix, present, active),
  ];
}

/** Version 2.5 does not look at the type here. */
const illegalType = (type: string): Finding =>
  refused('', {
    id: 'consensus-type',
    orderer: `illegal consensus type detected during consensus metadata validation: ${type}`,
    path: PATH,
    text: `a channel cannot have the consensus type ${JSON.stringify(type)}`,
    todo: 'keep the consensus type, or migrate to BFT',
  });

const consensusTypeOf = ({ channelGroup }: Config): ConsensusType =>
  valueOrEmpty(channelGroup.groups.get('Orderer'), 'orderer', 'ConsensusType');

function tryRead(metadata: Uint8Array): RaftMetadata | string {
  try {
    return readRaftMetadata(metadata);
  } catch (error) {
    if (error instanceof TranslateError) return error.message;
    throw error;
  }
}

/** Faults of the metadata by itself, in the order of Fabric's checks. */
function metadataRefusals(metadata: RaftMetadata): Refusal[] {
  const refusal = (orderer: string, text: string, todo: string): Refusal => ({
    id: 'raft-metadata',
    orderer,
    path: PATH,
    text,
    todo,
  });
  const { options, consenters } = metadata;
  if (options === undefined)
    return [refusal('nil Raft config metadata options', 'the Raft options are missing', 'set the options')];
  const { heartbeatTick, electionTick, maxInflightBlocks } = options;
  const refusals: Refusal[] = [];
  if (heartbeatTick === 0 || electionTick === 0 || maxInflightBlocks === 0)
    refusals.push(
      refusal(
        `none of HeartbeatTick (${heartbeatTick}), ElectionTick (${electionTick}) and MaxInflightBlocks (${maxInflightBlocks}) can be zero`,
        'one of heartbeat_tick, election_tick and max_inflight_blocks is 0',
        'set all of them to 1 or more',
      ),
    );
  if (electionTick <= heartbeatTick)
    refusals.push(
      refusal(
        `ElectionTick (${electionTick}) must be greater than HeartbeatTick (${heartbeatTick})`,
        `election_tick ${electionTick} is not greater than heartbeat_tick ${heartbeatTick}`,
        'set election_tick to about ten times heartbeat_tick',
      ),
    );
  refusals.push(...tickRefusals(options.tickInterval, refusal));
  if (consenters.length === 0)
    refusals.push(
      refusal('empty consenter set', 'no consenter would be left', 'keep at least one consenter'),
    );
  refusals.push(...duplicateRefusals(metadata, refusal));
  return refusals;
}

type Make = (orderer: string, text: string, todo: string) => Refusal;

function tickRefusals(interval: string, refusal: Make): Refusal[] {
  const tick = parseDuration(interval);
  const todo = 'set a duration with a unit, for example 500ms';
  if ('error' in tick)
    return [
      refusal(
        `failed to parse TickInterval (${interval}) to time duration: ${tick.error}`,
        `the tick interval ${JSON.stringify(interval)} is not a duration`,
        todo,
      ),
    ];
  return tick.nanoseconds === 0n
    ? [refusal('TickInterval cannot be zero', 'the tick interval is 0', todo)]
    : [];
}

function duplicateRefusals({ consenters }: RaftMetadata, refusal: Make): Refusal[] {
  const seen = new Set<string>();
  return consenters.flatMap((consenter) => {
    const { serverTlsCert, clientTlsCert } = consenter;
    const [server, client] = [ASCII.decode(serverTlsCert), ASCII.decode(clientTlsCert)];
    const isKnown = seen.has(server) || seen.has(client);
    seen.add(server).add(client);
    return isKnown
      ? [
          refusal(
            `duplicate consenter: server cert: ${server}, client cert: ${client}`,
            `the consenter ${addressText(consenter)} has a TLS certificate that another consenter has too`,
            'give each consenter its own TLS certificates',
          ),
        ]
      : [];
  });
}

function membershipFindings(
  change: MembershipChange,
  prefix: string,
  present: readonly RaftConsenter[],
  given: Active | undefined,
): Finding[] {
  const { kind, added, removed, before, after } = change;
  const active = typeof given === 'object' ? given.size : (given ?? before);
  const isRemovedActive =
    typeof given === 'object' ? removed.some((each) => given.has(present.indexOf(each))) : undefined;
  if (kind === 'unsupported')
    return [
      refused(prefix, {
        id: 'consenters-too-many',
        orderer: `update of more than one consenter at a time is not supported, requested changes: add ${added.length} node(s), remove ${removed.length} node(s)`,
        path: PATH,
        text: `the update adds ${added.length} consenters and removes ${removed.length}; only one may be added, removed or replaced`,
        todo: 'make one update for each consenter, and wait until a new one has joined',
      }),
    ];
  const loss = after === 0 ? 'no' : quorumLoss(change, active, isRemovedActive);
  if (loss !== 'no') return [quorumFinding(loss, active, before, prefix)];
  return kind === 'added' && before <= raftQuorum(after) ? [mustJoin(before, after)] : [];
}

function quorumFinding(loss: 'yes' | 'if-alive', active: number, before: number, prefix: string): Finding {
  const refusal: Refusal = {
    id: 'consenters-quorum',
    orderer: `${active} out of ${before} nodes are alive, configuration will result in quorum loss`,
    path: PATH,
    text: `with ${active} of ${before} consenters alive, the update would leave fewer of them than a quorum`,
    todo: 'start the other consenters first',
  };
  if (loss === 'yes') return refused(prefix, refusal);
  const { id, path, text } = refusal;
  return {
    id,
    severity: 'warning',
    path,
    text: `${text} if the one that is removed or replaced is alive; the orderer refuses that`,
    todo: 'start the other consenters first, or remove one that is not alive',
  };
}

const mustJoin = (before: number, after: number): Finding => ({
  id: 'consenter-must-join',
  severity: 'warning',
  text:
    before < raftQuorum(after)
      ? `${before} → ${after} consenters: the channel stops until the new one joins`
      : `${before} → ${after} consenters: all ${before} present ones must be up until the new one joins`,
  path: PATH,
  todo: 'check that the new orderer is reachable, and let it join at once',
});
