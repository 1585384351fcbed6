// Edits by path, edits of the whole JSON, and edits of an update.

import test from 'ava';
import {
  applyUpdate,
  makeValue,
  readConfig,
  readUpdateFile,
  unsignedEnvelope,
  writeConfig,
  type Config,
} from '../../../translator/channel/index.js';
import { applyUnsigned, replaceConfig, setByPath, unsignedUpdate } from '../../../translator/edit/index.js';
import { decode, encode, TranslateError } from '../../../translator/index.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { applyEdit, CONFIG, refused, withGroupOf } from '../../helpers/edits.js';

const ORDERER = '/Channel/Orderer';
const JQ = '.channel_group.groups.Orderer.values';

const SETTINGS: readonly (readonly [path: string, value: string, note: string])[] = [
  ['orderer.batchSize.maxMessageCount', '50', `${ORDERER}/BatchSize maxMessageCount: 10 -> 50`],
  ['ORDERER.BATCHSIZE.MAX_MESSAGE_COUNT', '50', `${ORDERER}/BatchSize maxMessageCount: 10 -> 50`],
  ['batchSize.maxMessageCount', '50', `${ORDERER}/BatchSize maxMessageCount: 10 -> 50`],
  [`${JQ}.BatchSize.value.max_message_count`, '50', `${ORDERER}/BatchSize maxMessageCount: 10 -> 50`],
  [
    '.data.data[0].payload.data.config.channel_group["groups"]["Orderer"].values.BatchSize.value.max_message_count',
    '50',
    `${ORDERER}/BatchSize maxMessageCount: 10 -> 50`,
  ],
  ['/Channel/Orderer/BatchSize/max_message_count', '50', `${ORDERER}/BatchSize maxMessageCount: 10 -> 50`],
  ['orderer.batchTimeout', '500ms', `${ORDERER}/BatchTimeout timeout: 2s -> 500ms`],
  ['orderer.batchTimeout.timeout', '1m0.5s', `${ORDERER}/BatchTimeout timeout: 2s -> 1m0.5s`],
  [
    'orderer.consensusType.metadata.options.tickInterval',
    '1s',
    `${ORDERER}/ConsensusType tickInterval: 500ms -> 1s`,
  ],
  [`${JQ}.ConsensusType.value.metadata.consenters[0].port`, '7', `${ORDERER}/ConsensusType port: 7050 -> 7`],
  [
    'orderer.consensusType.state',
    'maintenance',
    `${ORDERER}/ConsensusType state: STATE_NORMAL -> STATE_MAINTENANCE`,
  ],
  [
    'orderer.channelRestrictions.maxCount',
    '18446744073709551615',
    `${ORDERER}/ChannelRestrictions maxCount: 0 -> 18446744073709551615`,
  ],
  [
    'orderer.channelRestrictions',
    '{"max_count": 9007199254740993}',
    `${ORDERER}/ChannelRestrictions: {"max_count":"0"} -> {"max_count":9007199254740993}`,
  ],
  [
    'orderer.channelRestrictions',
    '{"max_count": 18446744073709551615}',
    `${ORDERER}/ChannelRestrictions: {"max_count":"0"} -> {"max_count":18446744073709551615}`,
  ],
  [
    'orderer.orderer.endpoints',
    '["a:1","b:2"]',
    `${ORDERER}/orderer/Endpoints addresses: ["o.ord.test:7050"] -> ["a:1","b:2"]`,
  ],
  ['orderer.orderer.endpoints.1', 'b:2', `${ORDERER}/orderer/Endpoints 1: nothing -> b:2`],
  ['orderer.policies.admins', 'ANY Admins', `policy ${ORDERER}/Admins: MAJORITY Admins -> ANY Admins`],
  ['orderer.policies.admins.policy.value.rule', 'any', `${ORDERER}/Admins rule: MAJORITY -> ANY`],
  ['orderer.policies.New', "OR('A.admin')", `policy ${ORDERER}/New: new OR('A.admin')`],
  [
    'orderer.batchSize.mod_policy',
    '/Channel/Admins',
    `mod_policy of ${ORDERER}/BatchSize: Admins -> /Channel/Admins`,
  ],
  ['orderer.modPolicy', '/Channel/Admins', `mod_policy of ${ORDERER}: Admins -> /Channel/Admins`],
  [
    'application.acls.peer/Propose',
    'Writers',
    '/Channel/Application/ACLs peer/Propose: nothing -> {"policy_ref":"Writers"}',
  ],
  ['application.capabilities.V9_9', '{}', '/Channel/Application/Capabilities V9_9: nothing -> {}'],
  [
    'units.anchorPeers',
    '[{"host":"a","port":1}]',
    '/Channel/Application/units/AnchorPeers anchorPeers: [] -> [{"host":"a","port":1}]',
  ],
];

