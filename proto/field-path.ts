// Paths of messages from the outermost one, and errors with such paths.

import { TranslateError } from './errors.js';
import { goTypeOfJson, isObject, type JsonValue } from './json-value.js';
import type { Field, Message } from './message.js';
import { numberText } from './scalar.js';
import { TIMESTAMP } from './type.js';

/** A message that is being filled, with the path to it. */
export interface FieldPath {
  readonly message: Message;
  /** Nesting depth of its JSON object; the outermost is 1. */
  readonly depth: number;
  /** The field that contains it, with the path of its message; undefined for the outermost message. */
  readonly container:
    | { readonly path: FieldPath; readonly field: Field; readonly key: string | number | undefined }
    | undefined;
}

/** A JSON value for a field. */
export interface JsonMember {
  readonly path: FieldPath;
  readonly field: Field;
  /** The index of a list element or the key of a map entry. */
  readonly key: string | number | undefined;
  readonly json: JsonValue;
}

/** All paths from the outermost message. Not recursive, because there may be thousands. */
function pathsTo(path: FieldPath): FieldPath[] {
  const paths = [path];
  for (let { container } = path; container !== undefined; { container } = container.path) {
    paths.push(container.path);
  }
  return paths.toReversed();
}

/** The Go types and fields at the beginning of errors of Fabric's configtxlator, which names only traversed fields. */
function goChain(path: FieldPath): string {
  let text = '';
  for (const { message, container } of pathsTo(path)) {
    if (container?.field.traversed === false) continue;
    if (container !== undefined) text += goFrame(container.path, container.field, container.key);
    text += `${message.descriptor.goType}: `;
  }
  return text;
}

function goFrame({ message }: FieldPath, field: Field, key: string | number | undefined): string {
  const type = message.descriptor.goType;
  if (key === undefined) return `error in PopulateFrom for field ${field.name} for message ${type}: `;
  return typeof key === 'number'
    ? `error in PopulateFrom for slice field ${field.name} at index ${String(key)} for message ${type}: `
    : `error in PopulateFrom for map field ${field.name} with key ${key} for message ${type}: `;
}

/** The text of a path: `payload.data.config`, `data.data[0]`, `groups["Org1"]`. */
function textOf(path: FieldPath): string {
  return pathsTo(path)
    .flatMap(({ container }) =>
      container === undefined ? [] : [memberName(container.field.name, container.key)],
    )
    .join('.');
}

/** The text of a field, a list element or a map entry in a path. */
function memberName(field: string, key: string | number | undefined): string {
  return key === undefined ? field : `${field}[${JSON.stringify(key)}]`;
}

/** The beginning of the texts of Go's protobuf library. */
export const PROTO = 'proto: ';

/**
 * The error about a member of a message.
 *
 * @param reason the text after the Go types and fields
 * @param frame the end of the text before the reason
 */
export function fieldError(path: FieldPath, member: string, reason: string, frame = ''): TranslateError {
  const outer = textOf(path);
  const message = goChain(path) + frame + reason;
  return new TranslateError(
    'BAD_FIELD',
    message,
    outer === '' ? member : `${outer}.${member}`,
    undefined,
    reason,
  );
}

/** The error about the content of a field. */
export function contentError(
  path: FieldPath,
  field: Field,
  key: string | number | undefined,
  text: string,
): TranslateError {
  return fieldError(path, memberName(field.name, key), text, goFrame(path, field, key));
}

/** The error for a value that its scalar type does not allow. @throws RoundedNumber */
export function invalidScalar({ path, field, key, json }: JsonMember): Error {
  const text =
    field.kind === 'timestamp'
      ? `invalid ${TIMESTAMP} value ${shown(json)}`
      : `invalid value for ${field.kind} type: ${shown(json)}`;
  return fieldError(path, memberName(field.name, key), text, PROTO);
}

/** The error for a value of the wrong JSON type. @throws RoundedNumber */
export function mismatch({ path, field, key, json }: JsonMember): Error {
  const name = memberName(field.name, key);
  if (!field.traversed)
    return fieldError(path, name, `syntax error: unexpected token ${shown(json)} for ${field.name}`, PROTO);
  const type = path.message.descriptor.goType;
  const found = goTypeOfJson(json);
  if (key === undefined && field.rule === 'list') {
    const text = `expected slice field ${field.name} for message ${type} to be assignable from []interface{} but was not. Got ${found}`;
    return fieldError(path, name, text);
  }
  if (key === undefined && field.rule === 'map') {
    const text = `expected map field ${field.name} for message ${type} to be assignable from map[string]interface{} but was not. Got ${found}`;
    return fieldError(path, name, text);
  }
  const where =
    key === undefined
      ? `field ${field.name}`
      : typeof key === 'number'
        ? `slice field ${field.name} value at index ${String(key)}`
        : `map field ${field.name} value for ${key}`;
  const text = `expected ${where} for message ${type} to be assignable from map[string]interface {} but was not.  Is ${found}`;
  return fieldError(path, name, text);
}

/** The maximum length of a value in an error. */
const MAX_SHOWN = 80;

/** A JSON value for errors: the opening bracket of a list or object, at most 80 characters of other values. @throws RoundedNumber */
export function shown(json: JsonValue): string {
  if (Array.isArray(json)) return '[';
  if (isObject(json)) return '{';
  const number = typeof json === 'string' ? undefined : numberText(json);
  const text = number ?? JSON.stringify(json);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
