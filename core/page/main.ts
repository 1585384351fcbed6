// The page of the agent: the component `<agent-page>`.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { answersOf, isLag, sinceText, type Answers } from '../status/answer/index.js';
import { hashOf, targetOf, type Target } from './target.js';
import { answerView } from './answer-view.js';
import { listen } from './connection.js';
import { drawerOf } from './drawers.js';
import { footerOf } from './footer.js';
import { CHARACTERS, iconOf } from './glyph.js';
import { shortSpec } from './levels.js';
import { LevelControl, setLevel, type LevelEvent } from './level-control.js';
import { rowsOf } from './rows.js';
import { rowsView } from './rows-view.js';
import { shown } from './shown.js';
import { layout } from './styles.js';
import { styles } from '../common/page/styles.js';
import type { Problem, StatusDocument } from '../status/document.js';

/** Below this width, nodes that are fine are not shown. */
const NARROW = '(max-width: 40rem)';

/** `live, 2 s ago`: the age of the document; while the agent lags, `connected`, because its states are older than the document. */
function liveText({ time, problems }: StatusDocument, now: number): string {
  if (problems.some(isLag)) return 'connected';
  const age = sinceText(time, now);
  return age === '' ? 'live' : `live, ${age} ago`;
}

/** How many drawers were opened one after the other in this tab. */
const depthNow = (): number => (history.state as { readonly depth?: number } | null)?.depth ?? 0;

/** The name of the agent for people: the setting `operations.name`, by default the name of its host. */
const nameIn = (document: StatusDocument | undefined): string | undefined =>
  document?.agent.name ?? document?.agent.host;

/** `<agent-page>` */
class AgentPage extends LitElement {
  static override styles = [styles, layout];
  static override properties = {
    status: { state: true },
    events: { state: true },
    lostAt: { state: true },
    now: { state: true },
    hash: { state: true },
    toggled: { state: true },
    isNarrow: { state: true },
    message: { state: true },
  };
  declare private status: StatusDocument | undefined;
  /** The newest first. */
  declare private events: readonly Problem[];
  /** When the agent stopped responding; undefined while it responds. By the clock of the agent, in milliseconds since the epoch. */
  declare private lostAt: number | undefined;
  declare private now: number;
  /** The part of the address that names the content of the drawer; empty: it is closed. */
  declare private hash: string;
  /** Channels whose nodes the reader has opened. */
  declare private toggled: ReadonlyMap<string, boolean>;
  declare private isNarrow: boolean;
  declare private message: string;
  /** How far the clock of the agent is ahead of the clock of the browser, in milliseconds. */
  #ahead = 0;

