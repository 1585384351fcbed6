// Run by the build: reads the .proto files of proto/schema and writes them as one table, dist/proto/schema.json.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { isScalar, type FieldRow, type SchemaTable } from './schema-table.js';

/** From dist/proto/compile.js to the sources. */
const SCHEMA_FOLDER = new URL('../../proto/schema/', import.meta.url);
const TABLE_FILE = new URL('schema.json', import.meta.url);

/** The paths of all .proto files under a folder, sorted, with forward slashes. */
function protoFilesIn(folder: URL): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.proto'))
    .sort();
  if (paths.length === 0) throw new Error(`there is no .proto file in ${folder.pathname}`);
  return paths;
}

/** Parses the files into one root. Every import must be one of the files. */
function parseFiles(folder: URL, paths: readonly string[]): protobuf.Root {
  const root = new protobuf.Root();
  for (const path of paths) {
    const { imports = [] } = parseFile(root, path, readFileSync(new URL(path, folder), 'utf8'));
    const missing = imports.filter((each) => !paths.includes(each));
    if (missing.length > 0) throw new Error(`${path} imports ${missing.join(', ')}, which is not there`);
  }
  root.resolveAll();
  return root;
}

/** Parses one file; its types carry the path as their `filename`. */
function parseFile(root: protobuf.Root, path: string, source: string): protobuf.IParserResult {
  // The parser takes the path for its types and its errors from this property, which its typings leave out.
  Object.assign(protobuf.parse, { filename: path });
  return protobuf.parse(source, root, { keepCase: true });
}

/** The full name of a type as other languages write it. */
const nameOf = ({ fullName }: protobuf.ReflectionObject): string => fullName.replace(/^\./, '');

/** protobuf's rule: a letter after an underscore becomes upper case and the underscore goes; nothing else changes. */
const jsonNameOf = (name: string): string =>
  name.replace(/_([a-z])?/g, (_, letter = '') => letter.toUpperCase());

function typeOf(field: protobuf.Field): string {
  if (field.resolvedType !== null) return nameOf(field.resolvedType);
  if (isScalar(field.type)) return field.type;
  throw new Error(`${nameOf(field)} has the type ${field.type}, which the translator does not know`);
}

function rowOf(field: protobuf.Field): FieldRow {
  const row = [field.id, field.name, jsonNameOf(field.name), typeOf(field)] as const;
  if (field instanceof protobuf.MapField) return [...row, 'map', field.keyType];
  if (field.repeated) return [...row, 'list'];
  if (field.partOf !== null) return [...row, 'oneof', field.partOf.name];
  return [...row, ''];
}

/** Adds the messages and enums of a package or message to the table, outer ones first. */
function collect(parent: protobuf.NamespaceBase, table: SchemaTable): void {
  for (const child of parent.nestedArray) {
    if (child instanceof protobuf.Enum) table.enums[nameOf(child)] = { ...child.values };
    if (child instanceof protobuf.Type) {
      table.messages[nameOf(child)] = child.fieldsArray.map(rowOf).sort(([a], [b]) => a - b);
      table.files[nameOf(child)] = child.filename ?? '';
    }
    if (child instanceof protobuf.Namespace) collect(child, table);
  }
}

const table: SchemaTable = { messages: {}, enums: {}, files: {} };
collect(parseFiles(SCHEMA_FOLDER, protoFilesIn(SCHEMA_FOLDER)), table);
writeFileSync(TABLE_FILE, `${JSON.stringify(table)}\n`);
