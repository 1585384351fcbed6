// Reads the schema from dist/proto/schema.json, which the build makes from proto/schema. Bundles for browsers contain dist/proto/schema.mjs
// instead of this module (`browser` in package.json).

import { readFileSync } from 'node:fs';
import type { SchemaTable } from './schema-table.js';

/** Reads the schema. */
export const readSchema = (): SchemaTable =>
  JSON.parse(readFileSync(new URL('schema.json', import.meta.url), 'utf8')) as SchemaTable;
