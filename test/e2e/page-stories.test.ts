// The channel page with a real network: edit, sign, merge, submit, and the history of the channel.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readConfigFile } from '../../translator/channel/index.js';
import { setPolicy, unsignedUpdate } from '../../translator/edit/index.js';
import {
  choose,
  chooseFolder,
  downloaded,
  openPage,
  openPlace,
  startBrowser,
  storageOf,
  type ChosenFile,
} from './browser.js';
import { blockFile, fetchBlock, submit } from './fabric/channel-edits.js';
import { startNetwork } from './fabric/network.js';
import { eventually } from './daemon.js';
import { CHANNEL, createCertificates, peerIdentity } from './fabric/network-files.js';

test.serial('an organisation is added by form, signed by two people, merged, and accepted', async (t) => {
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  const network = await startNetwork(t, { orderers: 1, organisations: 2 });
  const { directory, tools, peers } = network;
  await fetchBlock(network);
  const block: ChosenFile = { name: 'block.pb', buffer: readFileSync(blockFile(network)) };
  const other = join(directory, 'other');
  mkdirSync(other);
  createCertificates(tools, other, { orderers: 1, organisations: 3 });

  const editor = await openPage(t, browser);
  await choose(editor.page, block);
  await chooseFolder(editor.page, join(peerIdentity(other, 3).admin, '../../../msp'));
  await openPlace(editor.page, 'Change');
  const { page } = editor;
  await page.locator('input[name=palette]').fill('add an organisation');
  await page.keyboard.press('Enter');
  // The MSP id is guessed from the name of the CA.
  t.is(await page.getByLabel('MSP id', { exact: true }).inputValue(), 'Org3MSP');
  await page.getByText('organisation /Channel/Application/Org3MSP added, with the MSP id Org3MSP').waitFor();
  // The review is beside the form, before anything is applied.
  const verdict = page.locator('channel-editor .verdict');
  await verdict.getByText('Adds organisation Org3MSP').waitFor();
  await verdict
    .getByText('Org1MSP and Org2MSP lose their veto over the channel and the group Application')
    .waitFor();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Nothing is changed yet.').waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  const update: ChosenFile = {
    name: 'update.pb',
    buffer: await downloaded(page, 'Download the update'),
  };

  const signed: ChosenFile[] = [];
  for (const { identity } of peers) {
    const own = await openPage(t, browser);
    await choose(own.page, block, update);
    await chooseFolder(own.page, identity.admin);
    const name = identity.mspId.replace('MSP', '');
    await own.page.getByRole('button', { name: /^Sign as/ }).click();
    const download = own.page.getByRole('button', { name: `Download update.signed-${identity.mspId}.pb` });
    await download.waitFor();
    // Nobody signs twice.
    t.is(await own.page.getByRole('button', { name: /^Sign as/ }).count(), 0, name);
    t.deepEqual(await storageOf(own.page), []);
    signed.push({
      name: `${identity.mspId}.pb`,
      buffer: await downloaded(own.page, /^Download update\.signed/),
    });
    t.deepEqual([own.errors, own.requests], [[], []]);
  }

  const all = await openPage(t, browser);
  await choose(all.page, block, ...signed);
  const verdicts = await all.page.locator('.review .verdict').allTextContents();
  t.deepEqual(
    verdicts.map((each) => each.replaceAll(/\s+/g, ' ').trim()),
    [
      'Adds organisation Org3MSP Org1MSP and Org2MSP lose their veto over the channel and the group Application',
    ],
  );
  await all.page.getByText('Complete: it has all signatures').waitFor();
  t.is(await all.page.locator('.signatures .signer').count(), 2);
  writeFileSync(join(directory, 'envelope.pb'), await downloaded(all.page, /^Download/));
  await submit(network, peers[0].identity);
  // The orderer accepts an update before it writes the block.
  await eventually(async () => {
    if ((await fetchBlock(network)) !== 1n) throw new Error('block 1 is not written');
  });
  t.deepEqual([editor.errors, editor.requests, all.errors, all.requests], [[], [], [], []]);

  // The file of the orderer, not a copy of its blocks.
  const history = await openPage(t, browser);
  const chain = join(network.orderers[0].directory, 'data', 'chains', CHANNEL);
  const ledger = { name: 'blockfile_000000', buffer: readFileSync(join(chain, 'blockfile_000000')) };
  await choose(history.page, ledger);
  await openPlace(history.page, 'History');
  const newest = history.page.locator('.timeline > li').first();
  await newest.getByText('Application/Org3MSP', { exact: false }).first().waitFor();
  t.deepEqual((await newest.locator('li').allTextContents()).slice(1), [
    'signed by Org1MSP CN=Admin@org1.example.com',
    'signed by Org2MSP CN=Admin@org2.example.com',
    // `peer channel update` signs, too.
    'signed by Org1MSP CN=Admin@org1.example.com',
    'submitted by Org1MSP CN=Admin@org1.example.com',
  ]);

  // A dangerous update is signed only after people confirm that they know the dangers; a key of another network cannot sign.
  const danger = await openPage(t, browser);
  const current = readConfigFile(readFileSync(blockFile(network)));
  const { config } = setPolicy(current.config, '/Channel/Admins', 'ANY Admins');
  const { bytes: envelope } = unsignedUpdate(current.config, config, CHANNEL);
  await choose(
    danger.page,
    { name: 'block.pb', buffer: readFileSync(blockFile(network)) },
    { name: 'takeover.pb', buffer: Buffer.from(envelope) },
  );
  await chooseFolder(danger.page, peers[0].identity.admin);
  const sign = danger.page.getByRole('button', { name: /^Sign as .* anyway$/ });
  t.true(await sign.isDisabled());
  await danger.page.getByLabel('I know this danger').check();
  await sign.click();
  await danger.page.locator('.chip.you').waitFor();
  await danger.page.getByRole('button', { name: /^Download takeover\.signed-/ }).waitFor();
  t.is(await danger.page.locator('.primary').count(), 0);
  const abroad = join(directory, 'foreign');
  mkdirSync(abroad);
  createCertificates(tools, abroad, { orderers: 1, organisations: 1 });
  const foreign = await openPage(t, browser);
  await choose(foreign.page, block, update);
  await chooseFolder(foreign.page, peerIdentity(abroad, 1).admin);
  await foreign.page
    .getByText(/ belongs to no organisation of this channel: no organisation has its CA$/)
    .waitFor();
  t.is(await foreign.page.getByRole('button', { name: /^Sign as/ }).count(), 0);
});
