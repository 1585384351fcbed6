// The editor: a palette that finds forms, undo and redo, and beside them a review of the edits, updated with every keystroke.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { onOneLine } from '../../core/common/text/one-line.js';
import type { Config } from '#translator/channel/index.js';
import type { Edit } from '#translator/edit/index.js';
import { download } from './download.js';
import type { EditorModel, Preview } from './editor-model.js';
import { FORMS, type Input } from './forms.js';
import { pageStyles } from './page-styles.js';
import { entriesOf, findEntries, type Entry } from './palette.js';
import { reviewView } from './review-view.js';
import type { Row } from './rows.js';
import { styles } from '../../core/common/page/styles.js';

/** The number of entries of the palette that are shown. */
const SHOWN = 30;

/** `<channel-editor>`: a view of `model`. The event `finished` asks for its update. */
export class ChannelEditor extends LitElement {
  static override styles = [styles, pageStyles];
  static override properties = {
    model: { attribute: false },
    isShown: { attribute: false },
    search: {},
    isFinding: { state: true },
  };
  declare model: EditorModel;
  /** Whether it is in view: large channels have long lists. */
  declare isShown: boolean;
  /** The words of what users want to change. */
  declare search: string;
  /** Whether the palette is shown in place of a form. */
  declare private isFinding: boolean;
  #lastReview: TemplateResult | undefined;
  /** The title of what is changed; undefined for the title of the form. */
  #title: string | undefined;
  #entries: { readonly config: Config; readonly all: readonly Entry[] } | undefined;

