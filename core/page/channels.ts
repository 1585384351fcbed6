// The table of channels: their verdicts, heights, how many blocks each node is behind, and how fast they grow.

import { html, svg, type TemplateResult } from 'lit';
import { shown } from './shown.js';
import { table } from '../common/page/table.js';
import type { ChannelStatus, Consensus } from '../status/document.js';

/** States in a sparkline: ten minutes. */
const POINTS = 120;
const WIDTH = 120;
const HEIGHT = 20;

/** The highest block of each channel in the states that this page has received; only the page keeps them. */
export class Heights {
  readonly #points = new Map<string, readonly number[]>();

  /** Adds the heights in a state. */
  add(channels: readonly ChannelStatus[]): void {
    const highest = new Map(channels.map(({ name, height }) => [name, height]));
    for (const [channel, height] of highest)
      if (height !== undefined)
        this.#points.set(channel, [...(this.#points.get(channel) ?? []), height].slice(-POINTS - 1));
    for (const channel of this.#points.keys())
      if (highest.get(channel) === undefined) this.#points.delete(channel);
  }

  /** The number of new blocks in each state. */
  growth(channel: string): readonly number[] {
    const points = this.#points.get(channel) ?? [];
    return points.slice(1).map((height, index) => Math.max(0, height - points[index]!));
  }
}

/** A row for each channel and node. */
export function channelsView(channels: readonly ChannelStatus[], heights: Heights): TemplateResult {
  if (channels.length === 0) return html`<p class="dim">No node has a channel yet.</p>`;
  const rows = channels.flatMap(({ name: channel, verdict = '', reason = '', height: highest, nodes }) =>
    nodes.map(({ node, height, removed, consensus, status }, index) => [
      shown(channel),
      index === 0 ? html`${shown(verdict.replace('-', ' '))} <span class="dim">${shown(reason)}</span>` : '',
      shown(node),
      removed ? 'removed' : heightText(height, highest),
      [
        ...(consensus === undefined ? [] : [consensusText(consensus)]),
        ...(status === undefined || status === 'active' ? [] : [shown(status)]),
      ].join(', '),
      sparkline(heights.growth(channel)),
    ]),
  );
  return table(['channel', 'verdict', 'node', 'height', 'consensus', 'new blocks'], rows);
}

function heightText(height: number | undefined, highest: number | undefined): string {
  if (height === undefined) return 'unknown';
  const lag = (highest ?? height) - height;
  return lag === 0 ? String(height) : `${height}, ${lag} behind`;
}

const consensusText = ({
  type,
  is_leader: isLeader,
  active_nodes: active,
  cluster_size: size,
}: Consensus): string =>
  shown(
    [
      type,
      ...(isLeader === undefined ? [] : [isLeader ? 'leader' : 'follower']),
      ...(size === undefined ? [] : [active === undefined ? `${size} nodes` : `${active} of ${size} active`]),
    ].join(', '),
  );

/** A sparkline of values, with the last value as text. */
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
  const text = `${total} new blocks since this page was opened`;
  return html`<svg class="spark" width=${WIDTH} height=${HEIGHT} role="img" aria-label=${text}>
      ${svg`<polyline points=${points.join(' ')}></polyline>`}
    </svg>
    ${values.at(-1)}`;
}
