// compute_update of inputs that are not configs, and its notes; the notes of proto_decode.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { encode } from '../../../translator/index.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { serve } from '../../helpers/workplace.js';

const GROUP = { groups: { Application: { version: '1' }, Orderer: {} }, version: '1' };
const CONFIG = { channel_group: GROUP, sequence: '1' };
const HEADER = { channel_header: { channel_id: 'mychannel', type: 1 } };
const CONFIG_UPDATE = { channel_id: 'mychannel', write_set: { mod_policy: 'Admins', version: '1' } };

const envelope = (type: number, data: object): object => ({
  payload: { header: { channel_header: { channel_id: 'mychannel', type } }, data },
});

const block = (content: object): object => ({
  header: { number: '3' },
  data: { data: [content] },
  metadata: { metadata: ['AA=='] },
});

/** Messages instead of a config. */
const MESSAGES: readonly (readonly [type: string, content: object, configPath: string | undefined])[] = [
  [
    'common.Block',
    block({ payload: { header: HEADER, data: { config: CONFIG } } }),
    '.data.data[0].payload.data.config',
  ],
  ['common.Block', block(envelope(3, { actions: [{}] })), undefined],
  ['common.Envelope', envelope(1, { config: CONFIG }), '.payload.data.config'],
  ['common.Envelope', envelope(2, { config_update: CONFIG_UPDATE }), undefined],
  ['common.ConfigEnvelope', { config: CONFIG }, '.config'],
  ['common.ConfigUpdate', CONFIG_UPDATE, undefined],
  [
    'common.ConfigUpdateEnvelope',
    { config_update: CONFIG_UPDATE, signatures: [{ signature: 'AA==' }] },
    undefined,
  ],
];

const bytesOf = (type: string, content: object): Buffer => Buffer.from(encode(type, JSON.stringify(content)));

const compute = async (
  t: ExecutionContext,
  original: Buffer,
  updated: Buffer,
  names: readonly [string, string] = ['config.pb', 'modified.pb'],
): Promise<CommandOutcome> => {
  const folder = temporaryFolder(t);
  const [first, second] = names.map((name) => join(folder, name)) as [string, string];
  writeFileSync(first, original);
  writeFileSync(second, updated);
  const args = ['compute_update', '--channel_id=mychannel', `--original=${first}`, `--updated=${second}`];
  const outcome = await runCommand(t, [...args, `--output=${folder}/update.pb`]);
  return { ...outcome, stderr: outcome.stderr.replaceAll(`${folder}/`, '') };
};

for (const [type, content, configPath] of MESSAGES) {
  const advice =
    configPath === undefined
      ? 'it contains no config, use the config of the block from: peer channel fetch config'
      : `extract it with: configtxlator proto_decode --type ${type} --input modified.pb | jq '${configPath}' | configtxlator proto_encode --type common.Config --output config.pb`;
  test(`compute_update refuses a ${type}: ${advice}`, async (t) => {
    const outcome = await compute(t, bytesOf('common.Config', CONFIG), bytesOf(type, content));
    t.deepEqual(outcome, {
      status: 1,
      stdout: '',
      stderr: `configtxlator: error: Error computing update: --updated modified.pb is a ${type}, a common.Config is needed; ${advice}\n`,
    });
  });
}

test('compute_update refuses a block as the original config and quotes its path', async (t) => {
  const [, content] = MESSAGES[0]!;
  const names = ["it's a block.pb", 'modified.pb'] as const;
  const { status, stderr } = await compute(
    t,
    bytesOf('common.Block', content),
    bytesOf('common.Config', CONFIG),
    names,
  );
  t.is(status, 1);
  t.true(
    stderr.startsWith(
      "configtxlator: error: Error computing update: --original it's a block.pb is a common.Block, a common.Config is needed; ",
    ),
    stderr,
  );
  t.true(stderr.includes(String.raw` --input 'it'\''s a block.pb' | jq`), stderr);
});

test('the HTTP service refuses a block with status 400', async (t) => {
  const [, content] = MESSAGES[0]!;
  const form = new FormData();
  form.append('original', new Blob([new Uint8Array(bytesOf('common.Config', CONFIG))]), 'original.pb');
  form.append('updated', new Blob([new Uint8Array(bytesOf('common.Block', content))]), 'updated.pb');
  const url = `${await serve(t)}/configtxlator/compute/update-from-configs`;
  const response = await fetch(url, { method: 'POST', body: form });
  t.is(response.status, 400);
  t.is(
    await response.text(),
    'Error computing update: the updated config is a common.Block, a common.Config is needed; decode it and encode .data.data[0].payload.data.config of the JSON\n',
  );
});

/** Pairs of configs, and the notes. */
const NOTES: readonly (readonly [
  what: string,
  original: object,
  updated: object,
  notes: readonly string[],
])[] = [
  ['a usual edit', CONFIG, { ...CONFIG, channel_group: { ...GROUP, mod_policy: 'Admins' } }, []],
  [
    'an older updated config',
    { ...CONFIG, sequence: '5' },
    { ...CONFIG, channel_group: { ...GROUP, mod_policy: 'Admins' } },
    [
      'the updated config is older than the original one (sequence 1, original 5), so the update reverts changes: are the two swapped?',
    ],
  ],
  [
    'a removed group',
    CONFIG,
    { channel_group: { ...GROUP, groups: { Application: {} } } },
    ['the update removes the group Orderer from the channel, with everything in it'],
  ],
];

