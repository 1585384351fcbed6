// A notification in words, for users.

import type { AgentEvent, Notification } from '../../../core/contract/index.js';
import { detailsOf } from '../../../core/kit/notifier.js';
import { onOneLine } from '../../../core/kit/index.js';

/** Most events in words; the number of the others is added. */
const MAX_EVENTS = 30;
/** Longest line, in UTF-16 units. */
const MAX_LINE = 500;

/** A notification in words. Each text is on one line, without hidden characters. */
export interface Words {
  /** The headline of the worst event, and how many others there are. */
  readonly title: string;
  /** What the events mean, the first step of each, where to look, and who reports it. */
  readonly lines: readonly string[];
  /** The page of the agent, at the node or the channel of the worst event. */
  readonly page?: string | undefined;
}

/**
 * Describes a notification.
 *
 * @param agent the name of the agent
 * @param runbookOf the link to the runbook
 */
export function notificationText(
  { cause, events }: Notification,
  agent: string,
  runbookOf: (event: AgentEvent) => string | undefined,
): Words {
  const sorted = events.toSorted((one, other) => rankOf(one) - rankOf(other));
  const [worst] = sorted as [AgentEvent];
  const shown = sorted.slice(0, MAX_EVENTS);
  const others = events.length - shown.length;
  const more = events.length - 1;
  return {
    title: line(
      `${cause === 'reminder' ? 'Reminder: ' : ''}${headlineOf(worst)}${more === 0 ? '' : `, and ${more} more`}`,
    ),
    lines: [
      ...shown.flatMap((event, index) => [
        ...(index === 0 ? [] : ['', line(headlineOf(event))]),
        ...detailsOf(event).map(line),
        line(`${stateText(event)}, reported by ${agent}`),
        ...[event.page, runbookOf(event)].flatMap((link) => (link === undefined ? [] : [line(link)])),
      ]),
      ...(others === 0 ? [] : ['', `and ${others} more`]),
    ],
    page: worst.page,
  };
}

const headlineOf = ({ headline, component, reason }: AgentEvent): string =>
  headline ?? `${component}: ${reason}`;

/** The lower, the worse. */
const rankOf = ({ state }: AgentEvent): number => STATES.indexOf(state);

const STATES = ['failed', 'warning', 'recovered', 'info'] as const;
const NAMES = {
  failed: 'Critical since',
  warning: 'Warning since',
  recovered: 'Ended at',
  info: 'At',
} as const;

const stateText = ({ state, since }: AgentEvent): string =>
  `${NAMES[state]} ${new Date(since).toISOString().replace(/\.\d+Z$/, 'Z')}`;

function line(text: string): string {
  return onOneLine(text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text);
}

/** The worst severity of the events that fail or need attention, else `info`. */
export function worstSeverity(events: readonly AgentEvent[]): AgentEvent['severity'] {
  if (events.some(({ state }) => state === 'failed')) return 'critical';
  return events.some(({ state }) => state === 'warning') ? 'warning' : 'info';
}
