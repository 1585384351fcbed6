// Until when an agent must have told something: what keeps it from telling gives it more time.

import { hostOf } from './setup.js';
import type { History } from './world.js';
import type { SimulatedReceiver } from './receiver.js';
import type { Span } from './truth.js';

/** How long an agent needs after its start, after it was starved, and after its receiver accepts again; milliseconds. */
const AFTER = { start: 30_000, starved: 60_000, receiver: 90_000, cut: 30_000, silence: 30_000 };

/** What keeps an agent from telling something. */
interface Hindrance {
  readonly from: number;
  readonly to: number;
}

const longer = (spans: readonly Span[], by: number): Hindrance[] =>
  spans.map(({ from, to }) => ({ from, to: to + by }));

/** The times in which the agent of a host does not run as usual. */
export const hindrancesOf = ({ truth }: History, host: string): Hindrance[] => [
  { from: 0, to: AFTER.start },
  ...longer(truth.of(`agent ${host}`), AFTER.start),
  ...longer(truth.of(`starved ${host}`), AFTER.starved),
];

/** The times after requests between agents begin or cease to be lost. */
export const cutsOf = ({ truth, setup }: History, host: string): Hindrance[] =>
  setup.hosts
    .flatMap(({ name }) => [...truth.of(`cut ${host} ${name}`), ...truth.of(`cut ${name} ${host}`)])
    .flatMap(({ from, to }) => [
      { from, to: from + AFTER.cut },
      { from: to, to: to + AFTER.cut },
    ]);

const silencesOf = ({ truth }: History, host: string, scopes: readonly string[]): Hindrance[] =>
  scopes.flatMap((scope) => longer(truth.of(`silence ${host} ${scope}`), AFTER.silence));

/** When a time without a hindrance has passed. */
function passed(hindrances: readonly Hindrance[], from: number, duration: number): number {
  let start = from;
  for (const each of hindrances.toSorted((a, b) => a.from - b.from))
    if (each.from < start + duration && each.to > start) start = each.to;
  return start + duration;
}

/** Something that an agent must tell. */
export interface Duty {
  /** The component. */
  readonly subject: string;
  readonly from: number;
  /** Milliseconds. */
  readonly within: number;
  /** The nodes that it is about. */
  readonly nodes: readonly string[];
}

/** When the receiver of an agent must have been told. */
export function dueAt(history: History, { host, setup }: SimulatedReceiver, duty: Duty): number {
  const { subject, from, within, nodes } = duty;
  const [, channel] = /^channels\/(.+)$/.exec(subject) ?? [];
  const own = nodes.filter((node) => hostOf(node) === host);
  return passed(
    [
      ...hindrancesOf(history, host),
      ...longer(history.truth.of(`receiver ${host}/${setup.name}`), AFTER.receiver),
      ...silencesOf(history, host, [...own, ...(channel === undefined ? [] : [channel])]),
      ...(channel === undefined ? [] : cutsOf(history, host)),
    ],
    from,
    within,
  );
}
