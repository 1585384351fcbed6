// The parts of a certificate that Node's X509Certificate does not expose.

import { BOOLEAN, booleanOf, context, readElements, type Element } from './der.js';

/** An extension of a certificate. */
export interface Extension {
  readonly isCritical: boolean;
  /** The encoded value. */
  readonly value: Uint8Array;
}

/** The result of {@link readCertificateParts}. */
export interface CertificateParts {
  /** The encoded object identifier of the signature algorithm, in hex. */
  readonly signatureAlgorithm: string;
  /** By encoded object identifier, in hex. */
  readonly extensions: ReadonlyMap<string, Extension>;
}

const EXTENSIONS = context(3, true);

/**
 * Reads signature algorithm and extensions of a certificate (RFC 5280, 4.1).
 *
 * @throws Error for a malformed certificate, or for a duplicate extension
 */
export function readCertificateParts(der: Uint8Array): CertificateParts {
  const [certificate] = readElements(der);
  const [signed, algorithm] = readElements(contentOf(certificate));
  const [identifier] = readElements(contentOf(algorithm));
  const extensions = new Map<string, Extension>();
  const found = readElements(contentOf(signed)).find(({ tag }) => tag === EXTENSIONS);
  const [list] = found === undefined ? [] : readElements(found.content);
  for (const { content } of list === undefined ? [] : readElements(list.content)) {
    const [id, second, third] = readElements(content);
    const name = hexOf(id);
    if (extensions.has(name)) throw new Error('an extension occurs twice');
    const isCritical = second?.tag === BOOLEAN && booleanOf(second.content) !== false;
    extensions.set(name, { isCritical, value: contentOf(second?.tag === BOOLEAN ? third : second) });
  }
  return { signatureAlgorithm: hexOf(identifier), extensions };
}

function contentOf(element: Element | undefined): Uint8Array {
  if (element === undefined) throw new Error('an element is missing');
  return element.content;
}

const hexOf = (element: Element | undefined): string => Buffer.from(contentOf(element)).toString('hex');
