// The editor: forms, undo and redo, and a review of what the edits would do, with every keystroke.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import type { Config, ConfigFile } from 'fabric-ops-agent/translator/config';
import { onOneLine } from 'fabric-ops-agent/translator/describe';
import { isSameConfig, unsignedUpdate, type Edited } from 'fabric-ops-agent/translator/edit';
import { TranslateError } from 'fabric-ops-agent/translator/errors';
import { download } from './download.js';
import { elementJson, jsonOfConfig, type ConfigJson } from './element-json.js';
import { FORMS, type Context, type Field, type Form } from './forms.js';
import type { DroppedMsp } from './msp-folders.js';
import { reviewAll, type Proposal } from './proposals.js';
import { reviewView } from './review-view.js';
import type { Row } from './rows.js';
import { styles } from '../../core/common/page/styles.js';

/** A config after some edits. */
interface Step {
  readonly config: Config;
  readonly notes: readonly string[];
  /** What was done, to do it again on another block. */
  readonly apply: (context: Context) => Edited;
}

/** What the form would do: a step, or why it is not possible. */
type Preview = { readonly step: Step } | { readonly error: string };

/** The event with a finished update: an envelope. */
export type FinishedEvent = CustomEvent<{ readonly name: string; readonly bytes: Uint8Array }>;

/** `<channel-editor>`: edits `base`. */
export class ChannelEditor extends LitElement {
  static override styles = styles;
  static override properties = {
    base: { attribute: false },
    msps: { attribute: false },
    steps: { state: true },
    at: { state: true },
    form: { state: true },
    values: { state: true },
    proposal: { state: true },
    lost: { state: true },
  };
  declare base: ConfigFile;
  declare msps: readonly DroppedMsp[];
  /** The first is the config of the block; those after `at` are undone. */
  declare private steps: readonly Step[];
  declare private at: number;
  declare private form: Form;
  declare private values: ReadonlyMap<string, string>;
  /** The review of what is shown; undefined if nothing has changed. */
  declare private proposal: Proposal | undefined;
  /** Edits that another block does not allow. */
  declare private lost: readonly string[];
  #reviewed: Config | undefined;
  #isReviewing = false;

