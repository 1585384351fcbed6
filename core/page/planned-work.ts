// Planned work: a form that begins it, and the button that ends it. While it lasts, notifiers send nothing about it.

import { html, type TemplateResult } from 'lit';
import { shown } from './shown.js';
import type { StatusDocument } from '../status/document.js';

const TIMES = [
  ['10m', '10 min'],
  ['30m', '30 min'],
  ['1h', '1 h'],
  ['4h', '4 h'],
] as const;

/** Shows why a request failed in the element with the role `status` beside a button. */
const report = (button: HTMLElement, text: string): void => {
  const message = button.parentElement?.querySelector('[role=status].message');
  if (message !== null && message !== undefined) message.textContent = shown(text);
};

/** Sends a request. @returns why it failed; undefined: it did not */
async function send(method: string, path: string, body?: object): Promise<string | undefined> {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(path, {
      method,
      ...(body !== undefined && { headers, body: JSON.stringify(body) }),
    });
    if (response.ok) return undefined;
    const text = await response.text();
    return response.status === 403 ? `You may only read: ${text}` : text;
  } catch {
    return 'The agent cannot be reached.';
  }
}

/** The button that ends planned work. The next state of the agent is without it. @param id of its silence */
export const endView = (id: string): TemplateResult => {
  const end = async ({ currentTarget }: Event): Promise<void> => {
    const button = currentTarget as HTMLElement;
    const problem = await send('DELETE', `silences/${encodeURIComponent(id)}`);
    report(button, problem ?? 'It ends.');
  };
  return html`<span class="ending"
    ><button class="end" @click=${end}>End</button><span role="status" class="message"></span
  ></span>`;
};

/** The form that begins planned work. @param chosen the node that is chosen at first; undefined: all */
export function beginView({ nodes }: StatusDocument, chosen?: string): TemplateResult {
  const begin = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = new FormData(form);
    const node = given.get('node');
    const problem = await send('PUT', 'silences', {
      ...(node !== '' && { node }),
      for: given.get('for'),
      why: given.get('why'),
    });
    if (problem === undefined) form.reset();
    report(form.querySelector('button')!, problem ?? 'It begins.');
  };
  return html`<form class="control" @submit=${begin}>
    <label
      >of
      <select name="node">
        <option value="">all nodes and channels</option>
        ${nodes.map(({ name }) => html`<option value=${name} ?selected=${name === chosen}>${shown(name)}</option>`)}
      </select></label
    >
    <label
      >for
      <select name="for">
        ${TIMES.map(([time, text]) => html`<option value=${time}>${text}</option>`)}
      </select></label
    >
    <label>why <input name="why" required maxlength="500" placeholder="upgrade to 3.1.5" /></label>
    <button>Begin planned work</button>
    <span role="status" class="message"></span>
  </form>`;
}
