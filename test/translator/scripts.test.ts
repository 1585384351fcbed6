// What scripts in the field do with configtxlator, step by step, with the tools that they use.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { encode } from '../../translator/index.js';
import { CONFIG_BLOCK, organisation } from '../helpers/config-block.js';
import { temporaryFolder } from '../helpers/folder.js';
import { startProgram, TRANSLATOR } from '../helpers/program.js';
import { bash, putTranslator } from '../helpers/shell.js';

const NO_DIFFERENCES =
  'configtxlator: error: Error computing update: error computing config update: no differences detected between original and updated config';

/** A folder with a configuration block, an organisation as JSON, and `configtxlator` as a command. */
function workplace(t: ExecutionContext): string {
  const folder = temporaryFolder(t, {
    'config_block.json': JSON.stringify(CONFIG_BLOCK),
    'org3.json': JSON.stringify(organisation('Org3MSP')),
  });
  writeFileSync(
    join(folder, 'config_block.pb'),
    encode('common.Block', Buffer.from(JSON.stringify(CONFIG_BLOCK))),
  );
  putTranslator(folder);
  return folder;
}

const DECODE_BLOCK = `
configtxlator proto_decode --input config_block.pb --type common.Block --output block.json
jq .data.data[0].payload.data.config block.json >config.json
`;
const UPDATE = `
configtxlator proto_encode --input config.json --type common.Config --output original_config.pb
configtxlator proto_encode --input modified.json --type common.Config --output modified_config.pb
configtxlator compute_update --channel_id "$CHANNEL" --original original_config.pb --updated modified_config.pb --output config_update.pb
configtxlator proto_decode --input config_update.pb --type common.ConfigUpdate --output config_update.json
echo '{"payload":{"header":{"channel_header":{"channel_id":"'$CHANNEL'", "type":2}},"data":{"config_update":'$(cat config_update.json)'}}}' | jq . > config_update_in_envelope.json
configtxlator proto_encode --input config_update_in_envelope.json --type common.Envelope --output envelope.pb
configtxlator proto_decode --input envelope.pb --type common.Envelope | jq -c .payload.data.config_update
`;

interface Group {
  readonly groups: Readonly<Record<string, Group>>;
  readonly values: Readonly<Record<string, { readonly version: string; readonly value: unknown }>>;
  readonly policies: Readonly<Record<string, { readonly version: string }>>;
  readonly version: string;
}
interface Update {
  readonly channel_id: string;
  readonly read_set: Group;
  readonly write_set: Group;
}

test('the test network sets an anchor peer', async (t) => {
  const printed = await bash(
    workplace(t),
    `CHANNEL=mychannel
${DECODE_BLOCK}
jq '.channel_group.groups.Application.groups.Org1MSP.values += {"AnchorPeers":{"mod_policy": "Admins","value":{"anchor_peers": [{"host": "peer0.org1.example.com","port": 7051}]},"version": "0"}}' config.json >modified.json
${UPDATE}`,
  );
  const update = JSON.parse(printed) as Update;
  t.is(update.channel_id, 'mychannel');
  const written = update.write_set.groups.Application?.groups.Org1MSP;
  t.is(written?.version, '1');
  t.deepEqual(written?.values.AnchorPeers?.value, {
    anchor_peers: [{ host: 'peer0.org1.example.com', port: 7051 }],
  });
  t.deepEqual(Object.keys(update.read_set.groups.Application?.groups.Org1MSP?.values ?? {}), ['MSP']);
});

test('the test network adds an organisation', async (t) => {
  const printed = await bash(
    workplace(t),
    `CHANNEL=mychannel
${DECODE_BLOCK}
jq -s '.[0] * {"channel_group":{"groups":{"Application":{"groups": {"Org3MSP":.[1]}}}}}' config.json org3.json >modified.json
${UPDATE}`,
  );
  const { write_set: writeSet } = JSON.parse(printed) as Update;
  t.is(writeSet.groups.Application?.version, '2');
  t.deepEqual(Object.keys(writeSet.groups.Application?.groups ?? {}), ['Org1MSP', 'Org2MSP', 'Org3MSP']);
  t.deepEqual(Object.keys(writeSet.groups.Application?.groups.Org3MSP?.policies ?? {}), [
    'Admins',
    'Readers',
    'Writers',
  ]);
});

