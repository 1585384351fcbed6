// A channel on one screen: consenters, organisations, certificates, policies.

import { onOneLine } from 'fabric-ops-agent/translator/describe';
import { html, svg, type TemplateResult } from 'lit';
import type { CertificateSummary } from 'fabric-ops-agent/translator/describe';
import type { ChannelSummary } from 'fabric-ops-agent/translator/show';
import type { OrdererSummary, Quorum } from 'fabric-ops-agent/translator/show';
import type { OrganizationSummary } from 'fabric-ops-agent/translator/show';

/** The overview of a channel. */
export function overview(channel: ChannelSummary, now: Date): TemplateResult {
  const { capabilities, sequence, orderer, organizations, acls, policies } = channel;
  return html`<section aria-label="overview">
    <h2>
      Channel
      ${channel.channel ?? 'without a name'}${channel.block === undefined ? '' : `, block ${channel.block}`}
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
    ${pairs(
      ['policy', 'rule'],
      policies.map(({ path, text }) => [path, text]),
    )}
    ${
      acls.length === 0
        ? ''
        : html`<h3>Access control</h3>
            ${pairs(
              ['resource', 'policy'],
              acls.map(({ resource, policy }) => [resource, policy]),
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
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">organisation</th>
          <th scope="col">MSP</th>
          <th scope="col">CAs</th>
          <th scope="col">addresses</th>
        </tr>
      </thead>
      <tbody>
        ${organizations.map(
          ({ section, name, mspid, msp, anchorPeers, endpoints }) =>
            html`<tr>
              <td>${onOneLine(`${section}/${name}`)}</td>
              <td>
                ${mspid === undefined ? html`<span class="dim">it cannot be read</span>` : onOneLine(mspid)}
              </td>
              <td>${msp.rootCas.map(({ subject, error }) => html`<div>${subject ?? error ?? ''}</div>`)}</td>
              <td>${onOneLine([...anchorPeers, ...endpoints].join(', '))}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

const YEAR = 365 * 24 * 3600 * 1000;
const SOON = 30 * 24 * 3600 * 1000;

/** A bar for each certificate: how much of the next year it is valid. */
function certificatesView(channel: ChannelSummary, now: Date): TemplateResult {
  const all = certificatesOf(channel).toSorted((left, right) => left.end - right.end);
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">certificate</th>
          <th scope="col">valid until</th>
          <th scope="col">of the next year</th>
        </tr>
      </thead>
      <tbody>
        ${all.map(({ what, subject, end }) => {
          const left = Math.max(0, Math.min(1, (end - now.getTime()) / YEAR));
          const isOver = end < now.getTime();
          const isSoon = end - now.getTime() < SOON;
          const kind = isOver ? 'over' : isSoon ? 'soon' : 'left';
          return html`<tr>
            <td>${what} ${subject}</td>
            <td>${new Date(end).toISOString().slice(0, 10)}${kind === 'over' ? ', expired' : ''}</td>
            <td>
              <svg class="bar" width="120" height="10" aria-hidden="true">
                <rect class="track" width="120" height="10"></rect>
                <rect class=${kind} width=${kind === 'over' ? 120 : left * 120} height="10"></rect>
              </svg>
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

interface Dated {
  readonly what: string;
  readonly subject: string;
  readonly end: number;
}

function certificatesOf({ organizations, orderer }: ChannelSummary): readonly Dated[] {
  const dated = (what: string, list: readonly CertificateSummary[]): Dated[] =>
    list.flatMap((each) =>
      each.notAfter === undefined
        ? []
        : [{ what: onOneLine(what), subject: each.subject ?? '', end: Date.parse(each.notAfter) }],
    );
  return [
    ...organizations.flatMap(({ name, msp }) => [
      ...dated(`${name} CA`, [...msp.rootCas, ...msp.intermediateCas]),
      ...dated(`${name} TLS CA`, msp.tlsCas),
      ...dated(`${name} admin`, msp.admins),
    ]),
    ...(orderer?.consenters ?? []).flatMap(({ address, serverTls }) => dated(`${address} TLS`, [serverTls])),
  ];
}

const pairs = (
  titles: readonly [string, string],
  rows: readonly (readonly [string, string])[],
): TemplateResult =>
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${titles.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, text]) =>
            html`<tr>
              <td>${onOneLine(name)}</td>
              <td>${onOneLine(text)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
