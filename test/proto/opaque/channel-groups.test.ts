// The configuration tree: the known groups and values at each level, and the errors for others.

import test from 'ava';
import { decode, encode } from '../../../proto/index.js';
import { channelGroup } from '../../../proto/opaque/channel-groups.js';
import { descriptorOf } from '../../../proto/descriptor.js';
import { bytesField, errorOf } from '../../helpers/codec.js';

interface Level {
  /** The names of the groups from the root to this one. */
  readonly path: readonly string[];
  /** Go types of the group and of its values. */
  readonly go: readonly [group: string, value: string];
  /** The message type of each value, and a document of that type. */
  readonly values: Readonly<Record<string, readonly [type: string, json: object]>>;
  readonly unknown: (key: string) => string;
}

const MSP = ['msp.MSPConfig', { config: { name: 'Org1' } }] as const;
const ADDRESSES = ['common.OrdererAddresses', { addresses: ['a:1'] }] as const;
const CAPABILITIES = ['common.Capabilities', { capabilities: { V3_0: {} } }] as const;

const LEVELS: Readonly<Record<string, Level>> = {
  Channel: {
    path: [],
    go: ['*commonext.DynamicChannelGroup', '*commonext.DynamicChannelConfigValue'],
    values: {
      HashingAlgorithm: ['common.HashingAlgorithm', { name: 'SHA256' }],
      BlockDataHashingStructure: ['common.BlockDataHashingStructure', { width: 5 }],
      OrdererAddresses: ADDRESSES,
      Consortium: ['common.Consortium', { name: 'C' }],
      Capabilities: CAPABILITIES,
    },
    unknown: (key) => `unknown Channel ConfigValue name: ${key}`,
  },
  Consortiums: {
    path: ['Consortiums'],
    go: ['*commonext.DynamicConsortiumsGroup', '*common.ConfigValue'],
    values: {},
    unknown: () => 'Consortiums currently support no config values',
  },
  Consortium: {
    path: ['Consortiums', 'C'],
    go: ['*commonext.DynamicConsortiumGroup', '*commonext.DynamicConsortiumConfigValue'],
    values: { ChannelCreationPolicy: ['common.Policy', { type: 3, value: { rule: 'ALL' } }] },
    unknown: (key) => `unknown Consortium ConfigValue name: ${key}`,
  },
  ConsortiumOrg: {
    path: ['Consortiums', 'C', 'Org1'],
    go: ['*commonext.DynamicConsortiumOrgGroup', '*commonext.DynamicConsortiumOrgConfigValue'],
    values: { MSP },
    unknown: (key) => `unknown Consortium Org ConfigValue name: ${key}`,
  },
  Orderer: {
    path: ['Orderer'],
    go: ['*ordererext.DynamicOrdererGroup', '*ordererext.DynamicOrdererConfigValue'],
    values: {
      ConsensusType: ['orderer.ConsensusType', { type: 'etcdraft', metadata: { options: {} } }],
      BatchSize: ['orderer.BatchSize', { max_message_count: 10 }],
      BatchTimeout: ['orderer.BatchTimeout', { timeout: '2s' }],
      KafkaBrokers: ['orderer.KafkaBrokers', { brokers: ['a:1'] }],
      ChannelRestrictions: ['orderer.ChannelRestrictions', { max_count: '5' }],
      Capabilities: CAPABILITIES,
      Orderers: ['common.Orderers', { consenter_mapping: [{ id: 1, identity: 'CgA=' }] }],
    },
    unknown: (key) => `unknown Orderer ConfigValue name: ${key}`,
  },
  OrdererOrg: {
    path: ['Orderer', 'Org1'],
    go: ['*ordererext.DynamicOrdererOrgGroup', '*ordererext.DynamicOrdererOrgConfigValue'],
    values: { MSP, Endpoints: ADDRESSES },
    unknown: (key) => `unknown Orderer Org ConfigValue name: ${key}`,
  },
  Application: {
    path: ['Application'],
    go: ['*peerext.DynamicApplicationGroup', '*peerext.DynamicApplicationConfigValue'],
    values: { Capabilities: CAPABILITIES, ACLs: ['protos.ACLs', { acls: { a: { policy_ref: 'b' } } }] },
    unknown: (key) => `Unknown Application ConfigValue name: ${key}`,
  },
  ApplicationOrg: {
    path: ['Application', 'Org1'],
    go: ['*peerext.DynamicApplicationOrgGroup', '*peerext.DynamicApplicationOrgConfigValue'],
    values: { MSP, AnchorPeers: ['protos.AnchorPeers', { anchor_peers: [{ host: 'p', port: 7051 }] }] },
    unknown: (key) => `Unknown Application Org ConfigValue name: ${key}`,
  },
};

