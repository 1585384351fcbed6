// The hints that the commands add to Fabric's error texts.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { writeConfig } from '../../../translator/channel/index.js';
import { computeErrorText, wrongTypeHint, type ComputeInput } from '../../../translator/cli/hints.js';
import { setByPath, unsignedUpdate } from '../../../translator/edit/index.js';
import { computeUpdate, TranslateError } from '../../../translator/index.js';
import { BLOCK, CONFIG as CHANNEL } from '../../helpers/edits.js';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';

const CONFIG = '{"channel_group":{"groups":{"Application":{"groups":{}}}}}';
const withGroup = (json: string): string => CONFIG.replace('"groups":{}', `"groups":{"Org3MSP":${json}}`);
const utf16 = Buffer.from(CONFIG, 'utf16le');

/** Inputs of `proto_encode --type common.Config`, and the end of the error. */
const DOCUMENTS: Readonly<Record<string, readonly [string | Buffer, string]>> = {
  'an empty file': ['', 'EOF (the document is empty)'],
  'a file of whitespace': [' \r\n', 'EOF (the document is empty)'],
  'the output of jq for a missing path': [
    'null\n',
    'unexpected token null (the document is null, which jq prints if it does not find the path)',
  ],
  YAML: [
    'channel_group: {}\n',
    "invalid character 'c' looking for beginning of value (the document is not JSON)",
  ],
  'a byte order mark': [
    `\uFEFF${CONFIG}`,
    "invalid character 'ï' looking for beginning of value (the document begins with a byte order mark; save it as UTF-8 without one)",
  ],
  'UTF-16 with a byte order mark': [
    Buffer.concat([Buffer.of(0xff, 0xfe), utf16]),
    "invalid character 'ÿ' looking for beginning of value (the document is UTF-16; save it as UTF-8)",
  ],
  'UTF-16 without a byte order mark': [
    utf16,
    String.raw`invalid character '\x00' looking for beginning of object key string (the document is UTF-16; save it as UTF-8)`,
  ],
  'a truncated file': ['{\n  "sequence"', 'unexpected EOF (line 2, column 13)'],
  'a trailing comma': [
    '{\r\n  "sequence": "1",\r\n}',
    "invalid character '}' looking for beginning of object key string (line 3, column 1)",
  ],
  'a list': ['[]', 'cannot unmarshal array into Go value of type map[string]interface {}'],
  'a whole block': ['{"data":{}}', 'unknown field "data" in common.Config (at data)'],
  'null for an organisation': [
    withGroup('null'),
    'Is <nil> (at channel_group.groups["Application"].groups["Org3MSP"])',
  ],
  'a string for a number': [
    withGroup('{"values":{"AnchorPeers":{"value":{"anchor_peers":[{"port":"x"}]}}}}'),
    'invalid value for int32 type: "x" (at channel_group.groups["Application"].groups["Org3MSP"].values["AnchorPeers"].value.anchor_peers[0].port)',
  ],
  'a name with control characters': [
    '{"channel_group":{"groups":{"a\\nb\\u001b[2J":5}}}',
    String.raw`Is json.Number (at channel_group.groups["a\nb\u001b[2J"])`,
  ],
};

for (const [what, [document, end]] of Object.entries(DOCUMENTS)) {
  test(`the error of proto_encode for ${what} has a hint`, async (t) => {
    const args = ['proto_encode', '--type', 'common.Config'];
    const { status, stderr } = await runCommand(t, args, document);
    t.is(status, 1);
    t.true(stderr.endsWith(`${end}\n`), stderr);
    t.regex(stderr, /^configtxlator: error: Error decoding: error decoding input: [^\p{Cc}]*\n$/u);
  });
}

/** Inputs that are not a serialized message, and how the hint names them. */
const INPUTS: Readonly<Record<string, string>> = {
  JSON: `\n${CONFIG}`,
  'a PEM file (CERTIFICATE)': '-----BEGIN CERTIFICATE-----\nMIIB\n',
  base64: `${Buffer.alloc(60, 255).toString('base64')}\n`,
};

for (const [what, input] of Object.entries(INPUTS)) {
  test(`proto_decode and compute_update report that the input is ${what}`, async (t) => {
    const text = 'proto: cannot parse invalid wire-format data';
    const decode = ['proto_decode', '--type', 'common.Block'];
    const decoded = await runCommand(t, decode, input);
    t.is(
      decoded.stderr,
      `configtxlator: error: Error decoding: error unmarshalling: ${text} (the input is ${what}, not a serialized message)\n`,
    );
    const file = join(temporaryFolder(t, { 'a.json': input }), 'a.json');
    const compute = ['compute_update', '--channel_id=c', `--original=${file}`, `--updated=${file}`];
    const computed = await runCommand(t, compute);
    const advice =
      what === 'JSON'
        ? `; encode it with: configtxlator proto_encode --type common.Config --input ${file} --output config.pb`
        : '';
    t.is(
      computed.stderr,
      `configtxlator: error: Error computing update: error unmarshalling original config: ${text} (--original ${file} is ${what}, not a serialized message${advice})\n`,
    );
  });
}