/** 60 characters of a value are shown. */
const [AT_60, AT_61] = [60, 61].map((length) => `${'a'.repeat(length - 2)}:1`) as [string, string];
const listOf = (length: number): string => `["${'a'.repeat(length - 6)}:1"]`;
const NAMED = `${ORDERER}/orderer/Endpoints`;

const SHOWN: typeof SETTINGS = [
  ['orderer.orderer.endpoints.0', AT_60, `${NAMED} 0: o.ord.test:7050 -> ${AT_60}`],
  ['orderer.orderer.endpoints.0', AT_61, `${NAMED} 0: o.ord.test:7050 -> ${'a'.repeat(59)}:…`],
  ['orderer.orderer.endpoints', listOf(60), `${NAMED} addresses: ["o.ord.test:7050"] -> ${listOf(60)}`],
  [
    'orderer.orderer.endpoints',
    listOf(61),
    `${NAMED} addresses: ["o.ord.test:7050"] -> ${listOf(61).slice(0, 60)}…`,
  ],
  [
    'units.anchorPeers',
    '[{"host":"a","port":1},{"host":"b","port":2}]',
    '/Channel/Application/units/AnchorPeers anchorPeers: [] -> [{"host":"a","port":1},{"host":"b","port":2}]',
  ],
];

for (const [path, value, note] of [...SETTINGS, ...SHOWN])
  test(`--set ${path}=${value}: ${note}`, (t) => {
    const edited = setByPath(CONFIG, path, value);
    t.deepEqual(edited.notes, [note]);
    t.true(applyEdit(t, CONFIG, edited).changes.length > 0);
  });

const ENABLE = 'units.msp.config.fabricNodeOus.enable';

for (const value of ['true', 'false'])
  test(`--set ${ENABLE}=${value}`, (t) => {
    const { notes } = setByPath(CONFIG, ENABLE, value);
    t.deepEqual(notes, [`/Channel/Application/units/MSP enable: true -> ${value}`]);
  });

for (const value of ['yes', 'True', '1', ''])
  test(`refused: --set ${ENABLE}=${value}`, (t) =>
    refused(
      t,
      () => setByPath(CONFIG, ENABLE, value),
      `/Channel/Application/units/MSP: "${value}" is not a value of enable; true or false is needed`,
    ));

test('a certificate is converted to base64', (t) => {
  const edited = setByPath(CONFIG, 'units.msp.config.rootCerts.0', '-----BEGIN CERTIFICATE-----\n');
  t.regex(
    edited.notes[0]!,
    /^\/Channel\/Application\/units\/MSP 0: LS0t.*… -> LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==$/,
  );
  applyEdit(t, CONFIG, edited);
});

test('the comments of a certificate may have any characters', (t) => {
  const pem = '-----BEGIN CERTIFICATE-----\nŁódź ☃\n';
  const edited = setByPath(CONFIG, 'units.msp.config.rootCerts.0', pem);
  const base64 = Buffer.from(pem).toString('base64');
  t.true(edited.notes[0]!.endsWith(` -> ${base64}`));
  t.true(decode('common.Config', writeConfig(edited.config)).includes(`"${base64}"`));
});

