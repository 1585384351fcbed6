// A channel on the page: its ordering, organisations and certificates, who decides, and who may do what.

import { onOneLine } from '../../core/common/text/one-line.js';
import { durationText, sizeText, type Section } from '#translator/documents/index.js';
import { html, type TemplateResult } from 'lit';
import { blockView, wordsView } from './html.js';
import type { Work } from './model.js';
import type { Answer, Decision } from './powers.js';
import { progressText } from './progress.js';
import {
  unreadableText,
  type Certificates,
  type Ordering,
  type Outline,
  type OutlineResult,
  type OutlinedOrganization,
  type Picture,
} from './picture.js';

/** The actions on the view of a channel. */
interface ChannelActions {
  /** Opens the palette with a search. */
  readonly change: (search: string) => void;
  /** Opens or closes an organisation. */
  readonly open: (organization: string | undefined) => void;
  readonly search: (text: string) => void;
  readonly showAll: () => void;
  /** Opens a form with an MSP folder. */
  readonly useFolder: (folder: string, form: string) => void;
}

/** The data of the view. */
export interface ChannelState {
  /** The outline, or the reason that there is none. */
  readonly outline: OutlineResult;
  /** Undefined while it is computed. */
  readonly picture: Picture | undefined;
  readonly powers: Answer | undefined;
  /** `Application/Org1`; undefined if none is open. */
  readonly opened: string | undefined;
  /** The search text for organisations. */
  readonly search: string;
  /** Whether all organisations are shown, of more than {@link MANY}. */
  readonly hasAll: boolean;
  /** The MSP folders of organisations on the page, and what can be done with them: `Add Org3MSP…`. */
  readonly offers: readonly { readonly folder: string; readonly text: string; readonly form: string }[];
}

/** Above this number of organisations there is a search, and only {@link FEW} of them are shown at first. */
const MANY = 12;
const FEW = 8;
/** The number of consenters that are drawn. */
const DOTS = 50;

/** A channel. @param matrix the view of who may do what */
export function channelView(
  state: ChannelState,
  matrix: TemplateResult | string,
  actions: ChannelActions,
): TemplateResult {
  const { outline, picture, powers } = state;
  const error = 'error' in outline ? outline.error : picture?.error;
  return html`<section aria-label="channel">
    ${error === undefined ? '' : html`<p class="verdict state-stopped">The channel ${onOneLine(unreadableText(error))}</p>`}
    ${state.offers.map(
      ({ folder, text, form }, at) =>
        html`<p>
          <button
            type="button"
            class=${at === 0 ? 'primary' : ''}
            @click=${() => actions.useFolder(folder, form)}
          >
            ${onOneLine(text)}
          </button>
        </p>`,
    )}
    <dl class="facts">
      ${'error' in outline ? '' : html`${orderingView(outline.outline, actions)} ${organizationsView(outline.outline, state, actions)}`}
      ${picture === undefined ? readingView() : certificatesView(picture.certificates)}
    </dl>
    ${openedView(state, actions)}
    <p>
      <button type="button" @click=${() => actions.change('')}>Change something…</button>
    </p>
    <div class="two">
      <div>
        <h2>Who decides</h2>
        ${decidesView(powers)}
      </div>
      <div>
        <h2>Who may</h2>
        ${matrix}
      </div>
    </div>
    ${picture?.ordering === undefined ? '' : moreView(picture.ordering)}
  </section>`;
}

/** Whether a channel has so many organisations that opening it takes noticeably long. */
export const isLarge = ({ count }: Outline): boolean => count > MANY;

/** The parts of a channel that are known while everything else is computed. */
export const openingView = (outline: Outline, { what, percent }: Work): TemplateResult =>
  html`<section class="opening" aria-label="opening">
    <p>${progressText(what, percent)}</p>
    <progress max="100" value=${percent} aria-label=${what}></progress>
    <dl class="facts">
      ${orderingView(outline)}
      <dt>Organisations</dt>
      <dd>${outline.count}</dd>
    </dl>
  </section>`;

