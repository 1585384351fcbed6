// The channel page: `<channel-page>` is all of it.

import { html, LitElement, type TemplateResult } from 'lit';
import { onOneLine } from 'fabric-ops-agent/translator/describe';
import { exitStatusOf, type Review } from 'fabric-ops-agent/translator/review';
import { summariseChannel } from 'fabric-ops-agent/translator/show';
import { signEnvelope } from 'fabric-ops-agent/translator/sign';
import { download } from './download.js';
import { chosenFiles, droppedFiles } from './drop.js';
import { ChannelEditor, type FinishedEvent } from './editor.js';
import { newestConfig, readPageFiles, type Dropped, type PageFile } from './files.js';
import { ChannelHistory, type BlockFile } from './history.js';
import { signerOf, splitMsps, type DroppedMsp, type Signer } from './msp-folders.js';
import { overview } from './overview.js';
import { reviewAll, type Proposal, type Proposals } from './proposals.js';
import { conflictsView, reviewView } from './review-view.js';
import { styles } from '../../core/common/page/styles.js';
import { tabsView, type Tab } from './tabs.js';
import { ConfigTree, type EditEvent } from './tree.js';

type TabId = 'review' | 'channel' | 'edit' | 'tree' | 'history';

const NO_PROPOSALS: Proposals = { proposals: [], conflicts: [] };

/** `<channel-page>` */
class ChannelPage extends LitElement {
  static override styles = styles;
  static override properties = {
    files: { state: true },
    msps: { state: true },
    signers: { state: true },
    found: { state: true },
    tab: { state: true },
    allowed: { state: true },
    isOver: { state: true },
    isBusy: { state: true },
    message: { state: true },
  };
  declare private files: readonly PageFile[];
  declare private msps: readonly DroppedMsp[];
  /** Who can sign, and why a folder cannot. */
  declare private signers: readonly (Signer | { readonly name: string; readonly error: string })[];
  declare private found: Proposals;
  declare private tab: TabId;
  /** The fingerprints of dangerous updates that may be signed. */
  declare private allowed: ReadonlySet<string>;
  declare private isOver: boolean;
  declare private isBusy: boolean;
  declare private message: string;

  constructor() {
    super();
    this.files = [];
    this.msps = [];
    this.signers = [];
    this.found = NO_PROPOSALS;
    this.tab = 'channel';
    this.allowed = new Set();
    this.isOver = false;
    this.isBusy = false;
    this.message = '';
    this.addEventListener('dragover', (event) => {
      event.preventDefault();
      this.isOver = true;
    });
    this.addEventListener('dragleave', () => (this.isOver = false));
    this.addEventListener('drop', (event) => {
      event.preventDefault();
      this.isOver = false;
      if (event.dataTransfer !== null) void this.#add(droppedFiles(event.dataTransfer));
    });
  }

