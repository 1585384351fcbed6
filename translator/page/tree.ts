// The tree of a config: searchable, and fast with hundreds of organisations, because only the rows near the visible ones are in the document: all rows have one height.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { onOneLine } from '../../core/common/text/one-line.js';
import type { Config } from '#translator/channel/index.js';
import { copy } from './download.js';
import { elementJson, jqPath, jsonOfConfig, readableBytes, type ConfigJson } from './element-json.js';
import { rowsOf, visibleRows, type Row } from './rows.js';
import { styles } from '../../core/common/page/styles.js';

/** The request to edit an element. */
export type EditEvent = CustomEvent<Row>;

/** The height of a row, in rem, as in the styles. */
const ROW = 1.75;
/** The number of rows in the document, and of those before the first visible one. */
const IN_DOCUMENT = { all: 60, before: 20 };

/** `<config-tree>`: shows `config`. */
export class ConfigTree extends LitElement {
  static override styles = styles;
  static override properties = {
    config: { attribute: false },
    closed: { state: true },
    search: { state: true },
    selected: { state: true },
    message: { state: true },
    first: { state: true },
  };
  declare config: Config | undefined;
  declare private closed: ReadonlySet<string>;
  declare private search: string;
  declare private selected: Row | undefined;
  declare private message: string;
  /** The index of the first visible row. */
  declare private first: number;
  #rows: readonly Row[] = [];
  #json: ConfigJson | undefined;