const readingView = (): TemplateResult =>
  html`<dt>Certificates</dt>
    <dd><span role="status">reading…</span> <progress aria-label="reading the certificates"></progress></dd>`;

/** @param actions if something can be changed */
function orderingView(
  { ordering, capabilities }: Outline,
  actions?: ChannelActions,
): TemplateResult | string {
  if (ordering === undefined) return '';
  const { maxMessageCount, absoluteMaxBytes, batchTimeout } = ordering;
  return html`${consentersView(ordering)}
    <dt>Blocks</dt>
    <dd>
      ${maxMessageCount} transactions, ${sizeText(absoluteMaxBytes)}, after
      ${onOneLine(durationText(batchTimeout) || 'no time')}
      ${actions === undefined ? '' : pen('the blocks', () => actions.change('batch'))}
    </dd>
    <dt>Capabilities</dt>
    <dd>
      ${Object.entries(capabilities)
        .map(([level, names]) => `${level} ${names.length === 0 ? 'none' : names.map(onOneLine).join(', ')}`)
        .join(' · ')}
      ${actions === undefined ? '' : pen('the capabilities', () => actions.change('capabilities'))}
    </dd>`;
}

/** A dot for each consenter. */
function consentersView({ type, isInMaintenance, consenters, quorum }: Ordering): TemplateResult {
  const mayFail = quorum?.mayFail ?? 0;
  const may = mayFail === 0 ? 'none may fail' : mayFail === 1 ? 'one may fail' : `${mayFail} may fail`;
  return html`<dt>Ordering</dt>
    <dd>
      <div>
        ${typeWords(type)}${quorum === undefined ? '' : `: ${quorum.consenters === 1 ? '1 consenter' : `${quorum.consenters} consenters`}, ${quorum.quorum} needed, ${may}`}
        ${isInMaintenance ? html`<span class="state-risk">in maintenance</span>` : ''}
      </div>
      <div class="dots" role="list" aria-label="consenters">
        ${consenters
          .slice(0, DOTS)
          .map(
            ({ name, address }) =>
              html`<span role="listitem" title=${onOneLine(address)}
                ><span aria-hidden="true">●</span> ${onOneLine(name)}</span
              >`,
          )}
        ${consenters.length > DOTS ? html`<span role="listitem">and ${consenters.length - DOTS} more</span>` : ''}
      </div>
    </dd>`;
}

const pen = (what: string, onClick: () => void): TemplateResult =>
  html`<button
    type="button"
    class="pen"
    aria-label=${`Change ${what}`}
    title=${`Change ${what}`}
    @click=${onClick}
  >
    ✎
  </button>`;

const typeWords = (type: string): string =>
  type === 'etcdraft' ? 'Raft' : type === '' ? 'no consensus type' : onOneLine(type);

const keyOf = ({ section, name }: OutlinedOrganization): string => `${section}/${name}`;

function organizationsView(
  { organizations }: Outline,
  { opened, search, hasAll }: ChannelState,
  actions: ChannelActions,
): TemplateResult {
  const button = (each: OutlinedOrganization): TemplateResult =>
    html`<button
      type="button"
      aria-expanded=${String(keyOf(each) === opened)}
      @click=${() => actions.open(keyOf(each) === opened ? undefined : keyOf(each))}
    >
      ${onOneLine(each.name)}${each.section === 'Application' ? '' : html` <span class="dim">${onOneLine(each.section.toLowerCase())}</span>`}
    </button>`;
  const wanted = search.trim().toLowerCase();
  const found = organizations.filter((each) => keyOf(each).toLowerCase().includes(wanted));
  const shown = hasAll || organizations.length <= MANY ? found : found.slice(0, FEW);
  return html`<dt>Organisations ${organizations.length}</dt>
    <dd>
      ${
        organizations.length <= MANY
          ? ''
          : html`<p>
              <label
                >Search
                <input
                  type="search"
                  .value=${search}
                  @input=${(event: Event) => actions.search((event.target as HTMLInputElement).value)}
              /></label>
              <span class="dim" aria-live="polite">${found.length} of ${organizations.length}</span>
            </p>`
      }
      <div class="names">
        ${shown.map(button)}
        ${
          shown.length === found.length
            ? ''
            : html`<button type="button" class="dim" @click=${actions.showAll}>
                and ${found.length - shown.length} more
              </button>`
        }
      </div>
    </dd>`;
}

