// Random messages of all types of the schema, serialized in Fabric's order and reordered.

import * as fc from 'fast-check';
import type { FieldRow } from '../../../proto/schema-table.js';
import { schema } from './canonical.js';
import { text } from './keys.js';
import { CONFIG_VALUES, GROUPS, VARIANTS, type Variant } from './opaque.js';
import {
  assemble,
  bigEndian,
  LENGTH_DELIMITED,
  longVarint,
  NO_BYTES,
  pieceOf,
  same,
  tagged,
  VARINT,
  type Piece,
  type Written,
} from './wire.js';

/** The maximum nesting depth; messages below are empty. */
const DEPTH = 4;
/** The maximum length of lists and maps. */
const MAX_LENGTH = 3;
/** A field of number 0 with an unknown wire type: bytes that begin with it are never a valid message. */
const UNREADABLE = Buffer.from([0x07]);

/** The context of a message. */
interface Context {
  /** How many more levels are allowed. */
  readonly depth: number;
  /** Whether opaque bytes are opened here; bytes that are not opened are not sorted. */
  readonly isOpened: boolean;
}

const inside = ({ depth, isOpened }: Context): Context => ({ depth: depth - 1, isOpened });

/** Fabric's configtxlator opens nothing below a oneof. */
const below = (context: Context, rule: string): Context =>
  rule === 'oneof' ? { ...context, isOpened: false } : context;

const garbage = fc.uint8Array({ maxLength: 8 }).map((rest) => Buffer.concat([UNREADABLE, rest]));

const INTEGERS: Readonly<Record<string, fc.Arbitrary<bigint>>> = {
  bool: fc.bigInt(0n, 1n),
  int32: fc.bigInt(-(2n ** 31n), 2n ** 31n - 1n),
  uint32: fc.bigInt(0n, 2n ** 32n - 1n),
  int64: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  uint64: fc.bigInt(0n, 2n ** 64n - 1n),
};

/** Numbers of an enum, and other numbers. */
const enumNumber = (type: string): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.constantFrom(...Object.values(schema.enums[type] ?? {}).map((number) => BigInt(number))),
    INTEGERS['int32']!,
  );

const isLong = (type: string): boolean =>
  type === 'string' || type === 'bytes' || Object.hasOwn(schema.messages, type);

/** The content of a field; for a scalar, the varint or the bytes. */
function content(type: string, context: Context): fc.Arbitrary<Written> {
  if (type === 'string') return text.map((value) => same(Buffer.from(value)));
  if (type === 'bytes') return fc.oneof(fc.constant(same(NO_BYTES)), garbage.map(same));
  if (Object.hasOwn(schema.messages, type)) return messageAt(type, inside(context));
  const number = Object.hasOwn(INTEGERS, type) ? INTEGERS[type]! : enumNumber(type);
  return fc.oneof(fc.constant(0n), number).map((value) => same(longVarint(value)));
}

const isDefault = ({ sorted }: Written): boolean =>
  sorted.length === 0 || (sorted.length === 1 && sorted[0] === 0);

function singular([number, , , type, rule]: FieldRow, context: Context): fc.Arbitrary<Piece[]> {
  const isMessage = Object.hasOwn(schema.messages, type);
  const wireType = isLong(type) ? LENGTH_DELIMITED : VARINT;
  return fc.tuple(content(type, below(context, rule)), fc.nat()).map(([written, rank]) => {
    const isAbsent = rule === '' && !isMessage && isDefault(written);
    return isAbsent ? [] : [pieceOf(number, wireType)([written, rank])];
  });
}

function list([number, , , type]: FieldRow, context: Context): fc.Arbitrary<Piece[]> {
  const elements = fc.array(content(type, context), { maxLength: MAX_LENGTH });
  return fc.tuple(elements, fc.nat()).map(([all, rank]) => {
    if (all.length === 0) return [];
    if (isLong(type)) return all.map((each) => pieceOf(number, LENGTH_DELIMITED)([each, rank]));
    return [pieceOf(number, LENGTH_DELIMITED)([same(Buffer.concat(all.map(({ sorted }) => sorted))), rank])];
  });
}

/** A configuration value whose name has the same type at every level of the tree. */
function configValue(name: string, context: Context): fc.Arbitrary<[string, Written]> {
  // Whether it is opened depends on the outer groups, which are unknown here.
  const filled = filledWith(
    'common.ConfigValue',
    { value: CONFIG_VALUES[name]! },
    {
      depth: context.depth - 1,
      isOpened: false,
    },
  );
  return fc.tuple(fc.constant(name), filled);
}

function textEntry(type: string, context: Context): fc.Arbitrary<[string, Written]> {
  const any = fc.tuple(text, content(type, context));
  if (type === 'common.ConfigGroup')
    return fc.oneof(any, fc.tuple(fc.constantFrom(...GROUPS), content(type, context)));
  if (type !== 'common.ConfigValue' || context.depth === 0) return any;
  return fc.oneof(any, ...Object.keys(CONFIG_VALUES).map((name) => configValue(name, context)));
}

