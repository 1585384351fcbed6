// Random messages of every type of the schema, as bytes in the order that Fabric writes and in another one.

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

/** How deep messages nest; below this they are empty. */
const DEPTH = 4;
/** Longest lists and maps. */
const MOST = 3;
/** No message begins with it (a field of number 0 and of an unknown wire type), so that these bytes are never opened. */
const UNREADABLE = Buffer.from([0x07]);

/** Where a message is made. */
interface Place {
  /** How many levels may still follow. */
  readonly depth: number;
  /** Whether opaque bytes there are opened; what is not opened keeps its order. */
  readonly isOpened: boolean;
}

const inside = ({ depth, isOpened }: Place): Place => ({ depth: depth - 1, isOpened });

/** Fabric's configtxlator opens nothing below a oneof. */
const below = (place: Place, rule: string): Place =>
  rule === 'oneof' ? { ...place, isOpened: false } : place;

const garbage = fc.uint8Array({ maxLength: 8 }).map((rest) => Buffer.concat([UNREADABLE, rest]));

const INTEGERS: Readonly<Record<string, fc.Arbitrary<bigint>>> = {
  bool: fc.bigInt(0n, 1n),
  int32: fc.bigInt(-(2n ** 31n), 2n ** 31n - 1n),
  uint32: fc.bigInt(0n, 2n ** 32n - 1n),
  int64: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  uint64: fc.bigInt(0n, 2n ** 64n - 1n),
};

/** Numbers of an enum, and others. */
const enumNumber = (type: string): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.constantFrom(...Object.values(schema.enums[type] ?? {}).map((number) => BigInt(number))),
    INTEGERS['int32']!,
  );

const isLong = (type: string): boolean =>
  type === 'string' || type === 'bytes' || Object.hasOwn(schema.messages, type);

/** The content of a field: of a scalar the varint or the bytes. */
function content(type: string, place: Place): fc.Arbitrary<Written> {
  if (type === 'string') return text.map((value) => same(Buffer.from(value)));
  if (type === 'bytes') return fc.oneof(fc.constant(same(NO_BYTES)), garbage.map(same));
  if (Object.hasOwn(schema.messages, type)) return messageAt(type, inside(place));
  const number = Object.hasOwn(INTEGERS, type) ? INTEGERS[type]! : enumNumber(type);
  return fc.oneof(fc.constant(0n), number).map((value) => same(longVarint(value)));
}

const isDefault = ({ tidy }: Written): boolean => tidy.length === 0 || (tidy.length === 1 && tidy[0] === 0);

function singular([number, , , type, rule]: FieldRow, place: Place): fc.Arbitrary<Piece[]> {
  const isMessage = Object.hasOwn(schema.messages, type);
  const wireType = isLong(type) ? LENGTH_DELIMITED : VARINT;
  return fc.tuple(content(type, below(place, rule)), fc.nat()).map(([written, rank]) => {
    const isAbsent = rule === '' && !isMessage && isDefault(written);
    return isAbsent ? [] : [pieceOf(number, wireType)([written, rank])];
  });
}

function list([number, , , type]: FieldRow, place: Place): fc.Arbitrary<Piece[]> {
  const elements = fc.array(content(type, place), { maxLength: MOST });
  return fc.tuple(elements, fc.nat()).map(([all, rank]) => {
    if (all.length === 0) return [];
    if (isLong(type)) return all.map((each) => pieceOf(number, LENGTH_DELIMITED)([each, rank]));
    return [pieceOf(number, LENGTH_DELIMITED)([same(Buffer.concat(all.map(({ tidy }) => tidy))), rank])];
  });
}

/** A configuration value by a name that has one type at every place of the tree. */
function configValue(name: string, place: Place): fc.Arbitrary<[string, Written]> {
  // Whether it is opened depends on the groups around it, which are not known here.
  const filled = filledWith(
    'common.ConfigValue',
    { value: CONFIG_VALUES[name]! },
    {
      depth: place.depth - 1,
      isOpened: false,
    },
  );
  return fc.tuple(fc.constant(name), filled);
}

