// The state of the editor: done and undone edits, the form with its texts, and the review of the result.
// Each change of the form does the edit once, and reviews the result once.

import { attempt } from '#proto/errors.js';
import type { Config, ConfigFile } from '#translator/channel/index.js';
import {
  isSameConfig,
  SET_FIELDS,
  unsignedUpdate,
  type ApplyEdit,
  type Edit,
  type Edited,
} from '#translator/edit/index.js';
import { elementJson, jsonOfConfig, type ConfigJson } from './element-json.js';
import { FORMS, inputsOf, valuesOf, type Context, type Input, type Texts } from './forms.js';
import type { DroppedMsp } from './msp-folders.js';
import type { ShownProposal, ReviewUpdates } from './proposals.js';
import type { Outlined } from './rows.js';

/** A config after some edits. */
export interface Step {
  readonly config: Config;
  readonly notes: readonly string[];
  /** Does the edit again, on another block. */
  readonly apply: (context: Context) => Edited;
}

/** The result of the form: a step, or the reason that the edit is not possible. */
export type Preview = { readonly step: Step } | { readonly error: string };

/** The update of the editor. */
interface EditedUpdate {
  /** The name of its file. */
  readonly name: string;
  /** A serialized `common.Envelope` without signatures. */
  readonly bytes: Uint8Array;
}

/** The state of the editor. The promises resolve after the review of the new state. */
export class EditorModel {
  /** Called after each change. */
  onChange = (): void => {};
  readonly #review: ReviewUpdates;
  #base: ConfigFile | undefined;
  #msps: readonly DroppedMsp[] = [];
  /** The first step is the config of the block. The steps after `#at` are undone. */
  #steps: readonly Step[] = [];
  #at = 0;
  #lost: readonly string[] = [];
  #form: Edit = FORMS[0]!;
  /** Undefined while the function of the form is imported. */
  #apply: ApplyEdit | undefined;
  #texts: Texts = new Map();
  /** Whether nobody has written into the form. */
  #isUntouched = true;
  /** Whether the form is shown: before users choose one, and after they applied it, its initial choices are no edit. */
  #isOpen = false;
  #preview: Preview | undefined;
  /** The last review and its config; undefined after a change of anything else that reviews depend on. */
  #reviewed: { readonly config: Config; readonly proposal: ShownProposal | undefined } | undefined;
  /** Counts changes of everything besides the config that reviews depend on. */
  #rules = 0;
  #reviewing: Promise<void> | undefined;

  /** @param review reviews an update of the edited channel */
  constructor(review: ReviewUpdates) {
    this.#review = review;
  }

  /** The shown form. */
  get form(): Edit {
    return this.#form;
  }

  /** The name of the channel; empty if the config does not name it. */
  get channel(): string {
    return this.#base?.channel ?? '';
  }

  /** The done edits. */
  get done(): readonly Step[] {
    return this.#steps.slice(1, this.#at + 1);
  }

  /** Whether an edit can be done again. */
  get canRedo(): boolean {
    return this.#at < this.#steps.length - 1;
  }

  /** Edits that the newest block does not allow. */
  get lost(): readonly string[] {
    return this.#lost;
  }

  /** Undefined before the form is filled in. */
  get preview(): Preview | undefined {
    return this.#preview;
  }

  /** The review of the edits with the preview; undefined if nothing has changed, and while they are not reviewed. */
  get proposal(): ShownProposal | undefined {
    return this.isReviewed ? this.#reviewed?.proposal : undefined;
  }

  /** Whether the last review includes all edits and the preview. */
  get isReviewed(): boolean {
    return this.#reviewed !== undefined && this.#reviewed.config === this.#shown;
  }

