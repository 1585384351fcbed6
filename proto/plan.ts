// All that is worked out once per message type and treatment, so that nothing of it is done per message.

import { goTypeOf } from './go-type.js';
import { compareUtf8, Line, quote } from './json-text.js';
import { treatmentOf } from './opaque/index.js';
import { enumOf, fieldsOf, type EnumType } from './registry.js';
import { isScalar, type FieldRow, type FieldRule, type ScalarName } from './schema-table.js';
import type { Message } from './message.js';
import { Refusal, type Content, type Treatment } from './treatment.js';
import { TIMESTAMP } from './timestamp.js';
import { BYTES, uint32Size, VARINT } from './wire.js';

/** What a field, a list element or a map value is. */
export type Kind = ScalarName | 'enum' | 'message' | 'timestamp';

/** A field of a plan. */
export interface Field {
  /** Index in the slots of a message. Slots are in the order of field numbers. */
  readonly slot: number;
  readonly number: number;
  readonly name: string;
  readonly jsonName: string;
  readonly rule: FieldRule;
  readonly kind: Kind;
  /** The name of the message or enum. */
  readonly type: string;
  readonly oneof: string | undefined;
  /** The kind of a map's keys. */
  readonly keyKind: 'string' | 'uint64';
  /** The tag of each value on the wire; a list of numbers is written packed. */
  readonly tag: number;
  readonly tagSize: number;
  /** Whether a list is written packed. */
  readonly packed: boolean;
  /** `"name": ` */
  readonly label: Line;
  /** The member of an object when the value is absent; undefined where it is not printed. */
  readonly absent: Line | undefined;
  readonly enum: EnumType | undefined;
  /**
   * Whether the field is looked into: found only by its original name, its opaque bytes opened
   * (specification section 5, "special fields").
   */
  readonly special: boolean;
  /** What its bytes hold, in a message and under a key of its map; undefined where they always stay bytes. */
  readonly content: ((message: Message, key: string) => Plan | Refusal) | undefined;
  /** The plan of its messages; `key` is the key of the map entry. */
  readonly child: (key: string) => Plan;
}

/** A message type under one treatment. */
export interface Plan {
  readonly name: string;
  readonly goType: string;
  /** In the order of field numbers. */
  readonly fields: readonly Field[];
  /** Undefined for each field. */
  readonly noValues: readonly undefined[];
  /** In the order of names, as they are printed. */
  readonly printed: readonly Field[];
  /** Index is the field number. */
  readonly byNumber: readonly (Field | undefined)[];
  readonly byName: ReadonlyMap<string, Field>;
  /** The special fields in the order in which Fabric's configtxlator visits them (specification section 6). */
  readonly specials: readonly Field[];
  /** By camelCase name, where that is another one. */
  readonly byJsonName: ReadonlyMap<string, Field>;
}

/** Nothing below is looked into: the content of oneofs and of fields given by their camelCase name. */
export const PLAIN: Treatment = {};

const plans = new Map<Treatment, Map<string, Plan>>();

/** The plan of a message of the schema. Without a treatment, that of its type. */
export function planOf(name: string, treatment: Treatment = treatmentOf(name)): Plan {
  let ofTreatment = plans.get(treatment);
  if (ofTreatment === undefined) plans.set(treatment, (ofTreatment = new Map<string, Plan>()));
  let plan = ofTreatment.get(name);
  if (plan === undefined) ofTreatment.set(name, (plan = makePlan(name, treatment)));
  return plan;
}

/** The same message, not looked into. Its fields have the same slots. */
export function plainPlan({ name }: Plan): Plan {
  return planOf(name, PLAIN);
}

