// The channels of several agents: the consenters that one agent monitors are the consenters that another one does not monitor.

import { raftQuorum } from '../common/quorum.js';
import { VERDICTS, type Consenter } from '../fabric/channel.js';
import type { ChannelStatus, ConsenterStatus, StatusDocument } from '../status/document.js';
import { judge, type Judgement } from './verdict.js';

/** States of a consenter that no agent monitors, the most certain first: one agent may reach a consenter that another one does not reach. */
const STATES = ['active', 'electing', 'absent', 'silent', 'down', 'unknown'];

/** Channels by name, each with its consenters, nodes and verdict over all documents. */
export function mergeChannels(documents: readonly Pick<StatusDocument, 'channels'>[]): ChannelStatus[] {
  const byName = new Map<string, ChannelStatus[]>();
  for (const { channels } of documents)
    for (const channel of channels) byName.set(channel.name, [...(byName.get(channel.name) ?? []), channel]);
  return [...byName.values()].map(merge).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param all one channel, of at least one agent */
function merge(all: readonly ChannelStatus[]): ChannelStatus {
  const [first] = all as [ChannelStatus, ...ChannelStatus[]];
  if (all.length === 1) return first;
  const consenters = mergeConsenters(all);
  const { verdict, reason } = verdictOf(all, consenters);
  const heights = all.flatMap(({ height }) => height ?? []);
  const times = all.flatMap(({ last_block_at: time }) => time ?? []).toSorted();
  const running = consenters.filter(({ state }) => state === 'active' || state === 'electing').length;
  const needed = neededOf(all);
  const isKnown = needed !== undefined && consenters.every(({ state }) => state !== 'unknown');
  return {
    ...first,
    verdict,
    reason,
    since: all.find((each) => each.verdict === verdict)?.since,
    height: heights.length === 0 ? undefined : Math.max(...heights),
    last_block_at: times.at(-1),
    transactions: all.find(({ transactions = [] }) => transactions.length > 0)?.transactions,
    consenters,
    needed,
    may_fail: isKnown ? Math.max(0, running - needed) : undefined,
    nodes: all.flatMap(({ nodes }) => nodes),
    past: [],
  };
}

/** Each consenter as the agent that monitors it reports it, else as certain as any agent does. */
function mergeConsenters(all: readonly ChannelStatus[]): ConsenterStatus[] {
  const found = new Map<string, ConsenterStatus>();
  for (const consenter of all.flatMap(({ consenters }) => consenters)) {
    const key = consenter.address ?? consenter.name;
    const before = found.get(key);
    if (before === undefined || rankOf(consenter) < rankOf(before)) found.set(key, consenter);
  }
  return [...found.values()].toSorted((a, b) => ((a.address ?? a.name) < (b.address ?? b.name) ? -1 : 1));
}

const rankOf = ({ node, state }: ConsenterStatus): number => {
  const certainty = STATES.indexOf(state);
  const known = certainty === -1 ? STATES.length : certainty;
  return node !== undefined && state !== 'unknown' ? -1 : known;
};

const neededOf = (all: readonly ChannelStatus[]): number | undefined => {
  const needed = all.flatMap((each) => each.needed ?? []);
  return needed.length === 0 ? undefined : Math.max(...needed);
};

/**
 * The verdict from the merged consenters. An agent may know more than the states of consenters, such as a missing leader, or how many consenters
 * the leader reaches: its verdict counts if it is worse than these states explain, or if they do not suffice.
 */
function verdictOf(
  all: readonly ChannelStatus[],
  consenters: readonly ConsenterStatus[],
): Pick<ChannelStatus, 'verdict' | 'reason'> {
  const merged = judgeStates(all, consenters);
  const known = all
    .filter(({ verdict = 'unknown' }) => verdict !== 'unknown')
    .filter(
      (each) =>
        merged.verdict === 'unknown' || severityOf(each) > severityOf(judgeStates([each], each.consenters)),
    );
  const [worst] = known.toSorted((a, b) => severityOf(b) - severityOf(a));
  const counts =
    worst !== undefined && (merged.verdict === 'unknown' || severityOf(worst) > severityOf(merged));
  if (counts && worst.verdict === 'maintenance')
    return { verdict: worst.verdict, reason: joinedReason(known) };
  if (counts) return { verdict: worst.verdict, reason: worst.reason };
  return { verdict: merged.verdict, reason: merged.reason };
}

/** The reason of a maintenance: each agent names the consenters that it monitors. */
const joinedReason = (all: readonly ChannelStatus[]): string =>
  [
    ...new Set(
      all.filter(({ verdict }) => verdict === 'maintenance').flatMap(({ reason = '' }) => reason.split('; ')),
    ),
  ].join('; ');

const severityOf = ({ verdict }: { readonly verdict?: string | undefined }): number =>
  VERDICTS.toReversed().indexOf(verdict ?? 'unknown');

/** The verdict from the states of consenters alone. */
function judgeStates(
  all: readonly ChannelStatus[],
  consenters: readonly ConsenterStatus[],
): Pick<Judgement, 'verdict' | 'reason'> {
  // Agents with different configs of the channel: a consenter may count twice.
  const isExact =
    all.every((each) => each.consenters.length <= consenters.length) &&
    all.some((each) => each.consenters.length === consenters.length);
  return judge({
    type: isExact ? typeOf(all, consenters.length) : undefined,
    size: consenters.length,
    observed: consenters.flatMap(observedOf),
    others: consenters.flatMap(({ name, state }) => (state === 'unknown' ? [name] : [])),
    stalledFor: 0,
    electingFor: 0,
    hasOrdered: false,
  });
}

/** A consenter with a known state; an agent of another version may report other states. */
function observedOf({ name, state, outage }: ConsenterStatus): Consenter[] {
  if (state === 'unknown') return [];
  if (state === 'active' || state === 'electing') return [{ name, state, outage }];
  return [{ name, state: 'absent', outage: outage ?? 'is not active' }];
}

/** The consensus: as a node reports it, else by the number of consenters that it needs. */
function typeOf(all: readonly ChannelStatus[], size: number): 'etcdraft' | 'BFT' | undefined {
  const types = all.flatMap(({ nodes }) => nodes.flatMap(({ consensus }) => consensus?.type ?? []));
  const found = types.find((type) => type === 'etcdraft' || type === 'BFT');
  if (found === 'etcdraft' || found === 'BFT') return found;
  const needed = neededOf(all);
  if (needed === undefined) return undefined;
  return needed === raftQuorum(size) ? 'etcdraft' : 'BFT';
}
