// The channel page with hundreds of organisations.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import type { Browser, Page } from 'playwright-core';
import { largeChannel } from '../helpers/large-channel.js';
import { temporaryFolder } from '../helpers/folder.js';
import { openPage, openPlace, startBrowser, type Opened } from './browser.js';
import { machineFactor, tasksOf } from './main-thread.js';

let browser: Browser;
test.before(async () => {
  browser = await startBrowser();
});
test.after.always(async () => browser.close());

/** The longest task that people do not notice, in milliseconds. */
const LONG = 50;
const MAX_ELEMENTS = 1500;
const HEIGHT = 900;

/** Playwright passes contents through the main thread of the page, but not paths. */
function writeChannel(t: ExecutionContext, organisations: number): readonly [config: string, update: string] {
  const folder = temporaryFolder(t);
  const { config, envelope } = largeChannel(organisations, 1);
  const paths = [join(folder, 'channel.pb'), join(folder, 'update.pb')] as const;
  writeFileSync(paths[0], config);
  writeFileSync(paths[1], envelope);
  return paths;
}

/** A page in which a file was chosen before, because the first choice runs scripts of Playwright in it. It collects the progress that it shows. */
async function openWarm(t: ExecutionContext): Promise<Opened> {
  const opened = await openPage(t, browser, { viewport: { width: 1400, height: HEIGHT } });
  const { page } = opened;
  await choose(page, 'package.json');
  await page.evaluate(`{
    globalThis.progress = new Set();
    const root = document.querySelector('channel-page').shadowRoot;
    const read = () => progress.add((root.querySelector('.toast')?.textContent ?? '').replaceAll(/\\s+/g, ' ').trim());
    new MutationObserver(read).observe(root, { childList: true, characterData: true, subtree: true });
  }`);
  return opened;
}

async function choose(page: Page, ...paths: readonly string[]): Promise<void> {
  await page.locator('input[name=files]').setInputFiles([...paths]);
  await page.locator('main[aria-busy=false]').waitFor();
}

const progressOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>('[...progress]');

async function checkSize(t: ExecutionContext, page: Page, what: string): Promise<void> {
  const elements = await page.evaluate<number>(
    `(() => { const count = (root) => [...root.querySelectorAll('*')].reduce((sum, each) => sum + 1 + (each.shadowRoot === null ? 0 : count(each.shadowRoot)), 0); return count(document); })()`,
  );
  t.true(elements <= MAX_ELEMENTS, `${what}: ${elements} elements`);
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  t.true(height <= 3 * HEIGHT, `${what}: ${height} pixels`);
}

for (const organisations of [250, 400])
  test.serial(
    `${organisations} organisations open, and an update of all their MSPs is reviewed, without a long task`,
    async (t) => {
      const [config, update] = writeChannel(t, organisations);
      const { page, errors, requests } = await openWarm(t);
      const limit = LONG * (await machineFactor(browser, page));
      const [opening = 0] = await tasksOf(browser, page, async () => {
        await choose(page, config);
        await page.locator('section[aria-label=powers] td').first().waitFor();
      });
      t.true(opening <= limit, `opening: ${opening} of ${limit} ms`);
      await checkSize(t, page, 'Channel');
      const [reviewing = 0] = await tasksOf(browser, page, async () => {
        await choose(page, update);
        await page.locator('.gains, .nobody').first().waitFor();
      });
      t.true(reviewing <= limit, `review: ${reviewing} of ${limit} ms`);
      await checkSize(t, page, 'Review');
      const percents = (await progressOf(page)).filter((text) => /^Reviewing the update… \d+ %$/.test(text));
      t.true(percents.length >= 5, percents.join(', '));
      await openPlace(page, 'Change');
      await checkSize(t, page, 'Change');
      t.deepEqual([errors, requests], [[], []]);
    },
  );

test.serial(
  'a channel of 250 organisations shows its ordering and a bar while its update is reviewed',
  async (t) => {
    const paths = writeChannel(t, 250);
    const { page, errors, requests } = await openWarm(t);
    const chosen = choose(page, ...paths);
    const opening = page.locator('section[aria-label=opening]');
    await opening.getByText('orderer3').waitFor();
    t.is(await opening.locator('dd').last().textContent(), '251');
    await opening.getByRole('progressbar', { name: 'Reviewing the update' }).waitFor();
    await chosen;
    await page.locator('.review .verdict').waitFor();
    t.is(await opening.count(), 0);
    t.deepEqual([errors, requests], [[], []]);
  },
);

test('the page is at most 305 KB compressed, and has a policy that allows no connection', (t) => {
  const page = readFileSync('dist/page/channel.html');
  t.true(gzipSync(page, { level: 9 }).length <= 305_000);
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page.toString()) ?? [];
  t.regex(
    policy,
    /^default-src 'none'; script-src 'sha256-[^ ;]+'; style-src 'sha256-[^ ;]+'; img-src data:; /,
  );
  t.notRegex(policy, /connect-src|unsafe/);
});
