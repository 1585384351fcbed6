// Certificates and revocation lists of the CAs of a network, and of other CAs.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '../../helpers/made-certificates.js';
import type { FabricNetwork } from '../../e2e/fabric/network.js';
import { signingCertificate } from '../../e2e/fabric/network-files.js';
import type { OrganizationName } from './parts.js';

/** The directory of an organisation. */
const placeOf = ({ directory }: FabricNetwork, name: OrganizationName): string =>
  join(
    directory,
    'crypto',
    name === 'OrdererOrg' ? 'ordererOrganizations/example.com' : `peerOrganizations/${name.slice(0, -3).toLowerCase()}.example.com`,
  );

/** The certificate and key files of a CA. */
function caOf(network: FabricNetwork, name: OrganizationName, kind: 'ca' | 'tlsca'): { certificate: string; key: string } {
  const place = join(placeOf(network, name), kind);
  const file = (end: string): string => join(place, readdirSync(place).find((each) => each.endsWith(end))!);
  return { certificate: file('.pem'), key: file('_sk') };
}

let serials = 1000;

/** A certificate (PEM, base64) with the same name and key, signed again by the CA with a key. */
function signedAgain({ directory }: FabricNetwork, file: string, signing: readonly string[]): string {
  const output = join(mkdtempSync(join(directory, 'renewed-')), 'certificate.pem');
  serials += 1;
  execFileSync('openssl', ['x509', '-in', file, ...signing, '-set_serial', String(serials), '-days', '3000', '-out', output], { stdio: 'pipe' });
  return readFileSync(output, 'base64');
}

/** The root CA of an organisation, renewed with the same name and key. */
export function renewedRoot(network: FabricNetwork, name: OrganizationName, kind: 'ca' | 'tlsca' = 'ca'): string {
  const { certificate, key } = caOf(network, name, kind);
  return signedAgain(network, certificate, ['-signkey', key]);
}

/** The identity of an orderer, renewed by its CA with the same key. */
export function renewedIdentity(network: FabricNetwork, number: number): string {
  const { certificate, key } = caOf(network, 'OrdererOrg', 'ca');
  const { identity } = network.orderers[number]!;
  return signedAgain(network, signingCertificate(identity), ['-CA', certificate, '-CAkey', key]);
}

/** The TLS certificate of an orderer, renewed by its CA with the same key. */
export function renewedTls(network: FabricNetwork, number: number): string {
  const { certificate, key } = caOf(network, 'OrdererOrg', 'tlsca');
  return signedAgain(network, network.orderers[number]!.identity.tls.cert, ['-CA', certificate, '-CAkey', key]);
}

/** A CA (PEM, base64) that has issued nothing yet. */
export const newCa = (commonName: string): string => makeCertificate({ commonName }).pem.toString('base64');

/** The certificate of the admin, the client or the node of an organisation. */
export const certificateOf = (network: FabricNetwork, name: OrganizationName, who: 'admin' | 'client' | 'node'): string => {
  const { identity } = name === 'OrdererOrg' ? network.orderers[0] : network.peers[name === 'Org1MSP' ? 0 : 1]!;
  const directory = { admin: identity.admin, client: identity.client, node: identity.msp }[who];
  return signingCertificate({ ...identity, msp: directory });
};

/** A revocation list (PEM, base64) of the CA of an organisation. */
export function revocationListOf(network: FabricNetwork, name: OrganizationName, revoked: readonly string[], hasKeyId: boolean): string {
  const { certificate, key } = caOf(network, name, 'ca');
  const directory = mkdtempSync(join(network.directory, 'crl-'));
  const settings = ['[ca]', 'default_ca=x', '[x]', 'database=index', 'default_md=sha256', 'default_crl_days=9'];
  const extensions = hasKeyId ? ['crl_extensions=extensions', '[extensions]', 'authorityKeyIdentifier=keyid'] : [];
  writeFileSync(join(directory, 'openssl.cnf'), [...settings, ...extensions].join('\n'));
  writeFileSync(join(directory, 'index'), '');
  const run = (...args: readonly string[]): Buffer =>
    execFileSync('openssl', ['ca', '-config', 'openssl.cnf', ...args, '-keyfile', key, '-cert', certificate], { cwd: directory, stdio: 'pipe' });
  for (const each of revoked) run('-revoke', each);
  run('-gencrl', '-out', 'crl.pem');
  return readFileSync(join(directory, 'crl.pem'), 'base64');
}
