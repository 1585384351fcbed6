// What the reference does not say about input that is refused: where it is wrong, or what it is instead.

import type { TranslateError } from '../../proto/errors.js';
import type { Hint } from './failures.js';

/** Says what is known beyond the words of the reference, in brackets. */
export function hintAbout(input: Uint8Array): Hint {
  return (error) => {
    const hint = hintOf(error, input);
    return hint === undefined ? '' : ` (${hint})`;
  };
}

function hintOf({ code, path, offset }: TranslateError, input: Uint8Array): string | undefined {
  if (code === 'BAD_FIELD') return path === '' ? undefined : `at ${path}`;
  if (code === 'BAD_BYTES') return textOf(input);
  return code === 'BAD_JSON'
    ? (encodingOf(input) ?? faultOf(Buffer.from(input).toString(), offset))
    : undefined;
}

/** What bytes are that are no message but text. */
function textOf(input: Uint8Array): string | undefined {
  const start = Buffer.from(input.subarray(0, 64)).toString('latin1');
  if (/^\s*[{[]/.test(start)) return 'the input is JSON, not a serialized message';
  if (start.startsWith('-----BEGIN')) return 'the input is a PEM file, not a serialized message';
  return /^[A-Za-z0-9+/\r\n]{64}/.test(start) ? 'the input is base64, not a serialized message' : undefined;
}

/** What is wrong with the encoding of a document that editors and shells of Windows wrote. */
function encodingOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return 'the document begins with a byte order mark; save it as UTF-8 without one';
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || second === 0;
  return isUtf16 ? 'the document is UTF-16; save it as UTF-8' : undefined;
}

/** Where a text stops being JSON, or what it is altogether. */
function faultOf(text: string, offset = 0): string | undefined {
  const before = text.slice(0, offset);
  if (before.trim() !== '') {
    const lines = before.split('\n');
    return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
  }
  if (text.trim() === '') return 'the document is empty';
  if (text.trim() === 'null') return 'the document is null, which jq writes for what it does not find';
  return /^\s*["[\d]/.test(text) ? undefined : 'the document is not JSON';
}
