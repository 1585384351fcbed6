// The channel page: `<channel-page>` is a view of `PageModel`.

import { html, LitElement, type TemplateResult } from 'lit';
import { onOneLine } from '../../core/common/text/one-line.js';
import type { Conflict, Review } from '#translator/review/index.js';
import { addressOf, fragmentOf, type Address } from './address.js';
import { barView } from './bar-view.js';
import { channelView, isLarge, openingView } from './channel-view.js';
import { chipsOf } from './chips.js';
import { command, CopyButton } from './copy-button.js';
import { download } from './download.js';
import { chosenFiles, droppedFiles } from './drop.js';
import { ChannelEditor } from './editor.js';
import { ENGINE } from './engine.js';
import { EXAMPLES, exampleFiles } from './example.js';
import { headlineOf } from './headline.js';
import { ChannelHistory } from './history.js';
import { identityView } from './identity-view.js';
import { keyActionOf, keysView } from './keys.js';
import { PageModel, type PlaceId, type Work } from './model.js';
import { pageStyles } from './page-styles.js';
import { powersView } from './powers-view.js';
import { rivalsOf, type ShownProposal } from './proposals.js';
import { conflictsView, reviewView } from './review-view.js';
import { namesText } from './names.js';
import { signList } from './sign-list.js';
import { startView } from './start-view.js';
import { styles } from '../../core/common/page/styles.js';
import { grouped } from '../../core/common/text/grouped.js';
import { ConfigTree, type EditEvent } from './tree.js';
import { isInWorker, sharedEngine, startEngine } from './worker.js';
import { serveEngine } from './worker-engine.js';
import type { Action, YourPart } from './your-part.js';

/** The number of characters of a fingerprint that are shown for a comparison by eye. */
const COMPARED = 16;

/** The script of this page. */
const SCRIPT = isInWorker() ? '' : (document.currentScript?.textContent ?? '');

/** `<channel-page>` */
class ChannelPage extends LitElement {
  static override styles = [styles, pageStyles];
  static override properties = {
    opened: { state: true },
    search: { state: true },
    hasFilesOpen: { state: true },
    hasUpdatesOpen: { state: true },
    hasTree: { state: true },
    hasAll: { state: true },
    hasKeys: { state: true },
  };
  readonly #model = new PageModel(() => new Date(), sharedEngine(startEngine(SCRIPT)));
  /** Whether a signature is being made. */
  #isSigning = false;
  /** The opened organisation. */
  declare private opened: string | undefined;
  /** The search text for organisations. */
  declare private search: string;
  /** Whether narrow screens show all files. */
  declare private hasFilesOpen: boolean;
  /** Whether narrow screens show all updates. */
  declare private hasUpdatesOpen: boolean;
  /** Whether the tree of all elements is shown. */
  declare private hasTree: boolean;
  /** Whether all organisations of a large channel are shown. */
  declare private hasAll: boolean;
  /** Whether the list of the keys is shown. */
  declare private hasKeys: boolean;
  /** Whether the files are the recorded example. */
  #isDemo = false;
  /** The address of the page that is not shown yet, because its files are not read. */
  #wanted: Address | undefined;
  /** Whether a channel was shown before. */
  #wasOpen = false;
  /** Whether the focus was in the start. */
  #hadFocus = false;

