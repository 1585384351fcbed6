// PEM as Go's encoding/pem reads and writes it, and therefore a node.

import { fromBase64, toBase64, toLatin1 } from '../text/encoding.js';

/** A PEM block. */
export interface PemBlock {
  /** The text between `BEGIN` and the dashes, such as `CERTIFICATE`. */
  readonly label: string;
  readonly bytes: Uint8Array;
}

/** A PEM block in a text. */
interface FoundBlock {
  readonly label: string;
  /** The block with its first and its last line. */
  readonly text: string;
  /** The lines between its first and its last line: headers, and base64 that may be invalid. */
  readonly content: string;
  /** The offset of the block, and the offset of its last line. */
  readonly start: number;
  readonly end: number;
}

const CERTIFICATE = 'CERTIFICATE';
const BEGIN = /(?<![^\n])-----BEGIN ([^\n]*?)-----[ \t\r]*\n/g;
const END = '\n-----END ';
const LINE_END = /^[ \t\r]*(?:\n|$)/;
/** A block with more headers is invalid. */
const MAX_HEADERS = 20;

/** Finds the PEM blocks in a text, also nested ones, in linear time. */
function* findBlocks(text: string): Generator<FoundBlock> {
  let end = -1;
  for (const { 0: begin, 1: label = '', index: start } of text.matchAll(BEGIN)) {
    const contentAt = start + begin.length;
    // The BEGIN line may be followed by the END line.
    if (end < contentAt - 1) end = text.indexOf(END, contentAt - 1);
    if (end === -1) return;
    const after = end + END.length + label.length + 5;
    if (text.slice(end + END.length, after) !== `${label}-----`) continue;
    if (!LINE_END.test(text.slice(after, after + 100))) continue;
    yield { label, text: text.slice(start, after), content: text.slice(contentAt, end + 1), start, end };
  }
}

/** The certificates in a text, each as a PEM block; they may be invalid. @param limit the maximum number */
export function certificateBlocks(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  const blocks: string[] = [];
  let from = 0;
  for (const { label, text: block, start, end } of findBlocks(text)) {
    if (start < from || label !== CERTIFICATE) continue;
    from = end;
    if (blocks.push(block) >= limit) break;
  }
  return blocks;
}

/** The first PEM block in some bytes; undefined if there is none. */
export function decodePem(bytes: Uint8Array): PemBlock | undefined {
  return decodeAllPem(bytes, 1)[0];
}

/** The PEM blocks in some bytes, at most `limit` of them. Blocks with invalid base64 are skipped. */
export function decodeAllPem(bytes: Uint8Array, limit = 1000): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let from = 0;
  for (const { label, content, start, end } of findBlocks(toLatin1(bytes))) {
    const decoded = start < from ? undefined : decodeBase64(withoutHeaders(content));
    if (decoded === undefined) continue;
    from = end;
    if (blocks.push({ label, bytes: decoded }) >= limit) break;
  }
  return blocks;
}

/** Encodes a PEM block: 64 columns, lines end with LF. */
export function encodePem(label: string, bytes: Uint8Array): string {
  return `-----BEGIN ${label}-----\n${toBase64(bytes).replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;
}

/** The text after the headers (`Proc-Type: 4,ENCRYPTED`) of a block. */
function withoutHeaders(text: string): string {
  let rest = text;
  for (let headers = 0; headers < MAX_HEADERS; headers++) {
    const line = /^([^\n]*)\n/.exec(rest);
    if (line === null || !line[1]!.includes(':')) break;
    rest = rest.slice(line[0].length);
  }
  return rest;
}

function decodeBase64(content: string): Uint8Array | undefined {
  // Contains another block. Without this check, many nested blocks would take quadratic time.
  if (content.includes('-')) return undefined;
  return fromBase64(content.replace(/[ \t\r\n]/g, ''));
}
