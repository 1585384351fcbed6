// The alerts for an Alertmanager, in the form of its API v2.

import type { AgentEvent, Notification } from '../../../core/contract/index.js';
import { detailsOf } from '../../../core/kit/notifier.js';

/** An alert of the API. */
export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The page of the agent. */
  readonly generatorURL?: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** The options for creating alerts. */
interface AlertOptions {
  readonly agentOf: (notification: Pick<Notification, 'agent'>) => string;
  /** Labels of each alert. */
  readonly labels: Readonly<Record<string, string>>;
  /** How long an alert is active without a further notification, in milliseconds. */
  readonly holdsFor: number;
  /** The same for the heartbeat. */
  readonly heartbeatHoldsFor: number;
  readonly linkOf: (event: AgentEvent) => string | undefined;
}

/** The heartbeat: if this alert is missing, the agent does not run. */
const HEARTBEAT_ALERT = 'FabricOpsAgentHeartbeat';

/** The beginning of the component of a channel. */
const CHANNELS = 'channels/';

/** The alert for an event of a checker, which neither fails nor recovers. */
const EVENT_ALERT = 'FabricOpsAgentEvent';

/** Tracks the active alerts of each event: an alert with another name is a separate alert. */
export class Alerts {
  readonly #options: AlertOptions;
  /** The alerts that are or may be active in the Alertmanager, by the id of the event. */
  readonly #active = new Map<string, readonly Alert[]>();

  constructor(options: AlertOptions) {
    this.#options = options;
  }

  /**
   * The alerts for a notification: first the ended alerts, then the active ones.
   *
   * @returns the alerts; call `doubt` if it is unclear whether the Alertmanager has accepted them, and `accept` once it has accepted them
   */
  of(
    notification: Notification,
    now: number,
  ): { readonly alerts: readonly Alert[]; readonly doubt: () => void; readonly accept: () => void } {
    const { cause, events } = notification;
    const agent = this.#options.agentOf(notification);
    const infos = events.filter(({ state }) => state === 'info');
    // The last event of a component is its current state.
    const last = new Map(events.filter(({ state }) => state !== 'info').map((event) => [event.id, event]));
    const ended: Alert[] = infos.map((event) => this.#alertOf(event, cause, agent, now));
    const held = new Map<string, Alert | undefined>();
    for (const [id, event] of last) {
      const alert = event.state === 'recovered' ? undefined : this.#alertOf(event, cause, agent, now);
      for (const before of this.#active.get(id) ?? [])
        if (before.labels['alertname'] !== alert?.labels['alertname'])
          ended.push({ ...before, endsAt: new Date(now).toISOString() });
      held.set(id, alert);
    }
    const alerts = [...ended, ...[...held.values()].filter((alert) => alert !== undefined)];
    const doubt = (): void => {
      for (const [id, alert] of held)
        if (alert !== undefined) this.#active.set(id, [...this.#otherThan(id, alert), alert]);
    };
    const accept = (): void => {
      for (const [id, alert] of held)
        if (alert === undefined) this.#active.delete(id);
        else this.#active.set(id, [alert]);
    };
    return { alerts, doubt, accept };
  }

  #otherThan(id: string, { labels }: Alert): readonly Alert[] {
    return (this.#active.get(id) ?? []).filter((each) => each.labels['alertname'] !== labels['alertname']);
  }

  #alertOf(event: AgentEvent, cause: Notification['cause'], agent: string, now: number): Alert {
    const { labels, holdsFor, heartbeatHoldsFor, linkOf } = this.#options;
    const { id, state, component, severity, node, reason, since, runbook, headline, page } = event;
    const [meaning = '', ...more] = detailsOf(event);
    const link = linkOf(event);
    const isHeartbeat = cause === 'heartbeat';
    const channel = component.startsWith(CHANNELS) ? component.slice(CHANNELS.length) : undefined;
    return {
      labels: {
        ...labels,
        alertname: isHeartbeat
          ? HEARTBEAT_ALERT
          : (runbook ?? (state === 'info' ? EVENT_ALERT : 'FabricHealthCheckFailing')),
        severity: isHeartbeat ? 'none' : severity,
        // A channel is the same for all agents: Alertmanager merges alerts with equal labels.
        ...(channel === undefined ? { instance: agent } : { channel }),
        ...(!isHeartbeat && { component }),
        // Two events of a component are two alerts.
        ...(state === 'info' && id !== component && { event: channel === undefined ? id : reason }),
        ...(node !== undefined && { node }),
      },
      annotations: {
        summary: headline ?? `${component}: ${reason}`,
        ...(meaning !== '' && { description: [meaning, ...more].join('\n') }),
        reason: `${component}: ${reason}`,
        ...(link !== undefined && { runbook_url: link }),
      },
      ...(page !== undefined && { generatorURL: page }),
      startsAt: new Date(since).toISOString(),
      endsAt: new Date(now + (isHeartbeat ? heartbeatHoldsFor : holdsFor)).toISOString(),
    };
  }
}