for (const [what, original, updated, notes] of NOTES) {
  test(`compute_update of ${what} prints ${notes.length === 0 ? 'no note' : notes.join(' and ')}`, async (t) => {
    const outcome = await compute(t, bytesOf('common.Config', original), bytesOf('common.Config', updated));
    t.deepEqual(outcome, {
      status: 0,
      stdout: '',
      stderr: notes.map((note) => `configtxlator: note: ${note}\n`).join(''),
    });
  });
}

const decode = (t: ExecutionContext, type: string, input: Buffer): Promise<CommandOutcome> =>
  runCommand(t, ['proto_decode', '--type', type], input);

for (const [type, input, found, unknown] of [
  [
    'common.Envelope',
    bytesOf('common.ConfigUpdate', CONFIG_UPDATE),
    'common.ConfigUpdate',
    '1 unknown field was',
  ],
  ['common.Block', bytesOf('common.Config', CONFIG), 'common.Config', '4 unknown fields were'],
  [
    'common.Configuration',
    bytesOf(MESSAGES[0]![0], MESSAGES[0]![1]),
    'common.Block',
    '3 unknown fields were',
  ],
] as const) {
  test(`proto_decode --type ${type} of a ${found} prints its type, and that ${unknown} left out`, async (t) => {
    const { status, stdout, stderr } = await decode(t, type, input);
    t.is(status, 0);
    t.is(typeof JSON.parse(stdout), 'object');
    t.is(
      stderr,
      `configtxlator: note: the input is a ${found}, not a ${type}: use --type ${found}\nconfigtxlator: note: ${unknown} left out; encoding the JSON loses them\n`,
    );
  });
}

test('proto_decode names the message if the bytes cannot be decoded as the given type', async (t) => {
  const { status, stderr } = await decode(t, 'common.Block', bytesOf('common.ConfigUpdate', CONFIG_UPDATE));
  t.is(status, 1);
  t.is(
    stderr,
    'configtxlator: error: Error decoding: error unmarshalling: proto: cannot parse invalid wire-format data (the input is a common.ConfigUpdate)\n',
  );
});

for (const type of ['common.ConfigGroup', 'common.Payload']) {
  test(`proto_decode --type ${type} of a config names no type, because it may be one`, async (t) => {
    const { status, stderr } = await decode(t, type, bytesOf('common.Config', CONFIG));
    t.is(status, 0);
    t.notRegex(stderr, /--type/);
  });
}

test('proto_decode --type common.Configuration of a config prints no note', async (t) => {
  const { status, stderr } = await decode(t, 'common.Configuration', bytesOf('common.Config', CONFIG));
  t.deepEqual([status, stderr], [0, '']);
});

/** An unknown field, number 99. */
const UNKNOWN = Buffer.from([0x98, 0x06, 0x01]);
/** A field of a serialized message. */
const fieldOf = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
const ENVELOPE = bytesOf('common.Envelope', envelope(2, { config_update: CONFIG_UPDATE }));
/** A payload, with an unknown field in the header of its channel, which are bytes in bytes. */
const OPAQUE = fieldOf(1, fieldOf(1, fieldOf(1, Buffer.concat([Buffer.from([8, 2]), UNKNOWN]))));

for (const [what, type, input, count] of [
  ['none', 'common.Envelope', ENVELOPE, 0],
  ['one', 'common.Envelope', Buffer.concat([ENVELOPE, UNKNOWN]), 1],
  ['two with one number', 'common.Envelope', Buffer.concat([ENVELOPE, UNKNOWN, UNKNOWN]), 2],
  ['one in a message', 'common.Config', fieldOf(2, Buffer.concat([Buffer.from([8, 1]), UNKNOWN])), 1],
  ['one in a message in opaque bytes', 'common.Envelope', OPAQUE, 1],
  [
    'one in the entry of a map, and one in its value',
    'common.Config',
    fieldOf(2, fieldOf(2, Buffer.concat([fieldOf(1, Buffer.from('Orderer')), fieldOf(2, UNKNOWN), UNKNOWN]))),
    2,
  ],
  ['a known field with another wire type', 'common.Config', Buffer.from([0x0a, 0x00, 0x12, 0x02, 8, 1]), 1],
] as const)
  test(`proto_decode counts unknown fields: ${what}`, async (t) => {
    const { status, stdout, stderr } = await decode(t, type, input);
    const note = count === 1 ? '1 unknown field was left out' : `${count} unknown fields were left out`;
    t.is(status, 0);
    t.is(stderr, count === 0 ? '' : `configtxlator: note: ${note}; encoding the JSON loses them\n`);
    t.is(typeof JSON.parse(stdout), 'object');
  });
