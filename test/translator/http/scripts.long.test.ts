// Scripts and web pages that use configtxlator over HTTP, with their own tools.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { networkBlock } from '../../helpers/network-block.js';
import { bash } from '../../helpers/shell.js';
import { serve, workplace } from '../../helpers/workplace.js';

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

test('the CRL samples revoke a certificate over HTTP with an update of the MSP', async (t) => {
  const url = await serve(t);
  const directory = workplace(t);
  writeFileSync(join(directory, 'config_block.pb'), networkBlock());
  const printed = await bash(
    directory,
    `
CTLURL=${url} CHANNEL_NAME=mychannel ORG=Org1MSP
printf -- '-----BEGIN X509 CRL-----\\nMAA=\\n-----END X509 CRL-----\\n' >crl.pem
CRL=$(base64 <crl.pem | tr -d '\\n')
curl -sS -X POST --data-binary @config_block.pb $CTLURL/protolator/decode/common.Block > config_block.json
jq .data.data[0].payload.data.config config_block.json > config.json
jq '.channel_group.groups.Application.groups.'$ORG'.values.MSP.value.config.revocation_list = ["'$CRL'"]' config.json > updated_config.json
curl -sS -X POST --data-binary @config.json $CTLURL/protolator/encode/common.Config > config.pb
curl -sS -X POST --data-binary @updated_config.json $CTLURL/protolator/encode/common.Config > updated_config.pb
curl -sS -X POST -F original=@config.pb -F updated=@updated_config.pb $CTLURL/configtxlator/compute/update-from-configs -F channel=$CHANNEL_NAME > config_update.pb
curl -sS -X POST --data-binary @config_update.pb $CTLURL/protolator/decode/common.ConfigUpdate > config_update.json
echo '{"payload":{"header":{"channel_header":{"channel_id":"'"$CHANNEL_NAME"'", "type":2}},"data":{"config_update":'$(cat config_update.json)'}}}' > envelope.json
curl -sS -X POST --data-binary @envelope.json $CTLURL/protolator/encode/common.Envelope > envelope.pb
configtxlator proto_decode --type common.Envelope --input envelope.pb | jq -r '.payload.data.config_update.write_set.groups.Application.groups.'$ORG'.values.MSP.value.config.revocation_list[0]' | base64 -d | cmp - crl.pem && echo revoked`,
  );
  t.is(printed, 'revoked\n');
});

test('curl sends a large block with Expect: 100-continue', async (t) => {
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

test('a preflight request is refused without --CORS and accepted with it', async (t) => {
  const preflight = (url: string): Promise<string> =>
    bash(
      workplace(t),
      `curl -s -o /dev/null -D - -X OPTIONS -H 'Origin: https://console' -H 'Access-Control-Request-Method: POST' -H 'Access-Control-Request-Headers: Content-Type' ${url}/protolator/encode/common.Config`,
    );
  const refused = await preflight(await serve(t));
  t.true(refused.startsWith('HTTP/1.1 405 '), refused);
  t.false(/access-control/i.test(refused), refused);
  const allowed = await preflight(await serve(t, '--CORS=*'));
  t.true(allowed.startsWith('HTTP/1.1 200 '), allowed);
  t.regex(allowed, /^Access-Control-Allow-Origin: \*\r$/im);
  t.regex(allowed, /^Access-Control-Allow-Headers: Content-Type\r$/im);
});

test('a page distinguishes success from failure by the media type', async (t) => {
  const url = await serve(t, '--CORS', '*');
  const post = async (
    path: string,
    body: string | Blob | FormData,
  ): Promise<{ ok: boolean; type: string; blob: Blob }> => {
    const response = await fetch(url + path, { method: 'POST', body, headers: { Origin: 'https://page' } });
    const blob = await response.blob();
    return { ok: response.ok, type: blob.type, blob };
  };
  // Printable bytes, which Fabric's configtxlator sends as text/plain.
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

test('curl without --data-binary or without @ does not send the file and receives an error', async (t) => {
  const url = await serve(t);
  const directory = workplace(t);
  writeFileSync(join(directory, 'config_block.pb'), networkBlock());
  const printed = await bash(
    directory,
    `
curl -s -w '%{http_code}\\n' -d @config_block.pb ${url}/protolator/decode/common.Block
curl -s -w '%{http_code}\\n' --data-binary config_block.pb ${url}/protolator/decode/common.Block
curl -s -w '%{http_code}\\n' -F original=config.pb -F updated=@config_block.pb ${url}/configtxlator/compute/update-from-configs`,
  );
  t.is(
    printed,
    [
      'proto: cannot parse invalid wire-format data',
      '400',
      'proto: cannot parse invalid wire-format data',
      '400',
      "Error with field 'original': error reading field bytes: http: no such file",
      '400',
      '',
    ].join('\n'),
  );
});
