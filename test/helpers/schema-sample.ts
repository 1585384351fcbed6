// Messages with a different value in every field, to compare two libraries that read and write them.

import type { FieldRow, SchemaTable } from '../../proto/schema-table.js';

export type SampleValue = string | number | boolean | Uint8Array | Sample;

export interface SampleField {
  readonly row: FieldRow;
  /** One value, or several for a list or map. */
  readonly values: readonly SampleValue[];
  /** The keys of a map, one per value. */
  readonly keys: readonly (string | number)[];
}

/** A message with values for its fields, in number order. */
export interface Sample {
  readonly type: string;
  readonly fields: readonly SampleField[];
}

const isSingle = ([, , , , rule]: FieldRow): boolean => rule !== 'oneof';

/** The samples of a message: one for each member of its oneof, or a single one; all other fields are set in each. */
export function samplesOf(table: SchemaTable, type: string): Sample[] {
  const rows = table.messages[type] ?? [];
  const members = rows.filter((row) => !isSingle(row));
  const always = rows.filter(isSingle);
  if (members.length === 0) return [new Sampler(table).message(type, always)];
  return members.map((member) => {
    const set = [...always, member].sort(([a], [b]) => a - b);
    return new Sampler(table).message(type, set);
  });
}

/** Makes values that differ from each other and that other types of the same wire type would not read or write in the same way. */
class Sampler {
  readonly #table: SchemaTable;
  #last = 0;

  constructor(table: SchemaTable) {
    this.#table = table;
  }

  message(type: string, rows: readonly FieldRow[]): Sample {
    return { type, fields: rows.map((row) => this.#field(row)) };
  }

  #field(row: FieldRow): SampleField {
    const [, , , type, rule, keyType] = row;
    const several = rule === 'list' || rule === 'map';
    const values = several ? [this.#value(type), this.#value(type)] : [this.#value(type)];
    const keys = rule === 'map' ? values.map(() => this.#value(keyType ?? '') as string | number) : [];
    return { row, values, keys };
  }

  /** Inner messages have values in their scalar fields only, which limits the depth. */
  #value(type: string): SampleValue {
    this.#last += 1;
    if (type === 'string') return `text ${this.#last} \u00e9`;
    if (type === 'bytes') return Uint8Array.of(this.#last, 0, 0xff);
    if (type === 'bool') return true;
    if (type === 'int32') return -this.#last;
    if (type === 'uint32') return 2 ** 31 + this.#last;
    if (type === 'int64') return -(2 ** 40) - this.#last;
    // Too large for int64, but exact as a number.
    if (type === 'uint64') return 2 ** 63 + 2 ** 11 * this.#last;
    const rows = this.#table.messages[type];
    // A type without rows is an enum; proto3 preserves numbers without a name.
    return rows === undefined
      ? this.#last
      : this.message(
          type,
          rows.filter((row) => this.#isScalar(row)),
        );
  }

  #isScalar(row: FieldRow): boolean {
    return isSingle(row) && row[4] !== 'map' && !(row[3] in this.#table.messages);
  }
}
