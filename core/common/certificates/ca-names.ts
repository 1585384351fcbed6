// Client CAs with the same name.

import type { X509Certificate } from 'node:crypto';
import { context, readElements, type Element } from './der.js';

const EXTENSIONS = context(3, true);
/** The encoded object identifier of the subject key identifier (RFC 5280, 4.2.1.2), in hex. */
const SUBJECT_KEY_IDENTIFIER = '551d0e';

/**
 * Checks that OpenSSL can distinguish the client CAs of a server. It finds the issuer of a certificate by its name and key identifier and
 * tries only the first match, with every option of Node; so of several CAs with the same name but different keys, all need a key identifier. Go, and therefore
 * a node, tries all of them (crypto/x509, `findPotentialParents`).
 *
 * @param role the purpose of the CAs, such as `client root CA`; the error begins with it
 * @throws Error naming the CAs
 */
export function checkCaNames(cas: readonly X509Certificate[], role: string): void {
  for (const ca of cas) {
    const isOther = (each: X509Certificate): boolean =>
      each.subject === ca.subject && !each.publicKey.equals(ca.publicKey);
    if (!hasKeyIdentifier(ca) && cas.some(isOther))
      throw new Error(
        `${role}: two CAs have the name ${ca.subject.replaceAll('\n', ',')} and different keys, and one has no subject key identifier, so that clients of only one of them could be verified; issue one CA again with another name or with a subject key identifier, or remove it`,
      );
  }
}

function hasKeyIdentifier({ raw }: X509Certificate): boolean {
  const [signed] = elementsIn(readElements(raw)[0]);
  const [extensions] = elementsIn(elementsIn(signed).find(({ tag }) => tag === EXTENSIONS));
  return elementsIn(extensions).some((extension) => {
    const [id] = elementsIn(extension);
    return id !== undefined && Buffer.from(id.content).toString('hex') === SUBJECT_KEY_IDENTIFIER;
  });
}

const elementsIn = (element: Element | undefined): Element[] =>
  element === undefined ? [] : readElements(element.content);