  constructor() {
    super();
    this.isShown = false;
    this.search = '';
    this.isFinding = true;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('model')) this.model.onChange = () => this.requestUpdate();
  }

  /** Shows the palette with a search. */
  find(search: string): void {
    this.search = search;
    this.isFinding = true;
    void this.updateComplete.then(() => this.renderRoot.querySelector('input')?.focus());
  }

  /** Shows a form with an MSP folder. @param name of the form */
  async use(folder: string, name: string): Promise<void> {
    const form = FORMS.find((each) => each.name === name)!;
    await this.#choose({ title: form.title, target: { form, texts: new Map([['msp', folder]]) } });
  }

  /** Shows the form for an element. */
  async edit(row: Row): Promise<void> {
    this.isFinding = false;
    this.#title = row.path;
    await this.model.chooseElement(row);
  }

  override render(): TemplateResult | string {
    if (!this.isShown) return '';
    const { channel, form, lost, inputs, preview, done, canRedo } = this.model;
    if (channel === '')
      return html`<p role="status">
        This config does not name its channel. Drop the config block to edit it.
      </p>`;
    return html`<div class="two">
      <div>
        ${lost.map((each) => html`<p role="alert" class="state-risk">${onOneLine(each)}</p>`)}
        ${this.isFinding ? this.#paletteView() : this.#formView(form, inputs, preview)}
        ${done.length === 0 ? '' : html`<h2>Edits of ${onOneLine(channel)}</h2>`}
        <ol class="steps" aria-label="applied edits">
          ${done.map(({ notes }) => html`<li>${notes.map((note) => html`<div>${onOneLine(note)}</div>`)}</li>`)}
        </ol>
        <p class="buttons">
          <button type="button" ?disabled=${done.length === 0} @click=${() => this.model.undo()}>Undo</button>
          <button type="button" ?disabled=${!canRedo} @click=${() => this.model.redo()}>Redo</button>
          <button
            type="button"
            class=${done.length > 0 && (preview === undefined || 'error' in preview) ? 'primary' : ''}
            ?disabled=${done.length === 0}
            @click=${this.#onFinish}
          >
            Sign or share
          </button>
          <button type="button" ?disabled=${done.length === 0} @click=${this.#onDownload}>
            Download the update
          </button>
        </p>
      </div>
      <div>${this.#reviewView()}</div>
    </div>`;
  }

  #paletteView(): TemplateResult {
    const { config } = this.model;
    if (config !== undefined && this.#entries?.config !== config)
      this.#entries = { config, all: entriesOf(config, new Date()) };
    const found = findEntries(this.#entries?.all ?? [], this.search);
    return html`<div class="palette">
      <label class="field"
        ><span>What do you want to change?</span>
        <input
          type="search"
          name="palette"
          autocomplete="off"
          placeholder="batch, timeout, add an organisation, who may …"
          .value=${this.search}
          @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key === 'Enter' && found[0] !== undefined) void this.#choose(found[0]);
          }}
      /></label>
      <div class="list">
        ${found
          .slice(0, SHOWN)
          .map(
            (entry) =>
              html`<button type="button" @click=${() => this.#choose(entry)}>
                ${onOneLine(entry.title)}
                ${entry.now === '' ? '' : html`<span class="dim">${onOneLine(entry.now.slice(0, 80))}</span>`}
              </button>`,
          )}
      </div>
      <p class="dim" aria-live="polite">
        ${found.length === 0 ? 'Nothing has these words.' : found.length > SHOWN ? `and ${found.length - SHOWN} more: type another word` : ''}
      </p>
    </div>`;
  }

  async #choose({ title, target }: Pick<Entry, 'title' | 'target'>): Promise<void> {
    this.isFinding = false;
    this.#title = title;
    await ('row' in target
      ? this.model.chooseElement(target.row)
      : this.model.choose(target.form, target.texts));
    const inputs = [
      ...this.renderRoot.querySelectorAll<HTMLInputElement>('form input, form textarea, form select'),
    ];
    (inputs.find(({ value }) => value === '') ?? inputs[0])?.focus();
  }

  #formView({ title }: Edit, inputs: readonly Input[], preview: Preview | undefined): TemplateResult {
    const canApply = preview !== undefined && !('error' in preview);
    return html`<h2>${onOneLine(this.#title ?? title)}</h2>
      <form @submit=${this.#onSubmit}>
        ${inputs.map((input) => this.#input(input))}
        <p role="status" class="message dim">${previewText(preview)}</p>
        <p class="buttons">
          <button type="submit" class=${canApply ? 'primary' : ''} ?disabled=${!canApply}>Apply</button>
          <button type="button" @click=${() => this.find('')}>Change something else</button>
        </p>
      </form>`;
  }

  /** The last review stays as an empty area until the next one is made, so that the page does not jump with each keystroke. */
  #reviewView(): TemplateResult {
    const { isReviewed } = this.model;
    if (isReviewed) this.#lastReview = this.#proposalView();
    return html`<div class="live ${isReviewed ? '' : 'outdated'}" aria-busy=${String(!isReviewed)}>
      ${this.#lastReview}
    </div>`;
  }

  #proposalView(): TemplateResult {
    const { proposal } = this.model;
    if (proposal === undefined) return html`<p class="dim">Nothing is changed yet.</p>`;
    return proposal.review === undefined
      ? html`<p class="verdict state-stopped">${onOneLine(proposal.error ?? '')}</p>`
      : reviewView('your edit', proposal.review, 'none', []);
  }

  #input(input: Input): TemplateResult {
    return html`<label class="field"><span>${input.label}</span>${this.#control(input)}</label>`;
  }

  #control(input: Input): TemplateResult {
    const { name, kind, hint, choices } = input;
    const value = this.model.textOf(input);
    const onInput = (event: Event): void => {
      const { value: text } = event.target as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
      void this.model.write(name, text);
    };
    if (kind === 'choice')
      return html`<select name=${name} @change=${onInput}>
        ${choices.map(
          (each) => html`<option value=${each} ?selected=${each === value}>${onOneLine(each)}</option>`,
        )}
      </select>`;
    if (kind === 'lines')
      return html`<textarea
        name=${name}
        rows="3"
        placeholder=${hint}
        .value=${value}
        @input=${onInput}
      ></textarea>`;
    const list = choices.length === 0 ? '' : `${name}-choices`;
    return html`<input
        name=${name}
        list=${list || nothing}
        autocomplete="off"
        spellcheck="false"
        placeholder=${hint}
        .value=${value}
        @input=${onInput}
      />${
        list === ''
          ? ''
          : html`<datalist id=${list}>
              ${choices.map((each) => html`<option value=${each}></option>`)}
            </datalist>`
      }`;
  }

  #onSubmit = (event: Event): void => {
    event.preventDefault();
    void this.model.apply().then(() => this.find(''));
  };

  #onDownload = (): void => {
    const { name, bytes } = this.model.update;
    download(name, bytes);
  };

  #onFinish = (): void => {
    this.dispatchEvent(new CustomEvent('finished'));
  };
}

function previewText(preview: Preview | undefined): TemplateResult | string {
  if (preview === undefined) return '';
  if ('error' in preview) return html`<span class="state-stopped">${onOneLine(preview.error)}</span>`;
  return html`${preview.step.notes.map((note) => html`<span>${onOneLine(note)}<br /></span>`)}`;
}
