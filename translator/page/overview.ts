// A channel: its document, a picture of its quorum, and the ends of its certificates.

import type { ConfigFile } from 'fabric-ops-agent/translator/channel';
import {
  channelDocument,
  type Section,
  endsInChannel,
  expiryDocument,
  expiryReport,
  summariseChannel,
  type Quorum,
} from 'fabric-ops-agent/translator/review';
import { html, svg, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import { blockView, heading, sectionView } from './html.js';

/** Certificates that expire within this time have their own section, in seconds. */
const SOON = 30 * 24 * 3600;

/** Overviews by their configs: a summary of many organisations takes time. */
const overviews = new WeakMap<ConfigFile, Promise<TemplateResult>>();

/** The overview of a channel, made once. @param name of the file with the config */
export function overview(name: string, config: ConfigFile, now: Date): TemplateResult {
  const made =
    overviews.get(config) ??
    overviewOf(name, config, now).catch(({ message }: Error) => html`<p>${message}</p>`);
  overviews.set(config, made);
  return html`${until(made, html`<p role="status">Reading the channel</p>`)}`;
}

async function overviewOf(name: string, config: ConfigFile, now: Date): Promise<TemplateResult> {
  const summary = await summariseChannel(config);
  const { title = '', blocks = [], sections = [] } = channelDocument(summary, now);
  const { quorum } = summary.orderer ?? {};
  const ends = expiryReport(endsInChannel(config, name), { now, within: SOON });
  return html`<section aria-label="overview">
    ${heading(title, 2)} ${blocks.map(blockView)}
    ${sections.map((section) => [
      sectionView(section, 3),
      section.id === 'orderer' && quorum !== undefined ? quorumView(quorum) : '',
    ])}
    <h3>Certificates</h3>
    ${(expiryDocument(ends).sections ?? []).map(endsView)}
  </section>`;
}

/** The section with the certificates that expire later is closed at first. */
const endsView = (section: Section): TemplateResult =>
  section.id === 'later'
    ? html`<details>
        <summary>${section.title}</summary>
        ${section.blocks.map(blockView)}
      </details>`
    : sectionView(section, 4);

const DOT = 16;

/** A dot for each consenter; hollow dots are consenters that may fail. */
function quorumView({ consenters, quorum, mayFail }: Quorum): TemplateResult {
  const shown = Math.min(consenters, 50);
  return html`<p>
    <svg
      width=${shown * DOT}
      height=${DOT}
      role="img"
      aria-label=${`${mayFail} of ${consenters} consenters may fail`}
    >
      ${Array.from(
        { length: shown },
        (_, index) =>
          svg`<circle class="dot ${index < quorum ? '' : 'spare'}" cx=${index * DOT + DOT / 2} cy=${DOT / 2} r="6"></circle>`,
      )}
    </svg>
  </p>`;
}
