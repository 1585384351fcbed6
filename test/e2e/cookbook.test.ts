// The cookbook, pasted into a shell block by block, and what comes of it.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ava, { type ExecutionContext } from 'ava';
import { decode, encode } from '../../translator/index.js';
import { applyUpdate, withoutVersions, type Element } from '../helpers/apply-update.js';
import { temporaryFolder } from '../helpers/folder.js';
import { fileBlock, sectionBlocks, tableRows } from '../helpers/markdown.js';
import { networkBlock, recordedBlock, recordedRequest } from '../helpers/network-block.js';
import { bash, putTranslator } from '../helpers/shell.js';
import { serve } from '../helpers/workplace.js';

// Each runs many processes.
const test = ava.serial;

const COOKBOOK = readFileSync('translator/cli/README.md', 'utf8');
const [START = '', SUMMARY = ''] = sectionBlocks(COOKBOOK, 'From a block to JSON');
const [END = ''] = sectionBlocks(COOKBOOK, 'From two configurations to an envelope');
const [EDITED = ''] = sectionBlocks(COOKBOOK, 'No differences');
const [WHO = '', WHAT = '', CONTENT = ''] = sectionBlocks(COOKBOOK, 'What an envelope changes');

interface Config {
  readonly channel_group: Element;
  readonly sequence: string;
}
interface Envelope {
  readonly payload: { readonly data: { readonly config_update: { readonly write_set: Element } } };
}

/** What stands for a certificate: it is not looked into. */
const pem = (name: string): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(name).toString('base64')}\n-----END CERTIFICATE-----\n`;

/** A folder with what the cookbook expects in it. */
function kitchen(t: ExecutionContext, block = networkBlock()): string {
  const folder = temporaryFolder(t);
  putTranslator(folder);
  writeFileSync(join(folder, 'config_block.pb'), block);
  for (const name of ['org3-ca', 'org3-tlsca', 'orderer2-tls'])
    writeFileSync(join(folder, `${name}.pem`), pem(name));
  return folder;
}

const read = <T>(folder: string, file: string): T =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;

/** The recorded network with what it would have had before Fabric 2. */
function oldBlock(): Uint8Array {
  const json = decode('common.Block', networkBlock()).replaceAll(/"V2_[05]": \{\}/g, '"V1_4_2": {}');
  return encode('common.Block', json);
}

/**
 * Pastes the start, a recipe, the end and the look at the envelope. Returns what the latter printed, after it was made sure
 * that an orderer gets from the envelope just what the recipe wanted.
 */
async function cook(t: ExecutionContext, folder: string, recipe: string): Promise<string[]> {
  const printed = await bash(folder, [START, recipe, END, WHO, WHAT].join('\n'));
  const { channel_group: before } = read<Config>(folder, 'config.json');
  const wanted = encode('common.Config', readFileSync(join(folder, 'modified.json')));
  const update = decode('common.Envelope', readFileSync(join(folder, 'envelope.pb')));
  const after = applyUpdate(before, (JSON.parse(update) as Envelope).payload.data.config_update.write_set);
  t.deepEqual(
    withoutVersions(after),
    withoutVersions((JSON.parse(decode('common.Config', wanted)) as Config).channel_group),
  );
  return printed.trimEnd().split('\n');
}

const newOrganisation = (name: string): string[] => [
  `new group Application/${name}`,
  ...['Admins', 'Endorsement', 'Readers', 'Writers'].map(
    (policy) => `new policy Application/${name}/${policy}`,
  ),
  `new value Application/${name}/MSP`,
];

/** What the blocks of each recipe change. */
const RECIPES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'batch size and timeout': [['changed value Orderer/BatchSize', 'changed value Orderer/BatchTimeout']],
  'anchor peers': [['changed group Application/Org1MSP', 'new value Application/Org1MSP/AnchorPeers']],
  'add an organisation': [['changed group Application', ...newOrganisation('Org3MSP')]],
  'remove an organisation': [['changed group Application', 'removed group Application/Org2MSP']],
  capabilities: [
    ['changed value Orderer/Capabilities'],
    ['changed value Capabilities'],
    ['changed value Application/Capabilities'],
  ],
  'who may call a function of the peer': [['changed group Application', 'new value Application/ACLs']],
  'addresses of the orderers': [['changed value Orderer/OrdererOrg/Endpoints']],
  consenters: [['changed value Orderer/ConsensusType'], ['changed value Orderer/ConsensusType']],
};

test('every recipe of the cookbook is cooked', (t) => {
  const titles = [...COOKBOOK.matchAll(/^## Recipe: (.*)$/gm)].map(([, title]) => title);
  t.deepEqual(titles, Object.keys(RECIPES));
});

for (const [title, changes] of Object.entries(RECIPES)) {
  const blocks = sectionBlocks(COOKBOOK, `Recipe: ${title}`);
  // The last blocks edit; one before them prepares.
  const prepared = blocks.slice(0, blocks.length - changes.length).join('\n');
  for (const [index, expected] of changes.entries()) {
    test(`recipe ${title}, edit ${index + 1}: ${expected.join(', ')}`, async (t) => {
      const folder = kitchen(t, title === 'capabilities' ? oldBlock() : networkBlock());
      const printed = await cook(t, folder, `${prepared}\n${blocks.slice(-changes.length)[index] ?? ''}`);
      t.deepEqual(printed, ['channel mychannel', ...expected]);
    });
  }
}

test('the start shows the channel, its orderers and its organisations', async (t) => {
  t.deepEqual(JSON.parse(await bash(kitchen(t), `${START}\n${SUMMARY}`)), {
    channel: ['V2_0'],
    orderers: ['OrdererOrg'],
    organisations: ['Org1MSP', 'Org2MSP'],
  });
});

/** Edits of the recorded network, and the file that its administrators made of them with Fabric's tools. */
const RECORDED: Readonly<Record<string, string>> = {
  'batch.signed': '.channel_group.groups.Orderer.values.BatchSize.value.max_message_count = 15',
  'anchor-mill.signed':
    '.channel_group.groups.Application.groups.MillOrg.values.AnchorPeers = {mod_policy: "Admins", value: {anchor_peers: [{host: "localhost", port: 23110}]}, version: "0"}',
};

for (const [name, edit] of Object.entries(RECORDED)) {
  test(`the end makes the bytes that Fabric's configtxlator made in a real network: ${name}`, async (t) => {
    const folder = kitchen(t, recordedBlock());
    await bash(folder, `${START}\njq '${edit}' config.json >modified.json\n${END}`);
    t.deepEqual(
      readFileSync(join(folder, 'envelope.pb')),
      recordedRequest(`network.river.${name}.tx.decode`),
    );
  });
}