  /** The inputs of the form. */
  get inputs(): readonly Input[] {
    const inputs = inputsOf(this.#form, this.#context);
    const section = inputs.find(({ name }) => name === 'section');
    // Only organisations of orderers have endpoints.
    return section === undefined || this.textOf(section) === 'Orderer'
      ? inputs
      : inputs.filter(({ name }) => name !== 'endpoints');
  }

  /** The config with the done edits; undefined before a block is read. */
  get config(): Config | undefined {
    return this.#steps[this.#at]?.config;
  }

  /** The text of an input. */
  textOf({ name, initial }: Input): string {
    return this.#texts.get(name) ?? initial;
  }

  /** The update of all done edits. */
  get update(): EditedUpdate {
    const { config } = this.#context;
    const { bytes: envelope } = unsignedUpdate(this.#base!.config, config, this.channel);
    return { name: `${this.channel}-update.pb`, bytes: envelope };
  }

  get #context(): Context {
    return { config: this.#steps[this.#at]!.config, msps: this.#msps };
  }

  /** Starts with a block. With a newer block, the edits are done again. */
  async begin(base: ConfigFile, msps: readonly DroppedMsp[]): Promise<void> {
    this.#msps = msps;
    if (base !== this.#base) {
      const edits = this.done;
      this.#base = base;
      this.#steps = [{ config: base.config, notes: [], apply: ({ config }) => ({ config, notes: [] }) }];
      this.#at = 0;
      this.#lost = edits.flatMap((edit) => this.#again(edit));
      this.#reviewed = undefined;
    }
    await (this.#apply === undefined ? this.#load() : this.#changed());
  }

  /** Reviews the same edits again, because something else that reviews depend on has changed. */
  forgetReview(): void {
    this.#rules += 1;
    this.#reviewed = undefined;
  }

  /** Does an edit on another block. @returns the reasons that it is not possible */
  #again({ apply, notes }: Step): readonly string[] {
    return attempt(
      () => {
        this.#push({ ...apply(this.#context), apply });
        return [];
      },
      ({ message }) => [`${notes.join(', ')}: not possible with the new block: ${message}`],
    );
  }

  #push(step: Step): void {
    this.#steps = [...this.#steps.slice(0, this.#at + 1), step];
    this.#at += 1;
  }

  /** Shows another form, empty or with texts. */
  async choose(form: Edit, texts: Texts = new Map()): Promise<void> {
    this.#form = form;
    this.#texts = texts;
    this.#isUntouched = true;
    this.#isOpen = true;
    this.#apply = undefined;
    await this.#load();
  }

  /** Imports the function of the form. */
  async #load(): Promise<void> {
    const form = this.#form;
    const apply = await form.load();
    // Another form may have been chosen since.
    if (this.#form !== form) return;
    this.#apply = apply;
    await this.#changed();
  }

  /** Shows the form for a value or a policy, with its JSON in the edited config. */
  async chooseElement(row: Outlined): Promise<void> {
    const element = elementJson(jsonOfConfig(this.#context.config), row) as
      | Readonly<Record<string, ConfigJson>>
      | undefined;
    const content = row.kind === 'value' ? element?.value : element?.policy;
    const json = JSON.stringify(content, undefined, 2) ?? '';
    await this.choose(
      SET_FIELDS,
      new Map([
        ['path', row.path],
        ['value', json],
      ]),
    );
  }

  /** Changes the text of an input. */
  async write(name: string, text: string): Promise<void> {
    this.#texts = new Map(this.#texts).set(name, text);
    this.#isUntouched = false;
    this.#isOpen = true;
    await this.#changed();
  }

  /** Does the edit of the form, if it is possible, and empties the form. */
  async apply(): Promise<void> {
    if (this.#preview === undefined || 'error' in this.#preview) return;
    this.#push(this.#preview.step);
    this.#texts = new Map();
    this.#isUntouched = true;
    this.#isOpen = false;
    await this.#changed();
  }

  /** Undoes the last edit. */
  async undo(): Promise<void> {
    this.#at = Math.max(0, this.#at - 1);
    await this.#changed();
  }

  /** Does the last undone edit again. */
  async redo(): Promise<void> {
    if (this.canRedo) this.#at += 1;
    await this.#changed();
  }

  async #changed(): Promise<void> {
    this.#preview = this.#previewOf();
    this.onChange();
    // While a review runs, only the newest state waits for the next review.
    if (!this.isReviewed) this.#reviewing ??= this.#reviewNewest();
    await this.#reviewing;
  }

  /** Whether the initial choices already complete the form. */
  get #isFilled(): boolean {
    const required = inputsOf(this.#form, this.#context).filter(({ isRequired }) => isRequired);
    return required.length > 0 && required.every((input) => this.textOf(input) !== '');
  }

  #previewOf(): Preview | undefined {
    const form = this.#form;
    const texts = this.#texts;
    const applyForm = this.#apply;
    if (!this.#isOpen || applyForm === undefined || (this.#isUntouched && !this.#isFilled)) return undefined;
    const apply = (context: Context): Edited => applyForm(context.config, valuesOf(form, texts, context));
    return attempt(
      (): Preview => ({ step: { ...apply(this.#context), apply } }),
      ({ message }) => ({ error: message }),
    );
  }

  /** The config for the review: with all edits and the preview. */
  get #shown(): Config {
    return this.#preview !== undefined && 'step' in this.#preview
      ? this.#preview.step.config
      : this.#context.config;
  }

  async #reviewNewest(): Promise<void> {
    try {
      while (!this.isReviewed) {
        const [config, rules] = [this.#shown, this.#rules];
        const proposal = await this.#proposalOf(config);
        if (rules === this.#rules) this.#reviewed = { config, proposal };
        if (this.isReviewed) this.onChange();
      }
    } finally {
      this.#reviewing = undefined;
    }
  }

  async #proposalOf(config: Config): Promise<ShownProposal | undefined> {
    const base = this.#base!;
    if (this.channel === '' || isSameConfig(base.config, config)) return undefined;
    const name = 'your edit';
    return attempt(
      async (): Promise<ShownProposal | undefined> => {
        const { bytes: envelope } = unsignedUpdate(base.config, config, this.channel);
        const { proposals } = await this.#review([{ name, bytes: envelope }], base);
        return proposals[0];
      },
      ({ message }) => ({ names: [name], bytes: new Uint8Array(0), review: undefined, error: message }),
    );
  }
}
