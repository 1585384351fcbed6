// The verdict about a channel: whether its consenters can order transactions, and the reason.

import type { Maintenance } from '../contract/internal/index.js';
import type { Consenter, Verdict } from '../fabric/channel.js';
import { bftQuorum, raftQuorum } from '../common/quorum.js';
import { printDuration } from '../common/text/go-duration.js';
import { listText } from '../status/answer/index.js';

/** The facts about a channel that determine its verdict. */
export interface VerdictFacts {
  /** Undefined: unknown, or another type. */
  readonly type: 'etcdraft' | 'BFT' | undefined;
  /** The number of consenters; undefined: unknown. */
  readonly size: number | undefined;
  /** The consenters with a known state. */
  readonly observed: readonly Consenter[];
  /** `host:port` of the consenters that are not monitored; empty: unknown. */
  readonly others: readonly string[];
  /** The consenters in `others` that do not participate, according to their responses to peers. */
  readonly out?: readonly Consenter[];
  /** `host:port` of orderers that peers connect to, if no consenter has this address. */
  readonly unmatched?: readonly string[];
  /** How many consenters the Raft leader reaches, itself included; undefined: unknown. */
  readonly reached?: number | undefined;
  /** BFT: the leader of the view, if it does not participate; undefined: it participates, or that is unknown. */
  readonly lostLeader?: Consenter | undefined;
  /** BFT: how long the consenters wait for the leader before they change the view, in milliseconds; undefined: unknown. */
  readonly leaderHeartbeatTimeout?: number | undefined;
  /** BFT: whether an envelope waits for a block in any consenter. @default false */
  readonly isAwaited?: boolean;
  /** BFT: how long envelopes have waited without a new block, in milliseconds. */
  readonly stalledFor: number;
  /** How long there has been no new block, while no quorum reports a participating leader or the channel is stopped; in milliseconds. */
  readonly electingFor: number;
  /** Whether there is a new block since the consenters report their current leader and view. */
  readonly hasOrdered: boolean;
  /** Undefined: the channel is not in maintenance. */
  readonly maintenance?: Maintenance | undefined;
  /** The consenters that run Raft although the type in the config is BFT: they have not been restarted since the migration. */
  readonly outdated?: readonly Consenter[];
  /** Whether the last verdict was `stopped`; the channel then stays stopped until there is a leader. @default false */
  readonly hadStopped?: boolean;
  /** How long {@link unreachedIn} has been the same, in milliseconds. @default Infinity */
  readonly unreachedFor?: number;
}

/** The verdict about a channel. */
export interface Judgement {
  readonly verdict: Verdict;
  /** For example `2 of 3 consenters are down (orderer2, orderer3)`. */
  readonly reason: string;
  /** Whether no quorum reports a leader or a view, or a BFT leader is lost or new and there is no new block. */
  readonly isElecting: boolean;
  /** The consenters that do not participate or know no leader. */
  readonly inactive: readonly Consenter[];
  /** Whether consenters do not participate, and the reason names none of them with certainty. */
  readonly isUnnamed: boolean;
}

/**
 * How long the agent waits until it knows which consenter the Raft leader does not reach, in milliseconds: the leader notices a frozen
 * consenter before the agent does.
 */
const UNREACHED_LIMIT = 8_000;
/** After this time all reports of other agents are newer than the loss of a consenter, in milliseconds: older reports no longer count. */
const REPORTED = 20_000;

/** The differences between Raft and BFT. */
interface Kind {
  readonly quorum: (size: number) => number;
  readonly election: string;
  /** The predicate of a consenter without a leader, for reasons. */
  readonly electing: string;
  /** Names what is missing when an election takes too long. */
  readonly missing: string;
  /** How long an election or a change of the view may take, in milliseconds. */
  readonly limit: number;
}

const KINDS: Readonly<Record<'etcdraft' | 'BFT', Kind>> = {
  etcdraft: {
    quorum: raftQuorum,
    election: 'an election is in progress',
    electing: 'knows no leader',
    missing: 'no leader',
    limit: 30_000,
  },
  BFT: {
    quorum: (size) => bftQuorum(size).quorum,
    election: 'a change of the view is in progress',
    electing: 'waits for the next view',
    missing: 'no agreed view',
    limit: 60_000,
  },
};