test('the organisation made of certificates is such as configtxgen makes', async (t) => {
  const folder = kitchen(t);
  const [prepare = '', edit = ''] = sectionBlocks(COOKBOOK, 'Recipe: add an organisation');
  await bash(folder, [START, prepare, edit, END].join('\n'));
  const written = JSON.parse(decode('common.Config', readFileSync(join(folder, 'modified.pb')))) as Config;
  const { Org1MSP, Org3MSP } = written.channel_group.groups?.Application?.groups ?? {};
  const shape = (element: Element | undefined): string =>
    JSON.stringify(element)
      .replaceAll('Org3MSP', 'Org1MSP')
      .replaceAll(/"LS0tLS1CRUdJTi[^"]*"/g, '"PEM"');
  t.is(shape(Org3MSP), shape(Org1MSP));
  const base64 = (name: string): string => Buffer.from(pem(name)).toString('base64');
  const config = { root_certs: [base64('org3-ca')], tls_root_certs: [base64('org3-tlsca')] };
  t.like(Org3MSP?.values?.MSP?.value, { config });
});

test('what configtxgen -printOrg wrote is added as it is', async (t) => {
  const folder = kitchen(t);
  writeFileSync(join(folder, 'org3.json'), recordedRequest('encode.printorg.as-group'));
  const [, edit = ''] = sectionBlocks(COOKBOOK, 'Recipe: add an organisation');
  t.deepEqual(await cook(t, folder, edit), [
    'channel mychannel',
    'changed group Application',
    ...newOrganisation('Org3MSP'),
  ]);
  const [example = ''] = sectionBlocks(COOKBOOK, 'What an envelope changes', 'text');
  t.deepEqual(example.trimEnd().split('\n'), ['changed group Application', ...newOrganisation('Org3MSP')]);
});

test('without differences there is the message of the cookbook; the edit is shown', async (t) => {
  const folder = kitchen(t);
  const [message = ''] = sectionBlocks(COOKBOOK, 'No differences', 'text');
  const same = 'jq \'.sequence = "7"\' config.json >modified.json';
  const error = await t.throwsAsync(bash(folder, [START, same, END].join('\n')));
  t.true(error?.message.endsWith(message));
  t.is((error as { code?: unknown } | undefined)?.code, 1);
  t.is(await bash(folder, EDITED), 'sequence: "0" -> "7"\n');
});