test('the test network on Kubernetes reads a block on standard output, and sees when nothing differs', async (t) => {
  const printed = await bash(
    workplace(t),
    `
configtxlator proto_decode --input config_block.pb --type common.Block | jq .data.data[0].payload.data.config >config.json
configtxlator proto_encode --input config.json --type common.Config --output original.pb
cp original.pb modified.pb
if configtxlator compute_update --channel_id c --original original.pb --updated modified.pb --output update.pb 2>err
then echo updated; else echo "status $?"; fi
cat err
ls update.pb 2>/dev/null || echo nothing written`,
  );
  t.is(printed, `status 1\n${NO_DIFFERENCES}\nnothing written\n`);
});

test('Ansible gives standard input, and output files that are there already', async (t) => {
  const printed = await bash(
    workplace(t),
    `
block=$(mktemp -p .) original=$(mktemp -p .) updated=$(mktemp -p .) update=$(mktemp -p .)
configtxlator proto_decode --type=common.Block --output=$block <config_block.pb
jq .data.data[0].payload.data.config $block | configtxlator proto_encode --type=common.Config --output=$original
jq '.data.data[0].payload.data.config | .channel_group.values.OrdererAddresses.value.addresses = []' $block | configtxlator proto_encode --type=common.Config --output=$updated
configtxlator compute_update --channel_id=ch --original=$original --updated=$updated --output=$update
configtxlator proto_decode --type common.ConfigUpdate --input $update | jq -c '[.channel_id, (.write_set.values | keys)]'
configtxlator compute_update --channel_id=ch --original=$original --updated=$original --output=$update 2>err || grep -c 'no differences detected' err
configtxlator proto_decode --type common.ConfigUpdate --input $update | jq -c .channel_id
stat -c %a $update`,
  );
  t.is(printed, '["ch",["OrdererAddresses"]]\n1\n"ch"\n600\n');
});

test('the documentation pipes one command into the next', async (t) => {
  const printed = await bash(
    workplace(t),
    `
${DECODE_BLOCK}
jq '.channel_group.mod_policy = "Writers"' config.json >modified.json
for f in config modified; do configtxlator proto_encode --type common.Config --input $f.json --output $f.pb; done
configtxlator compute_update --channel_id testchan --original config.pb --updated modified.pb | configtxlator proto_decode --type common.ConfigUpdate | jq -c '[.channel_id, .write_set.mod_policy]'
echo '{"type":3,"value":{"rule":"MAJORITY","sub_policy":"Admins"}}' | configtxlator proto_encode --type common.Policy --output policy.pb
configtxlator proto_decode --type common.Policy --input policy.pb | jq -c .
configtxlator proto_encode --type protos.ProcessedTransaction <<<'{"validationCode":11}' >transaction.pb
configtxlator proto_decode --input transaction.pb --type protos.ProcessedTransaction >transaction.json
jq -c .validationCode transaction.json`,
  );
  t.is(printed, '["testchan","Writers"]\n{"type":3,"value":{"rule":"MAJORITY","sub_policy":"Admins"}}\n11\n');
});

/** Starts the service as a script does; returns its address. */
async function serve(t: ExecutionContext, ...args: string[]): Promise<string> {
  const { line } = startProgram(t, ['start', '--hostname', '127.0.0.1', '--port=0', ...args], {
    program: TRANSLATOR,
  });
  const [, address] = await line(/Serving HTTP requests on (127\.0\.0\.1:\d+)/);
  return `http://${address}`;
}

