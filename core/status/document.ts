// The document of `/status`: the state of the agent, its nodes and their channels. `/events` sends the same document; the page and
// the command `status` show it. Members without a value are omitted.

import type { Step } from '../contract/step.js';
import type { Consenter } from '../fabric/channel.js';

/** The document. */
export interface StatusDocument {
  /** When the document was created. All times are RFC 3339. */
  readonly time: string;
  readonly agent: AgentStatus;
  /** The current failures and warnings of the agent, its checks and its nodes, oldest first. */
  readonly problems: readonly Problem[];
  /** The names of the active checks. */
  readonly checks: readonly string[];
  /** Those without a result, because the agent has just started; omitted if there are none. */
  readonly unchecked?: readonly string[] | undefined;
  /**
   * Failures that a check run or a reading found once, while this host may be the cause: it is slow, or all nodes began to fail at once. They
   * are no problems unless they are found again.
   */
  readonly unconfirmed: readonly CheckStatus[];
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
  /** The active silences, oldest first. */
  readonly silences: readonly SilenceStatus[];
  /** The agents of other hosts in the settings. */
  readonly agents: readonly OtherAgentStatus[];
}

/** The agent of another host, as it was read last. */
export interface OtherAgentStatus {
  readonly name: string;
  readonly url: string;
  /** Whether it has responded in the last 20 s. */
  readonly reachable: boolean;
  /** Since when it has been reachable; or when it was read last, at first the start of this agent. */
  readonly since: string;
  /** Why it is not reachable. */
  readonly reason?: string | undefined;
  /** Whether it is healthy. */
  readonly healthy?: boolean | undefined;
  readonly nodes: readonly Pick<NodeStatus, 'name' | 'kind' | 'state'>[];
  readonly channels: readonly Pick<ChannelStatus, 'name' | 'verdict'>[];
}

/** A silence: until its end notifiers get no failures of a node, of a channel, or of all nodes and channels. */
export interface SilenceStatus {
  readonly id: string;
  /** Omitted: all nodes. */
  readonly node?: string | undefined;
  /** Omitted: all channels. */
  readonly channel?: string | undefined;
  readonly from: string;
  readonly until: string;
  /** The client that made it, the subject of its certificate or its address; or the place in the settings. */
  readonly by: string;
  readonly why: string;
}

/** The agent itself. */
interface AgentStatus {
  readonly version?: string | undefined;
  readonly commit?: string | undefined;
  readonly started_at: string;
  /** Seconds. */
  readonly uptime: number;
  /** Whether no problem is a failure, all plugins have started and each check has a result. */
  readonly healthy: boolean;
  /** The warnings about the configuration at startup. */
  readonly notes: readonly string[];
  /** Its name for the agents of other hosts. */
  readonly name?: string | undefined;
  /** The name of its host. */
  readonly host?: string | undefined;
  /** While no node is monitored: the configuration files of nodes that exist on this host. */
  readonly found: readonly string[];
  /** While no node is monitored: the number of peers and orderers that run on this host. */
  readonly running: number;
  /** The command that runs this program on its host: `fabric-ops-agent`, or `npx fabric-ops-agent` in a clone of the repository. */
  readonly program: string;
  /** While the agent lags: how late it was in the last minute, in seconds. */
  readonly lag?: number | undefined;
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
  /**
   * `channel`; for a node that is not up its state, such as `down`; for a check the plugin that found it, such as `disk`; else `agent`.
   */
  readonly kind?: string | undefined;
  /** The failure as one sentence, in which `{node}` stands for the node; omitted: the answer has a sentence for each check. */
  readonly headline?: string | undefined;
  /** The component of the failure that explains this one. */
  readonly cause?: string | undefined;
  /** The next steps, the first one first; empty: only the runbook has them. */
  readonly steps: readonly Step[];
  /** When the failure began that a recovery ends. */
  readonly began_at?: string | undefined;
  /** Set while a silence covers it: notifiers do not get it. */
  readonly silenced?: true | undefined;
  /** Set while at least one notifier has delivered it in this state. */
  readonly delivered?: true | undefined;
  /** Why notifiers do not get it yet. */
  readonly waiting?: string | undefined;
}

/** A failure or a warning that has ended. */
export interface Span extends Pick<Problem, 'component' | 'severity'> {
  readonly from: string;
  readonly to: string;
}

