// The log level of one node or of the agent, with buttons that change it for a limited time.

import { html, LitElement, type TemplateResult } from 'lit';
import { layout } from './styles.js';
import { leaseText, ownerOf } from './levels.js';
import { shown } from './shown.js';
import { styles } from '../common/page/styles.js';
import type { LevelStatus } from '../status/document.js';
import { exactText } from '../status/answer/index.js';

const SPECS = ['debug', 'info', 'warn', 'error'];
const TIMES = [
  ['1m', '1 min'],
  ['10m', '10 min'],
  ['1h', '1 h'],
] as const;

/** The page gets it when a level was set, because the next state of the agent has the same level, or why it was not set. */
export class LevelEvent extends CustomEvent<LevelStatus | string> {
  constructor(level: LevelStatus | string) {
    super('level', { detail: level, bubbles: true, composed: true });
  }
}

/**
 * Sets a level.
 *
 * @param time after which the agent restores the former level; undefined: never
 * @returns the level then, or why it was not set
 */
export async function setLevel(name: string, spec: string, time?: string): Promise<LevelStatus | string> {
  const path = `nodes/${encodeURIComponent(name)}/logspec`;
  try {
    const response = await fetch(time === undefined ? path : `${path}?for=${time}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ spec }),
    });
    if (!response.ok) return `${name}: ${await response.text()}`;
    const end = (await fetch(path)).headers.get('Logspec-Reverts-At');
    return { name, spec, ...(end !== null && { reverts_at: end }) };
  } catch {
    return 'The agent cannot be reached.';
  }
}

/** `<level-control>`: shows `level`. */
export class LevelControl extends LitElement {
  static override styles = [styles, layout];
  static override properties = {
    level: { attribute: false },
    now: { attribute: false },
    isLost: { attribute: false },
    message: { state: true },
  };
  declare level: LevelStatus;
  /** Milliseconds since the epoch. */
  declare now: number;
  /** Whether the agent does not respond, so that nothing can be set. */
  declare isLost: boolean;
  declare private message: string;

  constructor() {
    super();
    this.level = { name: '' };
    this.now = 0;
    this.isLost = false;
    this.message = '';
  }

  override render(): TemplateResult {
    const { spec = '', set_by: by, set_at: at = '' } = this.level;
    const what = shown(ownerOf(this.level));
    const lease = leaseText(this.level, this.now);
    const isOff = this.isLost || spec === '';
    return html`<div class="control">
        <strong>${what}</strong>
        <span>${spec === '' ? 'level unknown' : shown(lease ?? spec)}</span>
        ${by === undefined ? '' : html`<span class="dim" title=${exactText(at)}>set by ${shown(by)}</span>`}
        ${
          lease === undefined
            ? ''
            : html`<button type="button" ?disabled=${isOff} @click=${() => this.#set(spec, '1s')}>
                End now
              </button>`
        }
      </div>
      <div class="control">
        <label>
          Change ${what} to
          <select>
            ${SPECS.filter((each) => each !== spec).map((each) => html`<option>${each}</option>`)}
          </select>
        </label>
        <span>for</span>
        ${TIMES.map(
          ([time, text]) =>
            html`<button type="button" ?disabled=${isOff} @click=${() => this.#set(this.#chosen, time)}>
              ${text}
            </button>`,
        )}
      </div>
      <p role="status" class="message">${this.message}</p>`;
  }

  get #chosen(): string {
    return this.renderRoot.querySelector('select')?.value ?? '';
  }

  async #set(spec: string, time: string): Promise<void> {
    const result = await setLevel(this.level.name, spec, time);
    this.message = typeof result === 'string' ? shown(result) : '';
    if (typeof result !== 'string') this.dispatchEvent(new LevelEvent(result));
  }
}
