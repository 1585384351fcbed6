// Runs the blocks of the appendix of the cookbook in a shell and checks their results.

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

// Each test runs many processes.
const test = ava.serial;

const COOKBOOK = readFileSync('translator/cli/jq.md', 'utf8');
const [START = ''] = sectionBlocks(COOKBOOK, 'From a block to JSON');
const [END = ''] = sectionBlocks(COOKBOOK, 'From two configs to an envelope');
const [EDITS = ''] = sectionBlocks(COOKBOOK, 'No differences');

interface Config {
  readonly channel_group: Element;
  readonly sequence: string;
}
interface Envelope {
  readonly payload: { readonly data: { readonly config_update: { readonly write_set: Element } } };
}

/** A directory with the files that the cookbook expects. */
function prepareDirectory(t: ExecutionContext, block = networkBlock()): string {
  const directory = temporaryFolder(t);
  putTranslator(directory);
  writeFileSync(join(directory, 'config_block.pb'), block);
  writeFileSync(join(directory, 'org3.json'), recordedRequest('encode.printorg.as-group'));
  return directory;
}

const read = <T>(directory: string, file: string): T =>
  JSON.parse(readFileSync(join(directory, file), 'utf8')) as T;

const RECIPES = [...COOKBOOK.matchAll(/^## Recipe: (.*)$/gm)].map(([, title = '']) => title);

test('the appendix has recipes', (t) =>
  t.deepEqual(RECIPES, ['batch size and timeout', 'add an organisation']));

for (const title of RECIPES)
  test(`recipe ${title}: an orderer gets exactly the desired config from the envelope`, async (t) => {
    const directory = prepareDirectory(t);
    await bash(directory, [START, ...sectionBlocks(COOKBOOK, `Recipe: ${title}`), END].join('\n'));
    const { channel_group: before } = read<Config>(directory, 'config.json');
    const wanted = JSON.parse(
      decode('common.Config', encode('common.Config', readFileSync(join(directory, 'modified.json')))),
    ) as Config;
    const update = decode('common.Envelope', readFileSync(join(directory, 'envelope.pb')));
    const after = applyUpdate(before, (JSON.parse(update) as Envelope).payload.data.config_update.write_set);
    t.notDeepEqual(withoutVersions(after), withoutVersions(before));
    t.deepEqual(withoutVersions(after), withoutVersions(wanted.channel_group));
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

test('without differences the cookbook shows the error and what was edited', async (t) => {
  const directory = prepareDirectory(t);
  const [message = ''] = sectionBlocks(COOKBOOK, 'No differences', 'text');
  const same = 'jq \'.sequence = "7"\' config.json >modified.json';
  const error = await t.throwsAsync(bash(directory, [START, same, END].join('\n')));
  t.true(error?.message.endsWith(message));
  t.is((error as { code?: unknown } | undefined)?.code, 1);
  t.is(await bash(directory, EDITS), 'sequence: "0" -> "7"\n');
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
