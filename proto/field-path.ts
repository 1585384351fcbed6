// How a message was reached from the outermost one, and the errors that say so.

import { TranslateError } from './errors.js';
import type { Field, Message } from './message.js';

/** A message that is being filled, and the fields that lead to it. */
export interface FieldPath {
  readonly message: Message;
  /** Nesting depth of its JSON object; the outermost is 1. */
  readonly depth: number;
  /** The field that contains it, and where that one is; undefined for the outermost message. */
  readonly container:
    | { readonly path: FieldPath; readonly field: Field; readonly key: string | number | undefined }
    | undefined;
}

/** All paths from the outermost message. There may be thousands, so this is not recursive. */
function pathsTo(path: FieldPath): FieldPath[] {
  const paths = [path];
  for (let { container } = path; container !== undefined; { container } = container.path) {
    paths.push(container.path);
  }
  return paths.toReversed();
}

/** The Go types and fields with which errors of Fabric's configtxlator begin. It names traversed fields only. */
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

/** `payload.data.config`, `data.data[0]`, `groups["Org1"]`. */
function textOf(path: FieldPath): string {
  return pathsTo(path)
    .flatMap(({ container }) =>
      container === undefined ? [] : [memberName(container.field.name, container.key)],
    )
    .join('.');
}

/** A field, or one of its elements or entries, in a path. */
export function memberName(field: string, key: string | number | undefined): string {
  return key === undefined ? field : `${field}[${JSON.stringify(key)}]`;
}

/**
 * The error about a member of a message.
 *
 * @param text what follows the Go types and fields
 */
export function fieldError(path: FieldPath, member: string, text: string): TranslateError {
  const outer = textOf(path);
  return new TranslateError('BAD_FIELD', goChain(path) + text, outer === '' ? member : `${outer}.${member}`);
}

/** The error about the content of a field. */
export function contentError(
  path: FieldPath,
  field: Field,
  key: string | number | undefined,
  text: string,
): TranslateError {
  return fieldError(path, memberName(field.name, key), goFrame(path, field, key) + text);
}