function entryOf(
  number: number,
  keyField: Buffer,
  key: Buffer,
  valueType: string,
  value: Written,
  rank: number,
): Piece {
  const valueWireType = isLong(valueType) ? LENGTH_DELIMITED : VARINT;
  const entry = {
    sorted: Buffer.concat([keyField, tagged(2, valueWireType, value.sorted)]),
    shuffled: Buffer.concat([tagged(2, valueWireType, value.shuffled), keyField]),
  };
  return pieceOf(number, LENGTH_DELIMITED, key)([entry, rank]);
}

function map([number, , , type, , keyType]: FieldRow, context: Context): fc.Arbitrary<Piece[]> {
  const options = {
    maxLength: MAX_LENGTH,
    selector: ([[key]]: [[unknown, Written], number]): unknown => key,
  };
  if (keyType === 'string')
    return fc.uniqueArray(fc.tuple(textEntry(type, context), fc.nat()), options).map((entries) =>
      entries.map(([[key, value], rank]) => {
        const bytes = Buffer.from(key);
        return entryOf(number, tagged(1, LENGTH_DELIMITED, bytes), bytes, type, value, rank);
      }),
    );
  const entry = fc.tuple(fc.tuple(INTEGERS[keyType ?? '']!, content(type, context)), fc.nat());
  return fc
    .uniqueArray(entry, options)
    .map((entries) =>
      entries.map(([[key, value], rank]) =>
        entryOf(number, tagged(1, VARINT, longVarint(key)), bigEndian(key), type, value, rank),
      ),
    );
}

function field(row: FieldRow, context: Context): fc.Arbitrary<Piece[]> {
  if (row[4] === 'map') return map(row, context);
  return row[4] === 'list' ? list(row, context) : singular(row, context);
}

/** A field with the value of a variant: the message in opaque bytes, or the number or string that determines that message. */
function given(row: FieldRow, value: Variant[string], context: Context): fc.Arbitrary<Piece[]> {
  const [number, , , type, rule] = row;
  if (typeof value === 'string') {
    const inner = messageAt(value, inside(context)).map((written) =>
      context.isOpened ? written : same(written.sorted),
    );
    const opaque = rule === 'list' ? fc.array(inner, { maxLength: MAX_LENGTH }) : fc.tuple(inner);
    return fc
      .tuple(opaque, fc.nat())
      .map(([all, rank]) =>
        all
          .filter((written) => rule === 'list' || written.sorted.length > 0)
          .map((written) => pieceOf(number, LENGTH_DELIMITED)([written, rank])),
      );
  }
  if (value.is === 0) return fc.constant([]);
  const bytes = typeof value.is === 'string' ? Buffer.from(value.is) : longVarint(BigInt(value.is));
  return fc
    .nat()
    .map((rank) => [pieceOf(number, isLong(type) ? LENGTH_DELIMITED : VARINT)([same(bytes), rank])]);
}

/** One of the fields of each oneof, and a random selection of the other fields. */
function fieldsOf(type: string, variant: Variant, context: Context): fc.Arbitrary<Piece[]> {
  const groups = new Map<unknown, FieldRow[]>();
  for (const row of schema.messages[type] ?? []) {
    const [number, , , , rule, oneof] = row;
    const group = rule === 'oneof' ? oneof : number;
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  const choices = [...groups.values()].map((rows) =>
    fc.oneof(
      ...rows.map((row) => {
        const value = variant[row[1]];
        return value === undefined
          ? fc.oneof(fc.constant<Piece[]>([]), { weight: 2, arbitrary: field(row, context) })
          : given(row, value, context);
      }),
    ),
  );
  return fc.tuple(...choices).map((pieces) => pieces.flat());
}

function filledWith(type: string, variant: Variant, context: Context): fc.Arbitrary<Written> {
  return fieldsOf(type, variant, context).map(assemble);
}

/** Timestamps with a JSON form: years 1 to 9999. */
const timestamp: fc.Arbitrary<Written> = fc
  .tuple(fc.bigInt(-62_135_596_800n, 253_402_300_799n), fc.bigInt(0n, 999_999_999n))
  .map((numbers) =>
    same(
      Buffer.concat(
        numbers.flatMap((value, at) => (value === 0n ? [] : [tagged(at + 1, VARINT, longVarint(value))])),
      ),
    ),
  );

const made = new Map<string, fc.Arbitrary<Written>>();

function messageAt(type: string, context: Context): fc.Arbitrary<Written> {
  if (type === 'google.protobuf.Timestamp') return timestamp;
  if (context.depth <= 0) return fc.constant(same(NO_BYTES));
  const key = `${type} ${context.depth} ${context.isOpened}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const variants = VARIANTS.get(type) ?? [];
  const arbitrary = fc.oneof(...[{}, ...variants].map((variant) => filledWith(type, variant, context)));
  made.set(key, arbitrary);
  return arbitrary;
}

/** Random messages of a type. Opaque bytes contain a message of the right type, or bytes that are not a message. */
export const randomMessage = (type: string): fc.Arbitrary<Written> =>
  messageAt(type, { depth: DEPTH, isOpened: true });
