// Finds the certificates and revocation lists in a file of a node, a person or an organisation.

import { is, requireTypes } from '../../proto/arguments.js';
import { decodeAllPem, type PemBlock } from '../../core/common/certificates/pem.js';
import { attempt } from '../../proto/errors.js';
import { isText, messageKindOf } from '../channel/index.js';
import { readCertificate, type Certificate } from '../msp/index.js';
import { foundCertificate, foundRevocationList, type Found, type ExpiryPlace, type Use } from './expiry.js';
import { fileRecipe } from './recipe.js';

/** The use of the files of a directory (Fabric: msp/configbuilder.go; the other names are from cryptogen). */
const USES: ReadonlyMap<string, Use> = new Map([
  ['cacerts', 'ca'],
  ['ca', 'ca'],
  ['intermediatecerts', 'intermediate-ca'],
  ['tlscacerts', 'tls-ca'],
  ['tlsca', 'tls-ca'],
  ['tlsintermediatecerts', 'tls-intermediate-ca'],
  ['admincerts', 'admin'],
  ['signcerts', 'identity'],
  ['tls', 'tls'],
]);

const CERTIFICATE = 'CERTIFICATE';
const REVOCATION_LIST = 'X509 CRL';
/** The first byte of a certificate in DER. Configs and blocks begin with another byte. */
const SEQUENCE = 0x30;

/**
 * Finds the certificates and revocation lists in a file: PEM, or a certificate in DER. Their use depends on the directory.
 *
 * @param path the file, as in commands
 * @returns undefined if the file is neither; empty if nothing in it expires, for example in a key file
 */
export function certificatesInFile(bytes: Uint8Array, path: string): readonly Found[] | undefined {
  requireTypes({ bytes, path }, { bytes: is.bytes, path: is.text });
  // A config block contains PEM, even if it is damaged.
  if (messageKindOf(bytes) !== undefined) return undefined;
  const blocks =
    bytes[0] === SEQUENCE ? [{ label: CERTIFICATE, bytes }] : isText(bytes) ? decodeAllPem(bytes) : [];
  if (blocks.length === 0) return undefined;
  const directory = path.split('/').at(-2) ?? '';
  return blocks.flatMap((block) => endsInBlock(block, path, USES.get(directory)));
}

function endsInBlock({ label, bytes }: PemBlock, source: string, given: Use | undefined): readonly Found[] {
  if (label === REVOCATION_LIST) {
    const place: ExpiryPlace = { source, use: 'revocation-list' };
    return foundRevocationList(bytes, place, fileRecipe(place));
  }
  if (label !== CERTIFICATE) return [];
  const certificate = attempt(
    () => readCertificate(bytes),
    () => undefined,
  );
  const place: ExpiryPlace = { source, use: useOf(certificate, given) };
  return [foundCertificate(() => certificate ?? readCertificate(bytes), place, fileRecipe(place))];
}

function useOf(certificate: Certificate | undefined, given: Use | undefined): Use {
  const isCa = certificate?.extensions.isCa === true;
  // cryptogen stores the CA of a node's TLS certificate next to it: tls/ca.crt.
  if (given === 'tls' && isCa) return 'tls-ca';
  return given ?? (isCa ? 'ca' : 'certificate');
}
