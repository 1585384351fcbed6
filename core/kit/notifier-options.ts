// The options that all notifiers have, and what they say of an event.

import { hostname } from 'node:os';
import type { AgentEvent, NotifierSchedule, OptionSchema, OptionValues } from '../contract/index.js';

/** When a notifier is called, for which events, and how they name the agent and its runbook. */
export const NOTIFIER_OPTIONS = {
  events: {
    format: ['all', 'critical', 'none'],
    default: 'all',
    doc: "`all`; `critical`: only critical failures and their recoveries; `none`: only the dead man's switch",
  },
  groupFor: { format: 'duration', default: '10s', doc: 'how long events are collected for one notification' },
  repeat: {
    format: 'duration',
    default: '4h',
    doc: 'time between reminders of what still fails; `0s`: none',
  },
  deadManSwitch: {
    format: 'duration',
    default: '0s',
    doc: 'time between heartbeats, whose absence says that the agent does not run; `0s`: none',
  },
  agent: { format: String, default: '', doc: 'name of the agent; empty: the host name' },
  runbook: {
    format: String,
    default: '',
    doc: 'URL at which `config/deploy/runbook.md` is published; empty: no links',
  },
} as const satisfies OptionSchema;

/** The values of {@link NOTIFIER_OPTIONS}. */
export type NotifierOptions = OptionValues<typeof NOTIFIER_OPTIONS>;

/** When a notifier with these options is called. */
export const scheduleOf = ({
  events,
  groupFor,
  repeat,
  deadManSwitch,
}: NotifierOptions): Required<NotifierSchedule> => ({ events, groupFor, repeat, heartbeat: deadManSwitch });

/** The name of the agent. */
export const agentName = ({ agent }: NotifierOptions): string => (agent === '' ? hostname() : agent);

/** The link to the section of the runbook; undefined if there is none. */
export function runbookUrl({ runbook }: NotifierOptions, event: AgentEvent): string | undefined {
  return runbook === '' || event.runbook === undefined
    ? undefined
    : `${runbook}#${event.runbook.toLowerCase()}`;
}

/** An event as JSON for programs: times as text, with the name of the agent and the link to the runbook. */
export const eventDocument = (options: NotifierOptions, event: AgentEvent): object => ({
  ...event,
  since: new Date(event.since).toISOString(),
  agent: agentName(options),
  runbook: runbookUrl(options, event),
});
