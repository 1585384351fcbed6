// Certificates that have expired or expire soon. Runs in browsers.

import type { CertificateStatus, StatusDocument } from '../document.js';
import type { Core, Moment } from './answer.js';
import type { Cause } from './causes.js';
import { nowWorking } from './clues.js';
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

/** The common name, if the path has it and it is not the name of the node: else readers doubt that the file belongs to the node. */
function otherName(certificate: CertificateStatus, node: string): string {
  const name = certificateName(certificate);
  const isOther = certificate.path.includes(name) && name !== node && !name.startsWith(`${node}.`);
  return isOther ? ` (${name})` : '';
}

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
  { now, zone }: Pick<Moment, 'now' | 'zone'>,
): Core | undefined {
  const certificate = certificateIn(cause, document);
  const end = Date.parse(certificate?.not_after ?? '');
  if (certificate === undefined || Number.isNaN(end)) return undefined;
  const { node } = cause.problem;
  const names = [...new Set([cause.problem, ...cause.same].flatMap((each) => each.node ?? []))];
  const owner =
    node === undefined ? '' : ` of ${listText(names)}${names.length > 1 ? '' : otherName(certificate, node)}`;
  const isOver = end < now;
  const when = isOver ? `expired ${ageText(now - end)} ago` : `expires in ${ageText(end - now)}`;
  return {
    state: cause.problem.state === 'failed' ? 'stopped' : 'risk',
    sentence: `${USES[certificate.kind] ?? 'Certificate'}${owner} ${when} (${dayText(end, now, zone)})`,
    meaning: consequence(certificate.kind, node, isOver, document),
    steps: [
      { text: 'Replace this file by a renewed certificate:', command: certificate.path },
      ...(node === undefined ? [] : [{ text: `Restart ${listText(names)}.` }]),
    ],
  };
}

function consequence(
  kind: string,
  node: string | undefined,
  isOver: boolean,
  document: StatusDocument,
): string {
  if (node === undefined) return '';
  const then = isOver ? 'Now' : 'From then on,';
  const isPeer = document.nodes.find(({ name }) => name === node)?.kind === 'peer';
  const what =
    USES[kind] === 'TLS certificate'
      ? `nobody can connect to ${node}`
      : isPeer
        ? `orderers refuse ${node}`
        : `other orderers send ${node} no blocks`;
  if (USES[kind] === undefined) return '';
  return `${then} ${what}. ${nowWorking(document)}`.trim();
}
