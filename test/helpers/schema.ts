// The built schema table, and protobufjs types made from it.

import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import type { FieldRow, SchemaTable } from '../../proto/schema-table.js';

/** The table that the build wrote. */
export function readSchemaTable(): SchemaTable {
  return JSON.parse(readFileSync('dist/proto/schema.json', 'utf8')) as SchemaTable;
}

/** A protobufjs root with all messages and enums of the table. */
export function protobufRootOf({ messages, enums }: SchemaTable): protobuf.Root {
  const root = new protobuf.Root();
  for (const [name, rows] of Object.entries(messages)) {
    const [parent, short] = parentOf(root, name);
    parent.add(protobuf.Type.fromJSON(short, { ...descriptorOf(rows), edition: 'proto3' }));
  }
  for (const [name, values] of Object.entries(enums)) {
    const [parent, short] = parentOf(root, name);
    parent.add(protobuf.Enum.fromJSON(short, { values, edition: 'proto3' }));
  }
  root.resolveAll();
  return root;
}

/** The package or message that contains a name, and the last part of the name. */
function parentOf(root: protobuf.Root, name: string): [protobuf.NamespaceBase, string] {
  const path = name.split('.');
  const short = path.pop() ?? '';
  const outer = root.lookup(path);
  return [outer instanceof protobuf.Type ? outer : root.define(path), short];
}

/** The fields and oneofs of a message in the JSON form of protobufjs. */
function descriptorOf(rows: readonly FieldRow[]): protobuf.IType {
  const fields: Record<string, protobuf.IField | protobuf.IMapField> = {};
  const oneofs: Record<string, protobuf.IOneOf> = {};
  for (const [id, name, , type, rule, extra = ''] of rows) {
    if (rule === 'map') fields[name] = { id, type, keyType: extra };
    else fields[name] = rule === 'list' ? { id, type, rule: 'repeated' } : { id, type };
    if (rule === 'oneof') (oneofs[extra] ??= { oneof: [] }).oneof.push(name);
  }
  return { fields, oneofs };
}