const STALLED = 'envelopes wait and no block comes';
/**
 * If the leader is lost, a consenter asks for the next view within this time after LeaderHeartbeatTimeout, in milliseconds. If none does,
 * the other consenters reach the leader, although it does not respond to the agent.
 */
const HEARTBEAT_DELAY = 10_000;
/** How long envelopes may wait for a block before the reason has this, in milliseconds. */
const MAX_STALL = 5_000;

/** How many consenters must participate so that the channel orders. */
export const quorumOf = (type: 'etcdraft' | 'BFT', size: number): number => KINDS[type].quorum(size);

/** How many consenters the Raft leader does not reach, without those that are known not to participate. */
export const unreachedIn = (facts: Pick<VerdictFacts, 'observed' | 'out' | 'reached' | 'size'>): number => {
  const { size = 0, reached = size } = facts;
  return Math.max(0, size - inactiveIn(facts).length - reached);
};

/** The consenters that do not participate or know no leader. */
function inactiveIn({ observed, out = [] }: Pick<VerdictFacts, 'observed' | 'out'>): readonly Consenter[] {
  const known = new Map([...observed, ...out].map((each) => [each.name, each]));
  return [...known.values()].filter(({ outage, state }) => outage !== undefined || state === 'electing');
}

/** Judges a channel. */
export function judge(facts: VerdictFacts): Judgement {
  const { observed, size = 0, unreachedFor = Infinity } = facts;
  const isTooEarly = unreachedIn(facts) > 0 && observed.length >= size && unreachedFor < UNREACHED_LIMIT;
  const counted = isTooEarly ? { ...facts, reached: undefined } : facts;
  const { maintenance } = facts;
  const judged = maintenance === undefined ? judgementOf(counted) : inMaintenance(counted, maintenance);
  const { verdict, reason, isElecting } = judged;
  return { verdict, reason, isElecting, inactive: inactiveIn(facts), isUnnamed: isUnnamed(judged, facts) };
}

/** A judgement, and how many consenters are active according to its reason; undefined: the reason lists the others. */
interface Judged extends Omit<Judgement, 'inactive' | 'isUnnamed'> {
  readonly active?: number;
  /** As in {@link Count}. */
  readonly isLostCertain?: boolean;
}

function isUnnamed(
  { verdict, reason, active, isLostCertain = true }: Judged,
  { observed, out = [], others, size = 0 }: VerdictFacts,
): boolean {
  if (active === undefined || active >= size || (verdict !== 'at-risk' && verdict !== 'stopped'))
    return false;
  const known = [...observed, ...out].filter(({ outage }) => isLostCertain || outage !== undefined);
  const names = [...known.map(({ name }) => name), ...(isLostCertain ? others : [])];
  return !names.some((name) => reason.includes(name));
}

function judgementOf(facts: VerdictFacts): Judged {
  const { type, size, observed } = facts;
  if (type === undefined || size === undefined || size === 0)
    return { verdict: 'unknown', reason: 'its consenters are unknown', isElecting: false };
  const kind = KINDS[type];
  const quorum = kind.quorum(size);
  const out = observed.filter(({ outage }) => outage !== undefined);
  const lost = withoutConsenters(facts);
  if (lost !== undefined) return lost;
  const present = observed.filter(({ outage }) => outage === undefined);
  const waiting = present.filter(({ state }) => state === 'electing');
  const count = {
    size,
    quorum,
    out,
    present,
    waiting,
    ...hiddenOf(facts, size, present.length - waiting.length),
  };
  if (facts.stalledFor >= kind.limit) return stalled(count, facts.stalledFor);
  const cause = present.length < quorum ? undefined : idleCause(facts, count, kind);
  if (cause !== undefined) return idle(count, kind, facts, cause);
  if (count.active >= quorum) return withQuorum(count, kind, facts);
  // A new block is proof: a BFT orderer may report that it waits for the next view, but participate.
  if (facts.hasOrdered && present.length >= quorum)
    return { ...withQuorum({ ...count, active: present.length }, kind, facts), isElecting: true };
  const isUndecided = waiting.length > 0 || present.length >= quorum;
  return isUndecided ? withoutLeader(count, kind, facts) : withoutQuorum(count, facts);
}

/** The verdict if so many consenters do not participate that the others are no quorum; undefined: they may be one. */
function withoutConsenters({ type, size = 0, observed }: VerdictFacts): Judged | undefined {
  if (type === undefined) return undefined;
  const quorum = KINDS[type].quorum(size);
  const out = observed.filter(({ outage }) => outage !== undefined);
  return out.length > size - quorum
    ? { verdict: 'stopped', reason: outageText(out, size, type, quorum), isElecting: false }
    : undefined;
}

