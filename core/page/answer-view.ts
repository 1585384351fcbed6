// The answer card.

import { html, type TemplateResult } from 'lit';
import {
  type Answer,
  type Answers,
  type AnswerStep,
  countText,
  exactText,
  MOST_OTHERS,
  sinceText,
} from '../status/answer/index.js';
import type { Target } from './target.js';
import { copyable } from './copy.js';
import { LevelEvent, setLevel } from './level-control.js';
import { endView } from './planned-work.js';
import { glyph } from './glyph.js';
import { shown } from './shown.js';

/** Opens a drawer. */
export type Open = (target: Target) => void;

/** The card: the worst cause, and one line for each of the others. */
export function answerView({ first, others }: Answers, now: number, open: Open): TemplateResult {
  const more = others.slice(MOST_OTHERS);
  return html`<section class="answer" data-state=${first.state} aria-label="answer">
    <div class="sentence">
      ${glyph(first.state)}
      <div class="said" role="status"><h2>${shown(first.sentence)}</h2></div>
      ${ageView(first, now)} ${first.planned === undefined ? '' : endView(first.planned.id)}
    </div>
    <div class="body">
      <p class="meaning">${shown(first.meaning)}</p>
      ${stepsView(first.steps, open)} ${followsView(first, open)}
    </div>
    ${
      others.length === 0
        ? ''
        : html`<ul class="others">
            ${others.slice(0, MOST_OTHERS).map((answer) => otherView(answer, open))}
            ${
              more.length === 0
                ? ''
                : html`<li>
                    <button class="link" @click=${() => open({ of: 'others' })}>
                      ${countText(more.length, 'more cause')} ▸
                    </button>
                  </li>`
            }
          </ul>`
    }
  </section>`;
}

const ageView = ({ since = '', planned }: Answer, now: number): TemplateResult | string => {
  if (planned !== undefined) return html`<span class="age">${planned.left}</span>`;
  const age = sinceText(since, now);
  return age === '' ? '' : html`<span class="age" title=${exactText(since)}>for ${age}</span>`;
};

const detailsOf = ({ host, planned, cause }: Answer): Target => {
  if (planned !== undefined) return { of: 'silences' };
  return host === undefined
    ? { of: 'cause', component: cause?.problem.component ?? '' }
    : { of: 'host', name: host };
};

/** Another cause, which opens its drawer. */
export const otherView = (answer: Answer, open: Open): TemplateResult =>
  html`<li>
    ${glyph(answer.state)}
    <button class="link" @click=${() => open(detailsOf(answer))}>${shown(answer.sentence)} ▸</button>
  </li>`;

/** The steps, numbered if there are several. */
export const stepsView = (steps: readonly AnswerStep[], open: Open): TemplateResult | string =>
  steps.length === 0
    ? ''
    : html`<ol
        class="steps ${steps.filter(({ isAlternative = false }) => !isAlternative).length === 1 ? 'single' : ''}"
      >
        ${steps.map((step) => stepView(step, open))}
      </ol>`;

const stepView = (
  { text, command, clues = [], level, opens, isAlternative = false }: AnswerStep,
  open: Open,
): TemplateResult =>
  html`<li class=${isAlternative ? 'alternative' : ''}>
    ${
      opens === undefined
        ? shown(text)
        : html`<button class="link" @click=${() => open(opens)}>${shown(text)} ▸</button>`
    }
    ${command === undefined ? '' : copyable(command)} ${level === undefined ? '' : backView(level)}
    ${
      clues.length === 0
        ? ''
        : html`<ul class="clues">
            ${clues.map(
              ({ node, text: clue }) =>
                html`<li>
                  <button class="link" @click=${() => open({ of: 'node', name: node })}>
                    <strong>${shown(node)}</strong> <span>${shown(clue)}</span> ▸
                  </button>
                </li>`,
            )}
          </ul>`
    }
  </li>`;

/** The button that sets the level of a node back. */
const backView = ({ node, spec }: NonNullable<AnswerStep['level']>): TemplateResult => {
  const set = async ({ currentTarget }: Event): Promise<void> => {
    const result = await setLevel(node, spec);
    currentTarget?.dispatchEvent(new LevelEvent(result));
  };
  return html`<button class="end" @click=${set}>Back to ${shown(spec)}</button>`;
};

const followsView = ({ follows, cause }: Answer, open: Open): TemplateResult | string =>
  follows.length === 0 || cause === undefined
    ? ''
    : html`<p class="follows">
        <button class="link" @click=${() => open({ of: 'follows', component: cause.problem.component })}>
          ${countText(follows.length, 'check')} ${follows.length === 1 ? 'fails' : 'fail'} because of it ▸
        </button>
      </p>`;
