// What the commands say beyond the words of the reference about input that people give by mistake.

import test from 'ava';
import { runProgram, TRANSLATOR } from '../../helpers/program.js';
import { temporaryFolder } from '../../helpers/folder.js';

const CONFIG = '{"channel_group":{"groups":{"Application":{"groups":{}}}}}';
const withGroup = (json: string): string => CONFIG.replace('"groups":{}', `"groups":{"Org3MSP":${json}}`);
const utf16 = Buffer.from(CONFIG, 'utf16le');

/** What is given to `proto_encode --type common.Config`, and the end of what it says. */
const DOCUMENTS: Readonly<Record<string, readonly [string | Buffer, string]>> = {
  'an empty file': ['', 'EOF (the document is empty)'],
  'a blank file': [' \r\n', 'EOF (the document is empty)'],
  'what jq writes for a path that is not there': [
    'null\n',
    'unexpected token null (the document is null, which jq writes for what it does not find)',
  ],
  YAML: [
    'channel_group: {}\n',
    "invalid character 'c' looking for beginning of value (the document is not JSON)",
  ],
  'a byte order mark': [
    `\uFEFF${CONFIG}`,
    "invalid character 'ï' looking for beginning of value (the document begins with a byte order mark; save it as UTF-8 without one)",
  ],
  'UTF-16 with a mark': [
    Buffer.concat([Buffer.of(0xff, 0xfe), utf16]),
    "invalid character 'ÿ' looking for beginning of value (the document is UTF-16; save it as UTF-8)",
  ],
  'UTF-16 without a mark': [
    utf16,
    String.raw`invalid character '\x00' looking for beginning of object key string (the document is UTF-16; save it as UTF-8)`,
  ],
  'a file that was cut off': ['{\n  "sequence"', 'unexpected EOF (line 2, column 13)'],
  'a comma too much': [
    '{\r\n  "sequence": "1",\r\n}',
    "invalid character '}' looking for beginning of object key string (line 3, column 1)",
  ],
  'a list': ['[]', 'cannot unmarshal array into Go value of type map[string]interface {}'],
  'a whole block': ['{"data":{}}', 'unknown field "data" in common.Config (at data)'],
  'no organisation': [
    withGroup('null'),
    'Is <nil> (at channel_group.groups["Application"].groups["Org3MSP"])',
  ],
  'a word for a number': [
    withGroup('{"values":{"AnchorPeers":{"value":{"anchor_peers":[{"port":"x"}]}}}}'),
    'invalid value for int32 type: "x" (at channel_group.groups["Application"].groups["Org3MSP"].values["AnchorPeers"].value.anchor_peers[0].port)',
  ],
  'a name that would break the line and clear the screen': [
    '{"channel_group":{"groups":{"a\\nb\\u001b[2J":5}}}',
    String.raw`Is json.Number (at channel_group.groups["a\nb\u001b[2J"])`,
  ],
};

for (const [what, [document, end]] of Object.entries(DOCUMENTS)) {
  test(`of ${what} proto_encode says where or what it is`, async (t) => {
    const args = ['proto_encode', '--type', 'common.Config'];
    const { status, stderr } = await runProgram(t, args, { program: TRANSLATOR, input: document });
    t.is(status, 1);
    t.true(stderr.endsWith(`${end}\n`), stderr);
    t.regex(stderr, /^configtxlator: error: Error decoding: error decoding input: [^\p{Cc}]*\n$/u);
  });
}

/** What is given in the place of a serialized message, and what it is called. */
const INPUTS: Readonly<Record<string, string>> = {
  JSON: `\n${CONFIG}`,
  'a PEM file': '-----BEGIN CERTIFICATE-----\nMIIB\n',
  base64: `${Buffer.alloc(60, 255).toString('base64')}\n`,
};

for (const [what, input] of Object.entries(INPUTS)) {
  test(`${what} in the place of a message is called so`, async (t) => {
    const words = `proto: cannot parse invalid wire-format data (the input is ${what}, not a serialized message)`;
    const decode = ['proto_decode', '--type', 'common.Block'];
    const decoded = await runProgram(t, decode, { program: TRANSLATOR, input });
    t.is(decoded.stderr, `configtxlator: error: Error decoding: error unmarshalling: ${words}\n`);
    const folder = temporaryFolder(t, { 'a.json': input });
    const compute = ['compute_update', '--channel_id=c', '--original=a.json', '--updated=a.json'];
    const computed = await runProgram(t, compute, { program: TRANSLATOR, cwd: folder });
    t.is(
      computed.stderr,
      `configtxlator: error: Error computing update: error unmarshalling original config: ${words}\n`,
    );
  });
}

test('lines may end in CR LF', async (t) => {
  const input = '{\r\n  "sequence": "1"\r\n}\r\n';
  const args = ['proto_encode', '--type', 'common.Config'];
  const { status, stdout } = await runProgram(t, args, { program: TRANSLATOR, input });
  t.deepEqual([status, stdout], [0, '\b\u0001']);
});
