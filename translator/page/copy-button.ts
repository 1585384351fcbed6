// The component `<copy-button>`: copies a text, and shows that it did.

import { css, html, LitElement, type TemplateResult } from 'lit';
import { styles } from '../../core/common/page/styles.js';
import { copy } from './download.js';
import { wordsView } from './html.js';

/** `<copy-button>`: copies `text`; `label` names it for screen readers. */
export class CopyButton extends LitElement {
  static override styles = [
    styles,
    css`
      :host {
        display: inline-block;
        font: inherit;
      }
      button {
        padding: 0 0.5rem;
        min-height: var(--hit);
      }
    `,
  ];
  static override properties = { text: {}, label: {}, state: { state: true } };
  declare text: string;
  declare label: string;
  declare private state: string;

  constructor() {
    super();
    this.text = '';
    this.label = 'Copy';
    this.state = '';
  }

  override render(): TemplateResult {
    return html`<button type="button" aria-label=${this.label} title=${this.label} @click=${this.#onClick}>
      ${this.state === '' ? 'Copy' : this.state}
    </button>`;
  }

  #onClick = async (): Promise<void> => {
    this.state = (await copy(this.text)) ? 'copied' : 'select it, and copy it';
  };
}

/** Words, and flags with their values, which stand on one line. */
const PARTS = /-\S+ [^-\s]\S*|\S+/g;

/** A command with a button that copies it. */
export const command = (text: string): TemplateResult =>
  html`<span class="command"
    ><code>${text.match(PARTS)?.map((part) => html`<span class="word">${wordsView(part)}</span> `)}</code>
    <copy-button .text=${text} .label=${`Copy ${text}`}></copy-button
  ></span>`;
