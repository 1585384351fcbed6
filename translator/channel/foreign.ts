// Names files that are not messages, for errors: text of another kind, an archive, or a damaged message.

import { fromLatin1 } from '../../proto/bytes.js';
import { fromHex } from '../../core/common/text/encoding.js';
import { BYTES, WireError, WireReader } from '../../proto/wire.js';
import { keysOfJson, messageKindOf, typeOfKeys } from './recognise.js';

/** The number of bytes that are searched. */
const BEGINNING = 4096;
const LATIN1 = new TextDecoder('latin1');
const beginningOf = (file: Uint8Array): string => LATIN1.decode(file.subarray(0, BEGINNING));

/** Control characters that do not occur in text. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0e-\x1f\x7f]/;

/** Whether a file is text in any encoding, by its first bytes. Messages contain control characters: lengths and field numbers. */
export const isText = (file: Uint8Array): boolean => !CONTROL.test(beginningOf(file));

/** Whether a file is text that begins like JSON. */
export const isJson = (file: Uint8Array): boolean => isText(file) && /^[[{]/.test(startOf(file));

/** The first byte of a byte order mark in UTF-8. */
const BYTE_ORDER_MARK = 0xef;

/** The beginning of a text, without byte order mark and whitespace. */
const startOf = (file: Uint8Array): string =>
  beginningOf(file)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();

/** Names a file that is not a message, for errors. */
export function describeUnknown(file: Uint8Array): string {
  const known = foreignFormatOf(file) ?? damageOf(file);
  if (known !== undefined) return known;
  const none = 'no block, envelope, config or config update';
  return /-----BEGIN [A-Z]/.test(beginningOf(file)) ? `${none}, or a damaged one` : none;
}

/** The format of a file that was given instead of a serialized message; undefined if it is not recognised. */
export function foreignFormatOf(file: Uint8Array): string | undefined {
  if (file.length === 0) return 'an empty file';
  const archive = ARCHIVES.find(([, magic, at = 0]) =>
    magic.every((byte, index) => file[at + index] === byte),
  );
  if (archive !== undefined) return archive[0];
  if ((file[0] === 0xff && file[1] === 0xfe) || (file[0] === 0xfe && file[1] === 0xff))
    return 'text in UTF-16';
  if (isDer(file)) return 'a file in DER, such as a certificate';
  return isText(file) ? textFormatOf(file) : undefined;
}

/** The first bytes of archives. */
const ARCHIVES: readonly (readonly [what: string, magic: readonly number[], at?: number])[] = [
  ['a gzip file', [0x1f, 0x8b]],
  ['a ZIP archive', [0x50, 0x4b, 0x03, 0x04]],
  ['an xz file', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['a bzip2 file', [0x42, 0x5a, 0x68]],
  ['a Zstandard file', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a tar archive', [0x75, 0x73, 0x74, 0x61, 0x72], 257],
];

/** Whether a file is an ASN.1 sequence: its length, in two bytes, matches the length of the file. */
const isDer = ({ 0: tag, 1: form, 2: high = 0, 3: low = 0, length }: Uint8Array): boolean =>
  tag === 0x30 && form === 0x82 && length === 4 + high * 256 + low;

const HEX = /^(?:0x)?[0-9a-f\s]{32,}$/i;
/** A line of xxd, od or hexdump. */
const HEX_DUMP = /^0{6,8}:? +[0-9a-f]{2}/i;
const BASE64 = /^[A-Za-z0-9+/\r\n]{64}/;
const PEM = /-----BEGIN ([A-Z0-9 ]{1,40})-----/;
const ESCAPED_PEM = /-----BEGIN ([A-Z0-9 ]{1,40})-----(?:\\r)?\\n/;

function textFormatOf(file: Uint8Array): string | undefined {
  const start = startOf(file);
  if (/^[[{]/.test(start))
    return file[0] === BYTE_ORDER_MARK ? 'JSON with a byte order mark' : jsonFormatOf(file);
  if (/^<(?:!doctype\s+html|html)\b/i.test(start)) return 'an HTML page, such as an error page';
  if (start.startsWith('<?xml')) return 'an XML document';
  const [, escaped] = ESCAPED_PEM.exec(start) ?? [];
  if (escaped !== undefined) return String.raw`a PEM file (${escaped}) with \n instead of line ends`;
  const [, label] = PEM.exec(start) ?? [];
  if (label !== undefined) return `a PEM file (${label})`;
  if (HEX_DUMP.test(start)) return 'a hex dump';
  if (HEX.test(start)) return encodedFormat(fromHexText(file), 'hexadecimal');
  return BASE64.test(start) ? encodedFormat(fromBase64Text(file), 'base64') : undefined;
}

function jsonFormatOf(file: Uint8Array): string {
  const keys = keysOfJson(file);
  if (keys === undefined) return 'text that is not a JSON object';
  const type = typeOfKeys(keys);
  if (type !== undefined) return `the JSON of a ${type}`;
  if (keys.has('groups') && keys.has('policies'))
    return 'a config group in JSON, for example an organisation';
  const isWallet =
    (keys.has('mspId') && keys.has('credentials')) || (keys.has('mspid') && keys.has('enrollment'));
  return isWallet ? 'an identity of a wallet' : 'a JSON object of another kind';
}

/** Names the content of an encoded text. */
function encodedFormat(content: Uint8Array | undefined, encoding: string): string {
  if (content === undefined) return encoding;
  const kind = messageKindOf(content);
  if (kind !== undefined) return `a ${kind.type} in ${encoding}`;
  const [, label] = (isText(content) && PEM.exec(beginningOf(content))) || [];
  return label === undefined ? encoding : `a PEM file (${label}) in ${encoding}`;
}

function fromHexText(file: Uint8Array): Uint8Array | undefined {
  const digits = LATIN1.decode(file).replaceAll(/^\s*0x|\s+/gi, '');
  if (!/^[0-9a-f]*$/i.test(digits) || digits.length % 2 !== 0) return undefined;
  return fromHex(digits);
}

function fromBase64Text(file: Uint8Array): Uint8Array | undefined {
  try {
    return fromLatin1(atob(LATIN1.decode(file)));
  } catch {
    return undefined;
  }
}

/** Describes the damage to a message; undefined if no damage is recognised. */
export function damageOf(file: Uint8Array): string | undefined {
  if (file.length === 0 || isText(file)) return undefined;
  return textModeDamage(file) ?? encodingDamage(file) ?? truncation(file);
}

const [CR, LF] = [0x0d, 0x0a];

/** Recognises CR LF instead of the first byte: the tag of field 1 is a line feed. */
function textModeDamage(file: Uint8Array): string | undefined {
  if (file[0] !== CR || file[1] !== LF) return undefined;
  const isLoneLineFeed = (byte: number, index: number): boolean => byte === LF && file[index - 1] !== CR;
  if (file.some(isLoneLineFeed)) return undefined;
  const before = file.filter((byte, index) => byte !== CR || file[index + 1] !== LF);
  return `a ${messageKindOf(before)?.type ?? 'message'} that was damaged by a transfer in text mode (each line feed became CR LF)`;
}

/** U+FFFD, with which programs replace bytes that are not UTF-8. */
const REPLACEMENT = '\u00ef\u00bf\u00bd';
/** The minimum in the beginning of a file; a name in a message may contain one. */
const MANY = 3;

function encodingDamage(file: Uint8Array): string | undefined {
  if (beginningOf(file).split(REPLACEMENT).length > MANY)
    return 'a message that was damaged (it was read as text, and bytes that are not UTF-8 became U+FFFD)';
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file);
  } catch {
    return undefined;
  }
  if (text.length === file.length || /[^\0-\u00ff]/.test(text)) return undefined;
  const kind = messageKindOf(fromLatin1(text));
  return kind && `a ${kind.type} that was damaged (it was converted from Latin-1 to UTF-8)`;
}

/** The tag of field 1 of a message, and the mask for the wire type in a tag. */
const FIRST_FIELD = 0x0a;
const WIRE_TYPE = 7;

/** Whether the file is the beginning of a message that consists of messages, such as a block or an envelope. */
function truncation(file: Uint8Array): string | undefined {
  if (file[0] !== FIRST_FIELD) return undefined;
  const reader = new WireReader(file);
  try {
    while (reader.pos < reader.len) {
      if ((reader.tag() & WIRE_TYPE) !== BYTES) return undefined;
      reader.pos = reader.end();
    }
    return undefined;
  } catch (error) {
    if (error instanceof WireError) return `a message that ends in the middle, after ${file.length} bytes`;
    throw error;
  }
}
