import type { Lifecycle } from './lifecycle.js';

/** Something that happened. Times are milliseconds since the epoch. */
export interface AgentEvent {
  /** What the event is about: the same for a failure, its reminders and its recovery. */
  readonly id: string;
  /** `info` is something that neither fails nor recovers, such as a restart. */
  readonly state: 'failed' | 'warning' | 'recovered' | 'info';
  /** That of a recovery is the severity of what ended. */
  readonly severity: 'critical' | 'warning' | 'info';
  /** The node beside the agent that the component belongs to. */
  readonly node?: string;
  /** The name of the component or part, as in `/healthz`. */
  readonly component: string;
  /** Why it fails, or what happened; of a recovery, since when it had failed, and the former reason. */
  readonly reason: string;
  /** When the state began. */
  readonly since: number;
  /** The section of the runbook in `config/deploy`, such as `FabricNodeDown`. */
  readonly runbook?: string;
  /** Further facts. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What a notifier is called with. */
export interface Notification {
  /** `change`: events happened. `reminder`: everything that still fails. `heartbeat`: the dead man's switch; one event says so. */
  readonly cause: 'change' | 'reminder' | 'heartbeat';
  /** At least one, oldest first. */
  readonly events: readonly AgentEvent[];
}

/** When the host calls a notifier, and for which events. Times are milliseconds. */
export interface NotifierSchedule {
  /** `critical`: only critical failures and their recoveries. `none`: only the heartbeat. @default 'all' */
  readonly events?: 'all' | 'critical' | 'none';
  /** How long events are collected before a call. @default 10000 */
  readonly groupFor?: number;
  /** Time between reminders; 0: none. @default 0 */
  readonly repeat?: number;
  /** Time between heartbeats; 0: none. @default 0 */
  readonly heartbeat?: number;
}

/**
 * What a notifier reports that does not send all events of a call in one request: the outcome of each event, as soon as it is known. A
 * reported event is not sent again, also when the call fails later.
 */
export interface DeliveryReport {
  /** The receiver accepted the event. @param event an object of `events` */
  accepted(event: AgentEvent): void;
  /** The receiver will never accept the event. It is dropped, logged and counted. @param error why */
  refused(event: AgentEvent, error: unknown): void;
  /** Nothing is sent for the event, because the receiver has no place for it. */
  omitted(event: AgentEvent): void;
}

/** Delivers events to people or to a system that alerts them. */
export interface Notifier extends Lifecycle {
  /** Read once, after `create`. */
  readonly schedule?: NotifierSchedule;
  /**
   * Delivers a notification. Calls do not overlap. Resolving accepts the events that were not reported. After a rejection the host calls
   * again with what differs then from what the receiver has accepted. It assumes that the receiver may have accepted the events, unless
   * the code is `NOTIFICATION_NOT_ACCEPTED`. After a rejection with the code `NOTIFICATION_REFUSED` it drops them.
   *
   * @param signal aborted after 30 s, or 3 s after the agent began to stop
   * @param report for notifiers that send events one by one
   */
  notify(notification: Notification, signal: AbortSignal, report: DeliveryReport): void | Promise<void>;
}
