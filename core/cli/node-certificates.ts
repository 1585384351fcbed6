// Checks the TLS files for the operations endpoint of each node offline, so that a certificate that the node would refuse is reported
// before the node refuses it.

import { certificatesIn, clientProblem, isValidFor, type BesideNode } from '../../config/index.js';
import { reasonOf } from '../contract/index.js';
import { isIssuedBy } from '../common/certificates/chain.js';
import { readCertificates, readKeyPair } from '../common/certificates/tls-files.js';

/** What is wrong with the TLS files for the nodes, one line each. */
export function nodeCertificateProblems(nodes: readonly BesideNode[]): string[] {
  return nodes.flatMap((node) => {
    const checks = node.tls.tls.value ? [checkServer, checkClient] : [checkAdminClient];
    return checks
      .flatMap((check) => reasons(() => check(node)))
      .map((reason) => `node ${node.name}: ${reason}`);
  });
}

function reasons(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [reasonOf(error)];
  }
}

/** @throws Error when the certificate of the node would be refused */
function checkServer({ tls, address, serverCertificateFile: file }: BesideNode): void {
  if (tls.ca.value === '') {
    readCertificates(tls.certificate.value, 'server certificate');
    return;
  }
  const cas = readCertificates(tls.ca.value, 'CA').certificates;
  const chain = certificatesIn(file);
  const [certificate] = chain;
  // The certificate may be readable for the node only.
  if (certificate === undefined) return;
  if (!isIssuedBy(chain, cas))
    throw new Error(
      `server certificate ${file} was not issued by the CA ${tls.ca.value} (${tls.ca.origin}); set another ca`,
    );
  const name = tls.serverName.value || address.value.host;
  if (!isValidFor(certificate, name))
    throw new Error(
      `server certificate ${file} is valid for ${certificate.subjectAltName ?? 'no name'}, not for ${name}; set serverName`,
    );
}

/** @throws Error when the node would refuse the client certificate */
function checkClient({ tls, clientRootCAFiles }: BesideNode): void {
  if (tls.cert.value === '' && tls.key.value === '')
    throw new Error(
      'there is no client certificate, which /metrics and /logspec of the node require; set cert and key',
    );
  checkClientFiles(tls, clientRootCAFiles);
}

/** @throws Error when the Admin endpoint would refuse our client certificate */
function checkAdminClient({ client, admin, get }: BesideNode): void {
  if (admin === client && get<boolean>('admin.tls.enabled').value)
    checkClientFiles(client, get<readonly string[]>('admin.tls.clientRootCAs').value);
}

function checkClientFiles({ cert, key }: BesideNode['client'], clientRootCAFiles: readonly string[]): void {
  if (cert.value === '' || key.value === '') throw new Error('cert and key must be set together');
  const files = { cert: cert.value, key: key.value };
  const { certificates } = readKeyPair(files, { cert: 'client certificate', key: 'private key' });
  const cas = clientRootCAFiles.flatMap(certificatesIn);
  // The client CAs may be readable for the node only.
  const problem = cas.length === 0 ? undefined : clientProblem(certificates, cas);
  if (problem !== undefined)
    throw new Error(
      `the node refuses the client certificate ${cert.value} (${cert.origin}): ${problem}; set cert and key`,
    );
}