/**
 * The verdict about a channel in maintenance. Orderers refuse the envelopes of applications, and requests of peers for blocks (Fabric:
 * orderer/common/msgprocessor/maintenancefilter.go and orderer/common/server/server.go). While some consenters run Raft and others BFT, they
 * do not agree on a leader.
 */
function inMaintenance(facts: VerdictFacts, { since }: Maintenance): Judged {
  const { outdated = [], observed } = facts;
  const judged = outdated.length === 0 ? judgementOf(facts) : withoutConsenters(facts);
  if (judged?.verdict === 'stopped') return judged;
  const out = observed.filter(({ outage }) => outage !== undefined);
  const details = judged === undefined ? outagesOf(out) : judged.verdict === 'working' ? [] : [judged.reason];
  const names = outdated.map(({ name }) => name);
  const reason = [
    `no transaction is accepted${since === undefined ? '' : ` (since block ${since})`}`,
    ...(names.length === 0
      ? []
      : [
          `${listText(names, 'and', names.length)} still ${names.length === 1 ? 'runs' : 'run'} Raft, the channel is BFT: restart ${names.length === 1 ? 'it' : 'them'} before maintenance ends`,
        ]),
    ...details,
  ].join('; ');
  return { verdict: 'maintenance', reason, isElecting: judged?.isElecting ?? false };
}

/** The consenters of a channel. */
interface Count {
  readonly size: number;
  readonly quorum: number;
  readonly out: readonly Consenter[];
  readonly present: readonly Consenter[];
  /** The consenters in `present` that are electing. */
  readonly waiting: readonly Consenter[];
  /** How many consenters certainly agree on a leader or a view. */
  readonly active: number;
  /** How many consenters may be active or not. */
  readonly unknown: number;
  /** Describes the consenters that the leader does not reach, or among which they are; empty: unknown. */
  readonly lostText: readonly string[];
  /** False: {@link lostText} also has consenters that may participate. */
  readonly isLostCertain: boolean;
  /** Describes the consenters that may be active or not; empty: none. */
  readonly unknownText: readonly string[];
}

/** Counts the consenters that are not monitored. @param agreeing how many observed consenters agree */
function hiddenOf(
  facts: VerdictFacts,
  size: number,
  agreeing: number,
): Pick<Count, 'active' | 'isLostCertain' | 'lostText' | 'unknown' | 'unknownText'> {
  const { observed, others, unmatched = [], reached } = facts;
  const hidden = Math.max(0, size - observed.length);
  const unknown = reached === undefined ? hidden : 0;
  // A leader still counts nodes that failed a moment ago.
  const reachedHidden = reached === undefined ? 0 : Math.min(hidden, Math.max(0, reached - agreeing));
  const who = others.length === unknown ? others.join(', ') : String(unknown);
  const unreached = Math.max(0, agreeing - (reached ?? Infinity));
  return {
    active: Math.min(agreeing + reachedHidden, reached ?? Infinity),
    unknown,
    ...(reached === undefined
      ? { lostText: [], isLostCertain: true }
      : lostOf(facts, hidden - reachedHidden + unreached, unreached > 0)),
    unknownText:
      unknown === 0
        ? []
        : [`${who} ${unknown === 1 ? 'is' : 'are'} not monitored by this agent`, ...unmatchedText(unmatched)],
  };
}

/**
 * Describes the consenters that the leader does not reach. A consenter that another agent reports as active may be one of them, if the report
 * is older than the loss.
 *
 * @param count their number
 * @param isReported whether one of them is reported as active
 */
function lostOf(
  { observed, others, out = [], unreachedFor = Infinity }: VerdictFacts,
  count: number,
  isReported: boolean,
): Pick<Count, 'isLostCertain' | 'lostText'> {
  if (out.length === count) return { lostText: outagesOf(out), isLostCertain: true };
  const reported = observed.flatMap(({ name, node, outage }) =>
    node === undefined && outage === undefined ? [name] : [],
  );
  const all = isReported || unreachedFor < REPORTED ? [...others, ...reported] : others;
  if (all.length <= count)
    return {
      lostText: all.length < count ? [] : all.map((name) => `${name} is not active`),
      isLostCertain: true,
    };
  const text = `${count === 1 ? 'one' : count} of ${all.join(', ')} ${count === 1 ? 'is' : 'are'} not active`;
  return { lostText: count === 0 ? [] : [text], isLostCertain: count === 0 };
}

