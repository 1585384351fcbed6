import { defineNotifier, errorCodeOf, type Logger, reasonOf } from '../../../core/contract/index.js';
import { checkClientCertificate } from '../../../core/kit/index.js';
import { isServerUrl } from '../../../core/kit/internal/index.js';
import {
  agentName,
  NOTIFIER_OPTIONS,
  RECEIVER_OPTIONS,
  ReceiverClient,
  type ReceiverOptions,
  runbookUrl,
  scheduleOf,
} from '../../../core/kit/notifier.js';
import { Alerts } from './alerts.js';

/** An alert ends after this many missed reminders. */
const MISSED_REMINDERS = 4;
const LABEL = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Labels that the notifier sets itself. */
const OWN_LABELS: ReadonlySet<string> = new Set([
  'alertname',
  'severity',
  'instance',
  'component',
  'node',
  'channel',
]);

/** Sends failures to one or several Alertmanagers, as alerts that it renews until the failure ends. */
export default defineNotifier({
  name: 'alertmanager',
  options: {
    urls: {
      format: checkUrls,
      default: ['http://127.0.0.1:9093'] as readonly string[],
      doc: 'URLs of the Alertmanagers of one cluster; all alerts are sent to each of them',
    },
    labels: {
      format: checkLabels,
      default: {},
      doc: 'further labels of each alert, such as `cluster`',
    },
    ...RECEIVER_OPTIONS,
    ...NOTIFIER_OPTIONS,
    groupFor: { ...NOTIFIER_OPTIONS.groupFor, default: '1s' },
    repeat: {
      ...NOTIFIER_OPTIONS.repeat,
      default: '1m',
      doc: 'time after which alerts are renewed; an alert ends after four times as long without renewal',
    },
  },
  create({ options, log }) {
    const schedule = scheduleOf(options);
    const members = options.urls.map((url) => new Member(url, options, log));
    const alerts = new Alerts({
      agentOf: (notification) => agentName(options, notification),
      labels: options.labels,
      holdsFor: schedule.repeat * MISSED_REMINDERS,
      heartbeatHoldsFor: schedule.heartbeat * MISSED_REMINDERS,
      linkOf: (event) => runbookUrl(options, event),
    });

    return {
      schedule,

      init() {
        checkClientCertificate(options);
        if (schedule.repeat === 0)
          throw new Error('options.repeat: must be longer than 0s, because alerts that are not renewed end');
      },

      async notify(notification, signal, report) {
        const { alerts: sent, doubt, accept } = alerts.of(notification, Date.now());
        if (sent.length === 0) return notification.events.forEach((event) => report.omitted(event));
        await postToAll(members, sent, signal).catch((error: unknown) => {
          if (!isSettled(error)) doubt();
          throw error;
        });
        accept();
      },

      stop() {
        for (const member of members) member.close();
      },
    };
  },
});

/** One Alertmanager. */
class Member {
  readonly #url: string;
  readonly #client: ReceiverClient;
  readonly #log: Logger;
  #isFailing = false;

  constructor(url: string, options: ReceiverOptions, log: Logger) {
    this.#url = `${url.replace(/\/+$/, '')}/api/v2/alerts`;
    this.#client = new ReceiverClient(options, log);
    this.#log = log;
  }

  /** @throws what `ReceiverClient.post` throws */
  async post(alerts: unknown, signal: AbortSignal): Promise<void> {
    await this.#client.post(this.#url, alerts, signal);
    this.#isFailing = false;
  }

  /** Logs a failure while others accept the alerts, once until it ends. */
  logFailure(error: unknown): void {
    if (!this.#isFailing) this.#log.warn(`only other Alertmanagers accepted the alerts: ${reasonOf(error)}`);
    this.#isFailing = true;
  }

  close(): void {
    this.#client.close();
  }
}

/** Whether it is clear that the alerts were not accepted. */
const isSettled = (error: unknown): boolean => PRECEDENCE.indexOf(errorCodeOf(error)) > 0;

/**
 * The outcome for the cluster if no member accepted the alerts is the first of these outcomes that a member has: if it is unclear for one
 * member, it is unclear for the cluster.
 */
const PRECEDENCE: readonly unknown[] = [undefined, 'NOTIFICATION_NOT_ACCEPTED', 'NOTIFICATION_REFUSED'];

/** @throws if no member accepted the alerts: the error of a member with the first outcome in {@link PRECEDENCE} */
async function postToAll(members: readonly Member[], alerts: unknown, signal: AbortSignal): Promise<void> {
  const outcomes = await Promise.allSettled(members.map((member) => member.post(alerts, signal)));
  const errors = outcomes.map((outcome) =>
    outcome.status === 'rejected' ? (outcome.reason as unknown) : undefined,
  );
  const failed = errors.filter((error) => error !== undefined);
  const rank = (error: unknown): number => Math.max(PRECEDENCE.indexOf(errorCodeOf(error)), 0);
  if (failed.length === members.length) throw failed.toSorted((one, other) => rank(one) - rank(other))[0];
  for (const [index, error] of errors.entries()) if (error !== undefined) members[index]?.logFailure(error);
}

function checkUrls(value: unknown): void {
  if (
    !Array.isArray(value) ||
    value.length === 0 ||
    !value.every((url) => isServerUrl(url) && !url.includes('?'))
  )
    throw new Error(
      'must be a list of URLs that begin with http:// or https://, without user name, query and fragment',
    );
}

function checkLabels(value: unknown): void {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries: [string, unknown][] = isMapping ? Object.entries(value) : [];
  if (!isMapping || !entries.every(([name, text]) => LABEL.test(name) && typeof text === 'string'))
    throw new Error('must be a mapping of label names to strings');
  const own = entries.find(([name]) => OWN_LABELS.has(name));
  if (own !== undefined) throw new Error(`must not contain the label ${own[0]}`);
}
