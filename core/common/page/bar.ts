// A bar for the remaining validity in the next year.

import { html, type TemplateResult } from 'lit';

/** Milliseconds. */
export const YEAR = 365 * 24 * 3600 * 1000;
/** A certificate that expires this soon has another colour. */
const SOON = 30 * 24 * 3600 * 1000;
const WIDTH = 120;

/** @param rest remaining validity, in milliseconds; negative if expired */
export function validityBar(rest: number): TemplateResult {
  const soon = rest < SOON ? 'soon' : 'left';
  const width = rest < 0 ? WIDTH : Math.min(1, rest / YEAR) * WIDTH;
  return html`<svg class="bar" width=${WIDTH} height="10" aria-hidden="true">
    <rect class="track" width=${WIDTH} height="10"></rect>
    <rect class=${rest < 0 ? 'over' : soon} width=${width} height="10"></rect>
  </svg>`;
}

/** `2027-01-31`, or `2020-01-31, expired` */
export const dayText = (end: number, now: number): string =>
  `${new Date(end).toISOString().slice(0, 10)}${end < now ? ', expired' : ''}`;
