// The keys of the page, for users who read many updates.

import { html, type TemplateResult } from 'lit';

/** What a key does. `next` and `previous` are of the updates. */
export type KeyAction = 'next' | 'previous' | 'review' | 'channel' | 'edit' | 'keys' | 'close';

const KEYS: readonly (readonly [key: string, KeyAction, words: string])[] = [
  ['j', 'next', 'the next update'],
  ['k', 'previous', 'the update before'],
  ['r', 'review', 'the reviews'],
  ['c', 'channel', 'the channel'],
  ['e', 'edit', 'change something'],
  ['?', 'keys', 'these keys'],
  ['Escape', 'close', 'close this list'],
];

/** The action of a key; undefined for others, with a modifier, and while users write. */
export function keyActionOf(event: KeyboardEvent): KeyAction | undefined {
  const { key, ctrlKey, altKey, metaKey } = event;
  const [target] = event.composedPath();
  const isWriting = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if (isWriting || ctrlKey || altKey || metaKey) return undefined;
  return KEYS.find(([each]) => each === key)?.[1];
}

/** The list of all keys. */
export const keysView = (close: () => void): TemplateResult =>
  html`<section class="card keys" aria-label="keys">
    <h2>Keys</h2>
    <dl class="facts">
      ${KEYS.map(
        ([key, , words]) =>
          html`<dt><kbd>${key}</kbd></dt>
            <dd>${words}</dd>`,
      )}
    </dl>
    <p><button type="button" @click=${close}>Close</button></p>
  </section>`;
