// Messages with a value of its own in every field, to compare two libraries that read and write them.

import type { FieldRow, SchemaTable } from '../../proto/schema-table.js';

export type SampleValue = string | number | boolean | Uint8Array | Sample;

export interface SampleField {
  readonly row: FieldRow;
  /** One value, or several of a list. */
  readonly values: readonly SampleValue[];
  /** The keys of a map, one for each value. */
  readonly keys: readonly (string | number)[];
}

/** A message whose fields are all set, in number order. */
export interface Sample {
  readonly type: string;
  readonly fields: readonly SampleField[];
}

const isSingle = ([, , , , rule]: FieldRow): boolean => rule !== 'oneof';

/** The samples of a message: one for each member of its oneof, or just one; every other field is set in each. */
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

/** Hands out values that differ, and that no other type of the same wire form would read or write alike. */
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

  /** Inner messages have values in their scalar fields only, which ends recursion. */
  #value(type: string): SampleValue {
    this.#last += 1;
    if (type === 'string') return `text ${this.#last} \u00e9`;
    if (type === 'bytes') return Uint8Array.of(this.#last, 0, 0xff);
    if (type === 'bool') return true;
    if (type === 'int32') return -this.#last;
    if (type === 'uint32') return 2 ** 31 + this.#last;
    if (type === 'int64') return -(2 ** 40) - this.#last;
    // Too large for int64, and exact in a number.
    if (type === 'uint64') return 2 ** 63 + 2 ** 11 * this.#last;
    const rows = this.#table.messages[type];
    // Without rows it is an enum; proto3 carries numbers that have no name.
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