const unmatchedText = (addresses: readonly string[]): string[] =>
  addresses.length === 0
    ? []
    : [
        `it is unknown which ${addresses.length === 1 ? 'consenter' : 'consenters'} ${addresses.join(', ')} ${addresses.length === 1 ? 'is' : 'are'}`,
      ];

function withQuorum(
  { size, quorum, out, waiting, active, unknown, lostText, isLostCertain, unknownText }: Count,
  kind: Kind,
  { lostLeader, stalledFor, electingFor, isAwaited = false }: VerdictFacts,
): Judged {
  const isAtRisk = size > 1 && active + unknown === quorum;
  const details = [
    ...outagesOf(out),
    ...(stalledFor >= MAX_STALL ? [STALLED] : []),
    ...waiting.map(({ name }) => `${name} ${kind.electing}`),
    ...lostText,
    ...unknownText,
  ];
  const verdict = isAtRisk ? 'at-risk' : 'working';
  // The election lasts until the leader participates, and, if envelopes wait, until there is a new block.
  const isElecting = lostLeader !== undefined || (electingFor > 0 && isAwaited);
  return { verdict, reason: countText(active, size, isAtRisk, details), isElecting, active, isLostCertain };
}

/** Why BFT orders nothing although a quorum runs: the leader of the view is lost, or a new leader makes no block; undefined: neither. */
function idleCause(
  facts: VerdictFacts,
  { waiting, active, quorum }: Count,
  { limit }: Kind,
): string | undefined {
  const { lostLeader, leaderHeartbeatTimeout = Infinity, hasOrdered, electingFor } = facts;
  if (hasOrdered) return undefined;
  if (lostLeader === undefined) {
    const isLate = facts.hadStopped === true || electingFor >= limit;
    return isLate && facts.isAwaited === true && active >= quorum
      ? 'its leader makes no block, and envelopes wait'
      : undefined;
  }
  const isAlive = waiting.length === 0 && electingFor >= leaderHeartbeatTimeout + HEARTBEAT_DELAY;
  return isAlive ? undefined : `its leader ${lostLeader.name} ${lostLeader.outage ?? ''}`;
}

/** The verdict when a quorum runs but orders nothing: a dead leader stays the leader until the view changes. */
function idle(
  { size, quorum, out, present, waiting, unknown, unknownText }: Count,
  { limit, election, electing }: Kind,
  { lostLeader, leaderHeartbeatTimeout = Infinity, electingFor, hadStopped = false }: VerdictFacts,
  cause: string,
): Judged {
  // Either the others will ask for the next view soon, or they reach the leader.
  const isUndecided = lostLeader !== undefined && waiting.length === 0 && leaderHeartbeatTimeout <= limit;
  const isLate = hadStopped || (electingFor >= limit && !isUndecided);
  const isAtRisk = size > 1 && present.length + unknown === quorum;
  // When this many consenters have asked for the next view, the others follow.
  const isChanging = waiting.length >= quorum - 1;
  const isDue =
    lostLeader !== undefined && leaderHeartbeatTimeout < Infinity && electingFor < leaderHeartbeatTimeout;
  const count = countText(present.length, size, isAtRisk && !isLate, [
    ...outagesOf(out.filter(({ name }) => name !== lostLeader?.name)),
    ...(isChanging ? [] : waiting.map(({ name }) => `${name} ${electing}`)),
    ...unknownText,
  ]);
  const reason = [
    `orders nothing${isLate ? ` for ${Math.floor(electingFor / 1000)}s` : ''}: ${cause}`,
    ...(isChanging ? [election] : isDue ? [changeText(leaderHeartbeatTimeout)] : []),
    count,
  ].join('; ');
  const active = present.length;
  return { verdict: isLate ? 'stopped' : 'at-risk', reason, isElecting: true, active };
}

/** Describes when the view changes. @param timeout milliseconds */
const changeText = (timeout: number): string =>
  `the view changes within LeaderHeartbeatTimeout ${printDuration(BigInt(Math.round(timeout * 1e6)))}`;