test('a text that begins as a certificate stays text where the schema has text', (t) => {
  const text = '-----BEGIN CERTIFICATE-----';
  const edited = setByPath(CONFIG, 'orderer.orderer.endpoints.0', text);
  t.deepEqual(edited.notes, [`${ORDERER}/orderer/Endpoints 0: o.ord.test:7050 -> ${text}`]);
  t.true(decode('common.Config', writeConfig(edited.config)).includes(`"${text}"`));
});

test('a number above 2^53 is exact in the edited config', (t) => {
  const edited = setByPath(CONFIG, 'orderer.channelRestrictions', '{"max_count": 9007199254740993}');
  t.true(decode('common.Config', writeConfig(edited.config)).includes('"max_count": "9007199254740993"'));
});

test('a policy of 3,000 nested gates in a setting does not overflow the stack', (t) => {
  const rules = '{"n_out_of":{"rules":['.repeat(3000) + '{"signed_by":0}' + ']}}'.repeat(3000);
  const policy = `{"type":1,"value":{"identities":[],"rule":${rules},"version":0}}`;
  const [note] = setByPath(CONFIG, 'orderer.policies.Admins.policy', policy).notes;
  t.true(note?.endsWith(` -> ${policy.slice(0, 60)}…`));
});

test('names of organisations may contain dots', (t) => {
  const named = withGroupOf(CONFIG, 'Application', ({ groups }) => ({
    groups: new Map(groups).set('org.a.test', groups.get('units')!),
  }));
  const edited = setByPath(named, 'application.org.a.test.policies.Admins', 'ANY X');
  t.deepEqual(edited.notes, ["policy /Channel/Application/org.a.test/Admins: OR('UnitsMSP.admin') -> ANY X"]);
});

test('a field of a value that the channel does not have is changed from its default', (t) => {
  const without = withGroupOf(CONFIG, 'Orderer', ({ values }) => ({
    values: new Map([...values].filter(([name]) => name !== 'BatchSize')),
  }));
  const edited = setByPath(without, 'orderer.batchSize.maxMessageCount', '5');
  t.deepEqual(edited.notes, [`${ORDERER}/BatchSize maxMessageCount: 0 -> 5`]);
  t.deepEqual(applyEdit(t, without, edited).changes, [
    'modified group /Channel/Orderer',
    'new value /Channel/Orderer/BatchSize',
  ]);
  t.is(edited.config.channelGroup.groups.get('Orderer')!.values.get('BatchSize')!.modPolicy, 'Admins');
});

test('the rotation of leaders of BFT is set by its short name', (t) => {
  const bft = readConfig(readChannelCases().configs.get('bft4')!);
  const { notes } = setByPath(bft, 'orderer.consensusType.metadata.leaderRotation', 'on');
  t.regex(notes[0]!, /^\/Channel\/Orderer\/ConsensusType leaderRotation: ROTATION_\w+ -> ROTATION_ON$/);
});

