// Reads the documents of a running service. Members of the wrong type count as missing: `--url` may name another service.

import type { ServiceResponse } from './service-client.js';

/** A failed check. */
export interface CheckStatus {
  readonly component: string;
  readonly reason: string;
}

/** A log level and the end of its lease. */
export interface LevelStatus {
  readonly spec: string;
  readonly reverts_at?: string | undefined;
}

/** The consensus of a channel as one orderer sees it. */
export interface ConsensusStatus {
  readonly type: string;
  readonly is_leader?: boolean | undefined;
  readonly leader_id?: number | undefined;
  readonly cluster_size?: number | undefined;
  readonly active_nodes?: number | undefined;
}

/** A channel of a node. */
export interface ChannelStatus {
  readonly name: string;
  readonly height?: number | undefined;
  readonly consensus?: ConsensusStatus | undefined;
  /** Whether the channel was removed from the node. */
  readonly removed?: boolean | undefined;
}

/** A node. */
export interface NodeStatus {
  readonly name: string;
  readonly kind: string;
  readonly up: boolean;
  /** Why it is down. */
  readonly reason?: string | undefined;
  readonly version?: string | undefined;
  readonly healthy: boolean;
  readonly failed_checks: readonly CheckStatus[];
  readonly warnings: readonly CheckStatus[];
  readonly started_at?: string | undefined;
  readonly restarts_last_hour: number;
  readonly last_reading?: string | undefined;
  readonly level?: LevelStatus | undefined;
  readonly channels: readonly ChannelStatus[];
  readonly log?: LogStatus | undefined;
}

/** The end of the log of a node that is not healthy. */
export interface LogStatus {
  readonly source: string;
  readonly lines: readonly string[];
  /** Why it cannot be read. */
  readonly problem?: string | undefined;
}

type Document = ReadonlyMap<string, unknown>;

/** The nodes in the body of `/nodes`. */
export function nodesIn(body: string | undefined): NodeStatus[] {
  return listOf(parse(body).get('nodes')).map((node) => ({
    name: textOf(node.get('name')) ?? '',
    kind: textOf(node.get('kind')) ?? '',
    up: node.get('up') === true,
    reason: textOf(node.get('reason')),
    version: textOf(node.get('version')),
    healthy: node.get('healthy') === true,
    failed_checks: checksOf(node.get('failed_checks')),
    warnings: checksOf(node.get('warnings')),
    started_at: textOf(node.get('started_at')),
    restarts_last_hour: numberOf(node.get('restarts_last_hour')) ?? 0,
    last_reading: textOf(node.get('last_reading')),
    log: logOf(node.get('log')),
    channels: listOf(node.get('channels')).map((channel) => ({
      name: textOf(channel.get('name')) ?? '',
      height: numberOf(channel.get('height')),
      consensus: consensusOf(channel.get('consensus')),
      removed: channel.get('removed') === true ? true : undefined,
    })),
  }));
}

/** The warnings in the body of `/nodes` that are of no node. */
export function warningsIn(body: string | undefined): CheckStatus[] {
  return checksOf(parse(body).get('warnings'));
}

/** The failed checks in the body of `/healthz`. */
export function failedChecksIn(body: string | undefined): CheckStatus[] {
  return checksOf(parse(body).get('failed_checks'));
}

/** The level in a response of `/logspec`. */
export function levelIn(response: ServiceResponse | undefined): LevelStatus | undefined {
  const spec = stringIn(response?.body, 'spec');
  return spec === undefined
    ? undefined
    : { spec, reverts_at: textOf(response?.headers['logspec-reverts-at']) };
}

/** A string member of the object in a body. */
export function stringIn(body: string | undefined, name: string): string | undefined {
  return textOf(parse(body).get(name));
}

function logOf(value: unknown): LogStatus | undefined {
  const log = membersOf(value);
  const source = textOf(log.get('source'));
  const lines = log.get('lines');
  if (source === undefined || !Array.isArray(lines)) return undefined;
  return {
    source,
    lines: lines.flatMap((line: unknown) => textOf(line) ?? []),
    problem: textOf(log.get('problem')),
  };
}

function consensusOf(value: unknown): ConsensusStatus | undefined {
  const consensus = membersOf(value);
  const type = textOf(consensus.get('type'));
  if (type === undefined) return undefined;
  const isLeader = consensus.get('is_leader');
  return {
    type,
    is_leader: typeof isLeader === 'boolean' ? isLeader : undefined,
    leader_id: numberOf(consensus.get('leader_id')),
    cluster_size: numberOf(consensus.get('cluster_size')),
    active_nodes: numberOf(consensus.get('active_nodes')),
  };
}

const checksOf = (value: unknown): CheckStatus[] =>
  listOf(value).map((check) => ({
    component: textOf(check.get('component')) ?? '',
    reason: textOf(check.get('reason')) ?? '',
  }));

function parse(body = ''): Document {
  try {
    return membersOf(JSON.parse(body));
  } catch {
    return new Map();
  }
}

const membersOf = (value: unknown): Document =>
  new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);

const listOf = (value: unknown): Document[] => (Array.isArray(value) ? value.map(membersOf) : []);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
