// What was true in a simulation, and when.

import type { SimulatedChannel, SimulatedFabric, SimulatedNode } from './fabric.js';
import { quorumOf } from './setup.js';

/** A period in which something was true. Times are milliseconds since the start of the simulation. */
export interface Span {
  /** For example `orderer2`, `peer1/disk`, `channels/trade`, `agent host1`, `cut host1 host2` or `receiver host1/pager`. */
  readonly subject: string;
  readonly from: number;
  /** Infinity: until the end. */
  to: number;
  /** For a node how it ended, for a channel its verdict. */
  readonly what: string;
  /** For a channel the consenters that do not run. */
  readonly out: readonly string[];
}

/** The periods of each subject, oldest first. */
export class Truth {
  readonly #spans = new Map<string, Span[]>();

  /** Records the current state of a subject. @param what undefined: nothing is wrong */
  set(subject: string, now: number, what: string | undefined, out: readonly string[] = []): void {
    const spans = this.#spans.get(subject) ?? [];
    const last = spans.at(-1);
    const open = last?.to === Infinity ? last : undefined;
    if (open?.what === what && String(open?.out ?? '') === String(out)) return;
    if (open !== undefined) open.to = now;
    if (what === undefined) return;
    spans.push({ subject, from: now, to: Infinity, what, out });
    this.#spans.set(subject, spans);
  }

  of(subject: string): readonly Span[] {
    return this.#spans.get(subject) ?? [];
  }

  /** All subjects that begin with a text. */
  startingWith(prefix: string): readonly Span[] {
    return [...this.#spans].flatMap(([subject, spans]) => (subject.startsWith(prefix) ? spans : []));
  }

  /** The periods of a subject in which one of these states was true without a break. */
  joined(subject: string, isMeant: (span: Span) => boolean = () => true): readonly Span[] {
    const joined: Span[] = [];
    for (const span of this.of(subject)) {
      if (!isMeant(span)) continue;
      const last = joined.at(-1);
      if (last?.to === span.from)
        joined[joined.length - 1] = { ...last, to: span.to, out: [...new Set([...last.out, ...span.out])] };
      else joined.push({ ...span });
    }
    return joined;
  }

  /** When another consenter failed just as the last one that a channel lacked came back: no agent can see the moment between. */
  replacements(subject: string): readonly number[] {
    const spans = this.of(subject);
    return spans.flatMap(({ from, out }, index) => {
      const before = spans[index - 1];
      const isReplaced = before?.to === from && before.out.length > 0 && out.length > 0;
      return isReplaced && !out.some((name) => before.out.includes(name)) ? [from] : [];
    });
  }

  /** Records the nodes and channels. @param ends how the last process of each node ended */
  observe(now: number, fabric: SimulatedFabric, ends: ReadonlyMap<SimulatedNode, string>): void {
    for (const node of fabric.nodes.values()) {
      this.set(
        node.name,
        now,
        node.state === 'up' ? undefined : node.state === 'frozen' ? 'frozen' : ends.get(node),
      );
      this.set(`${node.name}/disk`, now, node.isDiskFull ? 'full' : undefined);
    }
    for (const channel of fabric.channels.values()) {
      const verdict = verdictOf(channel, fabric);
      const out = [...channel.consenters].flatMap(({ name, state }) => (state === 'up' ? [] : [name]));
      this.set(`channels/${channel.name}`, now, verdict === 'working' ? undefined : verdict, out);
    }
  }
}

/** The true verdict; `electing`: a quorum runs, but there is no leader yet. */
function verdictOf(
  channel: SimulatedChannel,
  fabric: SimulatedFabric,
): 'working' | 'at-risk' | 'electing' | 'stopped' {
  const { size } = channel.consenters;
  const running = fabric.running(channel).length;
  const needed = quorumOf(size);
  if (running < needed) return 'stopped';
  if (channel.leader === undefined) return 'electing';
  return size > 1 && running === needed ? 'at-risk' : 'working';
}
