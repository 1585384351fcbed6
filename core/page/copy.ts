// A command or a path with a button that copies it.

import { html, type TemplateResult } from 'lit';
import { shown } from './shown.js';

/** How long the button reports that the text was copied, in milliseconds. */
const SHOWN_FOR = 2000;

/** A URL as a link; another text as it is. */
export const linkTo = (url: string): unknown =>
  /^https?:\/\//.test(url)
    ? html`<a href=${url} target="_blank" rel="noreferrer">${breakable(shown(url))}</a>`
    : breakable(shown(url));

/** A text with a button that copies it. */
export const copyable = (text: string): TemplateResult =>
  html`<span class="copyable"
    ><code>${linkTo(text)}</code
    ><button class="copy" @click=${(event: Event) => void copy(event, text)}>Copy</button></span
  >`;

/** Longest part of a line that is never broken, in UTF-16 units: it fits on a phone. */
const WHOLE = 22;

/** A command or a path may be broken after its spaces and slashes, but not after a hyphen of a flag or a name. */
export const breakable = (text: string): unknown =>
  text
    .split(/(?<=[/ ])/)
    .map((part) =>
      part.length > WHOLE ? html`${part}<wbr />` : html`<span class="whole">${part}</span><wbr />`,
    );

/** Without TLS a browser has a clipboard only for this host; then the text is selected instead. */
async function copy({ currentTarget }: Event, text: string): Promise<void> {
  const button = currentTarget as HTMLButtonElement;
  try {
    await navigator.clipboard.writeText(text);
    button.classList.add('copied');
    setTimeout(() => button.classList.remove('copied'), SHOWN_FOR);
  } catch {
    getSelection()?.selectAllChildren(button.previousElementSibling!);
  }
}
