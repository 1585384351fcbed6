// Certificates and revocation lists of the CAs of a network, and of other CAs.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { CA_SETTINGS } from '../../e2e/fabric/harmful-updates.js';
import type { FabricNetwork } from '../../e2e/fabric/network.js';
import { signingCertificate } from '../../e2e/fabric/network-files.js';
import type { OrganizationName } from './parts.js';

/** The directory of an organisation. */
const placeOf = ({ directory }: FabricNetwork, name: OrganizationName): string =>
  join(
    directory,
    'crypto',
    name === 'OrdererOrg'
      ? 'ordererOrganizations/example.com'
      : `peerOrganizations/${name.slice(0, -3).toLowerCase()}.example.com`,
  );

/** The certificate and key files of a CA. */
function caOf(
  network: FabricNetwork,
  name: OrganizationName,
  kind: 'ca' | 'tlsca',
): { certificate: string; key: string } {
  const place = join(placeOf(network, name), kind);
  const file = (end: string): string =>
    join(
      place,
      readdirSync(place).find((each) => each.endsWith(end))!,
    );
  return { certificate: file('.pem'), key: file('_sk') };
}

let serials = 1000;

const serial = (): string[] => ['-set_serial', String((serials += 1))];

/** When certificates of CAs begin that are renewed: before those that they have issued, or now. */
export type Begin = 'before' | 'now';

const BEGIN_BEFORE = '20260101000000Z';

/**
 * The root CA of an organisation, renewed with the same name and key. Fabric verifies a certificate at the time at which it begins (msp/mspimpl.go,
 * `getValidityOptsForCert`): only a root that begins before makes a second chain.
 */
export function renewedRoot(network: FabricNetwork, name: OrganizationName, begin: Begin): string {
  const { certificate, key } = caOf(network, name, 'ca');
  const directory = mkdtempSync(join(network.directory, 'renewed-'));
  const openssl = (...args: readonly string[]): string => {
    execFileSync('openssl', [...args, '-out', 'root.pem'], { cwd: directory, stdio: 'pipe' });
    return readFileSync(join(directory, 'root.pem'), 'base64');
  };
  if (begin === 'now')
    return openssl('x509', '-in', certificate, '-signkey', key, ...serial(), '-days', '3000');
  const policy = ['[any]', ...['C', 'ST', 'L', 'O', 'CN'].map((each) => `${each}=optional`)];
  const extensions = [
    '[v3]',
    'basicConstraints=critical,CA:TRUE',
    'keyUsage=critical,keyCertSign,cRLSign',
    'subjectKeyIdentifier=hash',
  ];
  const settings = [
    ...CA_SETTINGS,
    'policy=any',
    'serial=serial',
    'new_certs_dir=.',
    'preserve=yes',
    ...policy,
    ...extensions,
  ];
  writeFileSync(join(directory, 'openssl.cnf'), settings.join('\n'));
  writeFileSync(join(directory, 'index'), '');
  writeFileSync(join(directory, 'serial'), '1234');
  const args = [
    '-ss_cert',
    certificate,
    '-cert',
    certificate,
    '-keyfile',
    key,
    '-extensions',
    'v3',
    '-startdate',
    BEGIN_BEFORE,
    '-days',
    '3000',
  ];
  return openssl('ca', '-config', 'openssl.cnf', '-batch', '-notext', ...args);
}

/** Whether a certificate is renewed with the key of the node, or with one that the node does not have. */
export type Key = 'same' | 'new';

/** The identity of an orderer, renewed by its CA. */
export function renewedIdentity(network: FabricNetwork, number: number, key: Key = 'same'): string {
  const { identity } = network.orderers[number]!;
  const own = key === 'same' ? join(identity.msp, 'keystore/priv_sk') : undefined;
  return renewed(network, 'ca', signingCertificate(identity), own);
}

/** The TLS certificate of an orderer, renewed by its CA. */
export function renewedTls(network: FabricNetwork, number: number, key: Key = 'same'): string {
  const { cert, key: own } = network.orderers[number]!.identity.tls;
  return renewed(network, 'tlsca', cert, key === 'same' ? own : undefined);
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'new.key'];
/** The subject of an orderer: the unit is its role. */
const ORDERER_NAME = '/C=US/OU=orderer/CN=orderer.example.com';

const EXTENSIONS = {
  ca: ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature'],
  tlsca: [
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature,keyEncipherment',
    'extendedKeyUsage=serverAuth,clientAuth',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
  ],
} as const;

/** @param ownKey of the certificate; undefined: a new one */
function renewed(
  network: FabricNetwork,
  kind: 'ca' | 'tlsca',
  certificate: string,
  ownKey: string | undefined,
): string {
  const ca = caOf(network, 'OrdererOrg', kind);
  const directory = mkdtempSync(join(network.directory, 'renewed-'));
  const run = (...args: readonly string[]): Buffer =>
    execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  if (ownKey === undefined) run('req', '-new', ...NEW_KEY, '-subj', ORDERER_NAME, '-out', 'request.pem');
  else run('x509', '-x509toreq', '-in', certificate, '-signkey', ownKey, '-out', 'request.pem');
  writeFileSync(join(directory, 'extensions'), EXTENSIONS[kind].join('\n'));
  const issuer = ['-CA', ca.certificate, '-CAkey', ca.key, ...serial()];
  run(
    'x509',
    '-req',
    '-in',
    'request.pem',
    '-extfile',
    'extensions',
    ...issuer,
    '-days',
    '3000',
    '-out',
    'certificate.pem',
  );
  return readFileSync(join(directory, 'certificate.pem'), 'base64');
}

/** A CA (PEM, base64) that has issued nothing yet. */
export const newCa = (commonName: string): string => makeCertificate({ commonName }).pem.toString('base64');

/** The certificate of the admin, the client or the node of an organisation. */
export const certificateOf = (
  network: FabricNetwork,
  name: OrganizationName,
  who: 'admin' | 'client' | 'node',
): string => {
  const { identity } =
    name === 'OrdererOrg' ? network.orderers[0] : network.peers[name === 'Org1MSP' ? 0 : 1]!;
  const directory = { admin: identity.admin, client: identity.client, node: identity.msp }[who];
  return signingCertificate({ ...identity, msp: directory });
};

/** A revocation list (PEM, base64) of the CA of an organisation. */
export function revocationListOf(
  network: FabricNetwork,
  name: OrganizationName,
  revoked: readonly string[],
  hasKeyId: boolean,
): string {
  const { certificate, key } = caOf(network, name, 'ca');
  const directory = mkdtempSync(join(network.directory, 'crl-'));
  const extensions = hasKeyId
    ? ['crl_extensions=extensions', '[extensions]', 'authorityKeyIdentifier=keyid']
    : [];
  writeFileSync(join(directory, 'openssl.cnf'), [...CA_SETTINGS, ...extensions].join('\n'));
  writeFileSync(join(directory, 'index'), '');
  const run = (...args: readonly string[]): Buffer =>
    execFileSync(
      'openssl',
      ['ca', '-config', 'openssl.cnf', ...args, '-keyfile', key, '-cert', certificate],
      { cwd: directory, stdio: 'pipe' },
    );
  for (const each of revoked) run('-revoke', each);
  run('-gencrl', '-out', 'crl.pem');
  return readFileSync(join(directory, 'crl.pem'), 'base64');
}
