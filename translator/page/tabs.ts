// Tabs: one part of the page at a time, with the keys of WAI-ARIA.

import { html, type TemplateResult } from 'lit';

/** A part of the page. */
export interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: string;
}

/** The list of tabs. @param choose is called with the chosen tab */
export function tabsView<Id extends string>(
  tabs: readonly Tab<Id>[],
  chosen: Id,
  choose: (id: Id) => void,
): TemplateResult {
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length]!;
    choose(next.id);
    const list = event.currentTarget as HTMLElement;
    list.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return html`<div role="tablist" aria-label="parts of the page" @keydown=${onKey}>
    ${tabs.map(
      ({ id, title }) =>
        html`<button
          type="button"
          role="tab"
          data-tab=${id}
          aria-selected=${String(id === chosen)}
          tabindex=${id === chosen ? 0 : -1}
          @click=${() => choose(id)}
        >
          ${title}
        </button>`,
    )}
  </div>`;
}
