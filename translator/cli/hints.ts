// Adds to an error where the input is wrong, or what it is instead; Fabric's texts do not say that.

import type { TranslateError } from '../../proto/errors.js';
import { messageKindOf } from '../config/message-kind.js';
import type { Hint } from './errors.js';

/** A hint in brackets about an input that an operation has refused. */
export function hintAbout(input: Uint8Array): Hint {
  return (error) => {
    const hint = hintOf(error, input);
    return hint === undefined ? '' : ` (${hint})`;
  };
}

function hintOf({ code, path, offset }: TranslateError, input: Uint8Array): string | undefined {
  if (code === 'BAD_FIELD') return path === '' ? undefined : `at ${path}${headerTypeHint(path)}`;
  if (code === 'BAD_BYTES') return otherInput(input);
  return code === 'BAD_JSON'
    ? (encodingHint(input) ?? syntaxHint(Buffer.from(input).toString(), offset))
    : undefined;
}

/** A hint for `payload.data` without a usable type: the type is not in the data, but in the header. */
function headerTypeHint(path: string): string {
  const [, envelope] = /^(.*)payload\.data$/.exec(path) ?? [];
  return envelope === undefined
    ? ''
    : `; ${envelope}payload.header.channel_header.type must be 2 for config_update, 1 for config`;
}

/** What bytes are that are not the expected message. */
function otherInput(input: Uint8Array): string | undefined {
  const format = textFormatOf(input);
  if (format !== undefined) return `the input is ${format}, not a serialized message`;
  const kind = messageKindOf(input);
  return kind === undefined ? undefined : `the input is a ${kind.type}`;
}

/** The format of text that was given instead of a serialized message. */
export function textFormatOf(input: Uint8Array): string | undefined {
  const start = Buffer.from(input.subarray(0, 64)).toString('latin1');
  if (/^\s*[{[]/.test(start)) return 'JSON';
  if (start.startsWith('-----BEGIN')) return 'a PEM file';
  return /^[A-Za-z0-9+/\r\n]{64}/.test(start) ? 'base64' : undefined;
}

/** A hint about the encoding of a document written by an editor or shell on Windows. */
function encodingHint([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return 'the document begins with a byte order mark; save it as UTF-8 without one';
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || second === 0;
  return isUtf16 ? 'the document is UTF-16; save it as UTF-8' : undefined;
}

/** Where a document stops being JSON, or what it is instead. */
function syntaxHint(text: string, offset = 0): string | undefined {
  const before = text.slice(0, offset);
  if (before.trim() !== '') {
    const lines = before.split('\n');
    return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
  }
  if (text.trim() === '') return 'the document is empty';
  if (text.trim() === 'null') return 'the document is null, which jq prints if it does not find the path';
  return /^\s*["[\d]/.test(text) ? undefined : 'the document is not JSON';
}
