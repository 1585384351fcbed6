// Any message of Fabric's protos as a plain object, with the names of the fields in the .proto file.

import type protobuf from 'protobufjs';
import { protobufRootOf, readSchemaTable } from '../../helpers/schema.js';

const root = protobufRootOf(readSchemaTable());

/** Serializes a message; enums are names. */
export function write(type: string, fields: Readonly<Record<string, unknown>>): Buffer {
  const found: protobuf.Type = root.lookupType(type);
  return Buffer.from(found.encode(found.fromObject(fields)).finish());
}

/** Reads a message: enums are names, and absent fields have their zero value. */
export function read<T>(type: string, bytes: Uint8Array): T {
  const found: protobuf.Type = root.lookupType(type);
  return found.toObject(found.decode(bytes), { enums: String, longs: String, defaults: true }) as T;
}
