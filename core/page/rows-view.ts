// The rows: channels with their nodes below, each with its last 24 hours.

import { html, svg, type TemplateResult } from 'lit';
import { countText } from '../status/answer/index.js';
import type { HostRow } from './agents.js';
import type { Open } from './answer-view.js';
import { curveView } from './curve.js';
import { glyph, WORDS } from './glyph.js';
import type { Axis, Lane } from './lanes.js';
import { isOpen, type ChannelRow, type Dot, type NodeRow, type Rows } from './rows.js';
import { shown } from './shown.js';

/** More nodes than this are shown only if they are not fine. */
const MOST_NODES = 12;
/** Fewest minutes that are shown as bars. */
const FEWEST = 3;
/** Most dots of one kind in a row. */
const MOST_DOTS = 12;

/** The choices of the reader. */
interface RowChoices {
  readonly open: Open;
  /** Channels whose nodes the reader has opened or closed; empty: nodes without a channel. */
  readonly toggled: ReadonlyMap<string, boolean>;
  readonly toggle: (channel: string, isOpen: boolean) => void;
  /** Whether the screen is narrow: nodes that are fine are not shown. */
  readonly isNarrow: boolean;
}

/** The rows. With many nodes, those that are fine are one line at the end. */
export function rowsView(
  { axis, isUncertain, channels, nodes, hosts }: Rows,
  choices: RowChoices,
): TemplateResult | string {
  if (channels.length === 0 && nodes.length === 0) return hostsView(hosts, choices);
  const all = [...channels.flatMap((channel) => channel.nodes), ...nodes];
  const isLarge = all.length > MOST_NODES;
  return html`<section class="rows ${isUncertain ? 'uncertain' : ''}" aria-label="channels and nodes">
      <div class="above">${isUncertain ? html`<p>Last known states</p>` : ''} ${axisView(axis)}</div>
      <ul>
        ${channels.map((channel) => channelView(channel, choices, isLarge))}
        ${isLarge ? nodes.filter(isIll).map((node) => nodeView(node, choices.open)) : ''}
        ${
          isLarge
            ? fineView(all, choices)
            : nodesView('', nodes, channels.length === 0 || nodes.some(isIll), choices)
        }
      </ul>
    </section>
    ${hostsView(hosts, choices)}`;
}

/** The name of the hosts in {@link RowChoices.toggled}: no channel has such a name. */
const HOSTS = '/hosts';

/** The other hosts; of many, those that are fine on demand. */
function hostsView(
  hosts: readonly HostRow[],
  { open, toggled, toggle }: RowChoices,
): TemplateResult | string {
  if (hosts.length === 0) return '';
  const ill = hosts.filter(({ state }) => state !== 'works');
  const isAll = hosts.length <= MOST_NODES || (toggled.get(HOSTS) ?? false);
  const fine = hosts.length - ill.length;
  const text = `${countText(fine, ill.length > 0 ? 'more host' : 'host')} ${fine === 1 ? 'is' : 'are'} fine`;
  return html`<section class="rows hosts" aria-label="other hosts">
    <div class="above"><p>Other hosts</p></div>
    <ul>
      ${(isAll ? hosts : ill).map((host) => hostView(host, open))}
      ${
        hosts.length <= MOST_NODES || fine === 0
          ? ''
          : moreView({ text, isOpen: isAll, isOfAll: true, fewer: 'Fewer hosts' }, (areShown) =>
              toggle(HOSTS, areShown),
            )
      }
    </ul>
  </section>`;
}

const hostView = ({ name, state, words }: HostRow, open: Open): TemplateResult =>
  html`<li class="line host" data-state=${state}>
    ${glyph(state, WORDS[state])}
    <div class="what">
      <button class="name" @click=${() => open({ of: 'host', name })}>${shown(name)}</button>
      <span class="words">${shown(words)}</span>
    </div>
  </li>`;

const isIll = ({ isFine }: NodeRow): boolean => !isFine;

/** The nodes that are fine, on demand. @param all all nodes */
function fineView(all: readonly NodeRow[], { open, toggled, toggle }: RowChoices): TemplateResult | string {
  const fine = all.filter(({ isFine }) => isFine);
  const more = fine.length < all.length ? 'more ' : '';
  return fine.length === 0
    ? ''
    : moreView(
        {
          text: `${countText(fine.length, `${more}node`)} ${fine.length === 1 ? 'is' : 'are'} fine`,
          isOpen: toggled.get('') ?? false,
          isOfAll: true,
        },
        (areShown) => toggle('', areShown),
        fine.map((node) => nodeView(node, open)),
      );
}

/** A line that shows rows above it or hides them. With `isOfAll` they are those of all channels. */
const moreView = (
  {
    text,
    isOpen: areShown,
    isOfAll = false,
    fewer = 'Fewer nodes',
  }: {
    readonly text: string;
    readonly isOpen: boolean;
    readonly isOfAll?: boolean;
    readonly fewer?: string;
  },
  toggle: (isOpen: boolean) => void,
  rows: unknown = '',
): TemplateResult =>
  html`${areShown ? rows : ''}
    <li class="more ${isOfAll ? 'all' : ''}">
      <button class="link" aria-expanded=${areShown} @click=${() => toggle(!areShown)}>
        ${areShown ? `${fewer} ▴` : `${text} ▾`}
      </button>
    </li>`;

