// The page of the agent for different readers: with a keyboard, on a touch screen, on small or zoomed screens, without a clipboard or
// JavaScript; and with an agent of another version.

import test, { type ExecutionContext } from 'ava';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { answersOf } from '../../core/status/answer/index.js';
import { pageState, STATES, type StateName } from '../helpers/page-states.js';
import { lookOf } from './agent-page-look.js';
import { servePage } from './agent-page-server.js';
import { openPage, startBrowser, type Opened } from './browser.js';

/** Opens the page with a document. */
async function openDocument(
  t: ExecutionContext,
  document: object,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  const { url } = await servePage(t, document);
  return openPage(t, browser, { ...options, url });
}

const openState = async (
  t: ExecutionContext,
  name: StateName,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const { page } = await openDocument(t, pageState(name).document, options);
  await page.locator('footer').waitFor();
  return page;
};

for (const [what, viewport] of [
  ['320 pixels', { width: 320, height: 640 }],
  ['1400 pixels with a zoom of 200 %', { width: 700, height: 450 }],
] as const)
  test.serial(
    `on ${what} no word is broken, nothing scrolls sideways, and the answer is complete`,
    async (t) => {
      for (const name of STATES) {
        const page = await openState(t, name, { viewport });
        const { broken, sideways, small, twice } = await lookOf(page);
        t.deepEqual([broken, sideways, small, twice], [[], [], [], []], name);
        await page.context().browser()!.close();
      }
    },
  );

test.serial('on a touch screen everything that people click is at least 44 pixels high', async (t) => {
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  for (const name of ['certificate', 'quorum-lost', 'level-raised'] as const) {
    const page = await openState(t, name, options);
    const small = await page
      .locator('main button')
      .evaluateAll((all) =>
        all
          .filter((each) => each.getBoundingClientRect().height < 44)
          .map((each) => each.textContent?.trim()),
      );
    t.deepEqual(small, [], name);
    await page.context().browser()!.close();
  }
});

test.serial('Tab reaches every button of the page, in the order of the screen', async (t) => {
  const page = await openState(t, 'quorum-lost');
  const names = (await page.locator('main button').allInnerTexts()).map((each) => each.trim());
  const reached: string[] = [];
  for (const _ of names) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate<string>(`document.activeElement.shadowRoot.activeElement.innerText.trim()`),
    );
  }
  t.deepEqual(reached, names);
});

test.serial('a level is raised with the keyboard alone', async (t) => {
  const page = await openState(t, 'level-raised');
  await page.locator('.line.node .name', { hasText: 'orderer2' }).focus();
  await page.keyboard.press('Enter');
  const control = page.locator('dialog level-control');
  await control.getByLabel('Change orderer2 to').focus();
  await page.keyboard.press('d');
  await page.keyboard.press('Tab');
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.method() === 'PUT'),
    page.keyboard.press('Enter'),
  ]);
  t.deepEqual([new URL(request.url()).search, request.postData()], ['?for=1m', '{"spec":"debug"}']);
});

test.serial('without a clipboard the command is selected instead', async (t) => {
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  const { url } = await servePage(t, pageState('no-node').document);
  const { page, errors } = await openPage(t, browser, { url });
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.reload();
  await page.getByRole('button', { name: 'Copy' }).click();
  t.is(
    await page.evaluate<string>('getSelection().toString().trim()'),
    'fabric-ops-agent start --node /etc/hyperledger/fabric/core.yaml',
  );
  t.deepEqual(errors, []);
});

test.serial(
  'without JavaScript the browser goes to the same answer as plain HTML, on small screens, too',
  async (t) => {
    for (const name of STATES) {
      const { document, now } = pageState(name);
      const options = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } };
      const { page } = await openDocument(t, document, options);
      const { first } = answersOf(document, { now, zone: 'UTC' });
      await page.locator('h2', { hasText: first.sentence }).waitFor();
      await page.context().browser()!.close();
    }
    t.pass();
  },
);

const TIME = '2026-11-26T17:00:00Z';
for (const [what, document, sentence] of [
  ['an empty document', {}, 'This agent monitors no node yet'],
  [
    'unknown kinds, states and members',
    {
      time: TIME,
      future: [{ x: 1 }],
      agent: { started_at: TIME, mood: 'good' },
      nodes: [{ name: 'peer1', kind: 'gateway', up: true, state: 'resting', colour: 'blue' }],
      channels: [{ name: 'ch1', verdict: 'paused', consenters: [{ name: 'o1', state: 'paused' }] }],
      problems: [
        { component: 'peer1/quota', node: 'peer1', kind: 'quota', state: 'failed', reason: 'too much' },
      ],
      certificates: [{ subject: 'x', not_after: 'soon' }],
      levels: [{ name: 'peer1', spec: 7 }],
    },
    'The check quota of peer1 fails',
  ],
  [
    'members of wrong types',
    {
      time: 5,
      agent: [],
      nodes: [{ name: 'peer1', channels: 7, log: [], past: {} }],
      channels: 'x',
    },
    '',
  ],
] as const)
  test.serial(`an agent of another version: ${what}`, async (t) => {
    const { page, errors } = await openDocument(t, document);
    await page.locator('footer').waitFor();
    t.false((await page.locator('main').innerText()).includes('NaN'));
    const said = await page.locator('.answer h2').innerText();
    t.true(sentence === '' ? said.includes('not up') : said === sentence, said);
    for (const each of await page.locator('main button.name, footer button.link').all()) {
      await each.click();
      await page.locator('dialog').getByRole('button', { name: 'Close' }).click();
    }
    t.deepEqual(errors, []);
  });

test.serial(
  'the details have an address, which Back leaves and which opens them in another window',
  async (t) => {
    const page = await openState(t, 'orderer-killed');
    const dialog = page.locator('dialog[open]');
    const row = page.locator('.line.node .name', { hasText: 'orderer3' });
    await row.click();
    await dialog.getByRole('heading', { name: 'orderer3' }).waitFor();
    t.is(new URL(page.url()).hash, '#orderer3');
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    t.true(await row.evaluate((element) => element.matches(':focus')));
    await page.goForward();
    await dialog.getByRole('heading', { name: 'orderer3' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.hash === '');

    const other = await page.context().newPage();
    await other.goto(`${page.url()}#ch1`);
    await other.locator('dialog[open]').getByRole('heading', { name: 'ch1', exact: true }).waitFor();
    await other.keyboard.press('Escape');
    await other.waitForURL((url) => url.hash === '');
  },
);

test.serial('Close leaves all details that were opened one after the other', async (t) => {
  const page = await openState(t, 'quorum-lost');
  const before = await page.evaluate<number>('history.length');
  const dialog = page.locator('dialog[open]');
  await page.getByRole('button', { name: /checks fail because of it/ }).click();
  await dialog.waitFor();
  await page.keyboard.press('?');
  await dialog.getByRole('heading', { name: 'Keys' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.waitForURL((url) => url.hash === '');
  t.is(await page.evaluate<number>('history.state?.depth ?? 0'), 0);
  t.is(await page.evaluate<number>('history.length'), before + 2);
});

test.serial('the key ? shows the keys', async (t) => {
  const page = await openState(t, 'healthy');
  await page.keyboard.press('?');
  await page.locator('dialog[open]').getByRole('heading', { name: 'Keys' }).waitFor();
  t.is(new URL(page.url()).hash, '#keys');
});
