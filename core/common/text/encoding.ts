// Bytes as hexadecimal, base64 and Latin-1 text, and back: with the Buffer of Node.js where it exists, which is ten times as fast.

type Name = 'hex' | 'latin1' | 'base64';

/** What is used of the Buffer of Node.js, whose types browsers do not have. */
interface NodeBuffer {
  from(text: string, encoding: Name): Uint8Array;
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: Name): string };
}

const NODE = (globalThis as { readonly Buffer?: NodeBuffer }).Buffer;

/** The same bytes as a Buffer. */
const view = (node: NodeBuffer, { buffer, byteOffset, length }: Uint8Array) =>
  node.from(buffer, byteOffset, length);

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The bytes as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  if (NODE !== undefined) return view(NODE, bytes).toString('hex');
  let text = '';
  for (const byte of bytes) text += HEX[byte]!;
  return text;
}

/** The bytes of an even number of hexadecimal digits. */
export function fromHex(digits: string): Uint8Array {
  if (NODE !== undefined) return new Uint8Array(NODE.from(digits, 'hex'));
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
}

/** Bytes as characters 0 to 255. */
export function toLatin1(bytes: Uint8Array): string {
  if (NODE !== undefined) return view(NODE, bytes).toString('latin1');
  let text = '';
  // Limits the number of arguments of one call.
  for (let at = 0; at < bytes.length; at += 8192)
    // `...` would take ten times as long.
    text += String.fromCharCode.apply(undefined, bytes.subarray(at, at + 8192) as unknown as number[]);
  return text;
}

/** Characters 0 to 255 as bytes. */
export function fromLatin1(text: string): Uint8Array {
  if (NODE !== undefined) return new Uint8Array(NODE.from(text, 'latin1'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The bytes as base64 with padding. */
export const toBase64 = (bytes: Uint8Array): string =>
  NODE === undefined ? btoa(toLatin1(bytes)) : view(NODE, bytes).toString('base64');

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of base64 with padding and without spaces; undefined: it is none. */
export function fromBase64(digits: string): Uint8Array | undefined {
  if (digits.length % 4 !== 0 || !BASE64.test(digits)) return undefined;
  return NODE === undefined ? fromLatin1(atob(digits)) : new Uint8Array(NODE.from(digits, 'base64'));
}
