// Findings about the ordering service: batches, consenters, Raft and BFT options, maintenance.

import type { SmartBftFault } from '../../channel/index.js';
import { quoted, words, type FindingWords } from './words.js';

/** What SmartBFT does with options that it does not accept. */
const STOPS = 'the orderers stop when they apply it, and do not start again';

/** Why the Raft options or consenters are not valid. */
export type RaftProblem =
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

/** Why an option of BFT is out of range. */
export type BftOptionProblem = Exclude<SmartBftFault, { readonly problem: 'duration' }>;

/** The options that limit a batch: those of the batch size, or in the metadata alone. */
const BATCH = {
  size: ['max_message_count of the batch size', 'absolute_max_bytes of the batch size'],
  metadata: ['request_batch_max_count', 'request_batch_max_bytes'],
} as const;

function smartBftWords(
  data: SmartBftFault,
  [count, bytes]: (typeof BATCH)[keyof typeof BATCH],
): FindingWords {
  switch (data.problem) {
    case 'duration':
      return words(
        `${data.option} ${quoted(data.value)} is not a positive duration`,
        'set a duration with a unit, for example 20s',
      );
    case 'zero':
      return words(`${data.option} is ${data.value}`, 'set it to 1 or more');
    case 'batch':
      return words(`${count} ${data.count} is more than ${bytes} ${data.bytes}`, `lower ${count}`);
    case 'request':
      return data.isDefault
        ? words(`${bytes} ${data.bytes} is less than ${data.value}`, `set it to ${data.value} or more`)
        : words(
            `request_max_bytes ${data.value} is more than ${bytes} ${data.bytes}`,
            `lower request_max_bytes, or raise ${bytes}`,
          );
    case 'order':
      return words(
        `${data.option} ${data.value} is longer than ${data.limit} ${data.limitValue}`,
        `set ${data.option} to at most ${data.limit}`,
      );
    case 'rotation':
      break;
  }
  return words(
    'leader rotation is on and decisions_per_leader is 0',
    'set decisions_per_leader, or turn leader rotation off',
  );
}

function stopWords(data: SmartBftFault): FindingWords {
  const { text, todo } = smartBftWords(data, BATCH.size);
  return words(`${text}: ${STOPS}`, todo);
}

/** Which rule of maintenance mode or of a migration an update breaks. */
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
export type MigrationProblem =
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

/** What BlockValidation must require; null if the policy is missing. */
export interface BlockValidationProblem {
  readonly required: { readonly quorum: number; readonly consenters: number } | null;
}

const blockValidationWords = ({ required }: BlockValidationProblem): FindingWords =>
  words(
    required === null
      ? 'the policy BlockValidation is missing'
      : `BlockValidation must require ${required.quorum} of the ${required.consenters} identities of the consenters, in the order of Orderers`,
    'set BlockValidation in the same update so that it fits the consenters',
  );

export interface Quorum {
  readonly active: number;
  readonly consenters: number;
  /** The update is refused only if the consenter that is removed or replaced is alive. */
  readonly ifAlive: boolean;
}

const quorumWords = ({ active, consenters, ifAlive }: Quorum): FindingWords =>
  words(
    `with ${active} of ${consenters} consenters alive, the update would leave fewer of them than a quorum${ifAlive ? ' if the one that is removed or replaced is alive; the orderer refuses that' : ''}`,
    `start the other consenters first${ifAlive ? ', or remove one that is not alive' : ''}`,
  );

export type BatchSize =
  | { readonly field: string; readonly value: number }
  | { readonly field: string; readonly value: number; readonly limit: number };

/** Consenters that change; `type` is the consensus type. The channel stops at once, or at the next restart. */
export interface ChangedConsenters {
  readonly type: 'etcdraft' | 'BFT';
  readonly isAtOnce: boolean;
  readonly consenters: number;
  readonly quorum: number;
  readonly changed: readonly string[];
}

/** How many consenters are named. */
const NAMES_SHOWN = 5;

const namesOf = (names: readonly string[]): string =>
  names.slice(0, NAMES_SHOWN).join(', ') +
  (names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '');

