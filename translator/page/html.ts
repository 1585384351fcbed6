// Prints documents as HTML.

import { onOneLine } from '../../core/common/text/one-line.js';
import {
  changeText,
  firstOf,
  restText,
  type Block,
  type Cell,
  type Document,
  type Problem,
  type Row,
  type Rows,
  type Section,
  type Text,
  type ValueChange,
} from '#translator/documents/index.js';
import { html, render, type TemplateResult } from 'lit';
import { capitalised } from '../../core/common/text/capitalised.js';

type Content = TemplateResult | string;

/** The number of elements that are named for a problem. */
const PATHS_SHOWN = 12;

/** A document. @param level of the heading with its title */
export const documentView = (
  { title, blocks = [], sections = [] }: Document,
  level: 2 | 3 = 2,
): TemplateResult =>
  html`${title === undefined ? '' : heading(title, level)} ${blocks.map(blockView)}
  ${sections.map((section) => sectionView(section, level === 2 ? 3 : 4))}`;

/** A section, an element with its id as the class. @param level of its heading */
export const sectionView = (
  { id, title, state, blocks, sections = [] }: Section,
  level: 3 | 4,
): TemplateResult =>
  html`<div class=${id.replaceAll(' ', '-')}>
    ${heading(title, level)} ${state === undefined ? '' : html`<p>${textView(state)}</p>`}
    ${blocks.map(blockView)} ${sections.map((each) => sectionView(each, 4))}
  </div>`;

/** A heading, with a capital letter first. */
export function heading(title: string, level: 2 | 3 | 4): TemplateResult {
  const text = onOneLine(capitalised(title));
  if (level === 2) return html`<h2>${text}</h2>`;
  return level === 3 ? html`<h3>${text}</h3>` : html`<h4>${text}</h4>`;
}

/** A block; rows beyond its limit can be opened. */
export function blockView(block: Block): Content {
  const { limit } = block;
  if (block.kind === 'problems') return withRest(block.problems, limit, problemsView);
  if (block.rows.length === 0) return '';
  return withRest(block.rows, limit, (rows) => rowsView({ ...block, rows }));
}

function withRest<Item>(
  items: readonly Item[],
  limit: Block['limit'],
  view: (items: readonly Item[]) => Content,
): Content {
  if (limit === undefined || items.length <= limit.shown) return view(items);
  const rest = items.slice(limit.shown);
  // Hundreds of rows are only in the document once somebody opens them.
  const onToggle = ({ currentTarget }: Event): void => {
    const details = currentTarget as HTMLDetailsElement;
    if (details.open) render(view(rest), details.querySelector<HTMLElement>('.rest')!);
  };
  return html`${view(items.slice(0, limit.shown))}
    <details @toggle=${onToggle}>
      <summary>${restText(rest.length, limit)}</summary>
      <div class="rest"></div>
    </details>`;
}

const problemsView = (problems: readonly Problem[]): TemplateResult => html`${problems.map(problemView)}`;

/** A problem, and its solution. */
export const problemView = ({
  id,
  tone,
  label,
  text,
  short,
  paths,
  orderer,
  todo,
}: Problem): TemplateResult =>
  html`<div class="finding ${label ?? (tone === 'bad' ? 'danger' : 'warning')}" data-id=${id}>
    ${label === undefined ? '' : html`<strong>${label}</strong>: `}${onOneLine(short ?? text)}
    ${paths.length === 0 ? '' : html`<span class="dim">(${onOneLine(firstOf(paths, PATHS_SHOWN))})</span>`}
    ${
      short === undefined
        ? ''
        : html`<details>
            <summary>in full</summary>
            ${onOneLine(text)}
          </details>`
    }
    <div>to do: ${onOneLine(todo)}</div>
    ${ordererView(orderer)}
  </div>`;