  constructor() {
    super();
    this.closed = new Set();
    this.search = '';
    this.message = '';
    this.first = 0;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('config')) return;
    this.#rows = this.config === undefined ? [] : rowsOf(this.config.channelGroup, new Date());
    this.#json = undefined;
    this.selected = undefined;
  }

  get #visible(): readonly Row[] {
    return visibleRows(this.#rows, this.closed, this.search);
  }

  override render(): TemplateResult {
    const rows = this.#visible;
    return html`<p>
        <label>
          Search
          <input
            type="search"
            .value=${this.search}
            @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
          />
        </label>
        <span class="dim" aria-live="polite">${rows.length} of ${this.#rows.length} elements</span>
      </p>
      <div
        class="tree"
        role="tree"
        aria-label="config"
        aria-activedescendant=${this.selected !== undefined && rows.includes(this.selected) ? 'selected' : nothing}
        tabindex="0"
        @keydown=${this.#onKey}
        @scroll=${({ currentTarget }: Event) => (this.first = Math.floor((currentTarget as HTMLElement).scrollTop / rowHeight()))}
      >
        ${this.#rowsView(rows)}
      </div>
      ${this.selected === undefined ? '' : this.#details(this.selected)}`;
  }

  /** The rows near the visible ones, at their place in the height of all rows. */
  #rowsView(rows: readonly Row[]): TemplateResult {
    const { all, before } = IN_DOCUMENT;
    const from = Math.max(0, Math.min(this.first - before, rows.length - all));
    return html`<div
      role="presentation"
      .style=${`height: ${rows.length * ROW}rem; padding-top: ${from * ROW}rem`}
    >
      ${rows.slice(from, from + all).map((row) => this.#row(row))}
    </div>`;
  }

  #row(row: Row): TemplateResult {
    const isGroup = row.kind === 'group';
    const mark = isGroup ? (this.closed.has(row.path) ? '▸' : '▾') : '·';
    const isSelected = this.selected === row;
    return html`<div
      class="row"
      role="treeitem"
      id=${isSelected ? 'selected' : nothing}
      title=${onOneLine(row.name)}
      tabindex="-1"
      aria-level=${row.depth + 1}
      aria-expanded=${isGroup ? String(!this.closed.has(row.path)) : nothing}
      aria-selected=${String(isSelected)}
      @click=${() => this.#choose(row)}
    >
      <span class="name" .style=${`padding-left: ${row.depth}rem`}>${mark} ${onOneLine(row.name)}</span>
      <span class="words">${onOneLine(row.text)}</span>
    </div>`;
  }

  #choose(row: Row): void {
    this.#select(row);
    if (row.kind === 'group') this.#toggle(row, this.closed.has(row.path));
  }

  #select(row: Row | undefined): void {
    if (row === undefined) return;
    this.selected = row;
    this.message = '';
  }

  #toggle({ path }: Row, isOpen: boolean): void {
    const closed = new Set(this.closed);
    if (isOpen) closed.delete(path);
    else closed.add(path);
    this.closed = closed;
  }

  /** The keys of a tree (WAI-ARIA): arrows, Home, End. */
  #onKey = (event: KeyboardEvent): void => {
    const rows = this.#visible;
    const at = this.selected === undefined ? -1 : rows.indexOf(this.selected);
    const next = this.#rowFor(event.key, rows, at);
    if (next === undefined) return;
    event.preventDefault();
    this.#select(next);
    const tree = event.currentTarget as HTMLElement;
    const top = rows.indexOf(next) * rowHeight();
    const lowest = top + rowHeight() - tree.clientHeight;
    tree.scrollTop = Math.max(lowest, Math.min(top, tree.scrollTop));
  };

  /** The row that a key selects; undefined for other keys. */
  #rowFor(key: string, rows: readonly Row[], at: number): Row | undefined {
    const row = rows[at];
    switch (key) {
      case 'ArrowDown':
        return rows[Math.min(at + 1, rows.length - 1)];
      case 'ArrowUp':
        return rows[Math.max(at - 1, 0)];
      case 'Home':
        return rows[0];
      case 'End':
        return rows.at(-1);
      case 'ArrowRight':
        if (row?.kind === 'group') this.#toggle(row, true);
        return row;
      case 'ArrowLeft':
        if (row?.kind === 'group' && !this.closed.has(row.path)) {
          this.#toggle(row, false);
          return row;
        }
        return rows.slice(0, Math.max(at, 0)).findLast(({ depth }) => depth < (row?.depth ?? 0)) ?? row;
      default:
        return undefined;
    }
  }

  #details(row: Row): TemplateResult {
    const { path, kind, version, modPolicy, text } = row;
    const element = this.#elementOf(row);
    const json = JSON.stringify(element, undefined, 2) ?? '';
    const bytes = element === undefined ? [] : readableBytes(element);
    return html`<section aria-label="element">
      <h3>${onOneLine(path)}</h3>
      <p>${onOneLine(text)}</p>
      <p class="dim">
        ${kind}, version ${version}, changed by ${modPolicy === '' ? 'nobody' : onOneLine(modPolicy)}
      </p>
      <p class="buttons">
        <button type="button" @click=${() => this.#copy('the JSON', json)}>Copy as JSON</button>
        <button type="button" @click=${() => this.#copy('the path', jqPath(row))}>Copy the jq path</button>
        ${
          kind === 'group'
            ? ''
            : html`<button type="button" @click=${() => this.#edit(row)}>Edit as JSON</button>`
        }
        <span role="status">${this.message}</span>
      </p>
      <p><code>${onOneLine(jqPath(row))}</code></p>
      ${
        bytes.length === 0
          ? ''
          : html`<ul>
              ${bytes.map(({ place, text: what }) => html`<li><code>${onOneLine(place)}</code>: ${onOneLine(what)}</li>`)}
            </ul>`
      }
      <details ?open=${kind !== 'group'}>
        <summary>JSON</summary>
        <pre tabindex="0">${visibleText(json)}</pre>
      </details>
    </section>`;
  }

  #elementOf(row: Row): ConfigJson | undefined {
    if (this.config === undefined) return undefined;
    this.#json ??= jsonOfConfig(this.config);
    return elementJson(this.#json, row);
  }

  #copy = async (what: string, text: string): Promise<void> => {
    this.message = (await copy(text))
      ? `${what} is copied`
      : 'the browser does not let this page copy: select the text, and copy it';
  };

  #edit(row: Row): void {
    this.dispatchEvent(new CustomEvent('edit-element', { detail: row }) satisfies EditEvent);
  }
}

/** In pixels. */
const rowHeight = (): number => ROW * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The maximum length of the shown JSON, in characters. */
const MAX_SHOWN = 200_000;

const visibleText = (json: string): string =>
  json
    .slice(0, MAX_SHOWN)
    .split('\n')
    .map((line) => onOneLine(line))
    .join('\n');
