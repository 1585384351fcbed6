// Makes events: their facts, their sections of the runbook, and the reasons of recoveries.

import { formatDuration } from '../common/text/duration.js';
import { reasonOf, type AgentEvent } from '../contract/index.js';
import { CHANNELS } from '../health/index.js';

/** A node that components belong to. */
export interface EventNode {
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
}

/** An event, and when its state began by a clock that does not jump. */
export interface TimedEvent {
  readonly event: AgentEvent;
  /** As `performance.now()`. */
  readonly beganAt: number;
}

/** The rules for warnings of the agent itself, by the end of the name of the component. */
const OWN_WARNINGS: ReadonlyMap<string, string> = new Map([
  [' (metrics)', 'FabricOpsAgentSinkDeliversNothing'],
  [' (notifier)', 'FabricOpsAgentNotifierNotDelivered'],
  [' (operations)', 'FabricOpsAgentCertificateNotReloaded'],
]);

/** Whether a component is a channel. */
export const isChannel = (component: string): boolean => component.startsWith(`${CHANNELS}/`);

/** The section of the runbook for a failure. */
const failureSection = (component: string): string =>
  isChannel(component) ? 'FabricChannelStopped' : 'FabricHealthCheckFailing';

/** The section of the runbook for a warning. */
function warningSection(component: string): string {
  if (isChannel(component)) return 'FabricChannelAtRisk';
  const own = [...OWN_WARNINGS].find(([end]) => component.endsWith(end));
  return own?.[1] ?? 'FabricHealthCheckWarning';
}

/** A new event. @param node that the component belongs to */
export function createEvent(
  component: string,
  node: EventNode | undefined,
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

/** The event of a failed check. */
export function failureEvent(
  component: string,
  node: EventNode | undefined,
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
 * @param before what ended
 * @param what what is true now, such as `works again`
 */
export function recoveryReason({ event, beganAt }: TimedEvent, what: string): string {
  const { state, since, reason } = event;
  const duration = formatDuration(Math.floor((performance.now() - beganAt) / 1000) * 1000);
  const was = state === 'warning' ? 'needed attention' : 'failed';
  const start = new Date(since).toISOString().replace(/\.\d+Z$/, 'Z');
  return reasonOf(`${what} after ${duration}; ${was} since ${start}, former reason: ${reason}`);
}
