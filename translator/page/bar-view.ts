// The bar of the page: the channel, and the files as chips that can be removed.

import { html, type TemplateResult } from 'lit';
import type { Chip } from './chips.js';

/** The number of files that cannot be used that are shown one by one. */
const SHOWN = 12;

/** The bar. @param isOpen whether narrow screens show all files */
export function barView(
  title: string,
  chips: readonly Chip[],
  isOpen: boolean,
  actions: {
    readonly remove: (name: string) => void;
    readonly toggle: () => void;
    readonly addFiles: () => void;
    readonly addFolder: () => void;
  },
): TemplateResult {
  const bad = chips.filter(({ kind }) => kind === 'bad');
  const hidden = new Set(bad.slice(SHOWN));
  return html`<header class="bar">
    <h1>${title}</h1>
    ${
      chips.length === 0
        ? ''
        : html`<button
            type="button"
            class="files-button"
            aria-expanded=${String(isOpen)}
            @click=${actions.toggle}
          >
            ${chips.length === 1 ? '1 file' : `${chips.length} files`}
          </button>`
    }
    <ul class="chips plain ${isOpen ? 'open' : ''}" aria-label="files">
      ${chips.filter((each) => !hidden.has(each)).map((each) => chipView(each, actions.remove))}
      ${hidden.size === 0 ? '' : html`<li class="chip bad">■ ${hidden.size} more files that cannot be used</li>`}
    </ul>
    ${
      chips.length === 0
        ? ''
        : html`<span class="buttons">
            <button type="button" @click=${actions.addFiles}>+ Add</button>
            <button type="button" @click=${actions.addFolder}>+ Folder</button>
          </span>`
    }
  </header>`;
}

const GLYPHS: Readonly<Record<Chip['kind'], string>> = { plain: '', you: '', stranger: '○ ', bad: '■ ' };

const chipView = ({ name, text, title, kind }: Chip, remove: (name: string) => void): TemplateResult =>
  html`<li class="chip ${kind}" title=${title}>
    <span>${GLYPHS[kind]}${text}</span>
    <button type="button" aria-label=${`Remove ${text}`} @click=${() => remove(name)}>✕</button>
  </li>`;
