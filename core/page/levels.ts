// The log levels of the agent and its nodes, with a form that raises one for a limited time.

import { html, LitElement, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { shown } from './shown.js';
import { styles } from '../common/page/styles.js';
import type { LevelStatus } from '../status/document.js';

const SPECS = ['debug', 'info', 'warn', 'error'];
const TIMES = ['1m', '10m', '1h'];

/** `<agent-levels>`: shows `levels`. */
export class AgentLevels extends LitElement {
  static override styles = styles;
  static override properties = {
    levels: { attribute: false },
    now: { attribute: false },
    message: { state: true },
  };
  declare levels: readonly LevelStatus[];
  /** Milliseconds since the epoch. */
  declare now: number;
  declare private message: string;

  constructor() {
    super();
    this.levels = [];
    this.now = 0;
    this.message = '';
  }

  override render(): TemplateResult {
    return html`<p role="status" class="message">${this.message}</p>
      ${repeat(
        this.levels,
        ({ name }) => name,
        (level) => this.#levelView(level),
      )}`;
  }

  #levelView({ name, spec = '', reverts_at: revertsAt = '' }: LevelStatus): TemplateResult {
    const what = name === 'self' ? 'the agent' : shown(name);
    const left = Math.round((Date.parse(revertsAt) - this.now) / 1000);
    return html`<form class="lever" @submit=${this.#onSubmit} data-node=${name}>
      <strong>${what}</strong>
      <span>
        ${spec === '' ? 'unknown' : shown(spec)}${Number.isNaN(left) ? '' : `, for ${Math.max(0, left)} s`}
      </span>
      <label>
        level of ${what}
        <select name="spec">
          ${SPECS.map((each) => html`<option>${each}</option>`)}
        </select>
      </label>
      <label>
        for
        <select name="time">
          ${TIMES.map((each) => html`<option>${each}</option>`)}
        </select>
      </label>
      <button type="submit" ?disabled=${spec === ''}>Set</button>
      ${
        Number.isNaN(left)
          ? ''
          : html`<button type="button" @click=${() => this.#set(name, spec, '1s')}>End now</button>`
      }
    </form>`;
  }

  #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const chosen = (name: string): string => form.querySelector<HTMLSelectElement>(`[name=${name}]`)!.value;
    void this.#set(form.dataset['node'] ?? '', chosen('spec'), chosen('time'));
  };

  /** Sets a level. After the time, the agent restores the former level. */
  async #set(name: string, spec: string, time: string): Promise<void> {
    const path = `nodes/${encodeURIComponent(name)}/logspec`;
    try {
      const response = await fetch(`${path}?for=${time}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ spec }),
      });
      this.message = response.ok ? '' : shown(`${name}: ${await response.text()}`);
      const revertsAt = (await fetch(path)).headers.get('Logspec-Reverts-At') ?? '';
      // The next state of the agent has the same level.
      if (response.ok)
        this.levels = this.levels.map((each) =>
          each.name === name ? { name, spec, reverts_at: revertsAt } : each,
        );
    } catch {
      this.message = 'the agent cannot be reached';
    }
  }
}
