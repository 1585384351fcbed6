// The channel page: `<channel-page>` is a view of `PageModel`.

import { html, LitElement, type TemplateResult } from 'lit';
import { onOneLine, verdictOf, type Review } from 'fabric-ops-agent/translator/review';
import { download } from './download.js';
import { chosenFiles, droppedFiles } from './drop.js';
import { ChannelEditor } from './editor.js';
import type { PageFile } from './files.js';
import { ChannelHistory } from './history.js';
import { identityView } from './identity-view.js';
import { PageModel, type TabId } from './model.js';
import type { DroppedMsp, Signer } from './msp-folders.js';
import { overview } from './overview.js';
import { powersView } from './powers-view.js';
import type { Proposal } from './proposals.js';
import { conflictsView, reviewView } from './review-view.js';
import { styles } from '../../core/common/page/styles.js';
import { tabsView, type Tab } from './tabs.js';
import { ConfigTree, type EditEvent } from './tree.js';

/** `<channel-page>` */
class ChannelPage extends LitElement {
  static override styles = styles;
  static override properties = { isOver: { state: true } };
  readonly #model = new PageModel(() => new Date());
  /** Whether something is dragged over the page. */
  declare private isOver: boolean;

  constructor() {
    super();
    this.isOver = false;
    this.#model.onChange = () => this.requestUpdate();
    this.addEventListener('dragover', (event) => {
      event.preventDefault();
      this.isOver = true;
    });
    this.addEventListener('dragleave', () => (this.isOver = false));
    this.addEventListener('drop', (event) => {
      event.preventDefault();
      this.isOver = false;
      if (event.dataTransfer !== null) void this.#model.add(droppedFiles(event.dataTransfer));
    });
  }

