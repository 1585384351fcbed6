// A channel on one screen: consenters, organisations, certificates, policies.

import {
  onOneLine,
  type CertificateSummary,
  type ChannelSummary,
  type OrdererSummary,
  type OrganizationSummary,
  type Quorum,
} from 'fabric-ops-agent/translator/review';
import { html, svg, type TemplateResult } from 'lit';
import { dayText, validityBar } from '../../core/common/page/bar.js';
import { table } from '../../core/common/page/table.js';

/** The overview of a channel. */
export function overview(channel: ChannelSummary, now: Date): TemplateResult {
  const { capabilities, sequence, orderer, organizations, acls, policies } = channel;
  return html`<section aria-label="overview">
    <h2>
      Channel
      ${onOneLine(channel.channel ?? 'without a name')}${channel.block === undefined ? '' : `, block ${channel.block}`}
    </h2>
    <p class="dim">
      sequence ${sequence}; capabilities: channel ${capabilities.channel.join(', ') || 'none'}, orderer
      ${capabilities.orderer.join(', ') || 'none'}, application
      ${capabilities.application.join(', ') || 'none'}
    </p>
    ${orderer === undefined ? '' : ordererView(orderer)}
    <h3>Organisations</h3>
    ${organizationsView(organizations)}
    <h3>Certificates by expiry</h3>
    ${certificatesView(channel, now)}
    <h3>Policies</h3>
    ${table(
      ['policy', 'rule'],
      policies.map(({ path, text }) => [onOneLine(path), onOneLine(text)]),
    )}
    ${
      acls.length === 0
        ? ''
        : html`<h3>Access control</h3>
            ${table(
              ['resource', 'policy'],
              acls.map(({ resource, policy }) => [onOneLine(resource), onOneLine(policy)]),
            )}`
    }
  </section>`;
}

const ordererView = ({ type, maintenance, consenters, quorum, batch }: OrdererSummary): TemplateResult =>
  html`<h3>Ordering: ${type}${maintenance ? ', in maintenance' : ''}</h3>
    ${quorum === undefined ? '' : quorumView(quorum)}
    <p>${onOneLine(consenters.map(({ address }) => address).join(', '))}</p>
    <p class="dim">
      a block has at most ${batch.maxMessageCount} messages and ${batch.absoluteMaxBytes} bytes, and is cut
      after ${batch.timeout}
    </p>`;

const DOT = 16;

/** A dot for each consenter; those that may fail are hollow. */
function quorumView({ consenters, quorum, mayFail }: Quorum): TemplateResult {
  const text = `${consenters} consenters, quorum ${quorum}: ${mayFail} may fail`;
  const shown = Math.min(consenters, 50);
  return html`<p>
    <svg width=${shown * DOT} height=${DOT} role="img" aria-label=${text}>
      ${Array.from(
        { length: shown },
        (_, index) =>
          svg`<circle class="dot ${index < quorum ? '' : 'spare'}" cx=${index * DOT + DOT / 2} cy=${DOT / 2} r="6"></circle>`,
      )}
    </svg>
    ${text}
  </p>`;
}

const organizationsView = (organizations: readonly OrganizationSummary[]): TemplateResult =>
  table(
    ['organisation', 'MSP', 'CAs', 'addresses'],
    organizations.map(({ section, name, mspid, msp, anchorPeers, endpoints }) => [
      onOneLine(`${section}/${name}`),
      mspid === undefined ? html`<span class="dim">it cannot be read</span>` : onOneLine(mspid),
      msp.rootCas.map(({ subject, error }) => html`<div>${onOneLine(subject ?? error ?? '')}</div>`),
      onOneLine([...anchorPeers, ...endpoints].join(', ')),
    ]),
  );

/** A bar for each certificate: how much of the next year it is valid. Those that cannot be read come first. */
const certificatesView = (channel: ChannelSummary, now: Date): TemplateResult =>
  table(
    ['certificate', 'valid until', 'of the next year'],
    certificatesOf(channel)
      .toSorted((left, right) => left.end - right.end)
      .map(({ text, end, error }) =>
        error === undefined
          ? [text, dayText(end, now.getTime()), validityBar(end - now.getTime())]
          : [text, html`<strong>it cannot be read</strong>: ${error}`, ''],
      ),
  );

interface Dated {
  readonly text: string;
  /** Milliseconds since the epoch; 0 for a certificate that cannot be read. */
  readonly end: number;
  readonly error: string | undefined;
}

function certificatesOf({ organizations, orderer }: ChannelSummary): readonly Dated[] {
  const dated = (what: string, list: readonly CertificateSummary[]): Dated[] =>
    list.map(({ subject = '', notAfter, error }) => ({
      text: onOneLine(`${what} ${subject}`),
      end: notAfter === undefined ? 0 : Date.parse(notAfter),
      error: error === undefined ? undefined : onOneLine(error),
    }));
  return [
    ...organizations.flatMap(({ name, msp }) => [
      ...dated(`${name} CA`, [...msp.rootCas, ...msp.intermediateCas]),
      ...dated(`${name} TLS CA`, msp.tlsCas),
      ...dated(`${name} admin`, msp.admins),
    ]),
    ...(orderer?.consenters ?? []).flatMap(({ address, serverTls }) => dated(`${address} TLS`, [serverTls])),
  ];
}
