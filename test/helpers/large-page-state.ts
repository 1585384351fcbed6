// A large network for the page of the agent: copies of recorded states side by side, with other names and at the same time.

import type { ChannelStatus, Problem, StatusDocument } from '../../core/status/document.js';
import { readEvent, readStatus } from '../../core/status/read.js';
import { pageState, type PageState, type StateName } from './page-states.js';

/** How many copies of the recorded network there are: 8 × 3 orderers and 2 peers. */
const COPIES = 8;
/** Their channels; the last copies share the channels of the first ones. */
const CHANNELS = 6;

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A recorded state with the names of a copy. @param now the time of the document, in milliseconds since the epoch */
function copyOf(name: StateName, copy: number, now: number): PageState {
  const state = pageState(name);
  const text = JSON.stringify(state)
    .replaceAll(/\borderer([123])\b/g, (_, index: string) => `orderer${3 * copy + Number(index)}`)
    .replaceAll(/\bpeer([12])\b/g, (_, index: string) => `peer${2 * copy + Number(index)}`)
    .replaceAll(/\bch1\b/g, `ch${(copy % CHANNELS) + 1}`)
    .replaceAll(TIME, (time) => {
      const moved = Date.parse(time) + now - state.now;
      // A year like 2036 of a certificate stays.
      return Math.abs(Date.parse(time) - state.now) > 300 * 86_400_000 ? time : new Date(moved).toISOString();
    });
  const { document, events } = JSON.parse(text) as { document: unknown; events: unknown[] };
  return {
    document: readStatus(JSON.stringify(document)),
    events: events.map((event) => readEvent(JSON.stringify(event))),
    now,
  };
}

/** A channel with the nodes of another copy: their orderers only follow it. */
function merged(one: ChannelStatus, other: ChannelStatus): ChannelStatus {
  const others = other.nodes.map((each) =>
    each.kind === 'orderer' ? { ...each, consensus: undefined, relation: 'follower' } : each,
  );
  return { ...one, nodes: [...one.nodes, ...others] };
}

/** 40 nodes and 6 channels. @param names the recorded states of the first copies; the others are healthy */
export function largePageState(...names: readonly StateName[]): PageState {
  const { now } = pageState('healthy');
  const copies = Array.from({ length: COPIES }, (_, copy) => copyOf(names[copy] ?? 'healthy', copy, now));
  const documents = copies.map(({ document }) => document);
  const [first] = documents as [StatusDocument];
  const channels = new Map<string, ChannelStatus>();
  for (const channel of documents.flatMap((each) => each.channels)) {
    const known = channels.get(channel.name);
    channels.set(channel.name, known === undefined ? channel : merged(known, channel));
  }
  const all = <Item>(listOf: (document: StatusDocument) => readonly Item[]): readonly Item[] =>
    documents.flatMap(listOf);
  const events: readonly Problem[] = copies.flatMap((copy) => copy.events);
  return {
    document: {
      ...first,
      agent: { ...first.agent, healthy: documents.every(({ agent }) => agent.healthy) },
      problems: all(({ problems }) => problems),
      checks: all(({ checks }) => checks),
      nodes: all(({ nodes }) => nodes),
      channels: [...channels.values()],
      certificates: all(({ certificates }) => certificates),
      levels: all(({ levels }) => levels).filter(({ name }, index) => name !== 'self' || index === 0),
    },
    events: events.toSorted((left, right) => (left.since < right.since ? 1 : -1)),
    now,
  };
}