const EXTRACT = (file: string): string =>
  `is a common.Block, a common.Config is needed; extract it with: configtxlator proto_decode --type common.Block --input ${file} | jq '.data.data[0].payload.data.config' | configtxlator proto_encode --type common.Config --output config.pb`;
const UPDATE = unsignedUpdate(CHANNEL, setByPath(CHANNEL, 'batchTimeout', '9s').config, 'edits').update.bytes;

/** Inputs of compute_update that are not a config, and the error about them. */
const NO_CONFIGS: readonly (readonly [what: string, path: string, input: Uint8Array, error: string])[] = [
  ['a block', 'a/b-1.pb', BLOCK, `--original a/b-1.pb ${EXTRACT('a/b-1.pb')}`],
  ['a block in a file with a space', 'a b.pb', BLOCK, `--original a b.pb ${EXTRACT("'a b.pb'")}`],
  [
    'a block in a file with a quote',
    "it's.pb",
    BLOCK,
    `--original it's.pb ${EXTRACT(String.raw`'it'\''s.pb'`)}`,
  ],
  [
    'an update',
    'u.pb',
    UPDATE,
    '--original u.pb is a common.ConfigUpdate, a common.Config is needed; it contains no config, use the config of the block from: peer channel fetch config',
  ],
  [
    'an empty file',
    'e.pb',
    Uint8Array.of(),
    'error computing config update: no channel group included for original config (--original e.pb is empty)',
  ],
  [
    'base64',
    'c.txt',
    Buffer.from(`${Buffer.alloc(60, 255).toString('base64')}\n`),
    'error unmarshalling original config: proto: cannot parse invalid wire-format data (--original c.txt is base64, not a serialized message)',
  ],
];

for (const [what, path, bytes, message] of NO_CONFIGS)
  test(`the error of compute_update names ${what}`, (t) => {
    const error = t.throws(() => computeUpdate(bytes, bytes, 'c'), { instanceOf: TranslateError });
    const input = (which: ComputeInput['which']): ComputeInput => ({ which, path, bytes });
    t.is(computeErrorText(error, input('original'), input('updated')), message);
  });

test('the error of compute_update names the other file, without a hint if it does not fit the original one', (t) => {
  const [config, path] = [writeConfig(CHANNEL), 'c.pb'];
  const textOf = (updated: Uint8Array): string =>
    computeErrorText(
      t.throws(() => computeUpdate(config, updated, 'c'), { instanceOf: TranslateError }),
      { which: 'original', path, bytes: config },
      { which: 'updated', path: 'u.pb', bytes: updated },
    );
  t.is(textOf(BLOCK), `--updated u.pb ${EXTRACT('u.pb')}`);
  t.is(
    textOf(config),
    'error computing config update: no differences detected between original and updated config',
  );
});

for (const [type, bytes, hint] of [
  ['common.Config', BLOCK, 'the input is a common.Block, not a common.Config: use --type common.Block'],
  [
    'common.Configuration',
    BLOCK,
    'the input is a common.Block, not a common.Configuration: use --type common.Block',
  ],
  ['common.Block', BLOCK, undefined],
  ['common.Configuration', writeConfig(CHANNEL), undefined],
  ['common.Metadata', BLOCK, undefined],
  ['common.Block', Uint8Array.of(), undefined],
] as const)
  test(`the hint about ${bytes.length} bytes that are read as ${type}: ${hint ?? 'none'}`, (t) => {
    t.is(wrongTypeHint(type, bytes), hint);
  });

/** Headers of an envelope without a usable type. */
for (const header of ['null', '{"channel_header":{"type":5}}', '{"channel_header":{"type":-1}}']) {
  test(`proto_encode of an update with the header ${header} reports where the type belongs`, async (t) => {
    const input = `{"payload":{"header":${header},"data":{"config_update":{"channel_id":"c"}}}}`;
    const args = ['proto_encode', '--type', 'common.Envelope'];
    const { status, stderr } = await runCommand(t, args, input);
    t.is(status, 1);
    t.true(
      stderr.endsWith(
        ' (at payload.data; payload.header.channel_header.type must be 2 for config_update, 1 for config)\n',
      ),
      stderr,
    );
  });
}

test('proto_decode reports metadata of an unknown consensus type', async (t) => {
  const bytes = Buffer.from(BLOCK.toString('latin1').replace('etcdraft', 'armaarma'), 'latin1');
  const input = join(temporaryFolder(t), 'block.pb');
  writeFileSync(input, bytes);
  const args = ['proto_decode', '--type', 'common.Block', '--input', input];
  const { status, stdout, stderr } = await runCommand(t, args);
  t.is(status, 0);
  t.regex(stdout, /"metadata": \{\}/);
  t.regex(
    stderr,
    /^configtxlator: note: 2 unknown fields were left out; encoding the JSON loses them\nconfigtxlator: note: \d+ bytes of metadata of the consensus type "armaarma" are not shown; encoding the JSON loses them\n$/,
  );
});

test('lines of a JSON document may end in CR LF', async (t) => {
  const input = '{\r\n  "sequence": "1"\r\n}\r\n';
  const args = ['proto_encode', '--type', 'common.Config'];
  const { status, stdout } = await runCommand(t, args, input);
  t.deepEqual([status, stdout], [0, '\b\u0001']);
});
