// PEM, as Go's encoding/pem reads and writes it.

import { fromLatin1, toLatin1 } from '../config/bytes.js';

/** A PEM block. */
export interface PemBlock {
  /** The text between `BEGIN` and the dashes, such as `CERTIFICATE`. */
  readonly label: string;
  readonly bytes: Uint8Array;
}

const BEGIN = /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*\n/g;
const COLUMNS = /.{1,64}/g;

/** The first PEM block in some bytes; undefined if there is none. */
export function decodePem(bytes: Uint8Array): PemBlock | undefined {
  return decodeAllPem(bytes, 1)[0];
}

/** The PEM blocks in some bytes, at most `limit` of them. */
export function decodeAllPem(bytes: Uint8Array, limit = 1000): readonly PemBlock[] {
  const text = toLatin1(bytes);
  const blocks: PemBlock[] = [];
  BEGIN.lastIndex = 0;
  while (blocks.length < limit) {
    const found = BEGIN.exec(text);
    if (found === null) break;
    const label = found[1]!;
    const start = BEGIN.lastIndex;
    const end = endOf(text, start, label);
    if (end === undefined) continue;
    const content = decodeBase64(withoutHeaders(text.slice(start, end)));
    if (content === undefined) continue;
    blocks.push({ label, bytes: content });
    BEGIN.lastIndex = end;
  }
  BEGIN.lastIndex = 0;
  return blocks;
}

/** Encodes a PEM block: 64 columns, lines end with LF. */
export function encodePem(label: string, bytes: Uint8Array): string {
  const lines = btoa(toLatin1(bytes)).match(COLUMNS) ?? [];
  return `-----BEGIN ${label}-----\n${lines.map((line) => `${line}\n`).join('')}-----END ${label}-----\n`;
}

/** Where the END line of a block begins; undefined if the next END line is missing or has another label. */
function endOf(text: string, start: number, label: string): number | undefined {
  const dashes = '-----END ';
  const at = text.startsWith(dashes, start) ? start : text.indexOf(`\n${dashes}`, start) + 1;
  if (at === 0) return undefined;
  const rest = text.slice(at + dashes.length, at + dashes.length + label.length + 5);
  if (rest !== `${label}-----`) return undefined;
  const after = /^[ \t\r]*(?:\n|$)/.test(
    text.slice(at + dashes.length + rest.length, at + dashes.length + rest.length + 100),
  );
  return after ? at : undefined;
}

/** The text after the headers (`Proc-Type: 4,ENCRYPTED`) of a block. */
function withoutHeaders(text: string): string {
  let rest = text;
  for (;;) {
    const line = /^([^\n]*)\n/.exec(rest);
    if (line === null || !line[1]!.includes(':')) return rest;
    rest = rest.slice(line[0].length);
  }
}

function decodeBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/[ \t\r\n]/g, '');
  if (digits.length % 4 !== 0) return undefined;
  try {
    return fromLatin1(atob(digits));
  } catch {
    return undefined;
  }
}