/** The verdict when the orderers run but order nothing: messages between them are lost, or the view changes repeatedly. */
function stalled({ size, present, out }: Count, stalledFor: number): Judged {
  const what = `${STALLED} for ${Math.floor(stalledFor / 1000)}s`;
  const reason = countText(present.length, size, false, [what, ...outagesOf(out)]);
  return { verdict: 'stopped', reason, isElecting: false, active: present.length };
}

/** The verdict when a quorum may be alive but its leader or view is unknown. */
function withoutLeader(
  { size, quorum, out, present, waiting, unknown, unknownText }: Count,
  kind: Kind,
  { reached, electingFor, hadStopped = false }: VerdictFacts,
): Judged {
  const isAlive = present.length >= quorum;
  const isAtRisk = size > 1 && isAlive && present.length + unknown === quorum;
  const isLate = hadStopped || electingFor >= kind.limit;
  const reason = (what: string): string =>
    countText(present.length, size, isAtRisk && !isLate, [what, ...outagesOf(out), ...unknownText]);
  const few = `the leader reaches ${reached ?? 0} of them`;
  const isElecting = true;
  if (isLate) {
    const what = waiting.length > 0 ? kind.missing : few;
    return {
      verdict: 'stopped',
      reason: reason(`${what} for ${Math.floor(electingFor / 1000)}s`),
      isElecting,
      active: present.length,
    };
  }
  const verdict = !isAlive ? 'unknown' : isAtRisk ? 'at-risk' : 'working';
  const active = present.length;
  return { verdict, reason: reason(waiting.length > 0 ? kind.election : few), isElecting, active };
}

/** The verdict when too few consenters are known to be active: unknown, unless the Raft leader reports how many it reaches. */
function withoutQuorum(
  { size, quorum, out, active, lostText, isLostCertain, unknownText }: Count,
  { reached, unmatched = [] }: VerdictFacts,
): Judged {
  if (reached === undefined) {
    const details = [...outagesOf(out), ...unknownText];
    const none = size === 1 ? 'its only consenter is not' : `none of its ${size} consenters is`;
    const isAlone = active === 0 && out.length === 0;
    const reason = isAlone
      ? [`${none} monitored by this agent`, ...unmatchedText(unmatched)].join('; ')
      : countText(active, size, false, details);
    return { verdict: 'unknown', reason, isElecting: false };
  }
  const lost = [...outagesOf(out), ...lostText, ...unknownText];
  const reason = countText(active, size, false, [...lost, `${quorum} must be active`]);
  return { verdict: 'stopped', reason, isElecting: false, active, isLostCertain };
}

const outagesOf = (out: readonly Consenter[]): string[] =>
  out.map(({ name, outage = '' }) => `${name} ${outage}`);

/** `2 of 3 consenters are active, one more failure stops it; orderer3 is down` */
function countText(active: number, size: number, isAtRisk: boolean, details: readonly string[]): string {
  const count =
    size === 1
      ? `its only consenter is ${active === 1 ? 'active' : 'not active'}`
      : `${active} of ${size} consenters ${active === 1 ? 'is' : 'are'} active`;
  return [isAtRisk ? `${count}, one more failure stops it` : count, ...details].join('; ');
}

/** `2 of 3 consenters are down (orderer2, orderer3)` */
function outageText(
  out: readonly Consenter[],
  size: number,
  type: 'etcdraft' | 'BFT',
  quorum: number,
): string {
  const common = COMMON.find(([outage]) => out.every((each) => each.outage === outage));
  const names = out.map(({ name, outage }) => (common === undefined ? `${name} ${outage}` : name)).join(', ');
  const [one, several] = common ?? ['is not active', 'are not active'];
  const count =
    size === 1
      ? `its only consenter ${one}`
      : `${out.length} of ${size} consenters ${out.length === 1 ? one : several}`;
  // It is well known that Raft needs a majority.
  const needed = type === 'BFT' && size > 1 ? `, ${quorum} must be active` : '';
  return `${count} (${names})${needed}`;
}

/** The outage of a node that is not running or does not respond. */
export const DOWN = 'is down';
/** The outage of an orderer that was not restarted since the migration of the channel. */
export const RUNS_RAFT = 'still runs Raft, the channel is BFT: restart it';
/** The outage of an orderer that does not respond to the peers, or refuses connections. */
export const SILENT = 'does not respond';

/** Outages that are written once if all consenters have the same: singular and plural. */
const COMMON: readonly (readonly [string, string])[] = [
  [DOWN, 'are down'],
  [SILENT, 'do not respond'],
];
