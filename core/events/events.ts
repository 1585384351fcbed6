// What fails now, and what changes: from the health checks and the sources to the notifiers.

import { formatDuration } from '../common/text/duration.js';
import { reasonOf, type AgentEvent, type Severity } from '../contract/index.js';
import { CHANNELS, type HealthObserver } from '../health/index.js';

/** A node that components belong to. */
export interface EventNode {
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
}

/** How many ids of what happened are kept. */
const MAX_CAUSES = 1_000;

/** The events of an agent. */
export class Events implements HealthObserver {
  readonly #nodes: () => readonly EventNode[];
  readonly #open = new Map<string, AgentEvent>();
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  /** How many events {@link Events.happened} has sent. */
  #happened = 0;
  /** The last ids that checkers gave what happened, oldest first. */
  #causes: ReadonlySet<string> = new Set();

  /** @param nodes called for each event */
  constructor(nodes: () => readonly EventNode[]) {
    this.#nodes = nodes;
  }

  /** What fails now, with the latest reasons, oldest first. */
  get open(): readonly AgentEvent[] {
    return [...this.#open.values()];
  }

  /** Calls back with each event. @returns ends that */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  checked(component: string, reason: string | undefined, found: Severity): void {
    const before = this.#open.get(component);
    if (reason === undefined) return this.#end(before, 'works again');
    const severity = this.#isOfStoppedChannel(component) ? 'warning' : found;
    const state = severity === 'critical' ? 'failed' : 'warning';
    const why = reasonOf(reason);
    if (before?.state === state) {
      this.#open.set(component, { ...before, reason: why });
      return;
    }
    const node = this.#nodeOf(component);
    const isNode = state === 'failed' && component === node?.name;
    const section = state === 'failed' ? failureSection(component) : warningSection(component);
    const event = createEvent(component, node, {
      state,
      severity,
      reason: why,
      runbook: isNode ? 'FabricNodeDown' : section,
    });
    // At the end of the map: oldest first.
    this.#open.delete(component);
    this.#open.set(component, event);
    this.#publish(event);
  }

  removed(component: string): void {
    for (const [name, event] of this.#open)
      if (name === component || name.startsWith(`${component}/`)) this.#end(event, 'no longer checked');
  }

  /** Whether a checker has reported an event with an id. */
  isKnown(id: string): boolean {
    return this.#causes.has(id);
  }

  /**
   * Publishes an event about something that happened.
   *
   * @param component as in `/healthz`
   * @param cause the id of what happened, for {@link isKnown}; empty: none
   */
  happened(component: string, reason: string, fields: AgentEvent['fields'], cause = ''): void {
    if (cause !== '') this.#causes = new Set([...this.#causes, cause].slice(-MAX_CAUSES));
    const event = createEvent(component, this.#nodeOf(component), {
      state: 'info',
      severity: 'info',
      reason,
    });
    this.#happened += 1;
    // Two events of a component are not the same, and none of them supersedes the other.
    const id = `${component}#${event.since}-${this.#happened}`;
    this.#publish({ ...event, id, fields: { ...fields, ...event.fields } });
  }

  /** Tells that a node has restarted. */
  restarted(component: string): void {
    const reason = 'the process has restarted';
    const facts = { state: 'info', severity: 'info', reason, runbook: 'FabricNodeRestarts' } as const;
    this.#publish(createEvent(component, this.#nodeOf(component), facts));
  }

  #end(event: AgentEvent | undefined, what: string): void {
    if (event === undefined) return;
    this.#open.delete(event.component);
    this.#publish({
      ...event,
      state: 'recovered',
      reason: recoveryReason(event, what),
      since: Date.now(),
    });
  }

  /** What single nodes say of a channel, such as `orderer1/consensus/ch1`, follows from its stop, which is one event. */
  #isOfStoppedChannel(component: string): boolean {
    const [channel = '', ...node] = component.split('/').toReversed();
    const isOfNode = node.length > 0 && node.at(-1) !== CHANNELS;
    return isOfNode && this.#open.get(`${CHANNELS}/${channel}`)?.state === 'failed';
  }

  #nodeOf(component: string): EventNode | undefined {
    return this.#nodes().find(({ name }) => component === name || component.startsWith(`${name}/`));
  }

  #publish(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** The rules for warnings of the agent itself, by the end of the name of the component. */
const OWN_WARNINGS: ReadonlyMap<string, string> = new Map([
  [' (metrics)', 'FabricOpsAgentSinkDeliversNothing'],
  [' (notifier)', 'FabricOpsAgentNotifierNotDelivered'],
  [' (operations)', 'FabricOpsAgentCertificateNotReloaded'],
]);

const isChannel = (component: string): boolean => component.startsWith(`${CHANNELS}/`);

/** The section of the runbook for a failure. */
const failureSection = (component: string): string =>
  isChannel(component) ? 'FabricChannelStopped' : 'FabricHealthCheckFailing';

/** The section of the runbook for a warning. */
function warningSection(component: string): string {
  if (isChannel(component)) return 'FabricChannelAtRisk';
  const own = [...OWN_WARNINGS].find(([end]) => component.endsWith(end));
  return own?.[1] ?? 'FabricHealthCheckWarning';
}

function createEvent(
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

/**
 * The reason of a recovery.
 *
 * @param before what ended
 * @param what what is true now, such as `works again`
 */
export function recoveryReason({ state, since, reason }: AgentEvent, what: string): string {
  const duration = formatDuration(Math.max(0, Math.floor((Date.now() - since) / 1000) * 1000));
  const was = state === 'warning' ? 'needed attention' : 'failed';
  const start = new Date(since).toISOString().replace(/\.\d+Z$/, 'Z');
  return reasonOf(`${what} after ${duration}; ${was} since ${start}, former reason: ${reason}`);
}
