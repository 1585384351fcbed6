// Runs the blocks of the appendix of the cookbook in a shell and checks their results.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ava, { type ExecutionContext } from 'ava';
import { decode, encode } from '../../translator/index.js';
import { applyUpdate, withoutVersions, type Element } from '../helpers/apply-update.js';
import { temporaryFolder } from '../helpers/folder.js';
import { fileBlock, sectionBlocks, tableRows } from '../helpers/markdown.js';
import {
  bftBlock,
  networkBlock,
  oldBlock,
  recordedBlock,
  recordedRequest,
} from '../helpers/network-block.js';
import { bash, putTranslator } from '../helpers/shell.js';
import { serve } from '../helpers/workplace.js';

// Each test runs many processes.
const test = ava.serial;

const COOKBOOK = readFileSync('translator/cli/jq.md', 'utf8');
const [START = '', SUMMARY = ''] = sectionBlocks(COOKBOOK, 'From a block to JSON');
const [END = ''] = sectionBlocks(COOKBOOK, 'From two configs to an envelope');
const [EDITS = ''] = sectionBlocks(COOKBOOK, 'No differences');
const [SIGNERS = '', CHANGES = '', CONTENT = ''] = sectionBlocks(COOKBOOK, 'What an envelope changes');

interface Config {
  readonly channel_group: Element;
  readonly sequence: string;
}
interface Envelope {
  readonly payload: { readonly data: { readonly config_update: { readonly write_set: Element } } };
}

/** A stand-in for a certificate; certificates are not parsed. */
const pem = (name: string): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(name).toString('base64')}\n-----END CERTIFICATE-----\n`;

/** A directory with the files that the cookbook expects. */
function prepareDirectory(t: ExecutionContext, block = networkBlock()): string {
  const directory = temporaryFolder(t);
  putTranslator(directory);
  writeFileSync(join(directory, 'config_block.pb'), block);
  for (const name of ['org3-ca', 'org3-tlsca', 'orderer2-tls', 'orderer5-sign', 'orderer5-tls'])
    writeFileSync(join(directory, `${name}.pem`), pem(name));
  return directory;
}

const read = <T>(directory: string, file: string): T =>
  JSON.parse(readFileSync(join(directory, file), 'utf8')) as T;

/**
 * Runs a recipe between the common blocks, and asserts that an orderer gets exactly the desired config from the envelope.
 *
 * @returns the lines that the review of the envelope prints
 */
async function runRecipe(t: ExecutionContext, directory: string, recipe: string): Promise<string[]> {
  const printed = await bash(directory, [START, recipe, END, SIGNERS, CHANGES].join('\n'));
  const { channel_group: before } = read<Config>(directory, 'config.json');
  const wanted = encode('common.Config', readFileSync(join(directory, 'modified.json')));
  const update = decode('common.Envelope', readFileSync(join(directory, 'envelope.pb')));
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

/** The changes of each block of each recipe. */
const RECIPES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'batch size and timeout': [['changed value Orderer/BatchSize', 'changed value Orderer/BatchTimeout']],
  'anchor peers': [['changed group Application/Org1MSP', 'new value Application/Org1MSP/AnchorPeers']],
  'add an organisation': [['changed group Application', ...newOrganisation('Org3MSP')]],
  'remove an organisation': [['changed group Application', 'removed group Application/Org2MSP']],
  capabilities: [
    ['changed value Orderer/Capabilities'],
    ['changed group Channel', 'removed value OrdererAddresses', 'changed value Capabilities'],
    ['changed value Application/Capabilities'],
  ],
  "access control of the peer's functions": [['changed group Application', 'new value Application/ACLs']],
  'orderer addresses': [['changed value Orderer/OrdererOrg/Endpoints']],
  'consenters with Raft': [
    ['changed value Orderer/ConsensusType'],
    ['changed value Orderer/ConsensusType'],
    ['changed value Orderer/ConsensusType'],
  ],
  'consenters with BFT': [
    ['changed policy Orderer/BlockValidation', 'changed value Orderer/Orderers'],
    ['changed policy Orderer/BlockValidation', 'changed value Orderer/Orderers'],
    ['changed value Orderer/Orderers'],
  ],
};

/** The block of the recipes that need another channel. */
const BLOCKS: Readonly<Record<string, () => Uint8Array>> = {
  capabilities: oldBlock,
  'consenters with BFT': bftBlock,
};

test('every recipe of the cookbook is tested', (t) => {
  const titles = [...COOKBOOK.matchAll(/^## Recipe: (.*)$/gm)].map(([, title]) => title);
  t.deepEqual(titles, Object.keys(RECIPES));
});

for (const [title, changes] of Object.entries(RECIPES)) {
  const blocks = sectionBlocks(COOKBOOK, `Recipe: ${title}`);
  // The last blocks are the edits; a block before them creates a file that they need.
  const prepared = blocks.slice(0, blocks.length - changes.length).join('\n');
  for (const [index, expected] of changes.entries()) {
    test(`recipe ${title}, edit ${index + 1}: ${expected.join(', ')}`, async (t) => {
      const directory = prepareDirectory(t, (BLOCKS[title] ?? networkBlock)());
      const printed = await runRecipe(
        t,
        directory,
        `${prepared}\n${blocks.slice(-changes.length)[index] ?? ''}`,
      );
      t.deepEqual(printed, ['channel mychannel', ...expected]);
    });
  }
}

test('the summary shows the channel, its orderers and its organisations', async (t) => {
  t.deepEqual(JSON.parse(await bash(prepareDirectory(t), `${START}\n${SUMMARY}`)), {
    channel: ['V2_0'],
    orderers: ['OrdererOrg'],
    organisations: ['Org1MSP', 'Org2MSP'],
  });
});

/** Edits of the recorded network, by the recorded file that its administrators made with Fabric's tools. */
const RECORDED: Readonly<Record<string, string>> = {
  'batch.signed': '.channel_group.groups.Orderer.values.BatchSize.value.max_message_count = 15',
  'anchor-mill.signed':
    '.channel_group.groups.Application.groups.MillOrg.values.AnchorPeers = {mod_policy: "Admins", value: {anchor_peers: [{host: "localhost", port: 23110}]}, version: "0"}',
};

for (const [name, edit] of Object.entries(RECORDED)) {
  test(`the envelope has the bytes that Fabric's configtxlator made in a real network: ${name}`, async (t) => {
    const directory = prepareDirectory(t, recordedBlock());
    await bash(directory, `${START}\njq '${edit}' config.json >modified.json\n${END}`);
    t.deepEqual(
      readFileSync(join(directory, 'envelope.pb')),
      recordedRequest(`network.river.${name}.tx.decode`),
    );
  });
}

