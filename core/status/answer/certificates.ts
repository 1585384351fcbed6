// Certificates that have expired or expire soon. Runs in browsers.

import type { CertificateStatus, StatusDocument } from '../document.js';
import type { Core, ViewTime } from './answer.js';
import type { Cause } from './causes.js';
import { nowWorking } from './clues.js';
import { namesText } from './headlines.js';
import { ageText, dayText, listText } from './words.js';

/** The certificate that a failure is about. */
export const certificateIn = (
  { problem }: Cause,
  { certificates }: StatusDocument,
): CertificateStatus | undefined =>
  problem.kind === 'certificates' ? certificates.find(({ part }) => part === problem.component) : undefined;

/** The common name of its subject; all of it without one. */
export const certificateName = ({ subject }: CertificateStatus): string =>
  /(?:^|, )(?:CN=)([^,]*)/.exec(subject)?.[1] ?? subject;

const USES: Readonly<Record<string, string>> = {
  tls: 'TLS certificate',
  consenter_client_tls: 'TLS certificate',
  consenter_server_tls: 'TLS certificate',
  signing: 'Signing certificate',
};

/** The answer about a certificate; undefined: it is about something else. */
export function certificateAnswer(
  cause: Cause,
  document: StatusDocument,
  { now, zone }: Pick<ViewTime, 'now' | 'zone'>,
): Core | undefined {
  const certificate = certificateIn(cause, document);
  const end = Date.parse(certificate?.not_after ?? '');
  if (certificate === undefined || Number.isNaN(end)) return undefined;
  const { node } = cause.problem;
  const names = [...new Set([cause.problem, ...cause.same].flatMap((each) => each.node ?? []))];
  const owner = node === undefined ? '' : ` of ${namesText(names)}`;
  const isOver = end < now;
  const when = isOver ? `expired ${ageText(now - end)} ago` : `expires in ${ageText(end - now)}`;
  return {
    state: cause.problem.state === 'failed' ? 'stopped' : 'risk',
    sentence: `${USES[certificate.kind] ?? 'Certificate'}${owner} ${when}`,
    meaning:
      `${isOver ? 'It ended on' : 'It ends on'} ${dayText(end, now, zone)}. ${consequence(certificate, node, isOver, document)}`.trim(),
    steps: [
      { text: 'Replace this file by a renewed certificate:', command: certificate.path },
      ...(node === undefined ? [] : [{ text: `Restart ${listText(names)}.` }]),
    ],
  };
}

/** The node, with the common name if the path has it and it differs: else readers doubt that the file belongs to the node. */
function ownerOf(certificate: CertificateStatus, node: string): string {
  const name = certificateName(certificate);
  const isOther = certificate.path.includes(name) && name !== node && !name.startsWith(`${node}.`);
  return isOther ? `${node} (${name})` : node;
}

function consequence(
  certificate: CertificateStatus,
  node: string | undefined,
  isOver: boolean,
  document: StatusDocument,
): string {
  const use = USES[certificate.kind];
  if (node === undefined || use === undefined) return '';
  const then = isOver ? 'Now' : 'From then on,';
  const isPeer = document.nodes.find(({ name }) => name === node)?.kind === 'peer';
  const owner = ownerOf(certificate, node);
  const what =
    use === 'TLS certificate'
      ? `nobody can connect to ${owner}`
      : isPeer
        ? `orderers refuse ${owner}`
        : `other orderers send ${owner} no blocks`;
  return `${then} ${what}. ${nowWorking(document)}`.trim();
}