test('the new content of a value and of a policy is shown, and that an update has come too late', async (t) => {
  const folder = kitchen(t);
  const edit = `jq '.channel_group.groups.Orderer.values.BatchTimeout.value.timeout = "1s"
    | .channel_group.policies.Readers.policy.value.rule = "ALL"
    | .channel_group.policies.Readers.mod_policy = "/Channel/Orderer/Admins"' config.json >modified.json`;
  t.deepEqual(await cook(t, folder, edit), [
    'channel mychannel',
    'changed value Orderer/BatchTimeout',
    'changed policy Readers, mod_policy Admins -> /Channel/Orderer/Admins',
  ]);
  t.deepEqual(JSON.parse(await bash(folder, CONTENT)), {
    'groups/Orderer/values/BatchTimeout': { timeout: '1s' },
    'policies/Readers': { type: 3, value: { rule: 'ALL', sub_policy: 'Readers' } },
  });
  const later = `jq '.channel_group.groups.Orderer.version = "1" | .channel_group.policies.Readers.version = "1"' config.json >later.json
    mv later.json config.json`;
  t.is(
    await bash(folder, [later, WHAT].join('\n')),
    'STALE group Orderer\nchanged value Orderer/BatchTimeout\nSTALE policy Readers, mod_policy Admins -> /Channel/Orderer/Admins\n',
  );
});

test('it is shown who has signed', async (t) => {
  const folder = kitchen(t);
  writeFileSync(join(folder, 'envelope.pb'), recordedRequest('network.river.acl.signed.tx.decode'));
  t.is(await bash(folder, WHO), 'channel river-main\nsigned by MillMSP\n');
});

/** The envelope that the command line makes of a longer batch timeout. */
async function cookTimeout(folder: string): Promise<Buffer> {
  const edit = `jq '.channel_group.groups.Orderer.values.BatchTimeout.value.timeout = "1s"' config.json >modified.json`;
  await bash(folder, [START, edit, END, 'mv envelope.pb expected.pb'].join('\n'));
  return readFileSync(join(folder, 'expected.pb'));
}

test('over HTTP the same envelope comes out', async (t) => {
  const folder = kitchen(t);
  const expected = await cookTimeout(folder);
  const url = await serve(t);
  const [script = ''] = sectionBlocks(COOKBOOK, 'The same over HTTP');
  await bash(folder, script.replace('http://127.0.0.1:7059', url));
  t.deepEqual(readFileSync(join(folder, 'envelope.pb')), expected);
});

test('in a program the same envelope comes out, and nothing when it was applied', async (t) => {
  const folder = kitchen(t);
  const expected = await cookTimeout(folder);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(process.cwd(), join(folder, 'node_modules/fabric-ops-agent'));
  const program = fileBlock(COOKBOOK, 'update.mjs');
  writeFileSync(join(folder, 'update.mjs'), program);
  t.is(await bash(folder, 'node update.mjs'), '');
  t.deepEqual(readFileSync(join(folder, 'envelope.pb')), expected);
  writeFileSync(join(folder, 'update.mjs'), program.replace("timeout = '1s'", "timeout = '600ms'"));
  t.is(await bash(folder, 'node update.mjs'), 'nothing to do\n');
});

test('consenters of BFT have the fields that are named', (t) => {
  const mapping = {
    consenter_mapping: [{ id: 1, msp_id: 'OrdererMSP', identity: 'YQ==', host: 'h', port: 1 }],
  };
  const orderers = encode('common.Orderers', JSON.stringify(mapping));
  t.like(JSON.parse(decode('common.Orderers', orderers)), mapping);
});

/** Edits that go wrong, in the order of the table, for those of its rows that no hint of the command line is needed for. */
const MISTAKES = [
  'null',
  '{data: {}}',
  '.channel_group.groups.Orderer.values.BatchSize.max_message_count = 50',
  '.channel_group.groups.Application.groups.Org1MSP.values.AnchorPeer = {value: {anchor_peers: []}}',
  '.channel_group.groups.Application.groups.Org1MSP.values.MSP.value.config.root_certs = ["-----BEGIN X"]',
];

for (const [index, edit] of MISTAKES.entries()) {
  const [said = ''] = tableRows(COOKBOOK, 'When it is refused')[index] ?? [];
  test(`the mistake ${edit} is refused with ${said}`, async (t) => {
    const end = `configtxlator proto_encode --type common.Config --input modified.json --output modified.pb`;
    const script = [START, `jq '${edit}' config.json >modified.json`, end].join('\n');
    const error = await t.throwsAsync(bash(kitchen(t), script));
    for (const part of said.split(/[`…]+/).filter((each) => each.trim() !== ''))
      t.true(error?.message.includes(part.trim()), `${error?.message} has ${part}`);
  });
}
