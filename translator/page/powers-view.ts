// Powers: a matrix of services and organisations with the changes of an update, and the control of elements.

import { onOneLine, powersDocument, type ChannelPowers } from 'fabric-ops-agent/translator/review';
import { html, type TemplateResult } from 'lit';
import { table } from '../../core/common/page/table.js';
import { sectionView } from './html.js';
import type { Column, Matrix, Power, PowersModel } from './powers.js';

/** The tab of powers. */
export function powersView(model: PowersModel): TemplateResult {
  const { updates, chosen, shown } = model;
  const onUpdate = (event: Event): void =>
    void model.choose(updates[Number((event.target as HTMLSelectElement).value)]);
  return html`<section aria-label="powers">
    <h2>Who can do what</h2>
    ${
      updates.length === 0
        ? ''
        : html`<p>
            <label
              >with the update
              <select name="update" @change=${onUpdate}>
                <option value="-1" ?selected=${chosen === undefined}>none: the channel as it is</option>
                ${updates.map(
                  (each, index) =>
                    html`<option value=${index} ?selected=${each === chosen}>
                      ${each.names.map(onOneLine).join(', ')}
                    </option>`,
                )}
              </select>
            </label>
          </p>`
    }
    <p class="dim">
      Powers of one signature, for endorsements and blocks of several signatures, with certificates as the CAs
      of an organisation issue them. A single certificate may be expired or revoked: drop it to see its
      powers.
    </p>
    ${
      shown === undefined
        ? html`<p role="status">Computing the powers</p>`
        : html`${shown.error === undefined ? '' : html`<p class="verdict bad">${onOneLine(shown.error)}</p>`}
          ${partView(shown.powers, 'unknown')}
          ${shown.matrix === undefined ? '' : matrixView(model, shown.matrix)}
          ${partView(shown.powers, 'control')}`
    }
  </section>`;
}

/** A section of the document about the powers. */
const partView = (powers: ChannelPowers | undefined, wanted: string): readonly TemplateResult[] =>
  powers === undefined
    ? []
    : (powersDocument(powers).sections ?? [])
        .filter(({ id }) => id === wanted)
        .map((section) => sectionView(section, 3));

function matrixView(model: PowersModel, { columns, rows }: Matrix): TemplateResult {
  const { columns: visible, found } = model.visible;
  const hasUpdate = model.chosen !== undefined && model.shown?.error === undefined;
  return html`${hasUpdate ? summaryView(columns) : ''}
    <p>
      <label
        >Search an organisation
        <input
          .value=${model.search}
          @input=${(event: Event) => model.find((event.target as HTMLInputElement).value)}
      /></label>
      <span class="dim" aria-live="polite"
        >${visible.length} of ${columns.length} columns${found > visible.length ? `, ${found} match` : ''};
        organisations with the same services share one</span
      >
    </p>
    ${table(
      ['service', ...visible.map((index) => columnTitle(columns[index]!, model.search))],
      rows.map(({ service, resources, cells }) => [
        html`${service}${
          resources.length === 0 ? '' : html`<div class="dim">${onOneLine(resources.join(', '))}</div>`
        }`,
        ...visible.map((index) => cellView(cells[index]!)),
      ]),
    )}`;
}

/** The number of organisations that are named. */
const NAMED = 3;

/** `Org1, Org2, Org3 and 247 more`; organisations that match the search come first. */
function namesText(organizations: readonly string[], search = ''): string {
  const wanted = search.trim().toLowerCase();
  const isFound = (name: string): number => Number(name.toLowerCase().includes(wanted));
  const ordered = organizations.toSorted((left, right) => isFound(right) - isFound(left));
  const rest = ordered.length - NAMED;
  return onOneLine(`${ordered.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`);
}

const columnTitle = ({ organizations, loses, gains }: Column, search: string): string =>
  `${loses ? '− ' : ''}${gains ? '+ ' : ''}${namesText(organizations, search)}`;

function summaryView(columns: readonly Column[]): TemplateResult {
  const named = (list: readonly Column[]): string =>
    namesText(list.flatMap(({ organizations }) => organizations));
  const losers = columns.filter(({ loses }) => loses);
  const gainers = columns.filter(({ gains }) => gains);
  if (losers.length === 0 && gainers.length === 0)
    return html`<p class="powers-summary">The update takes and gives no service.</p>`;
  return html`<div class="powers-summary">
    ${losers.length === 0 ? '' : html`<div class="lost">− The update takes something from ${named(losers)}.</div>`}
    ${gainers.length === 0 ? '' : html`<div class="gained">+ The update gives something to ${named(gainers)}.</div>`}
  </div>`;
}

const CHANGES: Readonly<Record<Power['change'], (role: string) => string>> = {
  kept: (role) => role,
  lost: (role) => `− ${role} lose it`,
  gained: (role) => `+ ${role} get it`,
};

const cellView = (powers: readonly Power[]): TemplateResult | readonly TemplateResult[] =>
  powers.length === 0
    ? html`<span class="dim">nobody</span>`
    : powers.map(({ role, change }) => html`<div class=${change}>${CHANGES[change](role)}</div>`);