  constructor() {
    super();
    this.search = '';
    this.hasFilesOpen = false;
    this.hasUpdatesOpen = false;
    this.hasTree = false;
    this.hasAll = false;
    this.hasKeys = false;
    this.#model.onChange = () => this.requestUpdate();
    this.addEventListener('dragover', (event) => {
      event.preventDefault();
      this.classList.add('over');
    });
    this.addEventListener('dragleave', () => this.classList.remove('over'));
    this.addEventListener('drop', (event) => {
      event.preventDefault();
      this.classList.remove('over');
      if (event.dataTransfer !== null) void this.#model.add(droppedFiles(event.dataTransfer));
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const go = (): void => {
      const address = addressOf(location.hash);
      if (address !== undefined) void this.#go(address);
    };
    addEventListener('hashchange', go);
    addEventListener('keydown', this.#onKey);
    go();
  }

  override willUpdate(): void {
    if (!this.#wasOpen && this.shadowRoot?.activeElement) this.#hadFocus = true;
  }

  override updated(): void {
    this.#followAddress();
    this.#keepFocus();
    this.#focusDownload();
  }

  /** Shows what an address is of; the recorded example is read first. */
  async #go(address: Address): Promise<void> {
    const { isDemo, name } = address;
    this.#wanted = address;
    if (isDemo && !this.#isDemo) await this.#openExample(EXAMPLES.has(name) ? [name] : undefined);
    this.requestUpdate();
  }

  async #openExample(updates?: readonly string[]): Promise<void> {
    this.#isDemo = true;
    await this.#model.add(exampleFiles(updates));
  }

  /** Shows the wanted part as soon as its files are read; then the address is of the shown part. */
  #followAddress(): void {
    const model = this.#model;
    if (model.files.length === 0 && !model.isBusy) this.#isDemo = false;
    if (model.newest === undefined || model.isBusy) return;
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) {
      const { place, name } = wanted;
      const proposal = model.found.proposals.find(({ names }) => names.map(baseName).includes(name));
      if (place === 'channel') this.opened = name === '' ? undefined : name;
      if (proposal !== undefined) void model.choose(proposal);
      else if (place !== 'review') void model.show(place);
      return;
    }
    const { place, chosen } = model;
    const name = place === 'review' ? (chosen?.names.map(baseName)[0] ?? '') : (this.opened ?? '');
    const fragment = fragmentOf({
      isDemo: this.#isDemo,
      place,
      name: place === 'review' || place === 'channel' ? name : '',
    });
    if (fragment === location.hash) return;
    // The first part is no step that users go back from.
    if (location.hash === '' || !this.#wasOpen) history.replaceState(null, '', fragment);
    else history.pushState(null, '', fragment);
  }

  /** The start is gone with its buttons: the focus that was in it moves to the shown part. */
  #keepFocus(): void {
    const { newest, isBusy } = this.#model;
    const isOpen = newest !== undefined && (this.#wasOpen || !isBusy);
    if (isOpen && !this.#wasOpen && this.#hadFocus && this.shadowRoot?.activeElement === null)
      this.renderRoot.querySelector<HTMLElement>('nav.places [aria-current=page]')?.focus();
    if (isOpen) this.#hadFocus = false;
    this.#wasOpen = isOpen;
  }

  /** The next step after a signature is the download: it gets the focus as soon as it is there. */
  #focusDownload(): void {
    if (!this.#isSigning) return;
    const next = this.renderRoot.querySelector<HTMLElement>('.part-bar .primary:not([data-do=sign])');
    if (next === null) return;
    this.#isSigning = false;
    next.focus();
  }

  override render(): TemplateResult {
    const model = this.#model;
    const { isBusy, message, newest, work } = model;
    const chips = chipsOf(model.files, model.msps, model.signers, (signer) => model.titleOf(signer));
    return html`<main aria-busy=${String(isBusy)} class=${this.hasFilesOpen ? 'files-open' : ''}>
      ${barView(this.#title(), chips, this.hasFilesOpen, {
        remove: (name) => void model.remove(name),
        toggle: () => (this.hasFilesOpen = !this.hasFilesOpen),
        addFiles: this.#chooseFiles,
        addFolder: this.#chooseFolder,
      })}
      <input type="file" name="files" multiple hidden aria-label="Files" @change=${this.#onChosen} />
      <input type="file" name="folder" webkitdirectory hidden aria-label="Folder" @change=${this.#onChosen} />
      ${newest === undefined ? '' : this.#placesView()}
      ${this.hasKeys ? keysView(() => this.#closeKeys()) : ''}
      ${this.#isDemo && newest !== undefined ? html`<p class="dim demo">Recorded example of a test network.</p>` : ''}
      <p role="status" class="message">${onOneLine(message)}</p>
      <div role="status">${work === undefined ? '' : workView(work)}</div>
      ${newest === undefined ? this.#beginView() : html`${this.#baseNotesView()} ${this.#placeView()} ${this.#editorView()}`}
    </main>`;
  }

  #title(): string {
    const { newest, channel } = this.#model;
    const number = newest?.config?.number;
    if (newest === undefined) return 'Channel configuration';
    return onOneLine(`${channel ?? 'a channel'}${number === undefined ? '' : ` · block ${number}`}`);
  }

  /** Without a channel: the start, or what is known about a large channel that is being opened. */
  #beginView(): TemplateResult {
    const { work } = this.#model;
    const { outline } = work ?? {};
    return work === undefined || outline === undefined || 'error' in outline || !isLarge(outline.outline)
      ? this.#startView()
      : openingView(outline.outline, work);
  }

  #startView(): TemplateResult {
    const { files, msps } = this.#model;
    const needsBlock =
      files.some(({ update, identities }) => update !== undefined || identities !== undefined) ||
      msps.some(({ identity }) => identity !== undefined);
    return startView(
      {
        chooseFiles: this.#chooseFiles,
        chooseFolder: this.#chooseFolder,
        tryExample: () => void this.#openExample(),
      },
      needsBlock,
      this.#model.baseNotes,
    );
  }

  /** The configs that are not used. A review has them in its headline. */
  #baseNotesView(): TemplateResult | string {
    const { baseNotes, place } = this.#model;
    if (place === 'review' || baseNotes.length === 0) return '';
    return html`<section aria-label="configs that are not used">
      ${baseNotes.map((note) => html`<p class="verdict state-risk">${onOneLine(note)}</p>`)}
    </section>`;
  }

  #placesView(): TemplateResult {
    const { found, identities, blocks, place } = this.#model;
    const places: readonly (readonly [PlaceId, string])[] = [
      ['channel', 'Channel'],
      ...(found.proposals.length === 0 ? [] : [['review', `Review ${found.proposals.length}`] as const]),
      ...(identities.length === 0 ? [] : [['identities', `Identities ${identities.length}`] as const]),
      ...(blocks.length < 2 ? [] : [['history', `History ${blocks.length}`] as const]),
      ['edit', 'Change'],
    ];
    return html`<nav class="places" aria-label="parts of the page">
      ${places.map(
        ([id, title]) =>
          html`<button
            type="button"
            aria-current=${id === place ? 'page' : 'false'}
            @click=${() => this.#model.show(id)}
          >
            ${title}
          </button>`,
      )}
      ${this.#versionsView()}
    </nav>`;
  }

  #versionsView(): TemplateResult {
    const { fabric } = this.#model;
    const onChange = (event: Event): void =>
      void this.#model.chooseFabric((event.target as HTMLInputElement).value);
    return html`<details class="versions">
      <summary>Fabric version of the nodes: ${fabric.length === 0 ? 'any' : fabric.join(', ')}</summary>
      <label
        >Fabric versions of the nodes, with commas
        <input name="fabric" placeholder="2.5.12, 3.1" .value=${fabric.join(', ')} @change=${onChange} />
      </label>
    </details>`;
  }

  #placeView(): TemplateResult | string {
    const model = this.#model;
    switch (model.place) {
      case 'review':
        return this.#reviewView();
      case 'identities':
        return html`${model.identities.map(identityView)} ${this.#mspChoiceView()}`;
      case 'history':
        return html`<channel-history .blocks=${model.blocks}></channel-history>`;
      case 'edit':
        return '';
      case 'channel':
      default:
        return this.#channelView();
    }
  }

  #channelView(): TemplateResult {
    const model = this.#model;
    const { outline } = model;
    const isInMaintenance = 'outline' in outline && outline.outline.ordering?.isInMaintenance === true;
    return html`${channelView(
        {
          outline,
          picture: model.picture,
          powers: model.powers.answer,
          opened: this.opened,
          search: this.search,
          hasAll: this.hasAll,
          offers: model.offers,
        },
        powersView(model.powers, isInMaintenance),
        {
          change: (search) => this.#change(search),
          open: (organization) => (this.opened = organization),
          search: (text) => (this.search = text),
          showAll: () => (this.hasAll = true),
          useFolder: (folder, form) => this.#useFolder(folder, form),
        },
      )}
      <details
        @toggle=${(event: Event) => (this.hasTree = (event.target as HTMLDetailsElement).open)}
        aria-label="everything"
      >
        <summary>Everything: each element with its JSON</summary>
        ${
          this.hasTree
            ? html`<config-tree
                .config=${model.newest!.config!.config}
                @edit-element=${this.#onEditElement}
              ></config-tree>`
            : ''
        }
      </details>`;
  }

  /** The MSP id that certificates are sent with. Files with an MSP id keep it. */
  #mspChoiceView(): TemplateResult {
    const { mspid, mspids } = this.#model;
    const onChange = (event: Event): void => {
      const { value } = event.target as HTMLSelectElement;
      void this.#model.chooseMsp(value === '' ? undefined : value);
    };
    return html`<p>
      <label
        >explain certificates for
        <select name="as" @change=${onChange}>
          <option value="" ?selected=${mspid === undefined}>the MSP in which they are valid</option>
          ${mspids.map(
            (each) => html`<option value=${each} ?selected=${each === mspid}>${onOneLine(each)}</option>`,
          )}
        </select>
      </label>
    </p>`;
  }

  /** Always in the document: it keeps the edits while another part is shown. */
  #editorView(): TemplateResult {
    return html`<channel-editor
      ?hidden=${this.#model.place !== 'edit'}
      .isShown=${this.#model.place === 'edit'}
      .model=${this.#model.editor}
      @finished=${() => this.#model.finish()}
    ></channel-editor>`;
  }

  get #editor(): ChannelEditor | null {
    return this.renderRoot.querySelector<ChannelEditor>('channel-editor');
  }

  #change(search: string): void {
    void this.#model.show('edit');
    void this.updateComplete.then(() => this.#editor?.find(search));
  }

  #useFolder(folder: string, form: string): void {
    void this.#model.show('edit');
    void this.updateComplete.then(() => this.#editor?.use(folder, form));
  }

  #onEditElement = ({ detail: row }: EditEvent): void => {
    void this.#model.show('edit');
    void this.#editor?.edit(row);
  };

  #reviewView(): TemplateResult | string {
    const { found, chosen } = this.#model;
    const { proposals, conflicts } = found;
    if (chosen === undefined) return '';
    const isOwn = ({ files }: Conflict): boolean => files.some((file) => chosen.names.includes(file));
    const reviewOf = (file: string): Review | undefined =>
      proposals.find(({ names }) => names.includes(file))?.review;
    return html`${conflictsView(conflicts.filter(isOwn), reviewOf)}
      <div class="review ${proposals.length > 1 ? 'many' : ''}">
        ${proposals.length > 1 ? this.#inboxView(chosen) : ''}
        <div>${this.#chosenView(chosen)}</div>
        ${this.#partView(chosen)}
      </div>`;
  }

