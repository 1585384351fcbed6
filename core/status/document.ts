// The document of `/status`: the state of the agent, its nodes and their channels. `/events` sends the same document; the page and
// the command `status` show it. Members without a value are omitted.

/** The document. */
export interface StatusDocument {
  /** When the document was created. All times are RFC 3339. */
  readonly time: string;
  readonly agent: AgentStatus;
  /** The current failures and warnings of the agent, its checks and its nodes, oldest first. */
  readonly problems: readonly Problem[];
  /** The names of the active checks. */
  readonly checks: readonly string[];
  readonly nodes: readonly NodeStatus[];
  /** The warnings of the agent itself, of checkers that do not belong to a node, and about peers that are too old for a Docker engine. */
  readonly warnings: readonly CheckStatus[];
  /** By name, with the nodes that have the channel. */
  readonly channels: readonly ChannelStatus[];
  /** The checked certificates, sorted by expiry. */
  readonly certificates: readonly CertificateStatus[];
  /** The checked Docker engines. */
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
  /** Whether no problem is a failure and all plugins have started, as in `/healthz`. */
  readonly healthy: boolean;
  /** The warnings about the configuration at startup. */
  readonly notes: readonly string[];
}

/** The document of `/nodes`. */
export type NodeList = Pick<StatusDocument, 'nodes' | 'warnings'>;

/** A failed check or a warning. */
export interface CheckStatus {
  readonly component: string;
  readonly reason: string;
}

/** A failure or a warning; in `/events` also its recovery, and events of the state `info`. */
export interface Problem extends CheckStatus {
  /** The node that the component belongs to. */
  readonly node?: string | undefined;
  /** `failed` or `warning`; for an event also `recovered` or `info`. */
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
  /** Only while it is unhealthy. */
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
  /** The block height. */
  readonly height?: number | undefined;
  readonly consensus?: Consensus | undefined;
  /** The relation of the orderer to the channel: `consenter`, `follower`, `config-tracker` or `other`. */
  readonly relation?: string | undefined;
  /** The state of the channel in the orderer: `active`, `inactive`, `onboarding` or `failed`. */
  readonly status?: string | undefined;
  /** Set when the channel was removed from the node. */
  readonly removed?: true | undefined;
}

/** The consensus of a channel as one orderer reports it. */
export interface Consensus {
  /** `etcdraft` or `BFT`. */
  readonly type: string;
  readonly is_leader?: boolean | undefined;
  /** The leader of the current view; if the orderer does not report it, the leader of the last block. BFT only. */
  readonly leader_id?: number | undefined;
  /** Set when the orderer waits for the next view, or knows no leader. BFT only. */
  readonly view_change?: true | undefined;
  readonly cluster_size?: number | undefined;
  /** The number of consenters that this node can reach, itself included; etcdraft only. */
  readonly active_nodes?: number | undefined;
}

/** A channel, with its data from each node. */
export interface ChannelStatus {
  readonly name: string;
  /** `working`, `at-risk` (one more failure stops it), `stopped` or `unknown`. */
  readonly verdict?: string | undefined;
  /** The reason of the verdict: `2 of 3 consenters are down (orderer2, orderer3)`. */
  readonly reason?: string | undefined;
  /** The greatest height among its nodes. */
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
  /** Its use, such as `signing` or `tls`. */
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
  /** Omitted if the node does not respond. */
  readonly spec?: string | undefined;
  /** When the former specification returns. */
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

/** The deliveries of a metric sink or a notifier. */
export interface DeliveryStatus {
  readonly name: string;
  /** The state of the plugin, such as `running`. */
  readonly state: string;
  /** The path of a pull sink. */
  readonly path?: string | undefined;
  /** The time of the last delivery. */
  readonly delivered_at?: string | undefined;
  /** The number of queued events of a notifier. */
  readonly queued?: number | undefined;
  /** Why the last delivery failed. */
  readonly problem?: string | undefined;
}