test('curl decodes, encodes and computes over HTTP', async (t) => {
  const url = await serve(t);
  const printed = await bash(
    workplace(t),
    `
URL=${url}
curl -sf -X POST --data-binary @config_block.pb "$URL/protolator/decode/common.Block" | jq .data.data[0].payload.data.config >config.json
jq '.channel_group.groups.Application.groups.Org2MSP.mod_policy = "Writers"' config.json >updated.json
for f in config updated; do curl -sf -X POST --data-binary @$f.json "$URL/protolator/encode/common.Config" >$f.pb; done
curl -sf -X POST -F channel=CH -F "original=@config.pb" -F "updated=@updated.pb" "$URL/configtxlator/compute/update-from-configs" >update.pb
curl -sf -X POST -F "updated=@updated.pb;type=application/octet-stream" -F "original=@config.pb" -F channel=CH "$URL/configtxlator/compute/update-from-configs" | cmp - update.pb
configtxlator compute_update --channel_id CH --original config.pb --updated updated.pb | cmp - update.pb
curl -sf -X POST --data-binary @update.pb "$URL/protolator/decode/common.ConfigUpdate" | jq -c '[.channel_id, .write_set.groups.Application.groups.Org2MSP.mod_policy]'
curl -s -w '%{http_code} %{content_type}' -X POST -F channel=CH -F "original=@config.pb" -F "updated=@config.pb" "$URL/configtxlator/compute/update-from-configs"
echo
curl -s -o /dev/null -w '%{http_code}\\n' -X POST --data-binary /dev/stdin "$URL/protolator/encode/common.Policy" </dev/null
curl -s -w '%{http_code} %{content_type}\\n' -X POST -d '{"index":"1"}' "$URL/protolator/encode/common.LastConfig" | tail -c 29
curl -sf "$URL/healthz" | jq -r .status`,
  );
  t.is(
    printed,
    [
      '["CH","Writers"]',
      'Error computing update: no differences detected between original and updated config',
      '400 text/plain',
      '400',
      '200 application/octet-stream',
      'OK',
      '',
    ].join('\n'),
  );
});

test('curl sends a large block after it was asked for it', async (t) => {
  const url = await serve(t);
  const printed = await bash(
    workplace(t),
    `
head -c 3000000 /dev/zero | base64 -w0 | jq -R '{value: .}' >metadata.json
curl -sf -H 'Expect: 100-continue' --data-binary @metadata.json ${url}/protolator/encode/common.Metadata >metadata.pb
curl -sf --data-binary @metadata.pb ${url}/protolator/decode/common.Metadata | jq -r '.value | length'`,
  );
  t.is(printed, '4000000\n');
});

test('a browser asks for permission first', async (t) => {
  const ask = (url: string): Promise<string> =>
    bash(
      workplace(t),
      `curl -s -o /dev/null -D - -X OPTIONS -H 'Origin: https://console' -H 'Access-Control-Request-Method: POST' -H 'Access-Control-Request-Headers: Content-Type' ${url}/protolator/encode/common.Config`,
    );
  const refused = await ask(await serve(t));
  t.true(refused.startsWith('HTTP/1.1 405 '), refused);
  t.false(/access-control/i.test(refused), refused);
  const allowed = await ask(await serve(t, '--CORS=*'));
  t.true(allowed.startsWith('HTTP/1.1 200 '), allowed);
  t.regex(allowed, /^Access-Control-Allow-Origin: \*\r$/im);
  t.regex(allowed, /^Access-Control-Allow-Headers: Content-Type\r$/im);
});

test('a page tells success from failure by the media type', async (t) => {
  const url = await serve(t, '--CORS', '*');
  const post = async (
    path: string,
    body: string | Blob | FormData,
  ): Promise<{ ok: boolean; type: string; blob: Blob }> => {
    const response = await fetch(url + path, { method: 'POST', body, headers: { Origin: 'https://page' } });
    const blob = await response.blob();
    return { ok: response.ok, type: blob.type, blob };
  };
  // Printable bytes, which the reference takes for text.
  const encoded = await post('/protolator/encode/common.HashingAlgorithm', `{"name":"${'a'.repeat(32)}"}`);
  t.deepEqual([encoded.ok, encoded.type], [true, 'application/octet-stream']);
  const decoded = await post('/protolator/decode/common.HashingAlgorithm', encoded.blob);
  t.deepEqual([decoded.ok, decoded.type], [true, 'application/json']);
  t.deepEqual(JSON.parse(await decoded.blob.text()), { name: 'a'.repeat(32) });
  const wrong = await post('/protolator/decode/common.Block', 'garbage');
  t.deepEqual([wrong.ok, wrong.type], [false, 'text/plain']);
  const config = await post('/protolator/encode/common.Config', '{"channel_group":{"mod_policy":"A"}}');
  const other = await post('/protolator/encode/common.Config', '{"channel_group":{"mod_policy":"B"}}');
  const form = new FormData();
  form.append('original', config.blob, 'original.pb');
  form.append('updated', other.blob, 'updated_proto.pb');
  form.append('channel', 'ch');
  const update = await post('/configtxlator/compute/update-from-configs', form);
  t.deepEqual([update.ok, update.type], [true, 'application/octet-stream']);
});
