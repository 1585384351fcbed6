// Reads the parts of a certificate that Node's X509Certificate does not have. The encoding is DER (X.690, chapter 10).

/** An element: its tag, and its content. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

/** An extension of a certificate. */
export interface Extension {
  readonly isCritical: boolean;
  /** The encoded value. */
  readonly value: Buffer;
}

/** What {@link readCertificateParts} finds. */
export interface CertificateParts {
  /** The encoded object identifier of the signature algorithm, in hex. */
  readonly signatureAlgorithm: string;
  /** By encoded object identifier, in hex. */
  readonly extensions: ReadonlyMap<string, Extension>;
}

const BOOLEAN = 0x01;
/** `[3]`, constructed: the extensions of a certificate. */
const EXTENSIONS = 0xa3;

/**
 * Reads the elements of a text, one after the other.
 *
 * @throws Error for a length that is not DER or reaches beyond the end
 */
export function readElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let position = 0; position < bytes.length;) {
    const tag = bytes.readUInt8(position);
    const first = bytes.readUInt8(position + 1);
    const size = first < 0x80 ? 0 : first - 0x80;
    if (first === 0x80 || size > 4) throw new Error('unknown form of a length');
    const start = position + 2 + size;
    const length = size === 0 ? first : bytes.readUIntBE(position + 2, size);
    if (start + length > bytes.length) throw new Error('an element is truncated');
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    position = start + length;
  }
  return elements;
}

/**
 * Reads signature algorithm and extensions of a certificate (RFC 5280, 4.1).
 *
 * @throws Error for a certificate in another form, or with an extension twice
 */
export function readCertificateParts(der: Buffer): CertificateParts {
  const [certificate] = readElements(der);
  const [signed, algorithm] = readElements(contentOf(certificate));
  const [identifier] = readElements(contentOf(algorithm));
  const extensions = new Map<string, Extension>();
  const found = readElements(contentOf(signed)).find(({ tag }) => tag === EXTENSIONS);
  const [list] = found === undefined ? [] : readElements(found.content);
  for (const { content } of list === undefined ? [] : readElements(list.content)) {
    const [id, second, third] = readElements(content);
    const name = contentOf(id).toString('hex');
    if (extensions.has(name)) throw new Error('an extension occurs twice');
    const isCritical = second?.tag === BOOLEAN && second.content[0] !== 0;
    extensions.set(name, { isCritical, value: contentOf(second?.tag === BOOLEAN ? third : second) });
  }
  return { signatureAlgorithm: contentOf(identifier).toString('hex'), extensions };
}

function contentOf(element: DerElement | undefined): Buffer {
  if (element === undefined) throw new Error('an element is missing');
  return element.content;
}
