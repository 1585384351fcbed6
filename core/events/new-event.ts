// Creates events, with their runbook sections and the reasons of recoveries.

import type { NodeSettings } from '../../config/index.js';
import { isChannel, type ComponentParts } from '../common/text/component.js';
import { formatDuration } from '../common/text/duration.js';
import { reasonOf, type AgentEvent } from '../contract/index.js';
import type { Severity } from '../contract/errors.js';

/** An event with the start of its state by a monotonic clock. */
export interface TimedEvent {
  readonly event: AgentEvent;
  /** As `performance.now()`. */
  readonly beganAt: number;
}

/** An event for listeners. */
export interface SentEvent extends TimedEvent {
  /** What it is about; the channel is also the one that a failure follows. */
  readonly subject: ComponentParts;
  /** The severity of the failure that explains the event; the event is then only for receivers that do not get that failure. */
  readonly explained?: Severity | undefined;
  /** The restart of a node; the versions before and after it, if they differ, such as `v2.5.16 → v3.1.5`. */
  readonly restart?: { readonly versions: string | undefined };
  /** Whether the state was sent before, without the nodes to check. */
  readonly isAgain?: boolean;
}

/** Receives events. */
export type EventListener = (sent: SentEvent) => void;

/** The runbook sections for warnings of the agent itself, by the suffix of the component name. */
const OWN_WARNINGS: ReadonlyMap<string, string> = new Map([
  [' (sink)', 'FabricOpsAgentSinkDeliversNothing'],
  [' (notifier)', 'FabricOpsAgentNotifierNotDelivered'],
  [' (operations)', 'FabricOpsAgentCertificateNotReloaded'],
]);

/** The runbook section of a failure. */
const failureSection = (component: string): string =>
  isChannel(component) ? 'FabricChannelStopped' : 'FabricHealthCheckFailing';

/** The runbook section of a warning. */
function warningSection(component: string): string {
  if (isChannel(component)) return 'FabricChannelAtRisk';
  const own = [...OWN_WARNINGS].find(([end]) => component.endsWith(end));
  return own?.[1] ?? 'FabricHealthCheckWarning';
}

/** Creates an event. @param node the node that the component belongs to */
export function createEvent(
  component: string,
  node: NodeSettings | undefined,
  facts: Pick<AgentEvent, 'state' | 'severity' | 'reason' | 'runbook'>,
): AgentEvent {
  return {
    id: component,
    component,
    ...(node !== undefined && { node: node.name }),
    ...facts,
    since: Date.now(),
    fields: node === undefined ? {} : { kind: node.kind },
  };
}

/** Creates the event of a failed check. */
export function failureEvent(
  component: string,
  node: NodeSettings | undefined,
  state: 'failed' | 'warning',
  reason: string,
): AgentEvent {
  const isNode = state === 'failed' && component === node?.name;
  const section = state === 'failed' ? failureSection(component) : warningSection(component);
  return createEvent(component, node, {
    state,
    severity: state === 'failed' ? 'critical' : 'warning',
    reason,
    runbook: isNode ? 'FabricNodeDown' : section,
  });
}

/**
 * The reason of a recovery.
 *
 * @param before the failure that ended
 * @param what the new state, such as `recovered`
 */
export function recoveryReason({ event, beganAt }: TimedEvent, what: string): string {
  const duration = formatDuration(Math.floor((performance.now() - beganAt) / 1000) * 1000);
  return reasonOf(`${what} after ${duration}; ${formerReason(event)}`);
}

/** The reason of the recovery of a failure that has ended while the agent did not run, or soon after. */
export const endedBeforeReason = (event: AgentEvent): string =>
  reasonOf(`no check has found it since the restart of the agent; ${formerReason(event)}`);

function formerReason({ state, since, reason }: AgentEvent): string {
  const start = new Date(since).toISOString().replace(/\.\d+Z$/, 'Z');
  return `${state} since ${start}, reason: ${reason}`;
}
