// Stage: the metadata of a Raft channel, except certificates (Fabric's orderer/consensus/etcdraft: chain.go
// ValidateConsensusMetadata, util.go VerifyConfigMetadata, membership.go).

import { attempt } from '../../../proto/errors.js';
import {
  addressText,
  channelOf,
  membershipChange,
  quorumLoss,
  raftQuorum,
  type MembershipChange,
  readRaftMetadata,
  type RaftConsenter,
  type RaftMetadata,
} from '../../channel/index.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';
import type { Active, Proposal } from '../facts/proposal.js';
import type { Finding, FindingData } from '../../documents/index.js';
import { applying, finding, refused, type Refusal } from '../finding.js';

const PATH = '/Channel/Orderer/ConsensusType';
const RAFT = 'etcdraft';
const ASCII = new TextDecoder('latin1');

export function raftMetadataFindings(proposal: Proposal): Finding[] {
  const { before, applied, active, fabric } = proposal;
  const old = channelOf(before).orderer.consensus;
  const now = channelOf(applied.config).orderer.consensus;
  // Fabric does not look at empty metadata, and the maintenance filter checks a migration.
  if (old.type !== RAFT || now.metadata.length === 0) return [];
  if (fabric !== '2.5' && now.type !== RAFT) return now.type === 'BFT' ? [] : [illegalType(now.type)];
  const prefix = `${applying(proposal)}consensus metadata update for channel config update is invalid: `;
  const metadata = tryRead(now.metadata);
  if (typeof metadata === 'string')
    return [
      refused(prefix, {
        id: 'raft-metadata',
        orderer: `failed to unmarshal new etcdraft metadata configuration: ${metadata}`,
        path: PATH,
        data: { problem: 'undecodable' },
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
    data: { type, isAllowed: true },
  });

function tryRead(metadata: Uint8Array): RaftMetadata | string {
  return attempt(
    () => readRaftMetadata(metadata),
    ({ message }) => message,
  );
}

/** Faults of the metadata by itself, in the order of Fabric's checks. */
function metadataRefusals(metadata: RaftMetadata): Refusal[] {
  const { options, consenters } = metadata;
  if (options === undefined)
    return [refusal('nil Raft config metadata options', { problem: 'options-missing' })];
  const { heartbeatTick, electionTick, maxInflightBlocks } = options;
  const refusals: Refusal[] = [];
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

const refusal = (orderer: string, data: FindingData<'raft-metadata'>): Refusal => ({
  id: 'raft-metadata',
  orderer,
  path: PATH,
  data,
});

function tickRefusals(interval: string): Refusal[] {
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

function duplicateRefusals({ consenters }: RaftMetadata): Refusal[] {
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
        data: { added: added.length, removed: removed.length },
      }),
    ];
  const loss = after === 0 ? 'no' : quorumLoss(change, active, isRemovedActive);
  if (loss !== 'no') return [quorumFinding(loss, active, before, prefix)];
  return kind === 'added' && before <= raftQuorum(after) ? [mustJoin(before, after)] : [];
}

function quorumFinding(loss: 'yes' | 'if-alive', active: number, before: number, prefix: string): Finding {
  const data = { active, consenters: before, ifAlive: loss === 'if-alive' };
  if (loss === 'if-alive') return finding('warning', 'consenters-quorum', PATH, data);
  const orderer = `${active} out of ${before} nodes are alive, configuration will result in quorum loss`;
  return refused(prefix, { id: 'consenters-quorum', orderer, path: PATH, data });
}

const mustJoin = (before: number, after: number): Finding =>
  finding('warning', 'consenter-must-join', PATH, { before, after, stops: before < raftQuorum(after) });
