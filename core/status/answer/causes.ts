// The causes of the current failures: failures that another failure explains belong to it. Runs in browsers.

import type { ChannelStatus, ConsenterStatus, Problem, StatusDocument } from '../document.js';

/** A cause of failures and warnings. */
export interface Cause {
  /** Its first failure, which explains the others. */
  readonly problem: Problem;
  /** Failures that are the same: channels that miss the same consenters, nodes that are down. */
  readonly same: readonly Problem[];
  /** Failures that it explains. */
  readonly follows: readonly Problem[];
}

/** The components of the clock of the agent's host, and of the agent itself, which warns when it lags (core/health). */
const CLOCK = 'clock';
const AGENT = 'agent';

/** The kinds of failures of a node as a whole. */
const NODE_KINDS: ReadonlySet<string> = new Set([
  'down',
  'changed',
  'silent',
  'unreadable',
  'unresolved',
  'unknown',
]);

/** The verdict about a channel in maintenance mode. */
export const MAINTENANCE = 'maintenance';

/** Whether a failure is about a node as a whole. */
export const isOfNode = ({ kind = '' }: Problem): boolean => NODE_KINDS.has(kind);

/** Whether the clock of the agent's host is wrong. */
export const isClock = ({ component }: Problem): boolean => component === CLOCK;

/** Whether the agent itself got too little CPU, so that new failures are not certain. */
export const isLag = ({ component }: Problem): boolean => component === AGENT;

/** The channel that a failure is about; undefined if it is not the verdict about one. */
export const channelOf = (
  { kind, component }: Problem,
  { channels }: StatusDocument,
): ChannelStatus | undefined =>
  kind === 'channel' ? channels.find(({ name }) => component === `channels/${name}`) : undefined;

/** The consenters of a channel that do not participate. */
export const missingIn = (channel: ChannelStatus | undefined): readonly ConsenterStatus[] =>
  (channel?.consenters ?? []).filter(({ state }) => ['down', 'silent', 'absent'].includes(state));

/** The causes of all failures and warnings, the worst first. */
export function causesOf(document: StatusDocument): readonly Cause[] {
  const groups = new Map<string, { first: Problem; same: Problem[]; follows: Problem[] }>();
  const roots = new Map(document.problems.map((problem) => [problem, rootOf(problem, document)]));
  for (const root of new Set(roots.values())) {
    const key = keyOf(root, document);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: root, same: [], follows: [] });
    else group.same.push(root);
  }
  for (const [problem, root] of roots)
    if (problem !== root) groups.get(keyOf(root, document))?.follows.push(problem);
  return [...groups.values()]
    .map(({ first, same, follows }) => ({ problem: first, same, follows }))
    .map((cause) => ({ cause, rank: rankOf(cause, document) }))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ cause }) => cause);
}

/** The failure that explains a failure in the end; the failure itself if nothing explains it. */
function rootOf(problem: Problem, document: StatusDocument): Problem {
  const seen = new Set<Problem>();
  let root = problem;
  for (let next: Problem | undefined = problem; next !== undefined && !seen.has(next);) {
    seen.add(next);
    root = next;
    next = explanationOf(next, document);
  }
  return root;
}

function explanationOf(problem: Problem, document: StatusDocument): Problem | undefined {
  const named = document.problems.find(({ component }) => component === problem.cause);
  if (named !== undefined) return named;
  // A node is found to be down before its channel is judged, so the channel may not name it yet.
  return isOfNode(problem)
    ? document.problems.find((other) =>
        missingIn(channelOf(other, document)).some(({ node }) => node !== undefined && node === problem.node),
      )
    : undefined;
}

/** Failures with the same key are one cause. */
function keyOf(problem: Problem, document: StatusDocument): string {
  const { kind = '', state, component, reason } = problem;
  const channel = channelOf(problem, document);
  if (channel !== undefined) {
    if (channel.verdict === MAINTENANCE) return JSON.stringify([kind, MAINTENANCE, reason]);
    const missing = missingIn(channel).map(({ name }) => name);
    return JSON.stringify([kind, state, missing.length === 0 ? component : missing]);
  }
  return JSON.stringify(isOfNode(problem) ? [kind] : [kind, state, reason]);
}

/** The lower, the worse: a wrong clock makes all else uncertain, then stopped channels, other failures of channels, of nodes and of checks, a slow agent and warnings. */
function rankOf({ problem, follows }: Cause, document: StatusDocument): number {
  if (isClock(problem)) return 0;
  if (channelOf(problem, document)?.verdict === 'stopped') return 1;
  if ([problem, ...follows].some(({ state }) => state === 'failed'))
    return problem.kind === 'channel' ? 2 : isOfNode(problem) ? 3 : 4;
  return isLag(problem) ? 5 : problem.kind === 'channel' ? 6 : 7;
}
