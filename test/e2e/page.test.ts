// The channel page in a real browser.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { chromium, type Browser, type Page } from 'playwright-core';
import { readConfigFile, writeConfig } from '../../translator/config/index.js';
import { setPolicy, unsignedUpdate } from '../../translator/edit/index.js';
import { largeChannel } from '../helpers/large-channel.js';
import { networkBlock } from '../helpers/network-block.js';
import { startProgram, TRANSLATOR } from '../helpers/program.js';
import { findProgram } from './provision.js';

const PAGE = pathToFileURL('dist/page/channel.html').href;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
test.before(async () => {
  // As root there is no sandbox.
  browser = await chromium.launch({ executablePath: findProgram('chromium')!, args: ['--no-sandbox'] });
});
test.after.always(async () => browser.close());

interface Opened {
  readonly page: Page;
  /** Errors of scripts and of the content security policy. */
  readonly errors: readonly string[];
  /** Every request except that of the page. */
  readonly requests: readonly string[];
}

async function open(
  t: ExecutionContext,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Opened> {
  const context = await browser.newContext(options);
  t.teardown(() => context.close());
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => errors.push(message.text()));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(PAGE);
  requests.splice(0);
  return { page, errors, requests };
}

interface Dropped {
  readonly name: string;
  readonly buffer: Buffer;
}

const choose = async (page: Page, ...files: readonly Dropped[]): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles(files.map((each) => ({ ...each, mimeType: 'application/octet-stream' })));

const BLOCK: Dropped = { name: 'config_block.pb', buffer: Buffer.from(networkBlock()) };
const { config: CONFIG } = readConfigFile(BLOCK.buffer);
const updateOf = (path: string, rule: string): Buffer =>
  Buffer.from(unsignedUpdate('mychannel', CONFIG, setPolicy(CONFIG, path, rule).config).envelope);
const TAKEOVER: Dropped = { name: 'takeover.pb', buffer: updateOf('/Channel/Admins', 'ANY Admins') };
const HARMLESS: Dropped = {
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
      await page.getByRole('heading', { name: 'Everything' }).waitFor();
      await page.evaluate(AXE);
      const violations = await page.evaluate(async () => {
        const axe = (
          globalThis as unknown as {
            axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          }
        ).axe;
        const result = await axe.run();
        return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
      });
      t.deepEqual(violations, []);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      t.true((wide as number) <= width, String(wide));
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
  await page.getByRole('heading', { name: 'Everything' }).waitFor();
  t.is(await page.locator('img').count(), 0);
  t.true((await page.locator('main').textContent())!.includes('<img src=x onerror=alert(1)>'));
  t.false((await page.locator('main').textContent())!.includes('\u202e'));
  t.deepEqual(errors, []);
});

test('250 organisations: the tree has few rows in the document, and its search is complete', async (t) => {
  const { page, errors } = await open(t);
  const { config } = largeChannel(250, 1);
  await choose(page, { name: 'large.pb', buffer: Buffer.from(config) });
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
