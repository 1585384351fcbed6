// How fluid the channel page is with 250 organisations.

import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { findProgram } from '../e2e/provision.js';
import { largeChannel } from '../helpers/large-channel.js';
import { row, type Row } from './report.js';

const ORGANISATIONS = 250;
/** Turns of the wheel, and pixels of each. */
const TURNS = 100;
const PIXELS = 800;
/** The browser reports only longer tasks, in milliseconds. */
const LONG = 50;

/** One row for each part of the page that scrolls. */
export async function benchScrolling(): Promise<Row[]> {
  const executablePath = findProgram('chromium');
  if (executablePath === undefined) throw new Error('chromium is needed: node dist/test/e2e/provision.js');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL('dist/page/channel.html').href);
    const buffer = Buffer.from(largeChannel(ORGANISATIONS, 1).config);
    await page
      .getByLabel('Files')
      .setInputFiles({ name: 'large.pb', mimeType: 'application/octet-stream', buffer });
    const rows: Row[] = [];
    for (const [tab, area] of [
      ['Everything', 'config-tree .tree'],
      ['Channel', 'section[aria-label=overview]'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      const tasks = await longTasks(page, area);
      rows.push(
        row(
          `channel page with ${ORGANISATIONS} organisations, ${tab}: tasks over ${LONG} ms while it scrolls`,
          tasks.length,
          '<=',
          0,
          tasks.length === 0 ? '' : `the longest takes ${Math.max(...tasks)} ms`,
        ),
      );
    }
    return rows;
  } finally {
    await browser.close();
  }
}

/** The durations of the long tasks while a part of the page scrolls, in milliseconds. */
async function longTasks(page: Page, area: string): Promise<readonly number[]> {
  await page.locator(area).hover();
  await page.waitForTimeout(1000);
  await page.evaluate(`
    globalThis.long = [];
    new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
  `);
  for (let turn = 0; turn < TURNS; turn += 1) await page.mouse.wheel(0, PIXELS);
  await page.waitForTimeout(1000);
  return page.evaluate<number[]>('long');
}
