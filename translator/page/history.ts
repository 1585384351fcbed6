// The history of a channel: its config blocks as a timeline, and the difference of any two blocks.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import {
  describeDifference,
  differenceDocument,
  logDocument,
  logEntry,
  signerText,
  type ElementDifference,
  type LogEntry,
} from '#translator/documents/index.js';
import type { BlockFile } from './files.js';
import { documentView } from './html.js';
import { styles } from '../../core/common/page/styles.js';

/** `<channel-history>`: shows `blocks`, the oldest first. */
export class ChannelHistory extends LitElement {
  static override styles = styles;
  static override properties = {
    blocks: { attribute: false },
    entries: { state: true },
    differences: { state: true },
    from: { state: true },
    to: { state: true },
  };
  declare blocks: readonly BlockFile[];
  declare private entries: readonly LogEntry[];
  /** Between the blocks `from` and `to`; undefined while they are compared. */
  declare private differences: readonly ElementDifference[] | undefined;
  declare private from: number;
  declare private to: number;

  constructor() {
    super();
    this.blocks = [];
    this.entries = [];
    this.differences = undefined;
    this.from = 0;
    this.to = 0;
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('blocks')) {
      this.from = 0;
      this.to = this.blocks.length - 1;
      this.entries = [];
      void this.#load(this.blocks);
    }
    if (['blocks', 'from', 'to'].some((name) => changed.has(name)))
      void this.#compare(this.blocks, this.from, this.to);
  }

  async #load(blocks: readonly BlockFile[]): Promise<void> {
    const entries = await Promise.all(
      blocks.map(async ({ block }, index) => logEntry(block, blocks[index - 1]?.block)),
    );
    if (this.blocks === blocks) this.entries = entries;
  }

  async #compare(blocks: readonly BlockFile[], from: number, to: number): Promise<void> {
    this.differences = undefined;
    const [first, last] = [blocks[Math.min(from, to)], blocks[Math.max(from, to)]];
    if (first === undefined || last === undefined) return;
    const differences = await describeDifference(first.config.config, last.config.config);
    if (this.blocks === blocks && this.from === from && this.to === to) this.differences = differences;
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
    const { differences } = this;
    const between = this.entries.slice(from + 1, to + 1);
    return html`${
        differences === undefined
          ? html`<p role="status">Comparing two blocks</p>`
          : documentView(differenceDocument(differences), 3)
      }
      <ul class="dim">
        ${between.map(({ block, signers }) => html`<li>block ${block}: ${signersText(signers)}</li>`)}
      </ul>`;
  }
}

const signersText = (signers: LogEntry['signers']): string =>
  signers.length === 0 ? 'no signatures' : `signed by ${[...new Set(signers.map(signerText))].join(', ')}`;
