// The channel page: `<channel-page>` is all of it.

import { html, LitElement, type TemplateResult } from 'lit';
import { onOneLine } from 'fabric-ops-agent/translator/describe';
import type { ConfigFile } from 'fabric-ops-agent/translator/config';
import { exitStatusOf, review, type Review } from 'fabric-ops-agent/translator/review';
import { summariseChannel } from 'fabric-ops-agent/translator/show';
import { newestConfig, readPageFile, type PageFile } from './files.js';
import { overview } from './overview.js';
import { reviewView } from './review-view.js';
import { styles } from './styles.js';
import { ConfigTree } from './tree.js';

/** A review of a file, or why it failed. */
type Reviewed = { readonly name: string } & ({ readonly review: Review } | { readonly error: string });

/** `<channel-page>` */
class ChannelPage extends LitElement {
  static override styles = styles;
  static override properties = {
    files: { state: true },
    reviews: { state: true },
    isOver: { state: true },
  };
  declare private files: readonly PageFile[];
  declare private reviews: readonly Reviewed[];
  declare private isOver: boolean;

  constructor() {
    super();
    this.files = [];
    this.reviews = [];
    this.isOver = false;
    this.addEventListener('dragover', (event) => {
      event.preventDefault();
      this.isOver = true;
    });
    this.addEventListener('dragleave', () => (this.isOver = false));
    this.addEventListener('drop', (event) => {
      event.preventDefault();
      this.isOver = false;
      void this.#add([...(event.dataTransfer?.files ?? [])]);
    });
  }

  override render(): TemplateResult {
    const newest = newestConfig(this.files);
    return html`<main>
      <h1>Channel configuration</h1>
      <div class="drop ${this.isOver ? 'over' : ''}">
        <label>
          Drop files here, or choose them:
          <input type="file" multiple @change=${this.#onChosen} />
        </label>
        <p class="dim">
          A config block, and config updates to review against it. Nothing leaves this page: it has no
          network.
        </p>
        ${this.files.map(fileView)}
      </div>
      ${this.reviews.map(reviewedView)} ${newest?.config === undefined ? '' : configView(newest.config)}
      ${
        this.files.some(({ update }) => update !== undefined) && newest === undefined
          ? html`<p role="status">
              Add the newest config block of the channel: an update is reviewed against it.
            </p>`
          : ''
      }
    </main>`;
  }

  #onChosen = (event: Event): void => {
    void this.#add([...((event.target as HTMLInputElement).files ?? [])]);
  };

  async #add(chosen: readonly File[]): Promise<void> {
    const read = await Promise.all(
      chosen.map(async (file) => readPageFile(file.name, new Uint8Array(await file.arrayBuffer()))),
    );
    const names = new Set(read.map(({ name }) => name));
    this.files = [...this.files.filter(({ name }) => !names.has(name)), ...read];
    await this.#review();
  }

  async #review(): Promise<void> {
    const config = newestConfig(this.files)?.config;
    const updates = this.files.filter(({ update }) => update !== undefined);
    this.reviews =
      config === undefined
        ? []
        : (await Promise.all(updates.map((file) => reviewFile(file, config)))).toSorted(worstFirst);
  }
}

/** What is refused or dangerous is shown first. */
const worstFirst = (left: Reviewed, right: Reviewed): number => rankOf(left) - rankOf(right);

const RANKS: Readonly<Record<number, number>> = { 2: 1, 4: 2, 3: 3, 0: 4 };
const rankOf = (reviewed: Reviewed): number =>
  'review' in reviewed ? (RANKS[exitStatusOf(reviewed.review)] ?? 0) : 0;

async function reviewFile({ name, update }: PageFile, config: ConfigFile): Promise<Reviewed> {
  try {
    return { name, review: await review(update!, config, { now: new Date() }) };
  } catch (error) {
    return { name, error: (error as Error).message };
  }
}

const reviewedView = (reviewed: Reviewed): TemplateResult =>
  'review' in reviewed
    ? reviewView(onOneLine(reviewed.name), reviewed.review)
    : html`<section>
        <h2>Review of ${onOneLine(reviewed.name)}</h2>
        <p class="verdict bad">It cannot be reviewed</p>
        <p>${reviewed.error}</p>
      </section>`;

function fileView({ name, error, config, update }: PageFile): TemplateResult {
  const what = config === undefined ? `config update (${update?.form ?? ''})` : `config (${config.form})`;
  return html`<div>${onOneLine(name)}: ${error === undefined ? what : html`<strong>${error}</strong>`}</div>`;
}

const configView = (file: ConfigFile): TemplateResult =>
  html`${overview(summariseChannel(file), new Date())}
    <section aria-label="everything">
      <h2>Everything</h2>
      <config-tree .channel=${file.config.channelGroup}></config-tree>
    </section>`;

customElements.define('config-tree', ConfigTree);
customElements.define('channel-page', ChannelPage);
