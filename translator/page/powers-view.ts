// The matrix of services and organisations.

import { onOneLine } from '../../core/common/text/one-line.js';
import { html, type TemplateResult } from 'lit';
import { isOfMaintenance, serviceWords } from '#translator/documents/index.js';
import type { ServiceName } from '#translator/powers/index.js';
import { namesText } from './names.js';
import { progressText } from './progress.js';
import type { Matrix, MatrixRow, Power, PowersModel } from './powers.js';

/** The number of services that are shown at first. */
const SHOWN = 8;
/** The services that users ask about first. */
const FIRST: readonly ServiceName[] = [
  'read-blocks',
  'submit-transactions',
  'submit-config-updates',
  'propose',
  'endorse',
  'commit-chaincode',
  'query-ledger',
  'read-events',
];

/** The matrix of a channel. @param isInMaintenance whether services in maintenance are shown */
export function powersView(model: PowersModel, isInMaintenance: boolean): TemplateResult {
  const { answer } = model;
  if (answer === undefined) return html`<p>${progressText('Computing who may do what', model.percent)}</p>`;
  if ('error' in answer) return html`<p class="dim">It cannot be known: ${onOneLine(answer.error)}</p>`;
  const { matrix, unknown } = answer.powers;
  const rows = matrix.rows
    .filter(({ service }) => isInMaintenance || !isOfMaintenance(service))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  return html`<section aria-label="powers">
    ${matrix.columns.length > 2 ? searchView(model, matrix) : ''}
    ${matrixView(model, matrix, rows.slice(0, SHOWN))}
    ${
      rows.length <= SHOWN
        ? ''
        : html`<details>
            <summary>${rows.length - SHOWN} more</summary>
            ${matrixView(model, matrix, rows.slice(SHOWN))}
          </details>`
    }
    ${
      unknown.length === 0
        ? ''
        : html`<details class="unknown-powers">
            <summary class="state-unknown">${unknown.length} cannot be known</summary>
            <ul>
              ${unknown.map((each) => html`<li>${onOneLine(each)}</li>`)}
            </ul>
          </details>`
    }
  </section>`;
}

const placeOf = ({ service }: MatrixRow): number => {
  const at = FIRST.indexOf(service);
  return at === -1 ? FIRST.length : at;
};

function searchView(model: PowersModel, { columns }: Matrix): TemplateResult {
  const { columns: visible, found } = model.visible;
  const onInput = (event: Event): void => model.find((event.target as HTMLInputElement).value);
  return html`<p>
    <label>Search an organisation <input type="search" .value=${model.search} @input=${onInput} /></label>
    <span class="dim" aria-live="polite"
      >${visible.length} of ${columns.length} columns${found > visible.length ? `, ${found} match` : ''};
      equal ones share one</span
    >
  </p>`;
}

function matrixView(model: PowersModel, { columns }: Matrix, rows: readonly MatrixRow[]): TemplateResult {
  const { columns: visible } = model.visible;
  // A region that scrolls has to be reached with the keyboard.
  return html`<div class="scroll" tabindex="0" role="group" aria-label="who may do what">
    <table>
      <thead>
        <tr>
          <th scope="col">service</th>
          ${visible.map((index) => html`<th scope="col">${namesText(columns[index]!.organizations, model.search)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ service, resources, cells }) =>
            html`<tr>
              <th scope="row">
                ${serviceWords(service)}${resources.length === 0 ? '' : html`<div class="dim">${onOneLine(resources.join(', '))}</div>`}
              </th>
              ${visible.map((index) => html`<td>${cellView(cells[index]!)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const cellView = (powers: readonly Power[]): TemplateResult | string =>
  powers.length === 0 ? html`<span class="dim">–</span>` : powers.map(({ role }) => role).join(', ');
