// Builds the descriptor of a message type from the schema and the opaque-field rules, once per type and rules.

import { compareUtf8 } from './utf8.js';
import { Line, quote } from './json-text.js';
import { Refusal, type Descriptor, type Field, type JsonField } from './message.js';
import { rulesOf } from './opaque/index.js';
import type { Content, OpaqueRules } from './opaque-rules.js';
import { enumOf, fieldsOf, goTypeOf, type EnumType } from './registry.js';
import { isScalar, type FieldRow, type FieldRule } from './schema-table.js';
import { byNumber, FieldType, isMessage, TIMESTAMP, type FieldDeclaration, type Kind } from './type.js';

/** Rules that make all fields plain, for messages below oneofs and below fields given by their camelCase name. */
export const PLAIN: OpaqueRules = {};

const descriptors = new Map<OpaqueRules, Map<string, Descriptor>>();

/** The descriptor of a message of the schema. */
export function descriptorOf(name: string, rules: OpaqueRules = rulesOf(name)): Descriptor {
  let withRules = descriptors.get(rules);
  if (withRules === undefined) descriptors.set(rules, (withRules = new Map<string, Descriptor>()));
  let descriptor = withRules.get(name);
  if (descriptor === undefined) withRules.set(name, (descriptor = makeDescriptor(name, rules)));
  return descriptor;
}

/** The same message type with plain fields only. The slots are the same. */
export function plainDescriptor({ name }: Descriptor): Descriptor {
  return descriptorOf(name, PLAIN);
}

/** Returns true if the JSON form of a message is a string, which cannot be a document. */
export const isJsonString = ({ name }: Descriptor): boolean =>
  name === TIMESTAMP || name === 'google.protobuf.Duration';

function makeDescriptor(name: string, rules: OpaqueRules): Descriptor {
  const fields = fieldsOf(name).map((row, slot) => makeField(row, slot, rules));
  return {
    name,
    goType: rules.goType ?? goTypeOf(name),
    fields,
    emptySlots: fields.map(() => undefined),
    sortedFields: fields.toSorted((a, b) => compareUtf8(a.name, b.name)),
    traversedFields: fields
      .filter(({ traversed }) => traversed)
      .toSorted((a, b) => visitRank(a, rules) - visitRank(b, rules)),
    byNumber: byNumber(fields),
    byName: new Map(fields.map((field) => [field.name, field])),
    byJsonName: new Map(
      fields.filter((field) => field.name !== field.jsonName).map((field) => [field.jsonName, field]),
    ),
  };
}

// The order of protolator's field factories: messages, maps of messages, lists of messages, opaque bytes, then fields with nested rules.
function visitRank({ name, rule }: Field, { opens, nested }: OpaqueRules): number {
  if (opens?.[name] !== undefined) return 3;
  const shape = rule === 'map' ? 1 : rule === 'list' ? 2 : 0;
  return nested?.[name] === undefined ? shape : 4 + shape;
}

function makeField(row: FieldRow, slot: number, rules: OpaqueRules): Field {
  const [number, name, jsonName, type, rule, extra] = row;
  const kind = kindOf(type);
  const traversed = isTraversed(row, kind, rules);
  const label = `${quote(name)}: `;
  const absent = absentOf(rule, kind, traversed && kind === 'bytes', enumOf(type));
  const content = traversed ? contentOf(rules.opens?.[name]) : undefined;
  const child = childOf(type, traversed, rules.nested?.[name]);
  const declared = {
    number,
    name,
    jsonName,
    rule,
    kind,
    oneof: rule === 'oneof' ? extra : undefined,
    keyKind: rule === 'map' && extra === 'uint64' ? 'uint64' : 'string',
    dropsEmptyEntries: content !== undefined,
  } as const;
  return new DescribedField(declared, slot, {
    type,
    label: new Line(label),
    absent: absent === undefined || rules.omitAbsent === true ? undefined : new Line(label + absent),
    enum: enumOf(type),
    traversed,
    content,
    hint: rules.hints?.[name],
    child,
  });
}

class DescribedField extends FieldType implements JsonField {
  declare readonly child: Field['child'];
  readonly type: string;
  readonly label: Line;
  readonly absent: Line | undefined;
  readonly enum: EnumType | undefined;
  readonly traversed: boolean;
  readonly content: Field['content'];
  readonly hint: Field['hint'];

  constructor(declared: FieldDeclaration, slot: number, json: JsonField) {
    super(declared, slot, json.child);
    this.type = json.type;
    this.label = json.label;
    this.absent = json.absent;
    this.enum = json.enum;
    this.traversed = json.traversed;
    this.content = json.content;
    this.hint = json.hint;
  }
}

function childOf(
  type: string,
  traversed: boolean,
  nested: ((key: string) => OpaqueRules) | undefined,
): Field['child'] {
  if (traversed && nested !== undefined) return (key) => descriptorOf(type, nested(key));
  return once(() => (traversed ? descriptorOf(type) : descriptorOf(type, PLAIN)));
}

/** Calls a function on first use and caches the result: descriptors refer to descriptors of fields, and some messages contain themselves. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function contentOf(content: Content | undefined): Field['content'] {
  if (content === undefined) return undefined;
  if (typeof content === 'string') return once(() => descriptorOf(content));
  return (message, key, openField) => {
    const chosen = content(message, key, openField);
    return chosen instanceof Refusal ? chosen : descriptorOf(chosen);
  };
}

function kindOf(type: string): Kind {
  if (isScalar(type)) return type;
  if (enumOf(type) !== undefined) return 'enum';
  return type === TIMESTAMP ? 'timestamp' : 'message';
}

// Protolator leaves oneofs, timestamps, and maps without string keys to protojson.
function isTraversed([, name, , , rule, extra]: FieldRow, kind: Kind, rules: OpaqueRules): boolean {
  if (rules === PLAIN || rule === 'oneof' || (rule === 'map' && extra !== 'string')) return false;
  return kind === 'message' || rules.opens?.[name] !== undefined;
}

/** The JSON of an absent value; undefined if it is not printed. */
function absentOf(
  rule: FieldRule,
  kind: Kind,
  opened: boolean,
  values: EnumType | undefined,
): string | undefined {
  if (rule === 'oneof') return undefined;
  if (rule === 'list') return '[]';
  if (rule === 'map') return '{}';
  if (opened || isMessage(kind)) return 'null';
  if (kind === 'string' || kind === 'bytes') return '""';
  if (kind === 'bool') return 'false';
  if (kind === 'enum') return values?.names.has(0) === true ? quote(values.names.get(0)!) : '0';
  return kind === 'int64' || kind === 'uint64' ? '"0"' : '0';
}