function textEntry(type: string, place: Place): fc.Arbitrary<[string, Written]> {
  const any = fc.tuple(text, content(type, place));
  if (type === 'common.ConfigGroup')
    return fc.oneof(any, fc.tuple(fc.constantFrom(...GROUPS), content(type, place)));
  if (type !== 'common.ConfigValue' || place.depth === 0) return any;
  return fc.oneof(any, ...Object.keys(CONFIG_VALUES).map((name) => configValue(name, place)));
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
    tidy: Buffer.concat([keyField, tagged(2, valueWireType, value.tidy)]),
    untidy: Buffer.concat([tagged(2, valueWireType, value.untidy), keyField]),
  };
  return pieceOf(number, LENGTH_DELIMITED, key)([entry, rank]);
}

function map([number, , , type, , keyType]: FieldRow, place: Place): fc.Arbitrary<Piece[]> {
  const options = { maxLength: MOST, selector: ([[key]]: [[unknown, Written], number]): unknown => key };
  if (keyType === 'string')
    return fc.uniqueArray(fc.tuple(textEntry(type, place), fc.nat()), options).map((entries) =>
      entries.map(([[key, value], rank]) => {
        const bytes = Buffer.from(key);
        return entryOf(number, tagged(1, LENGTH_DELIMITED, bytes), bytes, type, value, rank);
      }),
    );
  const entry = fc.tuple(fc.tuple(INTEGERS[keyType ?? '']!, content(type, place)), fc.nat());
  return fc
    .uniqueArray(entry, options)
    .map((entries) =>
      entries.map(([[key, value], rank]) =>
        entryOf(number, tagged(1, VARINT, longVarint(key)), bigEndian(key), type, value, rank),
      ),
    );
}

function field(row: FieldRow, place: Place): fc.Arbitrary<Piece[]> {
  if (row[4] === 'map') return map(row, place);
  return row[4] === 'list' ? list(row, place) : singular(row, place);
}

/** A field that a variant gives: the message in opaque bytes, or the number or text that says which it is. */
function given(row: FieldRow, value: Variant[string], place: Place): fc.Arbitrary<Piece[]> {
  const [number, , , type, rule] = row;
  if (typeof value === 'string') {
    const inner = messageAt(value, inside(place)).map((written) =>
      place.isOpened ? written : same(written.tidy),
    );
    const opaque = rule === 'list' ? fc.array(inner, { maxLength: MOST }) : fc.tuple(inner);
    return fc
      .tuple(opaque, fc.nat())
      .map(([all, rank]) =>
        all
          .filter((written) => rule === 'list' || written.tidy.length > 0)
          .map((written) => pieceOf(number, LENGTH_DELIMITED)([written, rank])),
      );
  }
  if (value.is === 0) return fc.constant([]);
  const bytes = typeof value.is === 'string' ? Buffer.from(value.is) : longVarint(BigInt(value.is));
  return fc
    .nat()
    .map((rank) => [pieceOf(number, isLong(type) ? LENGTH_DELIMITED : VARINT)([same(bytes), rank])]);
}

/** One of the fields of each oneof, and all the others, each or not. */
function fieldsOf(type: string, variant: Variant, place: Place): fc.Arbitrary<Piece[]> {
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
          ? fc.oneof(fc.constant<Piece[]>([]), { weight: 2, arbitrary: field(row, place) })
          : given(row, value, place);
      }),
    ),
  );
  return fc.tuple(...choices).map((pieces) => pieces.flat());
}

function filledWith(type: string, variant: Variant, place: Place): fc.Arbitrary<Written> {
  return fieldsOf(type, variant, place).map(assemble);
}

/** Timestamps that have a text form: years 1 to 9999. */
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

function messageAt(type: string, place: Place): fc.Arbitrary<Written> {
  if (type === 'google.protobuf.Timestamp') return timestamp;
  if (place.depth <= 0) return fc.constant(same(NO_BYTES));
  const key = `${type} ${place.depth} ${place.isOpened}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const variants = VARIANTS.get(type) ?? [];
  const arbitrary = fc.oneof(...[{}, ...variants].map((variant) => filledWith(type, variant, place)));
  made.set(key, arbitrary);
  return arbitrary;
}

/** Messages of a type. What opaque bytes hold is a message where the table of them says so, else bytes that are no message. */
export const randomMessage = (type: string): fc.Arbitrary<Written> =>
  messageAt(type, { depth: DEPTH, isOpened: true });
