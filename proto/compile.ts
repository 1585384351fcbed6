// A build step: compiles the .proto files of proto/schema into one table, dist/proto/schema.json, and dist/proto/schema.mjs for browsers.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { compact, isScalar, jsonNameOf, type FieldRow, type SchemaTable } from './schema-table.js';

// Relative to dist/proto/compile.js.
const SCHEMA_DIRECTORY = new URL('../../proto/schema/', import.meta.url);
const TABLE_FILE = new URL('schema.json', import.meta.url);
const BROWSER_FILE = new URL('schema.mjs', import.meta.url);

/** The relative paths of all .proto files in a directory, sorted, with forward slashes. */
function protoFilesIn(directory: URL): string[] {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.proto'))
    .sort();
  if (paths.length === 0) throw new Error(`no .proto file in ${directory.pathname}`);
  return paths;
}

/** Parses the files into one root. Imports must be among the files. */
function parseFiles(directory: URL, paths: readonly string[]): protobuf.Root {
  const root = new protobuf.Root();
  for (const path of paths) {
    const { imports = [] } = parseFile(root, path, readFileSync(new URL(path, directory), 'utf8'));
    const missing = imports.filter((each) => !paths.includes(each));
    if (missing.length > 0) throw new Error(`${path} imports ${missing.join(', ')}, which does not exist`);
  }
  root.resolveAll();
  return root;
}

/** Parses one file. Sets the path as `filename` of its types. */
function parseFile(root: protobuf.Root, path: string, source: string): protobuf.IParserResult {
  // The parser reads the path from this property, which is missing in its type declarations.
  Object.assign(protobuf.parse, { filename: path });
  return protobuf.parse(source, root, { keepCase: true });
}

/** The full name without protobufjs's leading dot. */
const nameOf = ({ fullName }: protobuf.ReflectionObject): string => fullName.replace(/^\./, '');

function typeOf(field: protobuf.Field): string {
  if (field.resolvedType !== null) return nameOf(field.resolvedType);
  if (isScalar(field.type)) return field.type;
  throw new Error(`${nameOf(field)} has type ${field.type}, which the translator does not support`);
}

function rowOf(field: protobuf.Field): FieldRow {
  const row = [field.id, field.name, jsonNameOf(field.name), typeOf(field)] as const;
  if (field instanceof protobuf.MapField) return [...row, 'map', field.keyType];
  if (field.repeated) return [...row, 'list'];
  if (field.partOf !== null) return [...row, 'oneof', field.partOf.name];
  return [...row, ''];
}

/** Adds the messages and enums of a package or message to the table, outer ones before inner ones. */
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
collect(parseFiles(SCHEMA_DIRECTORY, protoFilesIn(SCHEMA_DIRECTORY)), table);
const json = JSON.stringify(table);
writeFileSync(TABLE_FILE, `${json}\n`);
writeFileSync(
  BROWSER_FILE,
  `import { expanded } from './schema-table.js';
export const readSchema = () => expanded(JSON.parse(${JSON.stringify(JSON.stringify(compact(table)))}));
`,
);
