// The hints that the commands add to Fabric's error texts.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { BLOCK } from '../../helpers/edits.js';
import { runProgram, TRANSLATOR } from '../../helpers/program.js';
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
    const { status, stderr } = await runProgram(t, args, { program: TRANSLATOR, input: document });
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
    const decoded = await runProgram(t, decode, { program: TRANSLATOR, input });
    t.is(
      decoded.stderr,
      `configtxlator: error: Error decoding: error unmarshalling: ${text} (the input is ${what}, not a serialized message)\n`,
    );
    const cwd = temporaryFolder(t, { 'a.json': input });
    const compute = ['compute_update', '--channel_id=c', '--original=a.json', '--updated=a.json'];
    const computed = await runProgram(t, compute, { program: TRANSLATOR, cwd });
    const advice =
      what === 'JSON'
        ? '; encode it with: configtxlator proto_encode --type common.Config --input a.json --output config.pb'
        : '';
    t.is(
      computed.stderr,
      `configtxlator: error: Error computing update: error unmarshalling original config: ${text} (--original a.json is ${what}, not a serialized message${advice})\n`,
    );
  });
}

/** Headers of an envelope without a usable type. */
for (const header of ['null', '{"channel_header":{"type":5}}', '{"channel_header":{"type":-1}}']) {
  test(`proto_encode of an update with the header ${header} reports where the type belongs`, async (t) => {
    const input = `{"payload":{"header":${header},"data":{"config_update":{"channel_id":"c"}}}}`;
    const args = ['proto_encode', '--type', 'common.Envelope'];
    const { status, stderr } = await runProgram(t, args, { program: TRANSLATOR, input });
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
  const { status, stdout, stderr } = await runProgram(t, args, { program: TRANSLATOR });
  t.is(status, 0);
  t.regex(stdout, /"metadata": \{\}/);
  t.regex(
    stderr,
    /^configtxlator: note: \d+ bytes of metadata of the consensus type "armaarma" are not shown; encoding the JSON loses them\n$/,
  );
});

test('lines of a JSON document may end in CR LF', async (t) => {
  const input = '{\r\n  "sequence": "1"\r\n}\r\n';
  const args = ['proto_encode', '--type', 'common.Config'];
  const { status, stdout } = await runProgram(t, args, { program: TRANSLATOR, input });
  t.deepEqual([status, stdout], [0, '\b\u0001']);
});
