// The interface of a notifier, and events.

import type { Step } from './step.js';
import type { Lifecycle } from './lifecycle.js';

/** An event. Times are milliseconds since the epoch. */
export interface AgentEvent {
  /** Identifies the subject: the same for a failure, its reminders and its recovery. */
  readonly id: string;
  /** `info` is neither a failure nor a recovery, such as a restart. */
  readonly state: 'failed' | 'warning' | 'recovered' | 'info';
  /** A recovery has the severity of the failure. */
  readonly severity: 'critical' | 'warning' | 'info';
  /** The monitored node that the component belongs to. */
  readonly node?: string;
  /** The name of the component or part, as in `/healthz`. */
  readonly component: string;
  /** All components with this cause, if one event is about several; `component` is the first. The reason names some of them. */
  readonly components?: readonly string[];
  /** The reason or a description; a recovery also has the start and the reason of the failure. */
  readonly reason: string;
  /** When the state began. */
  readonly since: number;
  /** When the failure began that a recovery ends. */
  readonly began?: number;
  /** The section of the runbook in `config/deploy`, such as `FabricNodeDown`. */
  readonly runbook?: string;
  /** The event in one sentence, as on the page: `ch1 has stopped: orderer2 and orderer3 are down`. Notifiers get it with each event. */
  readonly headline?: string;
  /** What it means, in some sentences; empty: the reason has all that is known. Notifiers get it with each event. */
  readonly meaning?: string;
  /** The page of the agent, at the node or the channel. @default the address of the page is not known (`operations.url`) */
  readonly page?: string;
  /** The next steps, the first one first. @default none: only the runbook has them */
  readonly steps?: readonly Step[];
  /** Additional data. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The argument of {@link Notifier.notify}. */
export interface Notification {
  /** `change`: new events. `reminder`: all current failures. `heartbeat`: one event that shows that the agent runs. */
  readonly cause: 'change' | 'reminder' | 'heartbeat';
  /** The name of the agent: `operations.name`. */
  readonly agent: string;
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
 * Lets a notifier that sends several requests in one call report the outcome of each event as soon as it is known. A
 * reported event is not sent again, even if the call fails later.
 */
export interface DeliveryReport {
  /** The receiver accepted the event. @param event an object of `events` */
  accepted(event: AgentEvent): void;
  /** The receiver will never accept the event. It is dropped, logged and counted. @param error the reason */
  refused(event: AgentEvent, error: unknown): void;
  /** Nothing is sent for the event, because the receiver cannot represent it. */
  omitted(event: AgentEvent): void;
}

/** Delivers events to users or to a system that alerts them. */
export interface Notifier extends Lifecycle {
  /** Read once, after `create`. */
  readonly schedule?: NotifierSchedule;
  /**
   * Delivers a notification. Calls do not overlap. If it resolves, all events without a report are accepted. If it rejects, the host calls
   * it again with the changes since the events that the receiver accepted. The host assumes that the receiver may have accepted the events,
   * unless the error has the code `NOTIFICATION_NOT_ACCEPTED`. With the code `NOTIFICATION_REFUSED` it drops them.
   *
   * @param signal aborted after 30 s, or 3 s after the agent began to stop
   * @param report for notifiers that send events one by one
   */
  notify(notification: Notification, signal: AbortSignal, report: DeliveryReport): void | Promise<void>;
}