  constructor() {
    super();
    this.events = [];
    this.now = Date.now();
    this.toggled = new Map();
    this.hash = location.hash;
    this.message = '';
    this.isNarrow = matchMedia(NARROW).matches;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    setInterval(() => (this.now = Date.now() + this.#ahead), 1000);
    matchMedia(NARROW).addEventListener('change', ({ matches }) => (this.isNarrow = matches));
    addEventListener('popstate', this.#onAddress);
    addEventListener('keydown', this.#onKey);
    listen(({ document, events, isLost }) => {
      if (document !== this.status)
        this.#ahead = (Date.parse(document?.time ?? '') || Date.now()) - Date.now();
      this.now = Date.now() + this.#ahead;
      this.status = document;
      this.events = events;
      this.lostAt = isLost ? (this.lostAt ?? this.now) : undefined;
    });
  }

  override updated(changed: PropertyValues): void {
    const { first } = this.#answers;
    const name = nameIn(this.status);
    document.title = `${CHARACTERS[first.state]} ${shown(first.sentence)} – ${name === undefined ? 'Fabric nodes' : shown(name)}`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    const url = iconOf(first.state);
    if (icon !== null && icon.getAttribute('href') !== url) icon.setAttribute('href', url);
    // An address may name a drawer before the first document.
    const isFirst = changed.has('status') && changed.get('status') === undefined;
    if (!changed.has('hash') && !isFirst) return;
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog?.open === false) dialog.showModal();
  }

  get #answers(): Answers {
    return answersOf(this.status, { now: this.now, lostAt: this.lostAt });
  }

  /** Without word from the agent, only the age of the answer changes. */
  get #shownAt(): number {
    return this.lostAt ?? this.now;
  }

  override render(): TemplateResult {
    const { status, lostAt } = this;
    const name = nameIn(status);
    const isLost = lostAt !== undefined;
    const target = status && targetOf(this.hash, status);
    return html`<main class=${isLost ? 'old' : ''} @level=${({ detail }: LevelEvent) => this.#change(detail)}>
        <header>
          <h1>Fabric nodes${name === undefined ? '' : ` · ${shown(name)}`}</h1>
          <p class="live">
            ${isLost ? 'not connected' : status === undefined ? 'connecting' : liveText(status, this.now)}
          </p>
        </header>
        ${answerView(this.#answers, this.now, this.#open)}
        ${status === undefined ? '' : this.#bodyView(status)}
      </main>
      ${status === undefined || target === undefined ? '' : this.#drawerView(status, target)}`;
  }

  #bodyView(document: StatusDocument): TemplateResult {
    const { events, lostAt, isNarrow, toggled } = this;
    const moment = { now: this.#shownAt, lostAt };
    const rows = rowsOf({ document, events, ...moment });
    const toggle = (channel: string, isOpen: boolean): void => {
      this.toggled = new Map([...toggled, [channel, isOpen]]);
    };
    const leased = document.levels.filter((level) => !Number.isNaN(Date.parse(level.reverts_at ?? '')));
    return html`${rowsView(rows, { open: this.#open, toggled, toggle, isNarrow })}
      <footer>
        ${footerOf(document, events, moment).map(
          ({ text, opens }) =>
            html`<span>
              <button class="link" @click=${() => this.#open(opens)}>${shown(text)} ▸</button>
              ${
                opens.of === 'levels' && leased.length === 1 && lostAt === undefined
                  ? html`<button class="end" @click=${() => void this.#endLevel(leased[0]!)}>
                      End ${shown(shortSpec(leased[0]!.spec ?? ''))} now
                    </button>`
                  : ''
              }
            </span>`,
        )}
        <p role="status" class="message">${this.message}</p>
      </footer>`;
  }

  #drawerView(document: StatusDocument, target: Target): TemplateResult {
    const isLost = this.lostAt !== undefined;
    const drawer = drawerOf(target, {
      document,
      events: this.events,
      now: this.#shownAt,
      isLost,
      open: this.#open,
    });
    return html`<dialog
      aria-labelledby="drawer"
      @close=${this.#onClose}
      @click=${this.#onClick}
      @level=${({ detail }: LevelEvent) => this.#change(detail)}
    >
      <div class="title">
        <h2 id="drawer">${shown(drawer?.title ?? 'No longer there')}</h2>
        <button @click=${() => this.renderRoot.querySelector('dialog')?.close()}>Close</button>
      </div>
      ${isLost ? html`<p class="dim">The agent does not respond: this is old.</p>` : ''}
      ${drawer?.content ?? ''}
    </dialog>`;
  }

  /** Opens a drawer at an address of its own, so that Back closes it. */
  #open = (target: Target): void => {
    if (this.status === undefined) return;
    const hash = hashOf(target, this.status);
    if (hash === this.hash) return;
    history.pushState({ depth: depthNow() + 1 }, '', hash);
    this.hash = hash;
  };

  /** The address has changed, for example with Back. A drawer that is closed gives the focus back. */
  #onAddress = (): void => {
    if (location.hash === '') this.renderRoot.querySelector('dialog')?.close();
    this.hash = location.hash;
  };

  /** Removes the drawers from the address: those that were opened here from the history, too. */
  #onClose = (): void => {
    this.hash = '';
    if (location.hash === '') return;
    const depth = depthNow();
    if (depth > 0) history.go(-depth);
    else history.replaceState(null, '', location.pathname + location.search);
  };

  #onKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    if (key === '?' && !ctrlKey && !metaKey && !altKey) this.#open({ of: 'keys' });
  };

  /** A click beside the drawer closes it. */
  #onClick = ({ target, currentTarget }: Event): void => {
    if (target === currentTarget) (currentTarget as HTMLDialogElement).close();
  };

  async #endLevel({
    name,
    spec = '',
  }: {
    readonly name: string;
    readonly spec?: string | undefined;
  }): Promise<void> {
    this.#change(await setLevel(name, spec, '1s'));
  }

  /** The next state of the agent has the same level. */
  #change(level: LevelEvent['detail']): void {
    this.message = typeof level === 'string' ? shown(level) : '';
    if (this.status === undefined || typeof level === 'string') return;
    const levels = this.status.levels.map((each) => (each.name === level.name ? level : each));
    this.status = { ...this.status, levels };
  }
}

customElements.define('level-control', LevelControl);
customElements.define('agent-page', AgentPage);
