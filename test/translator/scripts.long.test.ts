// The calls of configtxlator in well-known scripts, with the tools that they use.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { networkBlock } from '../helpers/network-block.js';
import { bash } from '../helpers/shell.js';
import { workplace } from '../helpers/workplace.js';

const NO_DIFFERENCES =
  'configtxlator: error: Error computing update: error computing config update: no differences detected between original and updated config';

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

test('fabric-samples test network: sets an anchor peer', async (t) => {
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

test('fabric-samples test network: adds an organisation', async (t) => {
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

test('fabric-samples test network on Kubernetes: pipes a decoded block, and detects that there are no differences', async (t) => {
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

test('Ansible collections: use standard input and existing output files', async (t) => {
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

test('Fabric documentation: pipes commands into each other', async (t) => {
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

test('bevel: raises capabilities and decodes the update to standard output', async (t) => {
  const directory = workplace(t);
  writeFileSync(join(directory, 'CH_config_block.pb'), networkBlock());
  const printed = await bash(
    directory,
    `
echo '{"application":{"mod_policy":"Admins","value":{"capabilities":{"V2_0":{}}},"version":"0"}}' >capabilities.json
configtxlator proto_decode --input CH_config_block.pb --type common.Block | jq .data.data[0].payload.data.config > CH_config.json
jq -s '.[0] * {"channel_group":{"groups":{"Application": {"values": {"Capabilities": .[1].application}}}}}' CH_config.json capabilities.json > CH_modified_config.json
configtxlator proto_encode --input CH_config.json --type common.Config --output CH_config.pb
configtxlator proto_encode --input CH_modified_config.json --type common.Config --output CH_modified_config.pb
configtxlator compute_update --channel_id mychannel --original CH_config.pb --updated CH_modified_config.pb --output CH_diff_config.pb
configtxlator proto_decode --input CH_diff_config.pb --type common.ConfigUpdate | jq . > CH_diff_config.json
jq -c '.write_set.groups.Application.values.Capabilities | [.version, (.value.capabilities | keys)]' CH_diff_config.json`,
  );
  t.is(printed, '["1",["V2_0","V2_5"]]\n');
});
