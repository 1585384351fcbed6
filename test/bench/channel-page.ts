// How the channel page copes with hundreds of organisations.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { openPlace } from '../e2e/browser.js';
import { tasksOf } from '../e2e/main-thread.js';
import { findProgram } from '../e2e/provision.js';
import { largeChannel } from '../helpers/large-channel.js';
import { median, row, type Row } from './report.js';

const SMALL = 3;
const LARGE = [250, 400];
/** The largest channel whose update of all MSPs is reviewed. */
const REVIEWED = 250;
/** Turns of the wheel, and pixels of each. */
const TURNS = 100;
const PIXELS = 800;
/** A task that people notice, in milliseconds. */
const LONG = 50;
const ROUNDS = 3;
/** Reviews of hundreds of MSPs take long on a busy machine, in milliseconds. */
const PATIENCE = 300_000;

/** The files of a channel. The page gets their paths: Playwright passes contents through the main thread of the page. */
interface Channel {
  readonly config: string;
  readonly update: string;
}

/** Rows for opening, for reviewing an update of all MSPs, and for each part of the page that scrolls. */
export async function benchChannelPage(): Promise<Row[]> {
  const executablePath = findProgram('chromium');
  if (executablePath === undefined) throw new Error('chromium is needed: node dist/test/e2e/provision.js');
  const directory = mkdtempSync(join(tmpdir(), 'channel-page-'));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const channels = new Map([SMALL, ...LARGE].map((count) => [count, writeChannel(directory, count)]));
    const rows: Row[] = [];
    for (const count of LARGE) rows.push(...(await openingRows(browser, channels, count)));
    rows.push(await reviewRow(browser, channels.get(REVIEWED)!));
    rows.push(...(await scrollingRows(browser, channels.get(REVIEWED)!)));
    return rows;
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true });
  }
}

function writeChannel(directory: string, count: number): Channel {
  const files = { config: join(directory, `${count}.pb`), update: join(directory, `${count}-update.pb`) };
  const { config, envelope } = largeChannel(count, 1);
  writeFileSync(files.config, config);
  writeFileSync(files.update, envelope);
  return files;
}

async function choose(page: Page, ...paths: readonly string[]): Promise<void> {
  await page.locator('input[name=files]').setInputFiles([...paths]);
  await page.locator('main[aria-busy=false]').waitFor();
}

/** A new page in which a file that is no config was chosen. */
async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await page.goto(pathToFileURL('dist/page/channel.html').href);
  await choose(page, 'package.json');
  return page;
}

async function openingRows(
  browser: Browser,
  channels: ReadonlyMap<number, Channel>,
  count: number,
): Promise<readonly Row[]> {
  const tasks: number[] = [];
  const times: { readonly small: number; readonly large: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const small = await opening(browser, channels.get(SMALL)!);
    const large = await opening(browser, channels.get(count)!);
    tasks.push(large.longest);
    times.push({ small: small.first, large: large.first });
  }
  const what = `channel page with ${count} organisations`;
  return [
    row(`${what}: CPU of the longest task while it opens, in ms`, median(tasks), '<=', LONG, ''),
    row(
      `${what}: first content, against ${SMALL} organisations`,
      median(times.map(({ small, large }) => large / small)),
      '<=',
      2,
      `${median(times.map(({ large }) => large)).toFixed(0)} ms`,
    ),
  ];
}

/** Opens a channel until everything is shown. @returns the time to the first content and the CPU of the longest task, in milliseconds */
async function opening(
  browser: Browser,
  { config }: Channel,
): Promise<{ readonly first: number; readonly longest: number }> {
  const page = await openPage(browser);
  let first = 0;
  const [longest = 0] = await tasksOf(browser, page, async () => {
    const start = performance.now();
    const chosen = choose(page, config);
    await page.locator('.dots').waitFor();
    first = performance.now() - start;
    await chosen;
    await page.locator('section[aria-label=powers] td').first().waitFor();
  });
  await page.context().close();
  return { first, longest };
}

async function reviewRow(browser: Browser, { config, update }: Channel): Promise<Row> {
  const page = await openPage(browser);
  let time = 0;
  const [longest = 0] = await tasksOf(browser, page, async () => {
    const start = performance.now();
    await choose(page, config, update);
    await page.locator('.gains, .nobody').first().waitFor();
    time = performance.now() - start;
  });
  await page.context().close();
  const what = `channel page, review of an update of ${REVIEWED} MSPs: CPU of the longest task, in ms`;
  return row(what, longest, '<=', LONG, `it takes ${(time / 1000).toFixed(1)} s`);
}

async function scrollingRows(browser: Browser, { config }: Channel): Promise<readonly Row[]> {
  const page = await openPage(browser);
  await choose(page, config);
  await openPlace(page, 'Channel');
  await page.getByText('Everything: each element with its JSON').click();
  const rows: Row[] = [];
  for (const [what, area] of [
    ['organisations', '.organizations'],
    ['all elements', 'config-tree .tree'],
  ] as const) {
    await page.locator(area).hover();
    const [longest = 0] = await tasksOf(browser, page, async () => {
      for (let turn = 0; turn < TURNS; turn += 1) await page.mouse.wheel(0, PIXELS);
    });
    rows.push(
      row(
        `channel page with ${REVIEWED} organisations: CPU of the longest task while ${what} scroll, in ms`,
        longest,
        '<=',
        LONG,
        '',
      ),
    );
  }
  return rows;
}
