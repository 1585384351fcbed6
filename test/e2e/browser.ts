// Debian's Chromium, and the channel page in it.

import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { ExecutionContext } from 'ava';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findProgram } from './provision.js';

const CHANNEL_PAGE = pathToFileURL('dist/page/channel.html').href;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Longest wait for something on a page, in milliseconds: on a busy machine nodes and browsers take long. */
const PAGE_TIMEOUT = 60_000;

/** Starts a browser. As root there is no sandbox. */
export const startBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: findProgram('chromium')!, args: ['--no-sandbox'] });

/** A page, and what it did. */
export interface Opened {
  readonly page: Page;
  /** Errors of scripts and of the content security policy. */
  readonly errors: readonly string[];
  /** Every request except the one for the page and those for the script of its worker, which is a part of the page (`blob:`). */
  readonly requests: readonly string[];
}

/** Opens a page in a profile of its own; the channel page from the disk, without `url`. */
export async function openPage(
  t: ExecutionContext,
  browser: Browser,
  { url = CHANNEL_PAGE, ...options }: BrowserContextOptions & { readonly url?: string } = {},
): Promise<Opened> {
  const context = await browser.newContext(options);
  t.teardown(() => context.close());
  context.setDefaultTimeout(PAGE_TIMEOUT);
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => errors.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) requests.push(request.url());
  });
  await page.goto(url);
  requests.splice(0);
  return { page, errors, requests };
}

/** What a page of another origin, on port 0 of this machine, can do with a window in which it has opened a URL. */
export async function openedByOther(
  t: ExecutionContext,
  browser: Browser,
  url: string,
): Promise<{ readonly hasOpener: boolean; readonly opener: string }> {
  const site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.teardown(() => site.close());
  const { port } = site.address() as AddressInfo;
  const { page } = await openPage(t, browser, { url: `http://localhost:${port}/` });
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`globalThis.other = globalThis.open(${JSON.stringify(url)}), undefined`),
  ]);
  await opened.locator('main').first().waitFor();
  return {
    hasOpener: await opened.evaluate<boolean>('globalThis.opener !== null'),
    opener: await page.evaluate<string>(`globalThis.other.closed ? 'no window' : 'a window'`),
  };
}

/** A file for the page. */
export interface ChosenFile {
  readonly name: string;
  readonly buffer: Buffer;
}

/** Chooses files on the channel page. */
export async function choose(page: Page, ...files: readonly ChosenFile[]): Promise<void> {
  await page
    .locator('input[name=files]')
    .setInputFiles(files.map((each) => ({ ...each, mimeType: 'application/octet-stream' })));
  await page.locator('main[aria-busy=false]').waitFor();
}

/** Chooses a folder on the channel page. */
export async function chooseFolder(page: Page, path: string): Promise<void> {
  await page.locator('input[name=folder]').setInputFiles(path);
  await page.locator('main[aria-busy=false]').waitFor();
}

/** Opens a part of the channel page. */
export const openPlace = (page: Page, name: string): Promise<void> =>
  page.locator('nav.places').getByRole('button', { name }).click();

/** Clicks a button and returns the file that the browser saves. */
export async function downloaded(page: Page, button: string | RegExp): Promise<Buffer> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return readFileSync(await file.path());
}

interface Axe {
  readonly run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** What axe-core finds. The page must have been opened with `bypassCSP`. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  });
}

/** What a page keeps in the browser: cookies, storage and databases. */
export const storageOf = (page: Page): Promise<readonly unknown[]> =>
  page.evaluate(
    `(async () => [document.cookie, ...Object.keys(localStorage), ...Object.keys(sessionStorage), ...(await indexedDB.databases()).map(({ name }) => name)].filter((each) => each !== ''))()`,
  );
