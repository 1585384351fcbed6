// A notification in words, for users.

import type { AgentEvent, Notification } from '../../../core/contract/index.js';
import { onOneLine } from '../../../core/kit/index.js';

/** Most events in words; the number of the others is added. */
const MAX_LINES = 30;
/** Longest reason in words, in UTF-16 units. */
const MAX_REASON = 300;

/** A notification in words. Names and reasons are on one line each, without hidden characters. */
export interface Words {
  readonly title: string;
  /** One for each event. */
  readonly lines: readonly string[];
}

/**
 * Describes a notification.
 *
 * @param agent the name of the agent
 * @param linkOf the link to the runbook
 */
export function notificationText(
  { cause, events }: Notification,
  agent: string,
  linkOf: (event: AgentEvent) => string | undefined,
): Words {
  const shown = events.slice(0, MAX_LINES).map((event) => lineOf(event, linkOf(event)));
  const others = events.length - shown.length;
  return {
    title: onOneLine(`${agent}: ${cause === 'reminder' ? 'reminder: ' : ''}${countStates(events)}`),
    lines: others === 0 ? shown : [...shown, `and ${others} more`],
  };
}

const STATES = ['failed', 'warning', 'recovered', 'info'] as const;
const NAMES = { failed: 'CRITICAL', warning: 'WARNING', recovered: 'RECOVERED', info: 'INFO' } as const;

/** Such as `2 critical, 1 recovered`. */
function countStates(events: readonly AgentEvent[]): string {
  return STATES.flatMap((state) => {
    const count = events.filter((event) => event.state === state).length;
    return count === 0 ? [] : [`${count} ${NAMES[state].toLowerCase()}`];
  }).join(', ');
}

function lineOf({ state, component, reason, since }: AgentEvent, link: string | undefined): string {
  const time = new Date(since).toISOString().replace(/\.\d+Z$/, 'Z');
  const why = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason;
  return onOneLine(`${NAMES[state]} ${component}: ${why} (${time})${link === undefined ? '' : ` ${link}`}`);
}

/** The worst severity of the events that fail or need attention, else `info`. */
export function worstSeverity(events: readonly AgentEvent[]): AgentEvent['severity'] {
  if (events.some(({ state }) => state === 'failed')) return 'critical';
  return events.some(({ state }) => state === 'warning') ? 'warning' : 'info';
}