const axisView = ({ text, end }: Axis): TemplateResult =>
  html`<p class="axis" aria-hidden="true"><span>${text}</span><span>${end}</span></p>`;

/** @param isLarge whether only nodes that are not fine are shown */
function channelView(channel: ChannelRow, choices: RowChoices, isLarge: boolean): TemplateResult {
  const { name, state, consenters, needs, others, height, rate, minutes, newest, lane } = channel;
  const isClosed = !isOpen(channel);
  // With many nodes a phone shows only their number.
  const hasOthers = consenters.length === 0 || (isLarge ? !choices.isNarrow : isClosed);
  return html`<li class="line channel" data-state=${state}>
      ${glyph(state, WORDS[state])}
      <div class="what">
        <div class="head">
          <button class="name" @click=${() => choices.open({ of: 'channel', name })}>${shown(name)}</button>
          ${needs === '' ? '' : html`<span class="needs">${needs}</span>`}
        </div>
        ${dotsView(consenters)} ${hasOthers ? dotsView(others) : ''}
      </div>
      <div class="facts">
        <span>${height}</span> <span>${rate}</span> <span>${newest}</span>
        ${minutes.counts.length >= FEWEST && minutes.counts.some((count) => count > 0) ? curveView(minutes.counts, minutes.words) : ''}
      </div>
      ${laneView(name, lane)}
    </li>
    ${
      isLarge
        ? channel.nodes.filter(isIll).map((node) => nodeView(node, choices.open))
        : nodesView(name, channel.nodes, !isClosed, choices)
    }`;
}

const dotsView = (dots: readonly Dot[]): TemplateResult | string =>
  dots.length === 0
    ? ''
    : html`<span class="dots">
        ${dots
          .slice(0, MOST_DOTS)
          .map(
            ({ name, state, words }) =>
              html`<span class="member" title="${shown(name)} ${shown(words)}"
                >${glyph(state, shown(words))}<span>${shown(name)}</span></span
              >`,
          )}
        ${dots.length > MOST_DOTS ? html`<span>${dots.length - MOST_DOTS} more</span>` : ''}
      </span>`;

/** The nodes below a channel: those that are not fine, the others on demand. @param areOpen whether any is shown without a click */
function nodesView(
  channel: string,
  nodes: readonly NodeRow[],
  areOpen: boolean,
  { open, toggled, toggle, isNarrow }: RowChoices,
): TemplateResult | string {
  if (nodes.length === 0) return '';
  const few = isNarrow ? nodes.filter(isIll) : nodes;
  const usual = areOpen ? few : [];
  const isAll = toggled.get(channel) ?? false;
  const rest = nodes.length - usual.length;
  const text =
    usual.length === 0 ? countText(rest, 'node') : `${rest} more ${rest === 1 ? 'is' : 'are'} fine`;
  return html`${(isAll ? nodes : usual).map((node) => nodeView(node, open))}
  ${rest === 0 ? '' : moreView({ text, isOpen: isAll }, (areShown) => toggle(channel, areShown))}`;
}

const nodeView = ({ name, state, words, height, badges, lane }: NodeRow, open: Open): TemplateResult =>
  html`<li class="line node" data-state=${state}>
    ${glyph(state, WORDS[state])}
    <div class="what">
      <button class="name" @click=${() => open({ of: 'node', name })}>${shown(name)}</button>
      ${words === '' ? '' : html`<span class="words">${shown(words)}</span>`}
      ${badges.map(
        ({ text, isWarning }) =>
          html`<span class="badge ${isWarning ? 'warning' : ''}">${shown(text)}</span>`,
      )}
    </div>
    <div class="facts">${height}</div>
    ${laneView(name, lane)}
  </li>`;

/** The units of a lane: its width and height. */
const WIDTH = 1440;
const HEIGHT = 16;
/** The narrowest span that is visible, in these units. */
const NARROWEST = 9;
/** By state, how high a span is: they differ without colours, too. */
const HEIGHTS: Readonly<Record<string, number>> = {
  unknown: 6,
  risk: 10,
  silent: HEIGHT,
  stopped: HEIGHT,
};

function laneView(name: string, { from, to, spans, restarts, text }: Lane): TemplateResult {
  const x = (time: number): number => Math.round(((time - from) / (to - from)) * WIDTH);
  const bars = spans.map(({ from: begin, to: end, state, isOver, text: title }) => {
    const width = Math.max(NARROWEST, x(end) - x(begin));
    const height = HEIGHTS[state] ?? HEIGHT;
    return svg`<rect data-state=${state} class=${isOver ? 'over' : ''} x=${Math.min(x(begin), WIDTH - width)} y=${(HEIGHT - height) / 2} width=${width} height=${height}><title>${shown(title)}</title></rect>`;
  });
  const marks = restarts.map(
    (at) => svg`<rect class="restart" x=${x(at)} y="0" width="5" height=${HEIGHT}></rect>`,
  );
  return html`<svg
    class="lane"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${shown(name)}: ${shown(text)}"
  >
    <rect x="0" y="5" width=${WIDTH} height="6"></rect>
    ${bars} ${marks}
  </svg>`;
}