  constructor() {
    super();
    this.msps = [];
    this.steps = [];
    this.at = 0;
    this.form = FORMS[0]!;
    this.values = new Map();
    this.lost = [];
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('base')) this.#restart(this.steps.slice(1, this.at + 1));
  }

  /** Begins with another block, and does the edits again. */
  #restart(edits: readonly Step[]): void {
    const { config } = this.base;
    this.steps = [{ config, notes: [], apply: () => ({ config, notes: [] }) }];
    this.at = 0;
    this.lost = [];
    for (const { apply, notes } of edits)
      try {
        this.#push({ ...apply(this.#context), apply });
      } catch (error) {
        if (!(error instanceof TranslateError)) throw error;
        this.lost = [...this.lost, `${notes.join(', ')}: not possible with the new block: ${error.message}`];
      }
  }

  #push(step: Step): void {
    this.steps = [...this.steps.slice(0, this.at + 1), step];
    this.at += 1;
  }

  override updated(): void {
    void this.#review();
  }

  get #context(): Context {
    return { config: this.steps[this.at]!.config, msps: this.msps };
  }

  #value(name: string): string {
    return valueOf(this.form, this.values, name, this.#context);
  }

  /** Undefined before anything was written. */
  get #preview(): Preview | undefined {
    if (this.values.size === 0) return undefined;
    const { form, values } = this;
    const apply = (context: Context): Edited =>
      form.apply(context, (name) => valueOf(form, values, name, context));
    try {
      return { step: { ...apply(this.#context), apply } };
    } catch (error) {
      if (error instanceof TranslateError) return { error: error.message };
      throw error;
    }
  }

  /** The config that the review is about: with what the form would do. */
  get #shown(): Config {
    const preview = this.#preview;
    return preview !== undefined && 'step' in preview ? preview.step.config : this.#context.config;
  }

  /** Reviews the newest state. While a review runs, only the last keystroke waits. */
  async #review(): Promise<void> {
    if (this.#isReviewing) return;
    this.#isReviewing = true;
    try {
      for (let next = this.#shown; next !== this.#reviewed && !this.#isSame(next); next = this.#shown) {
        this.#reviewed = next;
        this.proposal = await this.#reviewOf(next);
      }
    } finally {
      this.#isReviewing = false;
    }
  }

  /** Each rendering applies the form again: equal configs are not reviewed twice. */
  #isSame(config: Config): boolean {
    return this.#reviewed !== undefined && isSameConfig(this.#reviewed, config);
  }

  async #reviewOf(config: Config): Promise<Proposal | undefined> {
    const { base } = this;
    if (isSameConfig(base.config, config)) return undefined;
    const { envelope } = unsignedUpdate(this.#channel, base.config, config);
    const { proposals } = await reviewAll([{ name: 'your edit', bytes: envelope }], base, new Date());
    return proposals[0];
  }

  get #channel(): string {
    return this.base.channel ?? '';
  }

  override render(): TemplateResult {
    if (this.#channel === '')
      return html`<p role="status">
        This config does not name its channel. Drop the config block, which does, to edit it.
      </p>`;
    const preview = this.#preview;
    return html`<h2>Edit ${onOneLine(this.#channel)}</h2>
      ${this.lost.map((each) => html`<p role="alert"><strong>${onOneLine(each)}</strong></p>`)}
      <form @submit=${this.#onSubmit}>
        <p>
          <label
            >Change
            <select name="form" @change=${this.#onForm}>
              ${FORMS.map(
                (form) =>
                  html`<option value=${form.id} ?selected=${form === this.form}>${form.title}</option>`,
              )}
            </select>
          </label>
        </p>
        ${this.form.fields.map((field) => this.#field(field))}
        <p role="status" class="message">${previewText(preview)}</p>
        <p class="buttons">
          <button type="submit" ?disabled=${preview === undefined || 'error' in preview}>Apply</button>
          <button type="button" ?disabled=${this.at === 0} @click=${() => (this.at -= 1)}>Undo</button>
          <button type="button" ?disabled=${this.at === this.steps.length - 1} @click=${() => (this.at += 1)}>
            Redo
          </button>
          <button type="button" ?disabled=${this.at === 0} @click=${this.#onFinish}>Sign or share</button>
          <button type="button" ?disabled=${this.at === 0} @click=${this.#onDownload}>
            Download the update
          </button>
        </p>
      </form>
      ${this.#done()} ${this.#reviewView()}`;
  }

  #done(): TemplateResult {
    const done = this.steps.slice(1, this.at + 1);
    return html`<ol class="steps" aria-label="applied edits">
      ${done.map(({ notes }) => html`<li>${notes.map((note) => html`<div>${onOneLine(note)}</div>`)}</li>`)}
    </ol>`;
  }

  #reviewView(): TemplateResult | string {
    const { proposal } = this;
    if (proposal === undefined) return html`<p class="dim">Nothing is changed yet.</p>`;
    return proposal.review === undefined
      ? html`<p class="verdict bad">${proposal.error}</p>`
      : reviewView('your edit', proposal.review);
  }

  #field({ name, label, kind, hint, choices }: Field): TemplateResult {
    const value = this.#value(name);
    const onInput = (event: Event): void => {
      const text = (event.target as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value;
      this.values = new Map(this.values).set(name, text);
    };
    const control =
      kind === 'choice'
        ? html`<select name=${name} @change=${onInput}>
            ${choices?.(this.#context).map(
              (each) => html`<option value=${each} ?selected=${each === value}>${onOneLine(each)}</option>`,
            )}
          </select>`
        : kind === 'lines'
          ? html`<textarea
              name=${name}
              rows="3"
              placeholder=${hint ?? ''}
              .value=${value}
              @input=${onInput}
            ></textarea>`
          : html`<input
              name=${name}
              autocomplete="off"
              spellcheck="false"
              placeholder=${hint ?? ''}
              .value=${value}
              @input=${onInput}
            />`;
    return html`<label class="field"><span>${label}</span>${control}</label>`;
  }

  /** Starts the form for a value or a policy, with its JSON in the edited config. */
  edit(row: Row): void {
    const element = elementJson(jsonOfConfig(this.#context.config), row) as
      | Readonly<Record<string, ConfigJson>>
      | undefined;
    const content = row.kind === 'value' ? element?.value : element?.policy;
    this.form = FORMS.find(({ id }) => id === 'set')!;
    this.values = new Map([
      ['path', row.path],
      ['value', JSON.stringify(content, undefined, 2) ?? ''],
    ]);
  }

  #onForm = (event: Event): void => {
    const id = (event.target as HTMLSelectElement).value;
    this.form = FORMS.find((form) => form.id === id) ?? FORMS[0]!;
    this.values = new Map();
  };

  #onSubmit = (event: Event): void => {
    event.preventDefault();
    const preview = this.#preview;
    if (preview === undefined || 'error' in preview) return;
    this.#push(preview.step);
    this.values = new Map();
  };

  get #envelope(): Uint8Array {
    return unsignedUpdate(this.#channel, this.base.config, this.#context.config).envelope;
  }

  #onDownload = (): void => download(`${this.#channel}-update.pb`, this.#envelope);

  #onFinish = (): void => {
    const detail = { name: `${this.#channel}-update.pb`, bytes: this.#envelope };
    this.dispatchEvent(new CustomEvent('finished', { detail }) satisfies FinishedEvent);
  };
}

/** What is in a field; its first choice if nothing was chosen. */
const valueOf = (form: Form, values: ReadonlyMap<string, string>, name: string, context: Context): string =>
  values.get(name) ?? form.fields.find((field) => field.name === name)?.choices?.(context)[0] ?? '';

function previewText(preview: Preview | undefined): TemplateResult | string {
  if (preview === undefined) return '';
  if ('error' in preview) return html`<strong>${onOneLine(preview.error)}</strong>`;
  return html`${preview.step.notes.map((note) => html`<span>${onOneLine(note)}<br /></span>`)}`;
}
