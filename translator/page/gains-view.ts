// The gains and losses of an update: control of elements, and services.

import { onOneLine } from '../../core/common/text/one-line.js';
import type { Verdict } from '#translator/review/index.js';
import { html, type TemplateResult } from 'lit';
import type { ControlLine, ServiceLine } from './gains.js';
import type { ShownGains } from './model.js';
import { wordsView } from './html.js';
import { progressText } from './progress.js';
import { namesText } from './names.js';

/** The number of services that are named in a line; the others can be opened. */
const SHOWN = 4;

/** The gains and losses of an update. */
export function gainsView(shown: ShownGains | undefined, verdict: Verdict): TemplateResult | string {
  const isDanger = verdict === 'dangerous';
  if (shown === undefined || 'percent' in shown)
    return html`<p class="dim">
      ${progressText('Computing who gains or loses something', shown?.percent ?? 0)}
    </p>`;
  if ('error' in shown)
    return html`<p class="dim">Who gains or loses something cannot be known: ${onOneLine(shown.error)}</p>`;
  const { control, services } = shown.gains;
  if (control.length === 0 && services.length === 0)
    return isDanger || verdict === 'refused'
      ? ''
      : html`<p class="nobody">Nobody gains or loses anything.</p>`;
  return html`<div class="gains">
    ${control.length === 0 ? '' : controlView(control, isDanger)}
    ${services.length === 0 ? '' : servicesView(services, isDanger)}
  </div>`;
}

/** The groups that everybody asks about. */
const MAIN: ReadonlySet<string> = new Set(['/Channel', '/Channel/Application', '/Channel/Orderer']);

/** With a danger all lines; otherwise those about the main groups, and the others can be opened. */
function controlView(lines: readonly ControlLine[], isDanger: boolean): TemplateResult {
  const isMain = ({ elements }: ControlLine): boolean => elements.some((path) => MAIN.has(path));
  const shown = lines.filter((line) => isDanger || isMain(line));
  const rest = lines.filter((line) => !shown.includes(line));
  return html`<h3>Who decides</h3>
    ${shown.length === 0 ? '' : linesView(shown)}
    ${
      rest.length === 0
        ? ''
        : html`<details>
            <summary>about ${namesText(rest.map(({ what }) => what))}</summary>
            ${linesView(rest)}
          </details>`
    }`;
}

const linesView = (lines: readonly ControlLine[]): TemplateResult =>
  html`<table class="decides">
      <thead>
        <tr>
          <th scope="col">about</th>
          <th scope="col">before</th>
          <th scope="col">after</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ what, elements, before, after, isEasier }) =>
            html`<tr title=${onOneLine(elements.slice(0, SHOWN).join(', '))}>
              <th scope="row">${wordsView(what)}</th>
              <td data-title="before">
                ${before === undefined ? html`<span class="dim">does not exist</span>` : wordsView(before)}
              </td>
              <td data-title="after">
                <ins>${after === undefined ? 'removed' : wordsView(after)}</ins>
                ${isEasier ? html`<span class="mark" role="img" aria-label="fewer or different signatures">◀</span>` : ''}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${lines.some(({ isEasier }) => isEasier) ? html`<p class="legend"><span class="mark" aria-hidden="true">◀</span> fewer or different signatures than before</p>` : ''}`;

const servicesView = (lines: readonly ServiceLine[], isDanger: boolean): TemplateResult =>
  html`<h3>Who can use what</h3>
    <ul class="plain">
      ${lines.map(
        ({ change, who, services }) =>
          html`<li>
            <span class=${isDanger ? change : 'dim'}>${change === 'lost' ? '−' : '+'}</span>
            ${onOneLine(who)} ${change === 'lost' ? 'lose' : 'get'}: ${servicesText(services)}
          </li>`,
      )}
    </ul>`;

function servicesText(services: readonly string[]): TemplateResult | string {
  const text = (list: readonly string[]): string => onOneLine(list.join(', '));
  if (services.length <= SHOWN + 1) return text(services);
  return html`${text(services.slice(0, SHOWN))}
    <details>
      <summary>and ${services.length - SHOWN} more</summary>
      ${text(services.slice(SHOWN))}
    </details>`;
}