  override render(): TemplateResult {
    const tabs = this.#tabs();
    const { isBusy, message, tab } = this.#model;
    return html`<main aria-busy=${String(isBusy)}>
      <h1>Channel configuration</h1>
      ${this.#dropView()}
      <p role="status" class="message">${message}</p>
      ${
        tabs.length === 0
          ? this.#emptyView()
          : html`${this.#versionsView()} ${tabsView(tabs, tab, (id) => this.#model.show(id))}
            ${this.#tabView()} ${this.#editorView()}`
      }
    </main>`;
  }

  #tabs(): readonly Tab<TabId>[] {
    const { newest, found, identities, blocks } = this.#model;
    if (newest === undefined) return [];
    const { proposals } = found;
    return [
      ...(proposals.length === 0 ? [] : [{ id: 'review' as const, title: `Review (${proposals.length})` }]),
      ...(identities.length === 0
        ? []
        : [{ id: 'identities' as const, title: `Identities (${identities.length})` }]),
      { id: 'channel', title: 'Channel' },
      { id: 'powers', title: 'Powers' },
      { id: 'edit', title: 'Edit' },
      { id: 'tree', title: 'Everything' },
      ...(blocks.length < 2 ? [] : [{ id: 'history' as const, title: `History (${blocks.length})` }]),
    ];
  }

  #versionsView(): TemplateResult {
    const onChange = (event: Event): void =>
      void this.#model.chooseFabric((event.target as HTMLInputElement).value);
    return html`<p>
      <label
        >versions of Fabric on the nodes
        <input
          name="fabric"
          placeholder="all, for example 2.5.12, 3.1"
          .value=${this.#model.fabric.join(', ')}
          @change=${onChange}
      /></label>
    </p>`;
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

  #emptyView(): TemplateResult {
    const { files, msps } = this.#model;
    const needsConfig =
      files.some(({ update, identities }) => update !== undefined || identities !== undefined) ||
      msps.some(({ identity }) => identity !== undefined);
    return needsConfig
      ? html`<p role="status">
          Add the newest config block of the channel: updates are reviewed and identities are explained
          against it.
        </p>`
      : html`<p class="dim">
          Nothing is loaded. Get the newest config block with
          <code>peer channel fetch config config_block.pb -c CHANNEL</code>.
        </p>`;
  }

  #dropView(): TemplateResult {
    return html`<div class="drop ${this.isOver ? 'over' : ''}">
      <p class="buttons">
        <label>Files <input type="file" multiple @change=${this.#onChosen} /></label>
        <label>MSP folder <input type="file" webkitdirectory @change=${this.#onChosen} /></label>
      </p>
      <p class="dim">
        Drop or choose config blocks, config updates, MSP folders to sign with, and certificates to look at.
        Nothing leaves this page: it has no network.
      </p>
      ${this.#model.files.map(fileView)} ${this.#model.msps.map((msp) => this.#mspView(msp))}
    </div>`;
  }

  #mspView({ name, organization, person, error, notes }: DroppedMsp): TemplateResult {
    const signer = this.#model.signers.find((each) => each.name === name);
    const what =
      error ??
      (organization !== undefined
        ? `MSP folder of an organisation${notes.map((note) => `; ${note}`).join('')}`
        : person === undefined
          ? 'MSP folder of a person, without a key'
          : signer === undefined
            ? 'MSP folder of a person: add a config block to sign'
            : 'error' in signer
              ? signer.error
              : `signs as ${signer.mspid} ${signer.identity.certificate.subject.commonName}`);
    const isWrong = error !== undefined || (signer !== undefined && 'error' in signer);
    return html`<div>
      ${onOneLine(name)}: ${isWrong ? html`<strong>${onOneLine(what)}</strong>` : onOneLine(what)}
    </div>`;
  }

  #tabView(): TemplateResult | string {
    const { newest, tab, blocks, identities, powers } = this.#model;
    const { name, config } = newest!;
    switch (tab) {
      case 'review':
        return this.#reviewsView();
      case 'identities':
        return html`${this.#mspChoiceView()} ${identities.map(identityView)}`;
      case 'powers':
        return powersView(powers);
      case 'channel':
        return overview(name, config!, new Date());
      case 'edit':
        return '';
      case 'tree':
        return html`<section aria-label="everything">
          <h2>Everything</h2>
          <config-tree .config=${config!.config} @edit-element=${this.#onEditElement}></config-tree>
        </section>`;
      case 'history':
      default:
        return html`<channel-history .blocks=${blocks}></channel-history>`;
    }
  }

  /** Always in the document: it keeps the edits while another tab is shown. */
  #editorView(): TemplateResult {
    return html`<channel-editor
      ?hidden=${this.#model.tab !== 'edit'}
      .model=${this.#model.editor}
      @finished=${() => this.#model.finish()}
    ></channel-editor>`;
  }

  #reviewsView(): TemplateResult {
    const { proposals, conflicts } = this.#model.found;
    const reviewOf = (file: string): Review | undefined =>
      proposals.find(({ names }) => names.includes(file))?.review;
    const views = proposals.map((proposal) => this.#proposalView(proposal));
    const bad = proposals.filter(({ review }) => review === undefined || isBad(review)).length;
    return html`${views.slice(0, bad)} ${conflicts.length === 0 ? '' : conflictsView(conflicts, reviewOf)}
    ${views.slice(bad)}`;
  }

  #proposalView(proposal: Proposal): TemplateResult {
    const name = proposal.names.map(onOneLine).join(', ');
    if (proposal.review === undefined)
      return html`<section>
        <h2>Review of ${name}</h2>
        <p class="verdict bad">It cannot be reviewed</p>
        <p>${onOneLine(proposal.error ?? '')}</p>
      </section>`;
    return reviewView(name, proposal.review, this.#actions(proposal, proposal.review));
  }

  /** The buttons for an update. */
  #actions(proposal: Proposal, review: Review): TemplateResult {
    const model = this.#model;
    const signing = model.signing(review);
    const isAllowed = model.isAllowed(review);
    const signers = model.signers.flatMap((signer) => ('error' in signer ? [] : [signer]));
    return html`${
        signing !== 'dangerous' || signers.length === 0
          ? ''
          : html`<label class="allow">
              <input type="checkbox" .checked=${isAllowed} @change=${() => model.allow(review, !isAllowed)} />
              I know these dangers and want to sign
            </label>`
      }
      <p class="buttons">
        ${
          signing === 'refused'
            ? html`<span class="dim">An update that orderers would refuse cannot be signed here.</span>`
            : signers.length === 0
              ? html`<span class="dim">To sign, drop your MSP folder: its key stays on this page.</span>`
              : signers.map((signer) => this.#signButton(proposal, signer, isAllowed))
        }
        <button type="button" @click=${() => model.showPowers(proposal)}>Who can do what with it</button>
        <button
          type="button"
          @click=${() => download(proposal.names[0]!.replace(/^.*\//, ''), proposal.bytes)}
        >
          ${proposal.names.length > 1 ? 'Download with all signatures' : 'Download'}
        </button>
      </p>`;
  }

  #signButton(proposal: Proposal, signer: Signer, isAllowed: boolean): TemplateResult {
    return html`<button
      type="button"
      ?disabled=${!isAllowed || this.#model.isBusy}
      @click=${() => this.#model.sign(proposal, signer)}
    >
      Sign as ${signer.mspid} ${onOneLine(signer.identity.certificate.subject.commonName)}
    </button>`;
  }

  #onEditElement = ({ detail: row }: EditEvent): void => {
    this.#model.show('edit');
    void this.#model.editor.chooseElement(row);
  };

  #onChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    // The same file can be chosen again, after it has changed.
    void this.#model.add(chosenFiles(input.files)).finally(() => (input.value = ''));
  };
}

/** Whether orderers would refuse it, or it is dangerous. */
const isBad = (review: Review): boolean => ['refused', 'dangerous'].includes(verdictOf(review));

function fileView({ name, error, config, update, identities }: PageFile): TemplateResult {
  const what =
    config === undefined
      ? update === undefined
        ? `identity (${(identities ?? []).map(({ place }) => place).join(', ')})`
        : `config update (${update.form})`
      : config.form === 'block'
        ? `config block ${config.number}`
        : `config (${config.form})`;
  return html`<div>
    ${onOneLine(name)}: ${error === undefined ? what : html`<strong>${onOneLine(error)}</strong>`}
  </div>`;
}

customElements.define('config-tree', ConfigTree);
customElements.define('channel-editor', ChannelEditor);
customElements.define('channel-history', ChannelHistory);
customElements.define('channel-page', ChannelPage);
