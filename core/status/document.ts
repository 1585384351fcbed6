// The document of `/status`: what the agent knows of itself, its nodes and their channels. `/events` sends the same document; the page and
// the command `status` show it. Members without a value are omitted.

/** The document. */
export interface StatusDocument {
  /** When it was made, RFC 3339, as all times in it. */
  readonly time: string;
  readonly agent: AgentStatus;
  /** What fails now and what needs attention, oldest first: of the agent, of its checks, and of its nodes. */
  readonly problems: readonly Problem[];
  /** The names of the checks that run. */
  readonly checks: readonly string[];
  readonly nodes: readonly NodeStatus[];
  /** The warnings that belong to no node: of the agent itself, of declared checkers, and of peers that are too old for a Docker engine. */
  readonly warnings: readonly CheckStatus[];
  /** By name, with the nodes that have the channel. */
  readonly channels: readonly ChannelStatus[];
  /** The certificates that are checked, the first to expire at the beginning. */
  readonly certificates: readonly CertificateStatus[];
  /** The Docker engines that are checked. */
  readonly engines: readonly EngineStatus[];
  /** The logging specifications of the agent, `self`, and of the nodes. */
  readonly levels: readonly LevelStatus[];
  /** The plugins that have not started yet. */
  readonly plugins: readonly PluginStatus[];
  readonly sinks: readonly DeliveryStatus[];
  readonly notifiers: readonly DeliveryStatus[];
}

/** The agent itself. */
export interface AgentStatus {
  readonly version?: string | undefined;
  readonly commit?: string | undefined;
  readonly started_at: string;
  /** Seconds. */
  readonly uptime: number;
  /** Whether no problem is a failure and all plugins have started: what `/healthz` says. */
  readonly healthy: boolean;
  /** The warnings of the start about the configuration. */
  readonly notes: readonly string[];
}

/** The document of `/nodes`. */
export type NodeList = Pick<StatusDocument, 'nodes' | 'warnings'>;

/** A failed check or a warning. */
export interface CheckStatus {
  readonly component: string;
  readonly reason: string;
}

/** What fails now or needs attention; in `/events` also that it ended. */
export interface Problem extends CheckStatus {
  /** The node that the component belongs to. */
  readonly node?: string | undefined;
  /** `failed` or `warning`; of an event also `recovered` or `info`. */
  readonly state: string;
  /** `critical`, `warning` or `info`. */
  readonly severity: string;
  readonly since: string;
  /** The section of the runbook. */
  readonly runbook?: string | undefined;
}

/** A node. */
export interface NodeStatus {
  readonly name: string;
  /** `peer` or `orderer`. */
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
  readonly channels: readonly NodeChannel[];
  /** While it is not healthy. */
  readonly log?: LogStatus | undefined;
}

/** The end of the log of a node. */
export interface LogStatus {
  readonly source: string;
  readonly lines: readonly string[];
  /** Why it cannot be read. */
  readonly problem?: string | undefined;
}

/** A channel of a node. */
export interface NodeChannel {
  readonly name: string;
  /** The number of blocks. */
  readonly height?: number | undefined;
  readonly consensus?: Consensus | undefined;
  /** What the orderer is for the channel: `consenter`, `follower`, `config-tracker` or `other`. */
  readonly relation?: string | undefined;
  /** The state of the channel in the orderer: `active`, `inactive`, `onboarding` or `failed`. */
  readonly status?: string | undefined;
  /** Set when the channel was removed from the node. */
  readonly removed?: true | undefined;
}

/** The consensus of a channel as one orderer sees it. */
export interface Consensus {
  /** `etcdraft` or `BFT`. */
  readonly type: string;
  readonly is_leader?: boolean | undefined;
  /** The leader of the current view; of the last block if the orderer does not say that. BFT only. */
  readonly leader_id?: number | undefined;
  /** Set when the orderer waits for the next view, or knows no leader. BFT only. */
  readonly view_change?: true | undefined;
  readonly cluster_size?: number | undefined;
  /** The number of consenters that this node can reach, itself included; etcdraft only. */
  readonly active_nodes?: number | undefined;
}

/** A channel, with what each node says of it. */
export interface ChannelStatus {
  readonly name: string;
  /** `working`, `at-risk` (one more failure stops it), `stopped` or `unknown`. */
  readonly verdict?: string | undefined;
  /** The arithmetic of the verdict: `2 of 3 consenters are down (orderer2, orderer3)`. */
  readonly reason?: string | undefined;
  /** The highest height of its nodes. */
  readonly height?: number | undefined;
  readonly nodes: readonly ChannelNode[];
}

/** A node of a channel. */
export interface ChannelNode extends Omit<NodeChannel, 'name'> {
  readonly node: string;
  /** `peer` or `orderer`. */
  readonly kind: string;
}

/** A certificate that the checker `certificates` has found. */
export interface CertificateStatus {
  /** The component of the checker, such as `peer0/certificates`. */
  readonly component: string;
  readonly subject: string;
  /** What it is for, such as `signing` or `tls`. */
  readonly kind: string;
  readonly path: string;
  readonly not_after: string;
}

/** A Docker engine that a checker has found. */
export interface EngineStatus {
  readonly component: string;
  readonly version: string;
}

/** A logging specification. */
export interface LevelStatus {
  /** The node, or `self`. */
  readonly name: string;
  /** Omitted if the node does not say it. */
  readonly spec?: string | undefined;
  /** When the former one returns. */
  readonly reverts_at?: string | undefined;
}

/** A plugin that has not started yet. */
export interface PluginStatus {
  readonly name: string;
  /** `source`, `health`, `metrics`, `notifier` or `logging`. */
  readonly kind: string;
  /** `starting` */
  readonly state: string;
}

/** What a sink of metrics or a notifier delivers. */
export interface DeliveryStatus {
  readonly name: string;
  /** The state of the plugin: `running`, or why it does not run in one word. */
  readonly state: string;
  /** The resource that a sink serves instead of sending something. */
  readonly path?: string | undefined;
  /** When it last delivered something. */
  readonly delivered_at?: string | undefined;
  /** The events that wait; of a notifier. */
  readonly queued?: number | undefined;
  /** Why the last delivery failed. */
  readonly problem?: string | undefined;
}
