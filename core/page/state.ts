// What the agent sends, read with care: a page may be older or younger than the agent.

/** What fails now, or happened. */
export interface PageEvent {
  readonly component: string;
  readonly state: string;
  readonly severity: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly since: string;
  /** A section of the runbook. */
  readonly runbook: string;
}

/** A channel of a node. */
export interface PageChannel {
  readonly name: string;
  readonly height: number | undefined;
  readonly removed: boolean;
  readonly consensus: PageConsensus | undefined;
}

/** The consensus of a channel as one orderer sees it. */
export interface PageConsensus {
  readonly type: string;
  readonly isLeader: boolean | undefined;
  readonly active: number | undefined;
  readonly size: number | undefined;
}

/** A node. */
export interface PageNode {
  readonly name: string;
  readonly kind: string;
  readonly up: boolean;
  readonly healthy: boolean;
  readonly reason: string;
  readonly version: string;
  readonly startedAt: string;
  readonly restarts: number;
  readonly channels: readonly PageChannel[];
  /** The end of its log, if it is not healthy. */
  readonly log: readonly string[];
}

/** A certificate that the agent checks. */
export interface PageCertificate {
  readonly subject: string;
  readonly kind: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly end: number;
}

/** A level; without a spec if the node does not say it. */
export interface PageLevel {
  readonly name: string;
  readonly spec: string;
  readonly revertsAt: string;
}

/** Everything. */
export interface PageState {
  readonly time: string;
  readonly version: string;
  readonly problems: readonly PageEvent[];
  /** The names of the checks that run. */
  readonly checks: readonly string[];
  readonly nodes: readonly PageNode[];
  readonly certificates: readonly PageCertificate[];
  readonly levels: readonly PageLevel[];
}

type Members = ReadonlyMap<string, unknown>;

const membersOf = (value: unknown): Members =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(textOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Reads the data of a message of type `event`. */
export const readEvent = (data: string): PageEvent => eventOf(membersOf(JSON.parse(data)));

/** Reads the data of a message of type `state`. */
export function readState(data: string): PageState {
  const state = membersOf(JSON.parse(data));
  return {
    time: textOf(state.get('time')),
    version: textOf(state.get('version')),
    problems: listOf(state.get('problems')).map(eventOf),
    checks: textsOf(state.get('checks')),
    nodes: listOf(state.get('nodes')).map(nodeOf),
    certificates: listOf(state.get('certificates')).map((each) => ({
      subject: textOf(each.get('subject')),
      kind: textOf(each.get('kind')),
      path: textOf(each.get('path')),
      end: Date.parse(textOf(each.get('not_after'))),
    })),
    levels: listOf(state.get('levels')).map((each) => ({
      name: textOf(each.get('name')),
      spec: textOf(each.get('spec')),
      revertsAt: textOf(each.get('reverts_at')),
    })),
  };
}

const eventOf = (event: Members): PageEvent => ({
  component: textOf(event.get('component')),
  state: textOf(event.get('state')),
  severity: textOf(event.get('severity')),
  reason: textOf(event.get('reason')),
  since: textOf(event.get('since')),
  runbook: textOf(event.get('runbook')),
});

function nodeOf(node: Members): PageNode {
  return {
    name: textOf(node.get('name')),
    kind: textOf(node.get('kind')),
    up: node.get('up') === true,
    healthy: node.get('healthy') === true,
    reason: textOf(node.get('reason')),
    version: textOf(node.get('version')),
    startedAt: textOf(node.get('started_at')),
    restarts: numberOf(node.get('restarts_last_hour')) ?? 0,
    channels: listOf(node.get('channels')).map((channel) => ({
      name: textOf(channel.get('name')),
      height: numberOf(channel.get('height')),
      removed: channel.get('removed') === true,
      consensus: consensusOf(channel.get('consensus')),
    })),
    log: textsOf(membersOf(node.get('log')).get('lines')),
  };
}

function consensusOf(value: unknown): PageConsensus | undefined {
  if (value === undefined) return undefined;
  const consensus = membersOf(value);
  const isLeader = consensus.get('is_leader');
  return {
    type: textOf(consensus.get('type')),
    isLeader: typeof isLeader === 'boolean' ? isLeader : undefined,
    active: numberOf(consensus.get('active_nodes')),
    size: numberOf(consensus.get('cluster_size')),
  };
}