/** The error of the orderers, for users who search for it. */
export const ordererView = (orderer: string | undefined): Content =>
  orderer === undefined
    ? ''
    : html`<div class="orderer dim">error of the orderers: ${onOneLine(orderer)}</div>`;

function rowsView({ rows, columns, isAligned }: Rows): Content {
  const isEntries = !isAligned && rows.some(({ details = [] }) => details.length > 0);
  if (isEntries) return html`${rows.map(entryView)}`;
  return rows.every(({ cells }) => cells.length === 1) ? listView(rows) : tableView(rows, columns);
}

const listView = (rows: readonly Row[]): TemplateResult =>
  html`<ul>
    ${rows.map((row) => contentsOf(row.cells[0]!).map((each) => html`<li class=${toneOf(row)}>${each}</li>`))}
  </ul>`;

/** A row with a separate table. */
const entryView = ({ cells, details = [] }: Row): TemplateResult =>
  html`<p class="entry">${cells.map((cell) => html`<span>${cellView(cell)}</span> `)}</p>
    ${tableView(details)}`;

/** A table; wide ones scroll by themselves on narrow screens. */
function tableView(rows: readonly Row[], columns?: readonly string[]): TemplateResult {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  return html`<div class="scroll stack">
    <table>
      ${
        columns === undefined
          ? ''
          : html`<thead>
              <tr>
                ${columns.map((title) => html`<th scope="col">${title}</th>`)}
              </tr>
            </thead>`
      }
      <tbody>
        ${rows.map((row) => [rowView(row, width), ...(row.details ?? []).map((each) => rowView(each, width, 'detail'))])}
      </tbody>
    </table>
  </div>`;
}

/** The last cell of a short row is wider. */
const rowView = (row: Row, width: number, kind = ''): TemplateResult =>
  html`<tr class="${kind} ${toneOf(row)}">
    ${row.cells.map(
      (cell, index) =>
        html`<td colspan=${index === row.cells.length - 1 ? width - index : 1}>
          ${index === 0 && row.mark !== undefined ? textView(row.mark) : ''} ${cellView(cell)}
        </td>`,
    )}
  </tr>`;

const toneOf = ({ tone }: { readonly tone?: Row['tone'] }): string =>
  tone === undefined ? '' : `tone-${tone}`;

/** The content of a cell; several texts below each other. */
export function cellView(cell: Cell): Content {
  const contents = contentsOf(cell);
  return contents.length === 1 ? contents[0]! : html`${contents.map((each) => html`<div>${each}</div>`)}`;
}

const contentsOf = (cell: Cell): readonly Content[] =>
  typeof cell === 'object' && 'items' in cell ? cell.items.map(itemView) : [textView(cell)];

const textView = (text: Text): Content =>
  typeof text === 'string'
    ? wordsView(text)
    : html`<span class=${toneOf(text)}>${wordsView(text.text)}</span>`;

/** The longest word that is never broken, in UTF-16 units: it fits into a column of a phone. */
const WHOLE = 24;

/** A text in a cell. Only long words may be broken: after a slash, or anywhere if the part before it is long, too. */
export function wordsView(text: string): Content {
  const words = onOneLine(text).split(/(?<= )/);
  if (words.every(({ length }) => length <= WHOLE)) return words.join('');
  return html`${words.map((word) => (word.length <= WHOLE ? word : partsView(word)))}`;
}

const partsView = (word: string): readonly TemplateResult[] =>
  word
    .split(/(?<=\/)/)
    .map((part) =>
      part.length <= WHOLE ? html`${part}<wbr />` : html`<span class="long">${part}</span><wbr />`,
    );

function itemView(item: string | ValueChange): Content {
  if (typeof item === 'string') return wordsView(item);
  const { change, label = '', before = '', after = '' } = item;
  return change === 'changed'
    ? html`${wordsView(label)} <del>${wordsView(before)}</del> → <ins>${wordsView(after)}</ins>`
    : wordsView(changeText(item));
}