function certificatesView({ count, first, urgent, document }: Certificates): TemplateResult {
  const state = urgent > 0 ? 'state-risk' : '';
  return html`<dt>Certificates</dt>
    <dd>
      <details>
        <summary class=${state}>
          ${count}
          certificates${first === undefined ? '' : `, the first ends ${first}`}${urgent > 0 ? `; ${urgent} need attention` : ''}
        </summary>
        ${(document.sections ?? []).map(
          ({ id, title, blocks }) =>
            html`<div class=${id}>
              <p><strong>${title}</strong></p>
              ${blocks.map((block) => blockView({ ...block, limit: { shown: 50, noun: 'certificates' } }))}
            </div>`,
        )}
      </details>
    </dd>`;
}

/** The opened organisation. */
function openedView({ picture, opened }: ChannelState, actions: ChannelActions): TemplateResult | string {
  const row = picture?.organizations.get(opened ?? '');
  if (opened === undefined) return '';
  return html`<section class="card" aria-label=${`organisation ${opened}`}>
    ${row === undefined ? html`<p role="status">Reading ${onOneLine(opened)}…</p>` : blockView({ kind: 'rows', isAligned: false, rows: [row] })}
    <p class="buttons">
      ${
        opened.startsWith('Orderer/')
          ? html`<button type="button" @click=${() => actions.change('endpoints of orderers')}>
              Set endpoints
            </button>`
          : html`<button type="button" @click=${() => actions.change('anchor peers')}>
              Change anchor peers
            </button>`
      }
      <button type="button" @click=${() => actions.change('replace the MSP')}>Replace its MSP</button>
      <button type="button" @click=${() => actions.change('remove an organisation')}>Remove it</button>
      <button type="button" @click=${() => actions.open(undefined)}>Close</button>
    </p>
  </section>`;
}

/** The groups that everybody asks about. */
const MAIN: ReadonlySet<string> = new Set(['/Channel', '/Channel/Application', '/Channel/Orderer']);

function decidesView(powers: Answer | undefined): TemplateResult {
  if (powers === undefined) return html`<p role="status">Computing who decides…</p>`;
  if ('error' in powers) return html`<p class="dim">It cannot be known: ${onOneLine(powers.error)}</p>`;
  const lines = powers.powers.control;
  const main = lines.filter(({ elements }) => elements.some((path) => MAIN.has(path)));
  const rest = lines.filter((line) => !main.includes(line));
  return html`${linesView(main)}
  ${
    rest.length === 0
      ? ''
      : html`<details>
          <summary>${rest.length} more</summary>
          ${linesView(rest.slice(0, 50))}${rest.length > 50 ? html`<p class="dim">and ${rest.length - 50} more: configtxlator powers lists all</p>` : ''}
        </details>`
  }`;
}

const linesView = (lines: readonly Decision[]): TemplateResult =>
  html`<table>
    <tbody>
      ${lines.map(
        ({ what, who, elements }) =>
          html`<tr title=${onOneLine(elements.join(', '))}>
            <td>${wordsView(what)}</td>
            <td>${wordsView(who)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

/** The consenters with their certificates. */
const moreView = ({ blocks }: Section): TemplateResult =>
  html`<details>
    <summary>Consenters and their certificates</summary>
    ${blocks.map(blockView)}
  </details>`;
