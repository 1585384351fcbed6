// Configs as plain objects and as bytes, converted by protobufjs with a separate schema.

import protobuf from 'protobufjs/light.js';

/** A `common.ConfigGroup`; bytes are base64, versions are decimal. Missing properties are not written. */
export interface GroupObject {
  version?: string;
  groups?: Record<string, GroupObject>;
  values?: Record<string, ValueObject>;
  policies?: Record<string, PolicyObject>;
  mod_policy?: string;
}

export interface ValueObject {
  version?: string;
  value?: string;
  mod_policy?: string;
}

export interface PolicyObject {
  version?: string;
  policy?: { type?: number; value?: string };
  mod_policy?: string;
}

/** A `common.ConfigUpdate`. */
export interface UpdateObject {
  channel_id?: string;
  read_set?: GroupObject;
  write_set?: GroupObject;
}

const root = protobuf.Root.fromJSON({
  nested: {
    Config: { fields: { sequence: field(1, 'uint64'), channel_group: field(2, 'ConfigGroup') } },
    ConfigUpdate: {
      fields: {
        channel_id: field(1, 'string'),
        read_set: field(2, 'ConfigGroup'),
        write_set: field(3, 'ConfigGroup'),
      },
    },
    ConfigGroup: {
      fields: {
        version: field(1, 'uint64'),
        groups: map(2, 'ConfigGroup'),
        values: map(3, 'ConfigValue'),
        policies: map(4, 'ConfigPolicy'),
        mod_policy: field(5, 'string'),
      },
    },
    ConfigValue: {
      fields: { version: field(1, 'uint64'), value: field(2, 'bytes'), mod_policy: field(3, 'string') },
    },
    ConfigPolicy: {
      fields: { version: field(1, 'uint64'), policy: field(2, 'Policy'), mod_policy: field(3, 'string') },
    },
    Policy: { fields: { type: field(1, 'int32'), value: field(2, 'bytes') } },
  },
});

/** The bytes of a `common.Config`. */
export function configBytes(channelGroup: GroupObject, sequence = '0'): Uint8Array {
  const type = root.lookupType('Config');
  return type.encode(type.fromObject({ sequence, channel_group: channelGroup })).finish();
}

/** Parses a `common.ConfigUpdate`. */
export function updateObject(bytes: Uint8Array): UpdateObject {
  const type = root.lookupType('ConfigUpdate');
  return type.toObject(type.decode(bytes), { longs: String, bytes: String });
}

function field(id: number, type: string): { id: number; type: string } {
  return { id, type };
}

function map(id: number, type: string): { id: number; type: string; keyType: string } {
  return { id, type, keyType: 'string' };
}

/** Elements by name as a Map, with default values added. */
export function normal(group: GroupObject, options: { versions: boolean } = { versions: true }): object {
  const elements = <E>(
    record: Record<string, E> = {},
    content: (element: E) => object,
  ): Map<string, object> =>
    new Map(Object.entries(record).map(([name, element]) => [name, content(element)]));
  const common = (element: { version?: string; mod_policy?: string }): object => ({
    version: options.versions ? (element.version ?? '0') : 'any',
    mod_policy: element.mod_policy ?? '',
  });
  return {
    ...common(group),
    groups: elements(group.groups, (each) => normal(each, options)),
    values: elements(group.values, (each) => ({ ...common(each), value: each.value ?? '' })),
    policies: elements(group.policies, (each) => ({
      ...common(each),
      policy: each.policy === undefined ? 'none' : { type: 0, value: '', ...each.policy },
    })),
  };
}