test('the organisation made of certificates is like one of configtxgen', async (t) => {
  const directory = prepareDirectory(t);
  const [prepare = '', edit = ''] = sectionBlocks(COOKBOOK, 'Recipe: add an organisation');
  await bash(directory, [START, prepare, edit, END].join('\n'));
  const written = JSON.parse(decode('common.Config', readFileSync(join(directory, 'modified.pb')))) as Config;
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

test('the output of configtxgen -printOrg can be added', async (t) => {
  const directory = prepareDirectory(t);
  writeFileSync(join(directory, 'org3.json'), recordedRequest('encode.printorg.as-group'));
  const [, edit = ''] = sectionBlocks(COOKBOOK, 'Recipe: add an organisation');
  t.deepEqual(await runRecipe(t, directory, edit), [
    'channel mychannel',
    'changed group Application',
    ...newOrganisation('Org3MSP'),
  ]);
  const [example = ''] = sectionBlocks(COOKBOOK, 'What an envelope changes', 'text');
  t.deepEqual(example.trimEnd().split('\n'), ['changed group Application', ...newOrganisation('Org3MSP')]);
});

test('without differences the cookbook shows the error and what was edited', async (t) => {
  const directory = prepareDirectory(t);
  const [message = ''] = sectionBlocks(COOKBOOK, 'No differences', 'text');
  const same = 'jq \'.sequence = "7"\' config.json >modified.json';
  const error = await t.throwsAsync(bash(directory, [START, same, END].join('\n')));
  t.true(error?.message.endsWith(message));
  t.is((error as { code?: unknown } | undefined)?.code, 1);
  t.is(await bash(directory, EDITS), 'sequence: "0" -> "7"\n');
});

test('the review shows the new content of values and policies, and stale elements', async (t) => {
  const directory = prepareDirectory(t);
  const edit = `jq '.channel_group.groups.Orderer.values.BatchTimeout.value.timeout = "1s"
    | .channel_group.policies.Readers.policy.value.rule = "ALL"
    | .channel_group.policies.Readers.mod_policy = "/Channel/Orderer/Admins"' config.json >modified.json`;
  t.deepEqual(await runRecipe(t, directory, edit), [
    'channel mychannel',
    'changed value Orderer/BatchTimeout',
    'changed policy Readers, mod_policy Admins -> /Channel/Orderer/Admins',
  ]);
  t.deepEqual(JSON.parse(await bash(directory, CONTENT)), {
    'groups/Orderer/values/BatchTimeout': { timeout: '1s' },
    'policies/Readers': { type: 3, value: { rule: 'ALL', sub_policy: 'Readers' } },
  });
  const later = `jq '.channel_group.groups.Orderer.version = "1" | .channel_group.policies.Readers.version = "1"' config.json >later.json
    mv later.json config.json`;
  t.is(
    await bash(directory, [later, CHANGES].join('\n')),
    'STALE group Orderer\nchanged value Orderer/BatchTimeout\nSTALE policy Readers, mod_policy Admins -> /Channel/Orderer/Admins\n',
  );
});

test('the review shows who has signed', async (t) => {
  const directory = prepareDirectory(t);
  writeFileSync(join(directory, 'envelope.pb'), recordedRequest('network.river.acl.signed.tx.decode'));
  t.is(await bash(directory, SIGNERS), 'channel river-main\nsigned by MillMSP\n');
});

/** The envelope that the command line makes for another batch timeout. */
async function timeoutEnvelope(directory: string): Promise<Buffer> {
  const edit = `jq '.channel_group.groups.Orderer.values.BatchTimeout.value.timeout = "1s"' config.json >modified.json`;
  await bash(directory, [START, edit, END, 'mv envelope.pb expected.pb'].join('\n'));
  return readFileSync(join(directory, 'expected.pb'));
}

test('over HTTP the envelope is the same', async (t) => {
  const directory = prepareDirectory(t);
  const expected = await timeoutEnvelope(directory);
  const url = await serve(t);
  const [script = ''] = sectionBlocks(COOKBOOK, 'The same over HTTP');
  await bash(directory, script.replace('http://127.0.0.1:7059', url));
  t.deepEqual(readFileSync(join(directory, 'envelope.pb')), expected);
});

test('the program makes the same envelope, and none if the config is not changed', async (t) => {
  const directory = prepareDirectory(t);
  const expected = await timeoutEnvelope(directory);
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(process.cwd(), join(directory, 'node_modules/fabric-ops-agent'));
  const program = fileBlock(COOKBOOK, 'update.mjs');
  writeFileSync(join(directory, 'update.mjs'), program);
  t.is(await bash(directory, 'node update.mjs'), '');
  t.deepEqual(readFileSync(join(directory, 'envelope.pb')), expected);
  writeFileSync(join(directory, 'update.mjs'), program.replace("timeout = '1s'", "timeout = '600ms'"));
  t.is(await bash(directory, 'node update.mjs'), 'nothing to do\n');
});

/** The part of a BFT channel that a recipe changes. */
interface BftOrderer {
  readonly values: {
    readonly Orderers: { readonly value: { readonly consenter_mapping: readonly Consenter[] } };
  };
  readonly policies: {
    readonly BlockValidation: {
      readonly policy: {
        readonly value: { readonly identities: readonly unknown[]; readonly rule: unknown };
      };
    };
  };
}
interface Consenter {
  readonly id: number;
  readonly host: string;
  readonly identity: string;
  readonly msp_id: string;
  readonly client_tls_cert: string;
  readonly server_tls_cert: string;
}

const orderersOf = (directory: string): BftOrderer =>
  (read<Config>(directory, 'modified.json').channel_group.groups?.Orderer ?? {}) as unknown as BftOrderer;

const [BLOCK_VALIDATION = '', ADD_BFT = '', REMOVE_BFT = '', ROTATE_BFT = ''] = sectionBlocks(
  COOKBOOK,
  'Recipe: consenters with BFT',
);

for (const [recipe, ids, quorum] of [
  [ADD_BFT, [1, 2, 3, 4, 5], 4],
  [REMOVE_BFT, [1, 2, 3], 2],
] as const) {
  test(`after the recipe, the consenters are ${ids.join(', ')}, and ${quorum} of them must sign a block`, async (t) => {
    const directory = prepareDirectory(t, bftBlock());
    await bash(directory, [START, BLOCK_VALIDATION, recipe].join('\n'));
    const { values, policies } = orderersOf(directory);
    const consenters = values.Orderers.value.consenter_mapping;
    t.deepEqual(
      consenters.map(({ id, host }) => [id, host]),
      ids.map((id) => [id, `orderer${id}.example.com`]),
    );
    const { identities, rule } = policies.BlockValidation.policy.value;
    t.deepEqual(
      identities,
      consenters.map(({ msp_id, identity }) => ({
        principal: { mspid: msp_id, id_bytes: identity },
        principal_classification: 'IDENTITY',
      })),
    );
    t.deepEqual(rule, { n_out_of: { n: quorum, rules: ids.map((_, index) => ({ signed_by: index })) } });
  });
}

test('the rotation of a certificate changes only the consenter with that host and port', async (t) => {
  const certificate = (name: string): string => Buffer.from(pem(name)).toString('base64');
  const raft = prepareDirectory(t);
  const [, rotate = ''] = sectionBlocks(COOKBOOK, 'Recipe: consenters with Raft');
  await bash(raft, [START, rotate].join('\n'));
  t.like(read<Config>(raft, 'modified.json').channel_group.groups?.Orderer?.values?.ConsensusType?.value, {
    metadata: {
      consenters: [
        { client_tls_cert: certificate('orderer2-tls'), server_tls_cert: certificate('orderer2-tls') },
      ],
    },
  });
  const bft = prepareDirectory(t, bftBlock());
  await bash(bft, [START, ROTATE_BFT].join('\n'));
  t.deepEqual(
    orderersOf(bft).values.Orderers.value.consenter_mapping.map((each) => [
      each.client_tls_cert === certificate('orderer5-tls'),
      each.server_tls_cert === certificate('orderer5-tls'),
    ]),
    [1, 2, 3, 4].map((id) => [id === 4, id === 4]),
  );
});

test('the verification shows whether the update is applied', async (t) => {
  const directory = prepareDirectory(t);
  const [verify = ''] = sectionBlocks(COOKBOOK, 'Verify');
  const edit = `jq '.channel_group.groups.Orderer.values.BatchTimeout.value.timeout = "1s"' config.json >modified.json`;
  writeFileSync(join(directory, 'new_block.pb'), networkBlock());
  t.is(
    await bash(directory, [START, edit, END, verify].join('\n')),
    'not applied: missing.pb is the remaining update\n',
  );
  const [message = ''] = sectionBlocks(COOKBOOK, 'No differences', 'text');
  t.is(
    await bash(
      directory,
      [
        START,
        'cp config.json modified.json; cp config_block.pb new_block.pb',
        'configtxlator proto_encode --type common.Config --input modified.json --output modified.pb',
        verify,
      ].join('\n'),
    ),
    message,
  );
});

/** Wrong edits, for the first rows of the table in its order. */
const MISTAKES = [
  'null',
  '{data: {}}',
  '.channel_group.groups.Orderer.values.BatchSize.max_message_count = 50',
  '.channel_group.groups.Application.groups.Org1MSP.values.AnchorPeer = {value: {anchor_peers: []}}',
  '.channel_group.groups.Application.groups.Org1MSP.values.MSP.value.config.root_certs = ["-----BEGIN X"]',
];

for (const [index, edit] of MISTAKES.entries()) {
  const [text = ''] = tableRows(COOKBOOK, 'Errors of configtxlator')[index] ?? [];
  test(`the edit ${edit} fails with ${text}`, async (t) => {
    const end = `configtxlator proto_encode --type common.Config --input modified.json --output modified.pb`;
    const script = [START, `jq '${edit}' config.json >modified.json`, end].join('\n');
    const error = await t.throwsAsync(bash(prepareDirectory(t), script));
    for (const part of text.split(/[`…]+/).filter((each) => each.trim() !== ''))
      t.true(error?.message.includes(part.trim()), `${error?.message} has ${part}`);
  });
}