const ERRORS: readonly (readonly [path: string, value: string, message: string, code?: string])[] = [
  [
    'units.anchorPeers',
    '5',
    '/Channel/Application/units/AnchorPeers: "5" is not a value of anchorPeers; a JSON list such as ["a", "b"] is needed',
  ],
  [
    'orderer.orderer.endpoints.2',
    'a:1',
    '/Channel/Orderer/orderer/Endpoints addresses has no entry "2"; it has 1, counted from 0, and 1 adds one',
  ],
  [
    'orderer.orderer.endpoints.first',
    'a:1',
    '/Channel/Orderer/orderer/Endpoints addresses has no entry "first"; it has 1, counted from 0, and 1 adds one',
  ],
  [
    'orderer.batchSize.maxMessageCount',
    'm'.repeat(61),
    `/Channel/Orderer/BatchSize: "${'m'.repeat(60)}" is not a value of maxMessageCount; a whole number is needed`,
  ],
  ['orderer.bachSize', '1', '/Channel/Orderer has no "bachSize"; did you mean BatchSize?'],
  [
    'orderer.batchSize.maxMesageCount',
    '1',
    '/Channel/Orderer/BatchSize has no field "maxMesageCount"; did you mean maxMessageCount?',
  ],
  ['ordrer', '1', '/Channel has no "ordrer"; did you mean Orderer?'],
  ['orderer', '1', '/Channel/Orderer is a group: name a value or a policy in it'],
  ['orderer.version', '1', 'the version of /Channel/Orderer follows from the update'],
  ['a]b', '1', '"a]b" is not a path; expected one such as orderer.batchSize.maxMessageCount'],
  [
    'orderer.batchSize.maxMessageCount',
    'many',
    '/Channel/Orderer/BatchSize: "many" is not a value of maxMessageCount; a whole number is needed',
  ],
  [
    'orderer.batchSize.maxMessageCount',
    '1234567890123456',
    '/Channel/Orderer/BatchSize: "1234567890123456" is not a value of maxMessageCount; a whole number is needed',
  ],
  [
    'orderer.batchSize.maxMessageCount',
    '1.5',
    '/Channel/Orderer/BatchSize: "1.5" is not a value of maxMessageCount; a whole number is needed',
  ],
  [
    'orderer.batchSize.maxMessageCount',
    '-1',
    '/Channel/Orderer/BatchSize: maxMessageCount: invalid value for uint32 type: -1',
  ],
  [
    'orderer.batchSize.maxMessageCount',
    '4294967296',
    '/Channel/Orderer/BatchSize: maxMessageCount: invalid value for uint32 type: 4294967296',
  ],
  [
    'orderer.batchSize.maxMessageCount.x',
    '1',
    '/Channel/Orderer/BatchSize maxMessageCount is 10, which has no field "x"',
  ],
  [
    'orderer.batchSize',
    '5',
    '/Channel/Orderer/BatchSize: "5" is not a value of value; a JSON object such as {"a": 1} is needed',
  ],
  [
    'orderer.batchTimeout',
    '2',
    '/Channel/Orderer/BatchTimeout: "2" is not a value of timeout; a duration such as 2s or 500ms is needed',
  ],
  [
    'orderer.consensusType.state',
    'off',
    '/Channel/Orderer/ConsensusType: "off" is not a value of state; STATE_NORMAL or STATE_MAINTENANCE is needed',
  ],
  [
    'orderer.channelRestrictions.maxCount',
    '-----BEGIN X-----',
    '/Channel/Orderer/ChannelRestrictions: maxCount: invalid value for uint64 type: "-----BEGIN X-----"',
  ],
  [
    'orderer.orderer.endpoints',
    '["a:1"] ["b:2"]',
    `/Channel/Orderer/orderer/Endpoints: "[\\"a:1\\"] [\\"b:2\\"]" is not a value of addresses; JSON is needed`,
  ],
  [
    'orderer.orderer.endpoints',
    'a:1',
    '/Channel/Orderer/orderer/Endpoints: "a:1" is not a value of addresses; JSON is needed',
  ],
  [
    'orderer.orderer.endpoints.5',
    'a:1',
    '/Channel/Orderer/orderer/Endpoints addresses has no entry "5"; it has 1, counted from 0, and 1 adds one',
  ],
  [
    'orderer.policies.Admins',
    'MOST Admins',
    "signature policy, position 1: unknown gate 'MOST', allowed are AND, And, and, OR, Or, or, OutOf, OUTOF, outof",
    'BAD_POLICY',
  ],
];

for (const [path, value, message, code] of ERRORS)
  test(`refused: --set ${path}=${value}`, (t) =>
    refused(t, () => setByPath(CONFIG, path, value), message, code));

/** The config with an unknown field in a value. */
const withUnknown: Config = withGroupOf(CONFIG, 'Orderer', ({ values }) => {
  const old = values.get('BatchSize')!;
  const value = makeValue({ ...old, value: Buffer.concat([old.value, Buffer.from([0x98, 0x06, 1])]) });
  return { values: new Map(values).set('BatchSize', value) };
});

test('edited JSON changes only the edited elements; the others keep unknown fields', (t) => {
  const json = decode('common.Config', writeConfig(withUnknown));
  const modified = readConfig(encode('common.Config', json.replace('"timeout": "2s"', '"timeout": "1s"')));
  const { changes } = applyEdit(t, withUnknown, replaceConfig(withUnknown, modified));
  t.deepEqual(changes, ['modified value /Channel/Orderer/BatchTimeout']);
});