function changedWords(data: ChangedConsenters): FindingWords {
  const { type, isAtOnce, consenters, quorum, changed } = data;
  const count = changed.length === consenters ? 'all' : String(changed.length);
  const what = type === 'BFT' ? 'id, identity or address' : 'address or certificates';
  const stops = isAtOnce ? 'at once' : 'at the next restart, until the orderers run with the new ones';
  return words(
    `${count} of ${consenters} consenters change their ${what} (${namesOf(changed)}), and ${quorum} must be up: the channel stops ${stops}`,
    'change one consenter at a time (of two, add a third one first): submit the update, restart its orderer, wait until it has the newest block',
  );
}

/** An election timeout; `hasLeader` if the orderers still agree on a leader. */
export interface ShortElection {
  readonly electionTick: number;
  readonly tickInterval: string;
  readonly hasLeader: boolean;
}

/** A timeout; `isOrdered` if requests still get into a block. */
export interface ShortTimeout {
  readonly option: string;
  readonly value: string;
  readonly isOrdered: boolean;
}

export const ORDERERS = {
  'batch-size': (data: BatchSize) =>
    'limit' in data
      ? words(
          `preferred_max_bytes ${data.value} is more than absolute_max_bytes ${data.limit}`,
          'lower preferred_max_bytes or raise absolute_max_bytes',
        )
      : words(`${data.field} of the batch size is 0`, 'set it to 1 or more'),
  'batch-timeout': ({ timeout, duration }: { timeout: string; duration: string | null }) =>
    words(
      duration === null
        ? `the batch timeout ${quoted(timeout)} is not a duration`
        : `the batch timeout is ${duration}`,
      'set a duration with a unit, for example 2s or 500ms',
    ),
  'batch-timeout-long': ({ option, value }: { option: string; value: string }) =>
    words(
      `${option} ${value}: a transaction waits that long until others fill the block`,
      'set it to about 2s',
    ),
  'batch-bytes-large': ({ value, limit }: { value: string; limit: number }) =>
    words(
      `absolute_max_bytes ${value} is more than ${limit}, the largest message that orderers and peers receive: a block above that reaches nobody, and the channel stops`,
      'set it to at most 49 MB: a block has more than its transactions',
    ),
  'kafka-broker': ({ broker }: { broker: string }) =>
    words(`${quoted(broker)} is not the address of a Kafka broker`, 'write it as host:port'),
  'kafka-brokers': ({ type }: { type: string }) =>
    words(`KafkaBrokers has no effect with the consensus type ${quoted(type)}`, 'remove KafkaBrokers'),

  'consensus-type': ({ type, isAllowed }: { type: string; isAllowed: boolean }) =>
    isAllowed
      ? words(
          `a channel cannot have the consensus type ${quoted(type)}`,
          'keep the consensus type, or migrate to BFT',
        )
      : words(
          'the capabilities of the channel do not allow another consensus type',
          'set the channel capability V1_4_2 or later first',
        ),
  'consensus-state-unknown': ({ state }: { state: number }) =>
    words(`${state} is no state of the consensus type`, 'set it to STATE_NORMAL or STATE_MAINTENANCE'),
  'maintenance-entered': () =>
    words(
      'in maintenance the orderers accept only updates of orderer organisations, no transactions',
      'set the state back to STATE_NORMAL when the migration is done',
    ),
  'migration-invalid': migrationWords,
  'orderers-behind': ({ orderers }: { orderers: readonly string[] }) =>
    words(
      `each orderer must have the newest config block before this step: ${orderers.join('; ')}`,
      'start the orderers, and wait until they have the block',
    ),

  'consenter-certificate': ({ consenter, isNew }: { consenter: string; isNew: boolean }) =>
    words(
      `a TLS certificate of the ${isNew ? 'new ' : ''}consenter ${consenter} is not valid`,
      isNew
        ? 'use TLS certificates that are valid now and come from a TLS CA of an orderer organisation of the channel'
        : 'keep the TLS CA of the certificate in the MSP of an orderer organisation, or replace the certificate first',
    ),
  'consenters-quorum': quorumWords,
  'consenters-too-many': ({ added, removed }: { added: number; removed: number }) =>
    words(
      `the update adds ${added} consenters and removes ${removed}; only one may be added, removed or replaced`,
      'make one update for each consenter, and wait until a new one has joined',
    ),
  'consenter-must-join': ({ before, after, stops }: { before: number; after: number; stops: boolean }) =>
    words(
      `${before} → ${after} consenters: ${stops ? 'the channel stops' : `all ${before} present ones must be up`} until the new one joins`,
      'check that the new orderer is reachable, and let it join at once',
    ),
  'consenters-changed': changedWords,
  'consenter-unreachable': ({ consenters, spare }: { consenters: readonly string[]; spare: number | null }) =>
    words(
      `after the next restart, the orderers cannot reach ${spare === null ? 'each other' : 'some of them'}: the TLS certificates of the consenters ${consenters.join(', ')} do not chain to the TLS CAs of their organisation${spare === null ? '' : `; ${spare === 0 ? 'none' : `at most ${spare}`} of the others may fail then`}`,
      'keep the previous TLS CA in the MSP until all consenters have certificates of the new one',
    ),
  'consenter-address': ({ consenter }: { consenter: string }) =>
    words(
      `the consenter ${quoted(consenter)} has no host or no port: the others cannot reach it`,
      'set its host and port',
    ),
  'consenter-expired': (data: ConsenterCertificate & { notAfter: string; isExpired: boolean }) =>
    words(
      `${consenterCertificate(data)} ${data.isExpired ? 'expired' : 'expires'} on ${data.notAfter.slice(0, 10)}`,
      'renew it; a new certificate with the same key needs no config update',
    ),
  'consenter-key-usage': (data: ConsenterCertificate) =>
    words(
      `${consenterCertificate(data)} is not for TLS ${data.use}s: the other consenters do not connect to it`,
      `use a certificate with the extended key usages of a TLS client and server`,
    ),
  'consenters-no-fault-tolerance': (data: { consenters: number; quorum: number; recommended: number }) =>
    words(
      `with ${data.consenters} consenters, ${data.quorum} must be up: the channel stops when one fails`,
      `have ${data.recommended} consenters or more`,
    ),

  'raft-metadata': raftWords,
  'raft-metadata-empty': () =>
    words(
      'the metadata of the consensus type is empty: the channel has no consenters and stops',
      'keep the consenters and options in the metadata',
    ),
  'raft-tick-negative': ({ tickInterval }: { tickInterval: string }) =>
    words(
      `the tick interval ${tickInterval} is negative: the orderers panic`,
      'set a positive duration, for example 500ms',
    ),
  'raft-election-timeout': (data: { electionTick: number; tickInterval: string }) =>
    words(
      `election_tick ${data.electionTick} × tick_interval ${data.tickInterval} is more than a minute: after the next restart, the channel has no leader for that long and takes no updates`,
      'set a tick interval of about 500ms and an election_tick of about 10',
    ),
  'raft-election-short': (data: ShortElection) =>
    words(
      `election_tick ${data.electionTick} × tick_interval ${data.tickInterval} is too short: after the next restart, ${data.hasLeader ? 'each pause of the network or of a process is enough for another leader' : 'the orderers do not agree on a leader, and the channel takes no updates for good'}`,
      'set a tick interval of about 500ms and an election_tick of about 10',
    ),
  'raft-snapshot-interval': ({ bytes, isSmall }: { bytes: number; isSmall: boolean }) =>
    words(
      `snapshot_interval_size ${bytes}: ${isSmall ? 'the orderers write a snapshot after nearly every block' : 'the orderers keep that many bytes of blocks in memory and read them again at each start'}`,
      'set it to about 20 MB',
    ),
  'raft-inflight-blocks': ({ maxInflightBlocks }: { maxInflightBlocks: number }) =>
    words(
      `max_inflight_blocks ${maxInflightBlocks}: the orderers reserve memory for so many blocks, or panic at the next start`,
      'set it to about 5',
    ),

  'block-validation': ({ organization, mspid }: { organization: string; mspid: string }) =>
    words(
      `a block that an orderer of ${organization} signs does not satisfy BlockValidation: peers take no block after this update`,
      `let one orderer of ${mspid} satisfy it, for example with ANY Writers`,
    ),
  'bft-block-validation': blockValidationWords,
  'bft-switch-policy': (data: BlockValidationProblem) => {
    const { text, todo } = blockValidationWords(data);
    return words(
      `${text}: until then each orderer alone can make blocks that all accept, and orderers refuse every other update`,
      todo,
    );
  },
  'bft-consenters-missing': () =>
    words('the value Orderers with the BFT consenters is missing', 'set the value Orderers'),
  'bft-options': () => words('the BFT options do not parse', 'set the metadata again from its JSON form'),
  'bft-rotation': () =>
    words('leader_rotation is on, which the orderers do not support', 'set leader_rotation to ROTATION_OFF'),
  'bft-not-restarted': () =>
    words(
      'orderers that have not been restarted since the switch to BFT still run Raft and accept this update: no peer can verify the blocks that follow, and none takes a block any more',
      'restart all orderers, then allow this',
    ),
  'bft-without-v3': () =>
    words(
      'the channel is BFT and has no capability V3_0: orderers and peers do not verify its blocks as BFT blocks',
      'keep the channel capability V3_0',
    ),
  'bft-id-zero': () =>
    words(
      'a consenter has the id 0, which is not permitted: the orderers stop when they apply it, and again at each start',
      'give the consenter an id of 1 or more',
    ),
  'bft-id-duplicate': ({ consenter }: { consenter: number }) =>
    words(
      `two consenters have the id ${consenter}: the orderers die when they apply it, and again at each start`,
      'give each consenter its own id',
    ),
  'bft-msp-unknown': ({ consenter, mspid }: { consenter: number; mspid: string }) =>
    words(
      `the consenter ${consenter} has the MSP id ${quoted(mspid)}, which no organisation of the channel has: its signatures do not count`,
      'set the MSP id of its orderer organisation',
    ),
  'bft-certificate': ({ consenter, certificate }: { consenter: number; certificate: string }) =>
    words(
      `the ${certificate} of the consenter ${consenter} is not a certificate: it cannot take part`,
      'set it to a certificate in PEM',
    ),
  'bft-option': (data: BftOptionProblem) => stopWords(data),
  'bft-buffer': ({ value, limit }: { value: string; limit: string }) =>
    words(
      `incoming_message_buffer_size ${value} is more than ${limit}: the orderers cannot get that much memory and panic when they apply it, and again at each start`,
      'set it to about 200',
    ),
  'bft-request-bytes': ({ value, needed }: { value: string; needed: number }) =>
    words(
      `request_max_bytes ${value} is less than the ${needed} bytes that a further config update needs: nobody can ever correct it`,
      'set request_max_bytes to the absolute_max_bytes of the batch size',
    ),
  'bft-timeout-short': ({ option, value, isOrdered }: ShortTimeout) =>
    isOrdered
      ? words(
          `${option} ${value} is shorter than a second: a busy leader is replaced again and again`,
          'set seconds, for example 20s',
        )
      : words(
          `${option} ${value} is too short: orderers accept transactions and updates and remove them before they are in a block`,
          'set minutes, for example 3m',
        ),
  'bft-duration': (data: { option: string; value: string }) => stopWords({ problem: 'duration', ...data }),
  'bft-duration-long': ({ option, value }: { option: string; value: string }) =>
    words(
      `${option} ${value} is longer than an hour: the orderers wait that long before they go on`,
      'set seconds, for example 20s',
    ),
} as const satisfies Readonly<Record<string, (data: never) => FindingWords>>;

/** A TLS certificate of a consenter. */
export interface ConsenterCertificate {
  readonly consenter: string;
  readonly use: 'client' | 'server';
  readonly subject: string;
}

const consenterCertificate = ({ consenter, use, subject }: ConsenterCertificate): string =>
  `the ${use} certificate ${subject} of the consenter ${consenter}`;
