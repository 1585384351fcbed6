// The history of a channel: its config blocks as a timeline, and the difference of any two blocks.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import {
  describeDifference,
  differenceDocument,
  logDocument,
  logEntry,
  signerText,
  type LogEntry,
} from 'fabric-ops-agent/translator/review';
import type { BlockFile } from './files.js';
import { documentView } from './html.js';
import { styles } from '../../core/common/page/styles.js';

/** `<channel-history>`: shows `blocks`, the oldest first. */
export class ChannelHistory extends LitElement {
  static override styles = styles;
  static override properties = {
    blocks: { attribute: false },
    entries: { state: true },
    from: { state: true },
    to: { state: true },
  };
  declare blocks: readonly BlockFile[];
  declare private entries: readonly LogEntry[];
  declare private from: number;
  declare private to: number;

  constructor() {
    super();
    this.blocks = [];
    this.entries = [];
    this.from = 0;
    this.to = 0;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('blocks')) return;
    this.from = 0;
    this.to = this.blocks.length - 1;
    this.entries = [];
    void this.#load(this.blocks);
  }

  async #load(blocks: readonly BlockFile[]): Promise<void> {
    const entries = await Promise.all(
      blocks.map(async ({ block }, index) => logEntry(block, blocks[index - 1]?.block)),
    );
    if (this.blocks === blocks) this.entries = entries;
  }

  override render(): TemplateResult {
    const { blocks, entries, from, to } = this;
    if (entries.length !== blocks.length) return html`<p role="status">Reading ${blocks.length} blocks</p>`;
    return html`<h2>History</h2>
      <ol class="timeline">
        ${entries.map((entry) => html`<li>${documentView(logDocument(entry), 3)}</li>`).toReversed()}
      </ol>
      ${
        blocks.length < 2
          ? ''
          : html`<h3>Compare</h3>
              <p>
                ${this.#select('from', from, (index) => (this.from = index))}
                ${this.#select('to', to, (index) => (this.to = index))}
              </p>
              ${this.#difference(Math.min(from, to), Math.max(from, to))}`
      }`;
  }

  #select(name: string, chosen: number, choose: (index: number) => void): TemplateResult {
    return html`<label>
      ${name}
      <select @change=${(event: Event) => choose(Number((event.target as HTMLSelectElement).value))}>
        ${this.entries.map(
          ({ block }, index) =>
            html`<option value=${index} ?selected=${index === chosen}>block ${block}</option>`,
        )}
      </select>
    </label>`;
  }

  #difference(from: number, to: number): TemplateResult {
    const changes = describeDifference(this.blocks[from]!.config.config, this.blocks[to]!.config.config);
    const between = this.entries.slice(from + 1, to + 1);
    return html`${documentView(differenceDocument(changes), 3)}
      <ul class="dim">
        ${between.map(({ block, signers }) => html`<li>block ${block}: ${signersText(signers)}</li>`)}
      </ul>`;
  }
}

const signersText = (signers: LogEntry['signers']): string =>
  signers.length === 0 ? 'no signatures' : `signed by ${[...new Set(signers.map(signerText))].join(', ')}`;