test('JSON without an edit changes nothing', (t) => {
  const same = readConfig(encode('common.Config', decode('common.Config', writeConfig(CONFIG))));
  refused(
    t,
    () => unsignedUpdate(CONFIG, replaceConfig(CONFIG, same).config, 'edits'),
    'the edit changes nothing: the channel has this config already',
  );
});

const first = unsignedUpdate(CONFIG, setByPath(CONFIG, 'batchTimeout', '1s').config, 'edits');

test('a second edit adds to an unsigned update', (t) => {
  const base = applyUnsigned(CONFIG, first, 'edits');
  const { config } = setByPath(base, 'batchSize.maxMessageCount', '7');
  const both = unsignedUpdate(CONFIG, config, 'edits');
  t.deepEqual(
    both.changes,
    ['modified value /Channel/Orderer/BatchTimeout', 'modified value /Channel/Orderer/BatchSize'].toSorted(),
  );
  t.deepEqual(applyUpdate(CONFIG, both.update, 'edits').faults, []);
});

test('a signed update, one of another channel and one that does not fit are refused', (t) => {
  const { update } = first;
  const signed = unsignedEnvelope({
    channel: 'edits',
    update: update.bytes,
    signatures: [{ bytes: Uint8Array.of() }],
  });
  const after = applyUpdate(CONFIG, update, 'edits').config;
  refused(
    t,
    () => applyUnsigned(CONFIG, readUpdateFile(signed), 'edits'),
    'it is signed, and signatures do not cover another edit: an unsigned update is needed',
  );
  refused(
    t,
    () => applyUnsigned(CONFIG, first, 'other'),
    'it is for the channel "edits", the block is of "other"',
  );
  refused(
    t,
    () => applyUnsigned(after, first, 'edits'),
    'it does not fit the block: error validating DeltaSet: attempt to set key [Value]  /Channel/Orderer/BatchTimeout to version 1, but key is at version 1',
  );
});

/** Names of members of every JavaScript object. */
const OBJECT_NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

const PATHS_TO_NAMES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `${name}.x`,
  (name) => `orderer.${name}`,
  (name) => `orderer.${name}.x`,
  (name) => `orderer.values.${name}.x`,
  (name) => `application.groups.${name}.values.MSP`,
  (name) => `orderer.batchSize.${name}`,
  (name) => `orderer.batchSize.${name}.x`,
  (name) => `orderer.consensusType.metadata.consenters.${name}`,
  (name) => `orderer.policies.Admins.policy.${name}`,
];

for (const name of OBJECT_NAMES)
  for (const path of PATHS_TO_NAMES)
    test(`refused as an unknown name: --set ${path(name)}=1`, (t) => {
      const error = t.throws(() => setByPath(CONFIG, path(name), '1'), { instanceOf: TranslateError });
      t.is(error.code, 'BAD_EDIT');
    });

test('a capability and an ACL may be called __proto__', (t) => {
  const capability = setByPath(CONFIG, 'application.capabilities.__proto__', '{}');
  t.deepEqual(capability.notes, ['/Channel/Application/Capabilities __proto__: nothing -> {}']);
  applyEdit(t, CONFIG, capability);
  const acl = setByPath(CONFIG, 'application.acls.__proto__', '{"policy_ref":"Writers"}');
  t.deepEqual(acl.notes, ['/Channel/Application/ACLs __proto__: nothing -> {"policy_ref":"Writers"}']);
  applyEdit(t, CONFIG, acl);
});

for (const name of OBJECT_NAMES)
  test(`a value called ${name} without content is bytes`, (t) => {
    const config = withGroupOf(CONFIG, 'Orderer', ({ values }) => ({
      values: new Map(values).set(name, makeValue({})),
    }));
    const edited = setByPath(config, `orderer.${name}`, '"YQ=="');
    const value = edited.config.channelGroup.groups.get('Orderer')!.values.get(name)!;
    t.is(Buffer.from(value.value).toString(), 'a');
  });
