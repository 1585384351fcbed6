// The channels: heights, how far each node is behind, and how fast they grow.

import { html, svg, type TemplateResult } from 'lit';
import { onOneLine } from '../common/text/one-line.js';
import { table } from '../common/page/table.js';
import type { PageConsensus, PageNode, PageState } from './state.js';

/** How many states a sparkline shows: ten minutes. */
const POINTS = 120;
const WIDTH = 120;
const HEIGHT = 20;

/** The highest block of each channel in the states that this page has received. Nothing of it is kept elsewhere. */
export class Heights {
  readonly #points = new Map<string, readonly number[]>();

  /** Adds what a state says. */
  add({ nodes }: PageState): void {
    const highest = highestOf(nodes);
    for (const [channel, height] of highest)
      this.#points.set(channel, [...(this.#points.get(channel) ?? []), height].slice(-POINTS - 1));
    for (const channel of this.#points.keys()) if (!highest.has(channel)) this.#points.delete(channel);
  }

  /** How many blocks each state has added. */
  growth(channel: string): readonly number[] {
    const points = this.#points.get(channel) ?? [];
    return points.slice(1).map((height, index) => Math.max(0, height - points[index]!));
  }
}

function highestOf(nodes: readonly PageNode[]): ReadonlyMap<string, number> {
  const highest = new Map<string, number>();
  for (const { channels } of nodes)
    for (const { name, height } of channels)
      if (height !== undefined) highest.set(name, Math.max(height, highest.get(name) ?? 0));
  return highest;
}

/** A row for each channel and node. */
export function channelsView(nodes: readonly PageNode[], heights: Heights): TemplateResult {
  const highest = highestOf(nodes);
  const names = [...new Set(nodes.flatMap(({ channels }) => channels.map(({ name }) => name)))].toSorted();
  if (names.length === 0) return html`<p class="dim">No node has a channel yet.</p>`;
  const rows = names.flatMap((channel) =>
    nodes.flatMap(({ name: node, channels }) =>
      channels
        .filter(({ name }) => name === channel)
        .map(({ height, removed, consensus }) => [
          onOneLine(channel),
          onOneLine(node),
          removed ? 'removed' : heightText(height, highest.get(channel)),
          consensus === undefined ? '' : consensusText(consensus),
          sparkline(heights.growth(channel)),
        ]),
    ),
  );
  return table(['channel', 'node', 'height', 'consensus', 'new blocks'], rows);
}

function heightText(height: number | undefined, highest: number | undefined): string {
  if (height === undefined) return 'unknown';
  const lag = (highest ?? height) - height;
  return lag === 0 ? String(height) : `${height}, ${lag} behind`;
}

const consensusText = ({ type, isLeader, active, size }: PageConsensus): string =>
  onOneLine(
    [
      type,
      ...(isLeader === undefined ? [] : [isLeader ? 'leader' : 'follower']),
      ...(size === undefined ? [] : [active === undefined ? `${size} nodes` : `${active} of ${size} active`]),
    ].join(', '),
  );

/** A line of values; the last one is also text. */
export function sparkline(values: readonly number[]): TemplateResult {
  if (values.length < 2) return html`<span class="dim">no data yet</span>`;
  const top = Math.max(1, ...values);
  const step = WIDTH / (POINTS - 1);
  const first = POINTS - values.length;
  const points = values.map(
    (value, index) =>
      `${((first + index) * step).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`,
  );
  const total = values.reduce((sum, value) => sum + value, 0);
  const text = `${total} new blocks since this page has been open`;
  return html`<svg class="spark" width=${WIDTH} height=${HEIGHT} role="img" aria-label=${text}>
      ${svg`<polyline points=${points.join(' ')}></polyline>`}
    </svg>
    ${values.at(-1)}`;
}