/** A node. */
export interface NodeStatus {
  readonly name: string;
  /** `peer` or `orderer`. */
  readonly kind: string;
  readonly up: boolean;
  /**
   * `up`; `ailing`: up with a failed check; `down`: no connection; `silent`: it does not respond in time; `unreadable`: its response cannot be
   * used, for example because its certificate is not valid; or `unknown`: not read yet.
   */
  readonly state: string;
  /** `host:port` of its operations endpoint. */
  readonly address?: string | undefined;
  /** Why it is down. */
  readonly reason?: string | undefined;
  /** Set while it refuses connections: its host runs, its process does not. */
  readonly refused?: true | undefined;
  readonly version?: string | undefined;
  readonly healthy: boolean;
  readonly failed_checks: readonly CheckStatus[];
  readonly warnings: readonly CheckStatus[];
  readonly started_at?: string | undefined;
  readonly restarts_last_hour: number;
  /** Set while the node is down because a signal stopped it, and notifiers wait for its return. */
  readonly restarting?: true | undefined;
  readonly last_reading?: string | undefined;
  /** While the node is down, the channels of its last reading, with `stale`. */
  readonly channels: readonly NodeChannel[];
  /** Only while it is unhealthy. */
  readonly log?: LogStatus | undefined;
  /** The failures and warnings of the node and its checks in the last 24 hours that have ended, oldest first, at most 50. */
  readonly past: readonly Span[];
}

/** The end of the log of a node. */
export interface LogStatus {
  readonly source: string;
  /** The warnings and errors since the last start, newest first. */
  readonly lines: readonly string[];
  /** The last line of any level. */
  readonly last?: string | undefined;
  /** Set if the last line reports that the process got a signal or ended. */
  readonly ended?: true | undefined;
  /** The newest panic or fatal error since the last start. */
  readonly cause?: string | undefined;
  /** Set if the last start is in the part of the log that was read. */
  readonly started?: true | undefined;
  /** The first line in a format that is not known: there may be warnings and errors that are not found. */
  readonly unknown?: string | undefined;
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
  /** Set while the node is down: the data is from its last reading. */
  readonly stale?: true | undefined;
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
  /** `working`, `at-risk` (one more failure stops it), `maintenance` (it accepts no transactions), `stopped` or `unknown`. */
  readonly verdict?: string | undefined;
  /** The reason of the verdict: `2 of 3 consenters are down (orderer2, orderer3)`. */
  readonly reason?: string | undefined;
  /** When the verdict began. */
  readonly since?: string | undefined;
  /** The greatest height among its nodes. */
  readonly height?: number | undefined;
  /** When the last new block was found; omitted if there was none since the agent started. */
  readonly last_block_at?: string | undefined;
  /** The number of new blocks in each of the last minutes, at most 60, the oldest first. */
  readonly blocks: readonly number[];
  /** The number of transactions in them, also of those that are not valid; omitted if no monitored peer has counted any. */
  readonly transactions?: readonly number[] | undefined;
  /** The consenters, also those that are down or not monitored. */
  readonly consenters: readonly ConsenterStatus[];
  /** How many consenters must participate. */
  readonly needed?: number | undefined;
  /** How many consenters may still fail. */
  readonly may_fail?: number | undefined;
  readonly nodes: readonly ChannelNode[];
  /** The failures and warnings of the channel in the last 24 hours that have ended, oldest first, at most 50. */
  readonly past: readonly Span[];
}

/** A consenter of a channel. */
export interface ConsenterStatus extends Omit<Consenter, 'state'> {
  /** A state of a {@link Consenter}; an agent of another version may have others. */
  readonly state: string;
  /** Whether it is the leader. */
  readonly leader: boolean;
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
  /** The component of its failures, such as `peer0/certificates/server.crt`. */
  readonly part?: string | undefined;
  /** The node of the checker. */
  readonly node?: string | undefined;
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
  /** The specification in the variables of the node; omitted: unknown. */
  readonly configured?: string | undefined;
  /** When the former specification returns. */
  readonly reverts_at?: string | undefined;
  /** The client that set it through this agent: the subject of its certificate, or its address. */
  readonly set_by?: string | undefined;
  readonly set_at?: string | undefined;
}

/** A plugin that has not started yet. */
interface PluginStatus {
  readonly name: string;
  /** `source`, `checker`, `sink`, `notifier` or `logging`. */
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
  /** The events that a notifier wants: `all`, `critical` or `none`. */
  readonly events?: string | undefined;
  /** Why the last delivery failed. */
  readonly problem?: string | undefined;
}