function makePlan(name: string, treatment: Treatment): Plan {
  const fields = fieldsOf(name).map((row, slot) => makeField(row, slot, treatment));
  return {
    name,
    goType: treatment.go ?? goTypeOf(name),
    fields,
    noValues: fields.map(() => undefined),
    printed: fields.toSorted((a, b) => compareUtf8(a.name, b.name)),
    specials: fields
      .filter(({ special }) => special)
      .toSorted((a, b) => visitRank(a, treatment) - visitRank(b, treatment)),
    byNumber: fieldsByNumber(fields),
    byName: new Map(fields.map((field) => [field.name, field])),
    byJsonName: new Map(
      fields.filter((field) => field.name !== field.jsonName).map((field) => [field.jsonName, field]),
    ),
  };
}

function fieldsByNumber(fields: readonly Field[]): (Field | undefined)[] {
  const highest = fields.at(-1)?.number ?? 0;
  return Array.from({ length: highest + 1 }, (_, number) => fields.find((field) => field.number === number));
}

// Messages, maps of them, lists of them, opaque bytes, then fields treated by their key.
function visitRank({ name, rule }: Field, { opens, within }: Treatment): number {
  if (opens?.[name] !== undefined) return 3;
  const shape = rule === 'map' ? 1 : rule === 'list' ? 2 : 0;
  return within?.[name] === undefined ? shape : 4 + shape;
}

function makeField(row: FieldRow, slot: number, treatment: Treatment): Field {
  const [number, name, jsonName, type, rule, extra] = row;
  const kind = kindOf(type);
  const special = isSpecial(row, kind, treatment);
  const packed = rule === 'list' && kind !== 'string' && kind !== 'bytes' && !isMessage(kind);
  const onWire = packed || rule === 'map' || kind === 'string' || kind === 'bytes' || isMessage(kind);
  const within = treatment.within?.[name];
  const label = `${quote(name)}: `;
  const absent = absentOf(rule, kind, special && kind === 'bytes', enumOf(type));
  return {
    slot,
    number,
    name,
    jsonName,
    rule,
    kind,
    type,
    oneof: rule === 'oneof' ? extra : undefined,
    keyKind: rule === 'map' && extra === 'uint64' ? 'uint64' : 'string',
    tag: (number << 3) | (onWire ? BYTES : VARINT),
    tagSize: uint32Size(number << 3),
    packed,
    label: new Line(label),
    absent: absent === undefined || treatment.sparse === true ? undefined : new Line(label + absent),
    enum: enumOf(type),
    special,
    content: special ? contentOf(treatment.opens?.[name]) : undefined,
    child: childOf(type, special, within),
  };
}

function childOf(
  type: string,
  special: boolean,
  within: ((key: string) => Treatment) | undefined,
): Field['child'] {
  if (special && within !== undefined) return (key) => planOf(type, within(key));
  return once(() => (special ? planOf(type) : planOf(type, PLAIN)));
}

/** Plans hold plans of the messages in them, and some messages hold themselves: so they are made when first needed. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function contentOf(content: Content | undefined): Field['content'] {
  if (content === undefined) return undefined;
  if (typeof content === 'string') return once(() => planOf(content));
  return (message, key) => {
    const chosen = content(message, key);
    return chosen instanceof Refusal ? chosen : planOf(chosen);
  };
}

function kindOf(type: string): Kind {
  if (isScalar(type)) return type;
  if (enumOf(type) !== undefined) return 'enum';
  return type === TIMESTAMP ? 'timestamp' : 'message';
}

/** Whether the JSON form of a message is a text, so that it is no document of its own. */
export const isText = ({ name }: Plan): boolean => name === TIMESTAMP || name === 'google.protobuf.Duration';

/** Whether a kind is a message on the wire. */
export const isMessage = (kind: Kind): boolean => kind === 'message' || kind === 'timestamp';

// Oneofs, timestamps and maps with other keys than text are not looked into (specification section 5).
function isSpecial([, name, , , rule, extra]: FieldRow, kind: Kind, treatment: Treatment): boolean {
  if (treatment === PLAIN || rule === 'oneof' || (rule === 'map' && extra !== 'string')) return false;
  return kind === 'message' || treatment.opens?.[name] !== undefined;
}

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
