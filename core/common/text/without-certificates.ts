// Text of Fabric for users, without certificates.

/** The replacement, which stands for certificates and other bytes. */
const LEFT_OUT = '…';

/** Line ends of PEM, also escaped, and escaped again by a JSON format. */
const EOL = String.raw`(?:\r?\n|\\{1,8}[nr])+`;

/** The forms in which Go and Fabric print the bytes of a certificate. No pattern takes more than linear time. */
const FORMS: readonly RegExp[] = [
  // PEM, also without its end.
  new RegExp(
    `-----BEGIN [A-Z0-9 ]{1,40}-----(?:${EOL}[A-Za-z0-9+/=]{24,})*(?:(?:${EOL}[A-Za-z0-9+/=]{1,23})?${EOL}-----END [A-Z0-9 ]{1,40}-----(?:\\\\{1,8}[nr])*)?`,
    'g',
  ),
  // PEM or DER in base64.
  /LS0tLS1CRUdJTi[A-Za-z0-9+/]*={0,2}|\bMII[A-Za-z0-9+/]{60,}={0,2}/g,
  // `%v` of bytes: `[45 45 45 66 …]`
  /\[\d{1,3}(?:,? \d{1,3}){40,}\]?/g,
  // `%#v` of bytes: `[]byte{0x2d, 0x2d, …}`
  /\{0x[0-9a-f]{1,2}(?:, 0x[0-9a-f]{1,2}){40,}\}?/g,
  // `%x` of PEM.
  /\b(?:2d){5}[0-9a-f]*/gi,
  // `%q` of bytes, and texts of protobuf messages: escapes, and visible characters between them. DER begins with the digit.
  /0?(?:\\{1,8}(?:x[0-9a-f]{2}|[0-7]{3})(?:[^\\\s"]|\\{1,8}["'nrtabfv])*){6,}/gi,
];

/**
 * Replaces certificates in a text of Fabric with `…`. Errors and log lines of nodes contain them as PEM, as decimal or hexadecimal numbers, or
 * as escaped bytes, each for hundreds of characters.
 */
export const withoutCertificates = (text: string): string =>
  FORMS.reduce((rest, form) => rest.replaceAll(form, LEFT_OUT), text);