/** The JSON of a configuration with a group at a path. */
function configWith(path: readonly string[], group: object): string {
  const tree = path.toReversed().reduce<object>((inner, name) => ({ groups: { [name]: inner } }), group);
  return JSON.stringify({ channel_group: tree });
}

/** The bytes of a configuration with a group at a path. */
function configBytes(path: readonly string[], group: Buffer): Buffer {
  const entry = (inner: Buffer, name: string): Buffer =>
    bytesField(2, bytesField(1, name), bytesField(2, inner));
  return bytesField(2, path.toReversed().reduce(entry, group));
}

/** The JSON of a value in a group of a configuration. */
function jsonValue(bytes: Uint8Array, path: readonly string[], key: string): unknown {
  interface Group {
    readonly groups: Readonly<Record<string, Group>>;
    readonly values: Readonly<Record<string, { readonly value: unknown }>>;
  }
  const config = JSON.parse(decode('common.Config', bytes)) as { readonly channel_group: Group };
  const group = path.reduce((outer, name) => outer.groups[name]!, config.channel_group);
  return group.values[key]?.value;
}

const valueBytes = (key: string, value: Uint8Array): Buffer =>
  bytesField(3, bytesField(1, key), bytesField(2, bytesField(2, Buffer.from(value))));

/** The beginning of errors in a group: the Go types and keys on the way. */
function goChainTo({ path, go }: Level): string {
  const types = path.map((_, depth) => {
    const outer = path.slice(0, depth);
    return Object.values(LEVELS).find(
      (each) => each.path.length === depth && each.path.join() === outer.join(),
    )!.go[0];
  });
  const frames = path.map(
    (name, depth) =>
      `${types[depth]!}: error in PopulateFrom for map field groups with key ${name} for message ${types[depth]!}: `,
  );
  return `*commonext.Config: error in PopulateFrom for field channel_group for message *commonext.Config: ${frames.join('')}${go[0]}: `;
}

for (const [name, level] of Object.entries(LEVELS)) {
  const { path, go, values, unknown } = level;
  for (const [key, [type, json]] of Object.entries(values)) {
    test(`${name}: the value ${key} holds ${type}`, (t) => {
      const content = encode(type, JSON.stringify(json));
      const bytes = configBytes(path, valueBytes(key, content));
      t.is(
        Buffer.from(
          encode('common.Config', configWith(path, { values: { [key]: { value: json } } })),
        ).toString('hex'),
        bytes.toString('hex'),
      );
      t.deepEqual(jsonValue(bytes, path, key), JSON.parse(decode(type, content)));
    });
  }

  for (const key of ['Foo', '', '__proto__', 'constructor', 'toString', 'msp']) {
    test(`${name}: the unknown value '${key}' stays base64`, (t) => {
      const bytes = configBytes(path, valueBytes(key, Buffer.from('x')));
      const text = decode('common.Config', bytes);
      t.true(text.includes('"value": "eA=="'));
      t.is(Buffer.from(encode('common.Config', text)).toString('hex'), bytes.toString('hex'));
      const nothing = configWith(path, { values: { Foo: { value: null, version: '1' } } });
      t.notThrows(() => encode('common.Config', nothing));
      const group = `{"values":{${JSON.stringify(key)}:{"value":{}}}}`;
      const document = path.toReversed().reduce((inner, each) => `{"groups":{"${each}":${inner}}}`, group);
      t.deepEqual(
        errorOf(() => encode('common.Config', `{"channel_group":${document}}`)),
        {
          code: 'BAD_FIELD',
          message:
            `${goChainTo(level)}error in PopulateFrom for map field values with key ${key} for message ${go[0]}: ` +
            `${go[1]}: error in PopulateFrom for field value for message ${go[1]}: ${unknown(key)}`,
          path: `channel_group.${path.map((each) => `groups["${each}"].`).join('')}values["${key}"].value`,
        },
      );
    });
  }
}

