// A table that scrolls horizontally on narrow screens.

import { html, type TemplateResult } from 'lit';

/** A table with a title for each column. */
export const table = (titles: readonly string[], rows: readonly (readonly unknown[])[]): TemplateResult =>
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${titles.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