  /** The newest config: that which updates are reviewed against. */
  get #newest(): PageFile | undefined {
    return newestConfig(this.files);
  }

  get #blocks(): readonly BlockFile[] {
    return this.files
      .flatMap(({ config, block }) =>
        config === undefined || block === undefined ? [] : [{ config, block }],
      )
      .toSorted((left, right) => Number(left.config.number! - right.config.number!));
  }

  override render(): TemplateResult {
    const tabs = this.#tabs();
    return html`<main aria-busy=${String(this.isBusy)}>
      <h1>Channel configuration</h1>
      ${this.#dropView()}
      <p role="status" class="message">${this.message}</p>
      ${
        tabs.length === 0
          ? this.#emptyView()
          : html`${tabsView(tabs, this.tab, (id) => (this.tab = id))} ${this.#tabView()} ${this.#editorView()}`
      }
    </main>`;
  }

  #tabs(): readonly Tab<TabId>[] {
    if (this.#newest === undefined) return [];
    const { proposals } = this.found;
    const blocks = this.#blocks.length;
    return [
      ...(proposals.length === 0 ? [] : [{ id: 'review' as const, title: `Review (${proposals.length})` }]),
      { id: 'channel', title: 'Channel' },
      { id: 'edit', title: 'Edit' },
      { id: 'tree', title: 'Everything' },
      ...(blocks < 2 ? [] : [{ id: 'history' as const, title: `History (${blocks})` }]),
    ];
  }

  #emptyView(): TemplateResult {
    return this.files.some(({ update }) => update !== undefined)
      ? html`<p role="status">
          Add the newest config block of the channel: an update is reviewed against it.
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
        Drop or choose config blocks, config updates, and MSP folders to sign with. Nothing leaves this page:
        it has no network.
      </p>
      ${this.files.map(fileView)} ${this.msps.map((msp) => this.#mspView(msp))}
    </div>`;
  }

  #mspView({ name, organization, error, notes }: DroppedMsp): TemplateResult {
    const signer = this.signers.find((each) => each.name === name);
    const what =
      error ??
      (organization !== undefined
        ? `MSP folder of an organisation${notes.map((note) => `; ${note}`).join('')}`
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
    const { config } = this.#newest!;
    switch (this.tab) {
      case 'review':
        return this.#reviewsView();
      case 'channel':
        return overview(summariseChannel(config!), new Date());
      case 'edit':
        return '';
      case 'tree':
        return html`<section aria-label="everything">
          <h2>Everything</h2>
          <config-tree .config=${config!.config} @edit-element=${this.#onEditElement}></config-tree>
        </section>`;
      case 'history':
      default:
        return html`<channel-history .blocks=${this.#blocks}></channel-history>`;
    }
  }

  /** Always in the document: it keeps the edits while people look at another tab. */
  #editorView(): TemplateResult {
    return html`<channel-editor
      ?hidden=${this.tab !== 'edit'}
      .base=${this.#newest!.config!}
      .msps=${this.msps}
      @finished=${this.#onFinished}
    ></channel-editor>`;
  }

  #reviewsView(): TemplateResult {
    const { proposals, conflicts } = this.found;
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

  /** What people can do with an update. What is refused cannot be signed; what is dangerous only if they say so. */
  #actions(proposal: Proposal, review: Review): TemplateResult {
    const status = exitStatusOf(review);
    const signers = this.signers.flatMap((signer) => ('error' in signer ? [] : [signer]));
    const isAllowed = status !== 4 || this.allowed.has(review.fingerprint);
    return html`${
        status !== 4 || signers.length === 0
          ? ''
          : html`<label class="allow">
              <input
                type="checkbox"
                .checked=${isAllowed}
                @change=${() => this.#allow(review.fingerprint, isAllowed)}
              />
              I know these dangers and want to sign
            </label>`
      }
      <p class="buttons">
        ${
          status === 2
            ? html`<span class="dim">What orderers would refuse cannot be signed here.</span>`
            : signers.length === 0
              ? html`<span class="dim">To sign, drop your MSP folder: its key stays on this page.</span>`
              : signers.map(
                  (signer) =>
                    html`<button
                      type="button"
                      ?disabled=${!isAllowed}
                      @click=${() => this.#sign(proposal, signer)}
                    >
                      Sign as ${signer.mspid} ${onOneLine(signer.identity.certificate.subject.commonName)}
                    </button>`,
                )
        }
        <button
          type="button"
          @click=${() => download(proposal.names[0]!.replace(/^.*\//, ''), proposal.bytes)}
        >
          ${proposal.names.length > 1 ? 'Download with all signatures' : 'Download'}
        </button>
      </p>`;
  }

  #allow(fingerprint: string, wasAllowed: boolean): void {
    const allowed = new Set(this.allowed);
    if (wasAllowed) allowed.delete(fingerprint);
    else allowed.add(fingerprint);
    this.allowed = allowed;
  }

  async #sign(proposal: Proposal, { identity }: Signer): Promise<void> {
    try {
      const bytes = await signEnvelope(proposal.bytes, identity, new Date());
      const [path] = proposal.names;
      this.files = this.files.filter(({ name }) => !proposal.names.includes(name));
      await this.#add([{ path: path!, bytes, size: bytes.length }]);
      this.message = `${onOneLine(path!)} is signed: download it, and send it on`;
    } catch (error) {
      this.message = (error as Error).message;
    }
  }

  #onFinished = ({ detail: { name, bytes } }: FinishedEvent): void => {
    void this.#add([{ path: name, bytes, size: bytes.length }]);
  };

  #onEditElement = ({ detail: row }: EditEvent): void => {
    this.tab = 'edit';
    this.renderRoot.querySelector<ChannelEditor>('channel-editor')?.edit(row);
  };

  #onChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    // The same file can be chosen again, after it has changed.
    void this.#add(chosenFiles(input.files)).finally(() => (input.value = ''));
  };

  /** Adds files; one with the name of an earlier one replaces it. */
  async #add(given: readonly Dropped[] | Promise<readonly Dropped[]>): Promise<void> {
    this.isBusy = true;
    this.message = '';
    try {
      const { msps, files } = splitMsps(await given);
      const read = files.flatMap(readPageFiles);
      this.files = [...withoutNames(this.files, read), ...read];
      this.msps = [...withoutNames(this.msps, msps), ...msps];
      await this.#update(read.some(({ update }) => update !== undefined));
    } catch (error) {
      this.message = (error as Error).message;
    } finally {
      this.isBusy = false;
    }
  }

  async #update(hasUpdate: boolean): Promise<void> {
    const base = this.#newest?.config;
    if (base === undefined) return;
    this.signers = await Promise.all(
      this.msps.flatMap(({ name, person }) =>
        person === undefined
          ? []
          : [signerOf(name, person, base.config).catch((error: Error) => ({ name, error: error.message }))],
      ),
    );
    const updates = this.files.flatMap(({ name, update }) =>
      update === undefined ? [] : [{ name, bytes: update.bytes }],
    );
    const hadNone = this.found.proposals.length === 0;
    this.found = await reviewAll(updates, base, new Date());
    if (this.found.proposals.length > 0 && (hasUpdate || hadNone)) this.tab = 'review';
  }
}

/** Whether orderers would refuse it, or it is dangerous. */
const isBad = (review: Review): boolean => [2, 4].includes(exitStatusOf(review));

const withoutNames = <Item extends { readonly name: string }>(
  items: readonly Item[],
  others: readonly { readonly name: string }[],
): readonly Item[] => {
  const names = new Set(others.map(({ name }) => name));
  return items.filter(({ name }) => !names.has(name));
};

function fileView({ name, error, config, update }: PageFile): TemplateResult {
  const what =
    config === undefined
      ? `config update (${update?.form ?? ''})`
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
