// Extends Fabric's error texts: the position of a fault in the input, or the kind of the input.

import { shellPath } from '../../core/common/text/shell-word.js';
import type { TranslateError } from '../../proto/errors.js';
import { damageOf, foreignFormatOf, isJson, messageKindOf, RECOGNISED_TYPES } from '../channel/index.js';
import type { Failure } from './errors.js';

/** The text of an error about an input, with a hint about the input. */
export function withHint(error: Failure, input: Uint8Array): string {
  const hint = 'code' in error ? hintOf(error, input) : undefined;
  return hint === undefined ? error.message : `${error.message} (${hint})`;
}

function hintOf({ code, path, offset }: TranslateError, input: Uint8Array): string | undefined {
  if (code === 'BAD_FIELD') return path === '' ? undefined : `at ${path}${headerTypeHint(path)}`;
  if (code === 'BAD_BYTES') return otherInput(input);
  return code === 'BAD_JSON'
    ? (encodingHint(input) ?? syntaxHint(Buffer.from(input).toString(), offset))
    : undefined;
}

/** A hint for `payload.data` without a usable type: the type is in the header, not in the data. */
function headerTypeHint(path: string): string {
  const [, envelope] = /^(.*)payload\.data$/.exec(path) ?? [];
  return envelope === undefined
    ? ''
    : `; ${envelope}payload.header.channel_header.type must be 2 for config_update, 1 for config`;
}

/** Names an input that is not the expected message. */
function otherInput(input: Uint8Array): string | undefined {
  const kind = messageKindOf(input);
  if (kind !== undefined) return `the input is a ${kind.type}`;
  const format = formatOf(input);
  if (format !== undefined) return `the input is ${format}, not a serialized message`;
  const damage = damageOf(input);
  return damage && `the input is ${damage}`;
}

const formatOf = (input: Uint8Array): string | undefined => (isJson(input) ? 'JSON' : foreignFormatOf(input));

/** A hint about the encoding of a document written by an editor or shell on Windows. */
function encodingHint([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return 'the document begins with a byte order mark; save it as UTF-8 without one';
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || second === 0;
  return isUtf16 ? 'the document is UTF-16; save it as UTF-8' : undefined;
}

/** The position of a syntax error, or the kind of the document. */
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

/** Reports that an input has another type. The wire format contains no type names, so a message can be decoded as another type. */
export function wrongTypeHint(type: string, bytes: Uint8Array): string | undefined {
  const expected = type === 'common.Configuration' ? 'common.Config' : type;
  if (!RECOGNISED_TYPES.some((each) => each === expected)) return undefined;
  const found = messageKindOf(bytes)?.type;
  return found === undefined || found === expected
    ? undefined
    : `the input is a ${found}, not a ${type}: use --type ${found}`;
}

/** Reports how many unknown fields of a message an output lacks. */
export const unknownText = (fields: number): string =>
  fields === 1 ? '1 unknown field was left out' : `${fields} unknown fields were left out`;

/** One of the two configs of `compute_update`. */
export interface ComputeInput {
  readonly which: 'original' | 'updated';
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The text of an error of `compute_update`, with the fault of the file. */
export function computeErrorText(error: Failure, original: ComputeInput, updated: ComputeInput): string {
  if (!('code' in error)) return error.message;
  const { code, path, message } = error;
  const input = path === 'original' ? original : updated;
  if (code === 'WRONG_MESSAGE') return otherMessage(input);
  const prefix =
    code === 'BAD_BYTES' ? `error unmarshalling ${input.which} config` : 'error computing config update';
  const hint = code === 'NO_DIFFERENCES' ? undefined : otherFile(input);
  return `${prefix}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
}

/** Names the message type of the input and the command that extracts its config. */
function otherMessage({ which, path, bytes }: ComputeInput): string {
  const kind = messageKindOf(bytes);
  if (kind === undefined) return `--${which} ${path} is not a common.Config`;
  const needed = `--${which} ${path} is a ${kind.type}, a common.Config is needed`;
  return kind.configPath === undefined
    ? `${needed}; it contains no config, use the config of the block from: peer channel fetch config`
    : `${needed}; extract it with: configtxlator proto_decode --type ${kind.type} --input ${shellPath(path)} | jq '${kind.configPath}' | configtxlator proto_encode --type common.Config --output config.pb`;
}

/** Names a file that is not a message. */
function otherFile({ which, path, bytes }: ComputeInput): string | undefined {
  if (bytes.length === 0) return `--${which} ${path} is empty`;
  const format = formatOf(bytes);
  if (format === undefined) return undefined;
  const advice =
    format === 'JSON'
      ? `; encode it with: configtxlator proto_encode --type common.Config --input ${shellPath(path)} --output config.pb`
      : '';
  return `--${which} ${path} is ${format}, not a serialized message${advice}`;
}