  #chosenView(proposal: ShownProposal): TemplateResult {
    const name = namesOf(proposal);
    if (proposal.review === undefined)
      return html`<article aria-label=${`review of ${name}`}>
        <h2 class="verdict state-stopped">It cannot be reviewed</h2>
        <p>${onOneLine(proposal.error ?? '')}</p>
      </article>`;
    const hasConflict = this.#rivalsOf(proposal).length > 0;
    return reviewView(
      name,
      proposal.review,
      this.#model.gainsOf(proposal),
      this.#model.baseNotes,
      hasConflict,
    );
  }

  /** The names of the other updates that conflict with an update. */
  #rivalsOf(proposal: ShownProposal): readonly string[] {
    return rivalsOf(proposal, this.#model.found.conflicts).map(baseName);
  }

  /** All updates, the dangerous ones first; updates that conflict say so. */
  #inboxView(chosen: ShownProposal): TemplateResult {
    const { proposals } = this.#model.found;
    return html`<nav class="inbox" aria-label="updates">
      <h2>${proposals.length} updates</h2>
      <button
        type="button"
        class="updates-button"
        aria-expanded=${String(this.hasUpdatesOpen)}
        @click=${() => (this.hasUpdatesOpen = !this.hasUpdatesOpen)}
      >
        ${proposals.length} updates
      </button>
      <div class="list ${this.hasUpdatesOpen ? 'open' : ''}">
        ${proposals.map((proposal) => {
          const others = this.#rivalsOf(proposal);
          const isSure = this.#model.baseNotes.length === 0 && others.length === 0;
          const state = proposal.review === undefined ? 'stopped' : headlineOf(proposal.review, isSure).state;
          return html`<button
            type="button"
            aria-current=${String(proposal === chosen)}
            @click=${() => {
              this.hasUpdatesOpen = false;
              void this.#model.choose(proposal);
            }}
          >
            <span class="state-${state}">${namesOf(proposal)}</span>
            ${others.length === 0 ? '' : html`<span class="dim">conflicts with ${namesText(others)}</span>`}
          </button>`;
        })}
      </div>
    </nav>`;
  }

  #partView(proposal: ShownProposal): TemplateResult | string {
    const part = this.#model.yourPart(proposal);
    const { review } = proposal;
    if (part === undefined || review === undefined) return '';
    const { fingerprint } = review;
    const rehearsal = this.#model.rehearsalOf(proposal);
    return html`<aside class="part" aria-label="your part">
      ${this.#partBar(proposal, review, part)} ${signList(review, this.#model.organizations)}
      ${
        rehearsal === undefined
          ? ''
          : html`<h3>Try it on a copy of the channel</h3>
              <p>${command(rehearsal)}</p>`
      }
      <h3>Fingerprint of the update</h3>
      <p class="fingerprint-note">
        Compare it with the one that the author reads to you from <code>configtxlator review</code> or this
        page.
      </p>
      <p class="compare">
        <code title=${grouped(fingerprint)}>${grouped(fingerprint.slice(0, COMPARED))} …</code>
        <copy-button .text=${fingerprint} .label=${'Copy the fingerprint'}></copy-button>
      </p>
    </aside>`;
  }

  #partBar(proposal: ShownProposal, review: Review, part: YourPart): TemplateResult {
    const { state, text, note, primary, others, needsConsent, canSubmit } = part;
    const isAllowed = this.#model.isAllowed(review);
    const rivals = this.#rivalsOf(proposal);
    const actions = primary === undefined ? others : [primary, ...others];
    return html`<div class="part-bar ${state}">
      <div class="say">
        <p class="part-title ${PART_STATES[state]}">${onOneLine(text)}</p>
        ${note === '' ? '' : html`<p>${note}</p>`}
        ${rivals.length === 0 ? '' : html`<p class="state-risk">Either this or ${namesText(rivals)}</p>`}
      </div>
      ${
        needsConsent
          ? html`<p>
              <label class="allow">
                <input
                  type="checkbox"
                  .checked=${isAllowed}
                  @change=${() => this.#model.allow(review, !isAllowed)}
                />
                I know this danger
              </label>
            </p>`
          : ''
      }
      <div class="buttons">
        ${actions.map((each) => this.#button(proposal, each, each === primary ? 'primary' : 'quiet', isAllowed))}
      </div>
      ${canSubmit ? html`<p>To submit it: ${command(`configtxlator submit ${this.#model.fileNameOf(proposal)}`)}</p>` : ''}
    </div>`;
  }

  #button(
    proposal: ShownProposal,
    action: Action,
    kind: 'primary' | 'quiet',
    isAllowed: boolean,
  ): TemplateResult {
    const isOff = action.do === 'sign' && (!isAllowed || this.#model.isBusy);
    return html`<button
      type="button"
      class=${kind}
      data-do=${action.do}
      ?disabled=${isOff}
      @click=${() => this.#run(proposal, action)}
    >
      ${onOneLine(action.label)}
    </button>`;
  }

  async #run(proposal: ShownProposal, action: Action): Promise<void> {
    switch (action.do) {
      case 'sign':
        this.#isSigning = true;
        await this.#model.sign(proposal, action.folder);
        this.#isSigning = false;
        return;
      case 'download':
        download(this.#model.fileNameOf(proposal), proposal.bytes);
        return;
      case 'add-folder':
        this.#chooseFolder();
        return;
      case 'add-organization':
      default: {
        const [offer] = this.#model.offers;
        if (offer !== undefined) this.#useFolder(offer.folder, offer.form);
      }
    }
  }

  /** The focus returns to the shown part. */
  #closeKeys(): void {
    this.hasKeys = false;
    this.renderRoot.querySelector<HTMLElement>('nav.places [aria-current=page]')?.focus();
  }

  #onKey = (event: KeyboardEvent): void => {
    const action = keyActionOf(event);
    const { found, chosen, newest } = this.#model;
    if (action === 'close' && this.hasKeys) this.#closeKeys();
    if (action === 'keys') this.hasKeys = !this.hasKeys;
    if (action === undefined || newest === undefined) return;
    const { proposals } = found;
    const at = chosen === undefined ? -1 : proposals.indexOf(chosen);
    const next = proposals[at + (action === 'next' ? 1 : -1)];
    if (action === 'next' || action === 'previous') {
      if (next !== undefined) void this.#model.choose(next);
    } else if (action === 'channel' || action === 'edit' || (action === 'review' && proposals.length > 0)) {
      void this.#model.show(action);
    }
  };

  #chooseFiles = (): void => this.#input('files').click();
  #chooseFolder = (): void => this.#input('folder').click();

  #input(name: string): HTMLInputElement {
    return this.renderRoot.querySelector<HTMLInputElement>(`input[name=${name}]`)!;
  }

  #onChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    // The same file can be chosen again, after it has changed.
    void this.#model.add(chosenFiles(input.files)).finally(() => (input.value = ''));
  };
}

/** The current work; screen readers read its percents only on demand. */
const workView = ({ what, percent }: Work): TemplateResult =>
  html`<p class="toast">${what}… <span aria-hidden="true">${percent === 0 ? '' : `${percent} %`}</span></p>`;

const PART_STATES: Readonly<Record<YourPart['state'], string>> = {
  applied: 'state-unknown',
  refused: 'state-stopped',
  dangerous: 'state-stopped',
  complete: 'state-works',
  signed: 'state-works',
  sign: '',
  idle: '',
  stranger: 'state-unknown',
  nobody: '',
};

const baseName = (name: string): string => onOneLine(name.replace(/^.*\//, ''));
const namesOf = ({ names }: ShownProposal): string => names.map(baseName).join(', ');

if (isInWorker()) {
  serveEngine(globalThis, ENGINE);
} else {
  customElements.define('copy-button', CopyButton);
  customElements.define('config-tree', ConfigTree);
  customElements.define('channel-editor', ChannelEditor);
  customElements.define('channel-history', ChannelHistory);
  customElements.define('channel-page', ChannelPage);
}
