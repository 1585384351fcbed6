// The shapes of the states: they differ without colours, too.

import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { type State } from '../status/answer/index.js';

const ring = svg`<circle cx="8" cy="8" r="5.5" class="ring"></circle>`;

const SHAPES: Readonly<Record<State, SVGTemplateResult>> = {
  works: svg`<circle cx="8" cy="8" r="6"></circle>`,
  risk: svg`${ring}<path d="M8 2.5a5.5 5.5 0 0 0 0 11z"></path>`,
  planned: svg`${ring}<path d="M5 8h6" class="ring"></path>`,
  stopped: svg`<rect x="2.5" y="2.5" width="11" height="11" rx="1.5"></rect>`,
  silent: svg`<circle cx="8" cy="8" r="5.5" class="ring dashed"></circle>`,
  unknown: ring,
  stale: ring,
};

/** The words for states, for users who do not see the shapes. */
export const WORDS: Readonly<Record<State, string>> = {
  works: 'works',
  risk: 'at risk',
  planned: 'planned work',
  stopped: 'stopped',
  silent: 'does not respond',
  unknown: 'unknown',
  stale: 'old',
};

/** The shape of a state. @param words the state, for users who do not see it; without them it only decorates */
export const glyph = (state: State, words = ''): TemplateResult =>
  words === ''
    ? html`<svg class="glyph" data-state=${state} viewBox="0 0 16 16" aria-hidden="true">
        ${SHAPES[state]}
      </svg>`
    : html`<svg class="glyph" data-state=${state} viewBox="0 0 16 16" role="img" aria-label=${words}>
        ${SHAPES[state]}
      </svg>`;

/** The characters that come closest, for the title of the window. */
export const CHARACTERS: Readonly<Record<State, string>> = {
  works: '●',
  risk: '◐',
  planned: '⊖',
  stopped: '■',
  silent: '◌',
  unknown: '○',
  stale: '○',
};

const ICONS: Readonly<Record<State, string>> = {
  works: '<circle cx="8" cy="8" r="7" fill="#1a7f37"/>',
  risk: '<circle cx="8" cy="8" r="6" fill="#fff" stroke="#bf8700" stroke-width="2"/><path d="M8 2a6 6 0 0 0 0 12z" fill="#bf8700"/>',
  planned:
    '<circle cx="8" cy="8" r="6" fill="#fff" stroke="#57718c" stroke-width="2"/><path d="M5 8h6" stroke="#57718c" stroke-width="2"/>',
  stopped: '<rect x="1" y="1" width="14" height="14" rx="2" fill="#cf222e"/>',
  silent:
    '<circle cx="8" cy="8" r="6" fill="#fff" stroke="#cf222e" stroke-width="3" stroke-dasharray="3 2"/>',
  unknown: '<circle cx="8" cy="8" r="6" fill="#fff" stroke="#6e7781" stroke-width="2"/>',
  stale: '<circle cx="8" cy="8" r="6" fill="#d0d7de" stroke="#6e7781" stroke-width="2"/>',
};

/** The icon of the window for a state, as a URL. */
export const iconOf = (state: State): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${ICONS[state]}</svg>`)}`;
