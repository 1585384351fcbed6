// Reads DER with the errors of Go's crypto/x509 and encoding/asn1.

import { TranslateError } from '../../proto/errors.js';
import { ElementReader, type Element } from '../../core/common/certificates/der.js';
import { toBigint } from '../channel/bytes.js';

/** The error of bytes that are not the expected DER; the message is Go's text. */
export const badCertificate = (message: string): TranslateError =>
  new TranslateError('BAD_CERTIFICATE', message);

/** An {@link ElementReader} that throws for other elements than the expected ones. */
export class DerReader extends ElementReader {
  /** The next element, which must have this tag. @throws TranslateError with the text */
  read(tag: number, failure: string): Element {
    const element = this.nextTag === tag ? this.next() : undefined;
    if (element === undefined) throw badCertificate(failure);
    return element;
  }

  /** The next element if it has this tag. @throws TranslateError with the text if it is not valid */
  optional(tag: number, failure: string): Element | undefined {
    return this.nextTag === tag ? this.read(tag, failure) : undefined;
  }

  /** Reads the next element, which must have this tag, into a reader of its content. @throws TranslateError with the text */
  enter(tag: number, failure: string): DerReader {
    return new DerReader(this.read(tag, failure).content);
  }
}

/** An INTEGER in its shortest form; undefined if it is not. */
export function integerOf(content: Uint8Array): bigint | undefined {
  const [first, second] = content;
  if (first === undefined) return undefined;
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    return undefined;
  return BigInt.asIntN(8 * content.length, toBigint(content));
}