for (const [name, key] of [
  ['ApplicationOrg', 'Endpoints'],
  ['OrdererOrg', 'AnchorPeers'],
  ['Application', 'MSP'],
  ['Channel', 'MSP'],
  ['Orderer', 'HashingAlgorithm'],
  ['ConsortiumOrg', 'Endpoints'],
] as const) {
  test(`${name}: ${key} is a value of another level and stays base64`, (t) => {
    const { path } = LEVELS[name]!;
    t.is(jsonValue(configBytes(path, valueBytes(key, Buffer.from('x'))), path, key), 'eA==');
  });
}

const UNKNOWN_GROUPS: readonly (readonly [path: readonly string[], reason: string])[] = [
  [['Foo'], "unknown channel group sub-group 'Foo'"],
  [['__proto__'], "unknown channel group sub-group '__proto__'"],
  [['application'], "unknown channel group sub-group 'application'"],
  [['Consortiums', 'C', 'Org1', 'Sub'], 'ConsortiumOrg groups do not support sub groups'],
  [['Orderer', 'Org1', 'Sub'], 'the orderer orgs do not support sub-groups'],
  [['Application', 'Org1', 'Sub'], 'The application orgs do not support sub-groups'],
];
for (const [path, reason] of UNKNOWN_GROUPS) {
  test(`the values of the unknown group ${path.join('/')} stay base64, other JSON is rejected: ${reason}`, (t) => {
    const bytes = configBytes(path, valueBytes('MSP', Buffer.from('x')));
    t.is(jsonValue(bytes, path, 'MSP'), 'eA==');
    t.deepEqual(encode('common.Config', decode('common.Config', bytes)), bytes);
    const below = configBytes([...path, 'Application'], valueBytes('Capabilities', Buffer.from('x')));
    t.deepEqual(encode('common.Config', decode('common.Config', below)), below);
    const group = '{"values":{"MSP":{"value":{}}}}';
    const document = path.toReversed().reduce((inner, each) => `{"groups":{"${each}":${inner}}}`, group);
    const error = errorOf(() => encode('common.Config', `{"channel_group":${document}}`));
    t.true(
      error.message.endsWith(
        `*common.ConfigValue: error in PopulateFrom for field value for message *common.ConfigValue: ${reason}`,
      ),
      error.message,
    );
    t.true(error.path.endsWith('.values["MSP"].value'));
  });
}

test('the tree is the same in a configuration update', (t) => {
  const groups = configBytes(
    ['Application', 'Org1'],
    valueBytes('AnchorPeers', bytesField(1, bytesField(1, 'p'))),
  ).subarray(2);
  for (const [field, name] of [
    [2, 'read_set'],
    [3, 'write_set'],
  ] as const) {
    const text = decode('common.ConfigUpdate', bytesField(field, groups));
    t.true(text.includes(`"${name}": {`));
    t.true(text.includes('"anchor_peers": ['));
  }
});

test('the values of a group outside a configuration stay base64', (t) => {
  const group = Buffer.concat([
    valueBytes('Capabilities', Buffer.from('x')),
    valueBytes('None', Buffer.alloc(0)),
  ]);
  const text = decode('common.ConfigGroup', group);
  t.true(text.includes('"value": "eA=="'));
  t.true(text.includes('"value": ""'));
  t.is(descriptorOf('common.ConfigGroup', channelGroup).goType, '*commonext.DynamicChannelGroup');
});

test('opens policies of any name at every level', (t) => {
  const json = { policies: { Any: { policy: { type: 3, value: { rule: 'MAJORITY' } } } } };
  for (const { path } of Object.values(LEVELS)) {
    const text = decode('common.Config', encode('common.Config', configWith(path, json)));
    t.true(text.includes('"rule": "MAJORITY"'));
  }
});
