// The editor: forms, undo and redo, and a review of the edits, updated with every keystroke.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { onOneLine } from 'fabric-ops-agent/translator/review';
import { download } from './download.js';
import type { EditorModel, Preview } from './editor-model.js';
import { FORMS, type Input } from './forms.js';
import { reviewView } from './review-view.js';
import { styles } from '../../core/common/page/styles.js';

/** `<channel-editor>`: a view of `model`. The event `finished` asks for its update. */
export class ChannelEditor extends LitElement {
  static override styles = styles;
  static override properties = { model: { attribute: false } };
  declare model: EditorModel;
  #lastReview: TemplateResult | undefined;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('model')) this.model.onChange = () => this.requestUpdate();
  }

  override render(): TemplateResult {
    const { channel, form, lost, inputs, preview, done, canRedo } = this.model;
    if (channel === '')
      return html`<p role="status">
        This config does not name its channel. Drop the config block to edit it.
      </p>`;
    return html`<h2>Edit ${onOneLine(channel)}</h2>
      ${lost.map((each) => html`<p role="alert"><strong>${onOneLine(each)}</strong></p>`)}
      <form @submit=${this.#onSubmit}>
        <p>
          <label
            >Change
            <select name="form" @change=${this.#onForm}>
              ${FORMS.map(
                (each) => html`<option value=${each.name} ?selected=${each === form}>${each.title}</option>`,
              )}
            </select>
          </label>
        </p>
        ${inputs.map((input) => this.#input(input))}
        <p role="status" class="message">${previewText(preview)}</p>
        <p class="buttons">
          <button type="submit" ?disabled=${preview === undefined || 'error' in preview}>Apply</button>
          <button type="button" ?disabled=${done.length === 0} @click=${() => this.model.undo()}>Undo</button>
          <button type="button" ?disabled=${!canRedo} @click=${() => this.model.redo()}>Redo</button>
          <button type="button" ?disabled=${done.length === 0} @click=${this.#onFinish}>Sign or share</button>
          <button type="button" ?disabled=${done.length === 0} @click=${this.#onDownload}>
            Download the update
          </button>
        </p>
      </form>
      <ol class="steps" aria-label="applied edits">
        ${done.map(({ notes }) => html`<li>${notes.map((note) => html`<div>${onOneLine(note)}</div>`)}</li>`)}
      </ol>
      ${this.#reviewView()}`;
  }

  /** The last review stays as an empty area until the next one is made, so that the page does not jump with each keystroke. */
  #reviewView(): TemplateResult {
    const { isReviewed } = this.model;
    if (isReviewed) this.#lastReview = this.#proposalView();
    return html`<div class=${isReviewed ? '' : 'outdated'} aria-busy=${String(!isReviewed)}>
      ${this.#lastReview}
    </div>`;
  }

  #proposalView(): TemplateResult {
    const { proposal } = this.model;
    if (proposal === undefined) return html`<p class="dim">Nothing is changed yet.</p>`;
    return proposal.review === undefined
      ? html`<p class="verdict bad">${proposal.error}</p>`
      : reviewView('your edit', proposal.review);
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

  #onForm = (event: Event): void => {
    const name = (event.target as HTMLSelectElement).value;
    void this.model.choose(FORMS.find((form) => form.name === name) ?? FORMS[0]!);
  };

  #onSubmit = (event: Event): void => {
    event.preventDefault();
    void this.model.apply();
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
  if ('error' in preview) return html`<strong>${onOneLine(preview.error)}</strong>`;
  return html`${preview.step.notes.map((note) => html`<span>${onOneLine(note)}<br /></span>`)}`;
}
