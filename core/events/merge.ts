// One event for parts of a check that fail for one reason, such as 30 channels that lack an orderer, or 40 files of a slow disk.

import type { AgentEvent } from '../contract/index.js';
import { CHANNELS } from '../health/index.js';

/** Fewest events that become one. */
const LEAST = 3;
/** Most names in a reason. */
const SHOWN = 3;

/** The parts that a receiver knows as one failure. */
interface Group {
  /** The id of their event. */
  readonly id: string;
  /** The components at its beginning. */
  readonly components: readonly string[];
  /** The ids of the parts that have not recovered. */
  readonly open: Set<string>;
}

/** An event of a receiver, and the events that it stands for. */
interface Merged {
  readonly event: AgentEvent;
  readonly parts: readonly AgentEvent[];
}

/** Merges the events for one receiver. */
export class Merger {
  readonly #checkOf: (component: string) => string | undefined;
  readonly #groups = new Map<string, Group>();
  readonly #parts = new WeakMap<AgentEvent, readonly AgentEvent[]>();

  /** @param checkOf the check that a component belongs to; undefined: there is none */
  constructor(checkOf: (component: string) => string | undefined) {
    this.#checkOf = checkOf;
  }

  /**
   * Merges queued events: failures of parts of a check with equal reasons, and events of the state `info` that differ in the
   * channel, or in the channel and the node. A group recovers with its last part.
   *
   * @returns the events for the receiver, and recoveries that it does not get because other parts of the group still fail
   */
  merge(events: readonly AgentEvent[]): {
    readonly events: readonly AgentEvent[];
    readonly omitted: readonly AgentEvent[];
  } {
    const batches = new Map<string, AgentEvent[]>();
    for (const event of events) {
      const key = this.#keyOf(event);
      batches.set(key, [...(batches.get(key) ?? []), event]);
    }
    const left = new Map([...this.#groups].map(([id, { open }]) => [id, open.size]));
    const found: Merged[] = [];
    const omitted: AgentEvent[] = [];
    for (const batch of batches.values()) {
      const group = this.#groupOf(batch[0]!);
      const rest = group && left.get(group.id)! - batch.length;
      if (group !== undefined) left.set(group.id, rest!);
      if (group !== undefined && rest! > 0 && batch[0]!.state === 'recovered') omitted.push(...batch);
      else found.push(...this.#mergedOf(batch, rest === 0 ? group : undefined));
    }
    const merged = mergedNodes(found);
    for (const { id } of omitted) this.#leave(id);
    for (const { event, parts } of merged) this.#parts.set(event, parts);
    return { events: merged.map(({ event }) => event), omitted };
  }

  /** The current failures in a reminder, one for each group. */
  remind(events: readonly AgentEvent[]): readonly AgentEvent[] {
    const byGroup = new Map<string, AgentEvent[]>();
    for (const event of events) {
      const id = this.#groupOf(event)?.id ?? event.id;
      byGroup.set(id, [...(byGroup.get(id) ?? []), event]);
    }
    return [...byGroup].map(([id, parts]) => {
      const worst = parts.find(({ state }) => state === 'failed') ?? parts[0]!;
      const event = parts.length === 1 ? { ...worst, id } : this.#eventOf(id, worst, componentsOf(parts));
      this.#parts.set(event, parts);
      return event;
    });
  }

  /** The events that an event of {@link merge} or {@link remind} stands for. */
  partsOf(event: AgentEvent): readonly AgentEvent[] {
    return this.#parts.get(event) ?? [event];
  }

  /** Records that the receiver has an event of {@link merge}. */
  accepted(event: AgentEvent): void {
    const parts = this.partsOf(event);
    if (event.state === 'info') return;
    for (const { id } of parts) this.#leave(id);
    if (event.state === 'recovered' || (parts.length === 1 && parts[0]!.id === event.id)) return;
    const open = new Set(parts.map(({ id }) => id));
    this.#groups.set(event.id, { id: event.id, components: componentsOf(parts), open });
  }

  /** Events with equal keys have one cause. */
  #keyOf(event: AgentEvent): string {
    const { id, state, component, reason, fields } = event;
    const group = this.#groupOf(event)?.id;
    if (group !== undefined && state === 'recovered') return JSON.stringify([state, group]);
    const check = this.#checkOf(component);
    const isInfo = state === 'info';
    const part = isInfo ? fields['channel'] : check && component.slice(check.length + 1);
    if (part === undefined || part === '') return JSON.stringify([id]);
    const [, former = reason] = state === 'recovered' ? reason.split(', reason: ') : [];
    const of = isInfo ? [event.node, fields['node']] : [group, check];
    return JSON.stringify([state, ...of, withName(former, part, '')]);
  }

  /** @param group the group that the batch replaces or ends */
  #mergedOf(batch: readonly AgentEvent[], group: Group | undefined): Merged[] {
    const [first] = batch as [AgentEvent];
    if (first.state === 'info') return mergedInfos(batch);
    if (group === undefined && batch.length < LEAST)
      return batch.map((part) => {
        const id = this.#freeId([part]);
        return { event: id === part.id ? part : { ...part, id }, parts: [part] };
      });
    const ofGroup = first.state === 'recovered' ? group?.components : undefined;
    const components = ofGroup ?? componentsOf(batch);
    const id = group?.id ?? this.#freeId(batch);
    // The last recovery is the end of the group.
    const shown = first.state === 'recovered' ? batch.at(-1)! : first;
    return [{ event: this.#eventOf(id, shown, components), parts: batch }];
  }

  /** The event of a group with the state and the reason of one of its parts. */
  #eventOf(id: string, { steps: _steps, ...of }: AgentEvent, components: readonly string[]): AgentEvent {
    const [component] = components as [string];
    if (components.length === 1) return { ...of, id, component };
    const check = this.#checkOf(component) ?? '';
    const names = listOf(components.map((each) => each.slice(check.length + 1)));
    const what = check === CHANNELS ? 'channels' : `parts of ${check}`;
    return {
      ...of,
      id,
      component,
      components,
      reason: `${components.length} ${what} (${names}): ${of.reason}`,
    };
  }

  #groupOf({ id, state }: AgentEvent): Group | undefined {
    return state === 'info' ? undefined : [...this.#groups.values()].find(({ open }) => open.has(id));
  }

  /** An id that no group has: the first part may have recovered and fail again. */
  #freeId(parts: readonly AgentEvent[]): string {
    const free = parts.find(({ id }) => !this.#groups.has(id));
    return free?.id ?? `${parts[0]!.id}#2`;
  }

  #leave(id: string): void {
    for (const group of this.#groups.values())
      if (group.open.delete(id) && group.open.size === 0) this.#groups.delete(group.id);
  }
}

const componentsOf = (events: readonly AgentEvent[]): readonly string[] =>
  events.map(({ component }) => component);

/** Such as `ch1, ch2, ch3 and 25 more`. */
const listOf = (names: readonly string[]): string =>
  names.length <= SHOWN
    ? names.join(', ')
    : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;

/** Events that differ in the channel only become one. */
function mergedInfos(events: readonly AgentEvent[]): Merged[] {
  const [first] = events as [AgentEvent];
  const channels = [...new Set(events.map(({ fields }) => fields['channel'] ?? ''))];
  if (channels.length < LEAST) return events.map((event) => ({ event, parts: [event] }));
  const text = withName(first.reason, channels[0]!, listOf(channels));
  const reason = `${channels.length} channels: ${text}`;
  return [{ event: { ...first, components: componentsOf(events), reason }, parts: events }];
}

/** Events of the state `info` about the same channels that differ in the node only become one. */
function mergedNodes(all: readonly Merged[]): Merged[] {
  const batches = new Map<unknown, Merged[]>();
  for (const each of all) {
    const { state, components, reason, fields } = each.event;
    const { node } = fields;
    const isOfNode = state === 'info' && components !== undefined && node !== undefined;
    const key = isOfNode ? JSON.stringify([components, withName(reason, node, '')]) : each;
    batches.set(key, [...(batches.get(key) ?? []), each]);
  }
  return [...batches.values()].map((batch) => {
    const [first] = batch as [Merged];
    if (batch.length === 1) return first;
    const nodes = batch.map(({ event }) => event.fields['node'] ?? '');
    const reason = first.event.reason.replace(': ', `, ${nodes.length} nodes (${listOf(nodes)}): `);
    return { event: { ...first.event, reason }, parts: batch.flatMap(({ parts }) => parts) };
  });
}

/** A text with another name in place of a name. */
const withName = (text: string, name: string, other: string): string =>
  text
    .split(/([\w./-]+)/)
    .map((word) => (word === name ? other : word))
    .join('');
