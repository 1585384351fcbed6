// The channel page in a real browser.

import test, { type ExecutionContext } from 'ava';
import type { Browser } from 'playwright-core';
import { readConfigFile, writeConfig } from '../../translator/config/index.js';
import { setPolicy, unsignedUpdate } from '../../translator/edit/index.js';
import { largeChannel } from '../helpers/large-channel.js';
import { networkBlock } from '../helpers/network-block.js';
import { startProgram, TRANSLATOR } from '../helpers/program.js';
import {
  accessibilityProblems,
  choose,
  openPage,
  openTab,
  startBrowser,
  type ChosenFile,
  type Opened,
} from './browser.js';

let browser: Browser;
test.before(async () => {
  browser = await startBrowser();
});
test.after.always(async () => browser.close());

const open = (t: ExecutionContext, options: Parameters<typeof openPage>[2] = {}): Promise<Opened> =>
  openPage(t, browser, options);

const BLOCK: ChosenFile = { name: 'config_block.pb', buffer: Buffer.from(networkBlock()) };
const { config: CONFIG } = readConfigFile(BLOCK.buffer);
const updateOf = (path: string, rule: string): Buffer =>
  Buffer.from(unsignedUpdate('mychannel', CONFIG, setPolicy(CONFIG, path, rule).config).envelope);
const TAKEOVER: ChosenFile = { name: 'takeover.pb', buffer: updateOf('/Channel/Admins', 'ANY Admins') };
const HARMLESS: ChosenFile = {
  name: 'clerks.pb',
  buffer: updateOf('/Channel/Application/Clerks', 'ANY Readers'),
};

test('a takeover stands at the top of the page, before the harmless update', async (t) => {
  const { page, errors, requests } = await open(t, { viewport: { width: 1100, height: 700 } });
  await choose(page, BLOCK, HARMLESS, TAKEOVER);
  await page.getByRole('heading', { name: 'Review of clerks.pb' }).waitFor();
  t.deepEqual(await page.locator('.verdict').allTextContents(), ['Dangerous', 'Signatures are missing']);
  const danger = page.locator('.finding.danger').first();
  t.regex((await danger.textContent())!, /OrdererMSP\.admin alone/);
  const box = await danger.boundingBox();
  t.true(box!.y + box!.height < 700);
  t.deepEqual([errors, requests], [[], []]);
});

for (const scheme of ['light', 'dark'] as const)
  for (const width of [360, 1100])
    test(`accessibility: ${scheme}, ${width} pixels`, async (t) => {
      const { page } = await open(t, {
        colorScheme: scheme,
        viewport: { width, height: 800 },
        bypassCSP: true,
      });
      await choose(page, BLOCK, TAKEOVER);
      for (const tab of ['Review', 'Channel', 'Edit', 'Everything']) {
        await openTab(page, tab);
        if (tab === 'Everything') await page.locator('config-tree .row').nth(2).click();
        t.deepEqual(await accessibilityProblems(page), [], tab);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        t.true(wide <= width, `${tab}: ${wide}`);
      }
    });

test('a file that is no config says so, and an update alone asks for a block', async (t) => {
  const { page } = await open(t);
  await choose(page, { name: 'photo.png', buffer: Buffer.from('not a config') });
  await page.getByText('photo.png:').waitFor();
  t.is(await page.locator('.drop strong').count(), 1);
  await choose(page, TAKEOVER);
  await page.getByText('Add the newest config block of the channel').waitFor();
  t.is(await page.locator('.verdict').count(), 0);
});

test('names are text, never markup', async (t) => {
  const { page, errors } = await open(t);
  const name = '<img src=x onerror=alert(1)>\u202e';
  const channelGroup = structuredClone(CONFIG.channelGroup);
  const application = channelGroup.groups.get('Application')!;
  (application.groups as Map<string, unknown>).set(name, application.groups.get('Org1MSP'));
  const hostile = Buffer.from(writeConfig({ ...CONFIG, channelGroup }));
  await choose(page, { name: `${name}.pb`, buffer: hostile });
  await openTab(page, 'Everything');
  await page.locator('config-tree .row').first().waitFor();
  t.is(await page.locator('img').count(), 0);
  t.true((await page.locator('main').textContent())!.includes('<img src=x onerror=alert(1)>'));
  t.false((await page.locator('main').textContent())!.includes('\u202e'));
  t.deepEqual(errors, []);
});

test('250 organisations: the tree has few rows in the document, and its search is complete', async (t) => {
  const { page, errors } = await open(t);
  const { config } = largeChannel(250, 1);
  await choose(page, { name: 'large.pb', buffer: Buffer.from(config) });
  await openTab(page, 'Everything');
  const tree = page.locator('config-tree .tree');
  await tree.scrollIntoViewIfNeeded();
  await page.locator('config-tree .row').first().waitFor();
  t.true((await page.locator('config-tree .row').count()) < 100);
  await page.getByLabel('Search').fill('Org249');
  t.regex((await page.locator('config-tree [aria-live]').textContent())!, /^[1-9]\d? of \d{4} elements$/);
  t.deepEqual(errors, []);
});

test('configtxlator start serves the page at /, and with --no-page the 404 of the reference', async (t) => {
  const start = ['start', '--hostname', '127.0.0.1', '--port', '0'];
  const urlOf = async (...flags: readonly string[]): Promise<string> => {
    const program = startProgram(t, [...start, ...flags], { program: TRANSLATOR });
    const [, address = ''] = await program.line(/Serving HTTP requests on (\S+)/);
    return `http://${address}`;
  };
  const context = await browser.newContext();
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(`${await urlOf()}/`);
  await choose(page, BLOCK);
  await page.getByRole('heading', { name: 'Channel mychannel, block 0' }).waitFor();
  t.is((await fetch(`${await urlOf('--no-page')}/`)).status, 404);
});
