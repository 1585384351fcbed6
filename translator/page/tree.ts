// The tree of a config: searchable, and fast with hundreds of organisations, because only visible rows are in the document.

import { virtualize } from '@lit-labs/virtualizer/virtualize.js';
import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { onOneLine } from 'fabric-ops-agent/translator/describe';
import type { ConfigGroup } from 'fabric-ops-agent/translator/config';
import { rowsOf, visibleRows, type Row } from './rows.js';
import { styles } from './styles.js';

/** `<config-tree>`: shows `channel`. */
export class ConfigTree extends LitElement {
  static override styles = [
    styles,
    css`
      :host {
        padding: 0;
      }
    `,
  ];
  static override properties = {
    channel: { attribute: false },
    closed: { state: true },
    search: { state: true },
    selected: { state: true },
  };
  declare channel: ConfigGroup | undefined;
  declare private closed: ReadonlySet<string>;
  declare private search: string;
  declare private selected: Row | undefined;
  #rows: readonly Row[] = [];

  constructor() {
    super();
    this.closed = new Set();
    this.search = '';
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('channel'))
      this.#rows = this.channel === undefined ? [] : rowsOf(this.channel, new Date());
  }

  override render(): TemplateResult {
    const rows = visibleRows(this.#rows, this.closed, this.search);
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
      <div class="tree" role="tree" aria-label="config" tabindex="0">
        ${virtualize<Row>({ scroller: true, items: [...rows], renderItem: (row) => this.#row(row) })}
      </div>
      ${this.selected === undefined ? '' : this.#details(this.selected)}`;
  }

  #row(row: Row): TemplateResult {
    const isGroup = row.kind === 'group';
    const mark = isGroup ? (this.closed.has(row.path) ? '▸' : '▾') : '·';
    return html`<div
      class="row"
      role="treeitem"
      tabindex="-1"
      aria-level=${row.depth + 1}
      aria-expanded=${isGroup ? String(!this.closed.has(row.path)) : 'undefined'}
      aria-selected=${String(this.selected?.path === row.path)}
      @click=${() => this.#choose(row)}
    >
      <span class="name" .style=${`padding-left: ${row.depth}rem`}>${mark} ${onOneLine(row.name)}</span>
      <span class="words">${row.text}</span>
    </div>`;
  }

  #choose(row: Row): void {
    this.selected = row;
    if (row.kind !== 'group') return;
    const closed = new Set(this.closed);
    if (!closed.delete(row.path)) closed.add(row.path);
    this.closed = closed;
  }

  #details({ path, kind, version, modPolicy, text }: Row): TemplateResult {
    return html`<h3>${onOneLine(path)}</h3>
      <p>${text}</p>
      <p class="dim">
        ${kind}, version ${version}, changed by ${modPolicy === '' ? 'nobody' : onOneLine(modPolicy)}
      </p>`;
  }
}
