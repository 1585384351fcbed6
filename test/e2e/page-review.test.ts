// What people see and do when they review an update on the channel page, with its example.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { Browser, Page } from 'playwright-core';
import { readConfigFile } from '../../translator/channel/index.js';
import { setFields, setPolicy, unsignedUpdate } from '../../translator/edit/index.js';
import { exampleFiles } from '../../translator/page/example.js';
import { accessibilityProblems, choose, openPage, startBrowser, type ChosenFile } from './browser.js';

let browser: Browser;
test.before(async () => {
  browser = await startBrowser();
});
test.after.always(async () => browser.close());

const SIZES = [
  [1400, 900, 200],
  [800, 1000, 200],
  [390, 844, 300],
] as const;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The files of the example, by path. */
async function example(): Promise<ReadonlyMap<string, Buffer>> {
  const files = await exampleFiles();
  return new Map(
    await Promise.all(
      files.map(async ({ path, read }) => [path, Buffer.from((await read()).bytes)] as const),
    ),
  );
}

async function openExample(
  t: ExecutionContext,
  width: number,
  height: number,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<Page> {
  const { page } = await openPage(t, browser, { viewport: { width, height }, colorScheme, bypassCSP: true });
  await page.getByRole('button', { name: 'Try an example' }).click();
  await page.locator('main[aria-busy=false] .review').waitFor();
  return page;
}

/** An update of the channel of the example. */
async function updateOf(name: string, path: string, value: string): Promise<ChosenFile> {
  const { config, channel } = readConfigFile((await example()).get('config_block.pb')!);
  const edited = path.startsWith('/') ? setPolicy(config, path, value) : setFields(config, [{ path, value }]);
  return { name, buffer: Buffer.from(unsignedUpdate(config, edited.config, channel!).bytes) };
}

/** The words of at most 24 characters in tables that are broken inside, not after a hyphen or a slash. */
const brokenWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const range = document.createRange();
    const broken = [];
    for (const table of document.querySelector('channel-page').shadowRoot.querySelectorAll('.review table')) {
      const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
      while (walker.nextNode())
        for (const { 0: word, index } of walker.currentNode.data.matchAll(/(?<![^\\s/-])[^\\s/-]{1,24}(?![^\\s/-])/g)) {
          range.setStart(walker.currentNode, index);
          range.setEnd(walker.currentNode, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
    }
    return broken;
  })()`);

/** Shows an update. Narrow screens show the list only after a click. */
async function show(page: Page, name: string): Promise<void> {
  const list = page.getByRole('button', { name: /^\d updates$/ });
  if (await list.isVisible()) await list.click();
  await page.locator('.inbox .list button', { hasText: name }).click();
}

/** The texts of the filled buttons, which are all in view. */
async function primaries(t: ExecutionContext, page: Page, height: number): Promise<readonly string[]> {
  const buttons = page.locator('.review .primary');
  for (const each of await buttons.all()) {
    const box = await each.boundingBox();
    t.true(box!.y >= 0 && box!.y + box!.height <= height, String(box!.y));
  }
  return (await buttons.allTextContents()).map(oneLine);
}

for (const [width, height, top] of SIZES)
  test(`at ${width} × ${height} the verdict is at the top, and one button at most is filled and in view`, async (t) => {
    const page = await openExample(t, width, height);
    await choose(
      page,
      await updateOf('batch.pb', 'orderer.batchSize.maxMessageCount', '50'),
      await updateOf('refused.pb', 'orderer.batchSize.maxMessageCount', '0'),
    );
    // The lines that others decide than before, which are marked.
    for (const [name, verdict, filled, marked] of [
      [
        'takeover.pb',
        /^Takeover: Application\/Admins: MAJORITY Admins → ANY Admins Org1 or Org2 could change the group Application and its organisations without the others$/,
        [],
        ['the channel', 'the group Application', 'Org1', 'Org2'],
      ],
      ['refused.pb', /^Orderers would refuse it max_message_count of the batch size is 0$/, [], []],
      [
        'add-org3.pb',
        /^Adds organisation Org3 Org1 and Org2 lose their veto over the channel and the group Application$/,
        ['Sign as Org1 admin'],
        ['the channel', 'the group Application', 'Org1', 'Org2'],
      ],
      ['batch.pb', /^Harmless: 10 → 50 messages a block$/, [], []],
    ] as const) {
      await show(page, name);
      const shown = page.locator('.review .verdict');
      t.regex(oneLine((await shown.textContent())!), verdict, name);
      t.true((await shown.boundingBox())!.y <= top, `${name}: ${(await shown.boundingBox())!.y}`);
      t.deepEqual(await primaries(t, page, height), [...filled], name);
      if (marked.length > 0) await page.locator('.decides').first().waitFor();
      const rows = page.locator('.decides tr', { has: page.locator('.mark') }).locator('th');
      t.deepEqual((await rows.allTextContents()).map(oneLine), [...marked], name);
      // Without work there is no box for its progress.
      t.is(await page.locator('.toast').count(), 0, name);
      t.deepEqual(await accessibilityProblems(page), [], name);
      t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, name);
      t.deepEqual(await brokenWords(page), [], name);
    }
    t.is(await page.getByRole('button', { name: /^Sign/ }).count(), 0);
    await page.getByText('Your signature is not needed: OrdererOrg admin decides').waitFor();
    await page.getByText('Nothing for you to do').waitFor();
  });

test('from the start to the signed file with the keyboard only', async (t) => {
  const { page, errors, requests } = await openPage(t, browser, { viewport: { width: 1400, height: 900 } });
  /** Presses Tab until the focus is on something with a text. */
  const tabTo = async (text: RegExp): Promise<void> => {
    for (let index = 0; index < 40; index++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<string>(
        `(() => { let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return at?.textContent ?? ''; })()`,
      );
      if (text.test(oneLine(focused))) return;
    }
    t.fail(`no element ${text}`);
  };
  await tabTo(/^Try an example$/);
  await page.keyboard.press('Enter');
  await page.locator('main[aria-busy=false] .review').waitFor();
  t.regex(oneLine((await page.locator('.review .verdict').textContent())!), /^Takeover/);
  await tabTo(/^add-org3\.pb$/);
  await page.keyboard.press('Enter');
  await page.locator('main[aria-busy=false]').getByText('Your signature is needed').waitFor();
  await tabTo(/^Sign as Org1 admin$/);
  await page.keyboard.press('Enter');
  await page.getByText('You signed. Next: Org2 admin').waitFor();
  // The focus is on the next button.
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  t.is(file.suggestedFilename(), 'add-org3.signed-Org1.pb');
  t.true(readFileSync(await file.path()).length > 1000);
  t.deepEqual([errors, requests], [[], []]);
});

test('a danger is said once: the headline states it, the box below has the reason, the element and what to do', async (t) => {
  const page = await openExample(t, 1400, 900);
  t.deepEqual((await page.locator('.review .lead p').allTextContents()).map(oneLine), [
    'This policy needs fewer or different signatures than before: Org1MSP.admin or Org2MSP.admin alone, and with it change /Channel/Application, /Channel/Application/Capabilities, /Channel/Application/Admins and 18 more',
    '/Channel/Application/Admins',
    'To do: do not sign unless these users alone may decide: ask the author to keep the policy as it was',
  ]);
  t.is(await page.locator('.review .finding').count(), 0);
});

test('the reader of an update that adds an organisation is asked to compare its CA with it, by the whole fingerprint', async (t) => {
  for (const [width, height] of SIZES) {
    const page = await openExample(t, width, height);
    await show(page, 'add-org3.pb');
    const box = page.locator('.new-cas');
    t.regex(
      oneLine((await box.textContent())!),
      /^Compare with Org3: CA CN=ca\.org3\.example\.com, SHA-256 (?:[\da-f]{4} ){15}[\da-f]{4}$/,
    );
    const { y, height: tall } = (await box.boundingBox())!;
    t.true(y + tall < height / 2, String(y + tall));
    await show(page, 'takeover.pb');
    await page.locator('.decides').waitFor();
    t.is(await box.count(), 0);
  }
});

test('signatures name each signer once, and say how many are needed', async (t) => {
  const page = await openExample(t, 1400, 900);
  await show(page, 'add-org3.pb');
  const list = page.locator('.signatures');
  t.deepEqual((await list.locator('h4, li').allTextContents()).map(oneLine), [
    'Needs 2 of 2 (/Channel/Application/Admins)',
    '○ Org1 admin',
    '○ Org2 admin',
  ]);
  await page.getByRole('button', { name: 'Sign as Org1 admin' }).click();
  await page.getByText('You signed. Next: Org2 admin').waitFor();
  t.is(
    oneLine((await list.locator('h4').textContent())!),
    'Needs 2 of 2, has 1 (/Channel/Application/Admins)',
  );
});

test('each added organisation has one row, and services that are not shown can be opened', async (t) => {
  const page = await openExample(t, 1400, 900);
  await show(page, 'add-org3.pb');
  await page.getByText('about Org1, Org2 and Org3').waitFor();
  const [first = '', second = ''] = await page.locator('.changes tbody td:first-child').allTextContents();
  t.deepEqual([first, second].map(oneLine), ['/Channel/Application', '/Channel/Application/Org3/MSP']);
  const more = page.locator('.gains li details', { hasText: 'and 7 more' }).first();
  await more.locator('summary').click();
  await more.getByText('query the config').waitFor();
});

test('the mark of a danger has a legend, and a disabled button looks different from others', async (t) => {
  const page = await openExample(t, 1400, 900);
  await page.locator('.legend').getByText('fewer or different signatures than before').waitFor();
  t.deepEqual(
    await page.evaluate<readonly string[]>(
      `[...document.querySelector('channel-page').shadowRoot.querySelectorAll('.bar .buttons button, .part-bar button')].map((each) => getComputedStyle(each).borderTopStyle)`,
    ),
    ['solid', 'solid', 'dashed'],
  );
});

test('on a phone the bar is small, and the buttons of a dangerous update are at the end of the page', async (t) => {
  const page = await openExample(t, 390, 844);
  const bar = page.locator('.part-bar');
  t.true((await page.getByText('Do not sign', { exact: true }).boundingBox())!.y > 780);
  t.true((await page.getByLabel('I know this danger').boundingBox())!.y > 844);
  await choose(page, await updateOf('batch.pb', 'orderer.batchSize.maxMessageCount', '50'));
  for (const name of ['add-org3.pb', 'batch.pb']) {
    await show(page, name);
    await page
      .locator('.review .verdict', { hasText: name === 'batch.pb' ? 'Harmless' : 'lose their veto' })
      .waitFor();
    const { y, height } = (await bar.boundingBox())!;
    t.true(height <= 844 / 8 && y + height <= 844, `${name}: ${height}`);
    t.true((await page.locator('.inbox').boundingBox())!.height <= 60, name);
  }
});

test('an update that orderers would refuse has its correction before their error, and conflicts with no other', async (t) => {
  const page = await openExample(t, 1400, 900);
  await choose(
    page,
    await updateOf('batch.pb', 'orderer.batchSize.maxMessageCount', '50'),
    await updateOf('refused.pb', 'orderer.batchSize.maxMessageCount', '0'),
  );
  await show(page, 'refused.pb');
  const text = oneLine((await page.locator('.review .lead').textContent())!);
  t.regex(text, /^\/Channel\/Orderer\/BatchSize To do: set it to 1 or more error of the orderers: /);
  await page.getByText('Send it back to its author').waitFor();
  t.is(await page.getByText('conflicts with').count(), 0);
  t.is(await page.locator('section[aria-label=conflicts]').count(), 0);
});

test('a dangerous update has no filled button, and is signed only after people say that they know the danger', async (t) => {
  const page = await openExample(t, 1400, 900);
  const sign = page.getByRole('button', { name: 'Sign as Org1 admin anyway' });
  t.true(await sign.isDisabled());
  await page.getByLabel('I know this danger').check();
  await sign.click();
  await page.getByRole('button', { name: 'Download takeover.signed-Org1.pb' }).waitFor();
  t.is(await page.locator('.review .primary').count(), 0);
  t.is(await page.getByRole('button', { name: /^Sign/ }).count(), 0);
});

test('a person of no organisation is told so, and nobody is asked to sign', async (t) => {
  const { page } = await openPage(t, browser);
  const files = await example();
  const channel = await updateOf('x.pb', '/Channel/Application/Clerks', 'ANY Readers');
  await choose(page, { name: 'block.pb', buffer: files.get('config_block.pb')! }, channel);
  t.deepEqual(
    await page
      .locator('.review .primary')
      .allTextContents()
      .then((all) => all.map(oneLine)),
    ['Choose your MSP folder to sign'],
  );
});

test('on a phone the verdict on an edit stays in view while people write', async (t) => {
  const page = await openExample(t, 390, 844);
  await page.locator('nav.places').getByRole('button', { name: 'Change' }).click();
  await page.locator('input[name=palette]').fill('batch');
  await page.locator('.palette button', { hasText: 'Messages in a block' }).click();
  await page.getByLabel('value', { exact: true }).fill('50');
  const verdict = page.locator('channel-editor .verdict');
  await verdict.getByText('Harmless: 10 → 50 messages a block').waitFor();
  for (const place of ['0', 'document.documentElement.scrollHeight']) {
    await page.evaluate(`scrollTo(0, ${place})`);
    const { y, height } = (await verdict.boundingBox())!;
    t.true(y >= 0 && y + height <= 844, `${place}: ${y}`);
  }
  t.deepEqual(await accessibilityProblems(page), []);
});

test('the review of an edit stands beside its form', async (t) => {
  const page = await openExample(t, 1400, 900);
  await page.locator('nav.places').getByRole('button', { name: 'Channel' }).click();
  await page.getByRole('button', { name: 'Change the blocks' }).click();
  await page.locator('.palette button', { hasText: 'Messages in a block' }).click();
  await page.getByLabel('value', { exact: true }).fill('50');
  const verdict = page.locator('channel-editor .verdict');
  await verdict.getByText('Harmless: 10 → 50 messages a block').waitFor();
  const [form, review] = [
    await page.locator('channel-editor form').boundingBox(),
    await verdict.boundingBox(),
  ];
  t.true(review!.x > form!.x + form!.width);
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Sign or share' }).click();
  await page.locator('main[aria-busy=false] .review .verdict').getByText('Harmless').waitFor();
});

test('addresses: the recorded example opens by its address, and each review has one, with the keys and back', async (t) => {
  const { page, errors, requests } = await openPage(t, browser, {
    url: `${pathToFileURL('dist/page/channel.html').href}#demo`,
  });
  const title = page.locator('.review .verdict > span').first();
  await title.getByText('Takeover').waitFor();
  await page.getByText('Recorded example of a test network.').waitFor();
  const at = async (fragment: string): Promise<void> => {
    await page.waitForURL((url) => url.hash === fragment);
  };
  await at('#demo/takeover.pb');
  await page.keyboard.press('j');
  await at('#demo/add-org3.pb');
  await title.getByText('Adds organisation Org3').waitFor();
  await page.keyboard.press('c');
  await at('#demo/channel');
  await page.goBack();
  await at('#demo/add-org3.pb');
  await title.getByText('Adds organisation Org3').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('region', { name: 'keys' }).getByText('the next update').waitFor();
  await page.keyboard.press('Escape');
  t.is(await page.getByRole('region', { name: 'keys' }).count(), 0);
  t.deepEqual([errors, requests], [[], []]);
});

test('the link of an example opens this update alone, and the focus of people with a keyboard is not lost', async (t) => {
  const { page } = await openPage(t, browser, { bypassCSP: true });
  const link = page.getByRole('link', { name: 'a removal' });
  await link.focus();
  await page.keyboard.press('Enter');
  await page.locator('.review .verdict', { hasText: 'Removes organisation Org2' }).waitFor();
  await page.getByText('Org1 decides alone about the group Application').waitFor();
  await page.waitForFunction(
    `document.querySelector('channel-page').shadowRoot.activeElement?.getAttribute('aria-current') === 'page'`,
  );
  t.is(await page.locator('.inbox').count(), 0);
});

if (process.env['REWRITE_SAMPLES'] === '1')
  for (const colorScheme of ['light', 'dark'] as const)
    test.serial(`the picture of the README: ${colorScheme}`, async (t) => {
      const page = await openExample(t, 1400, 720, colorScheme);
      await show(page, 'takeover.pb');
      await page.locator('.review .verdict', { hasText: 'Takeover' }).waitFor();
      const path = colorScheme === 'light' ? 'translator/page/page.png' : 'translator/page/page-dark.png';
      await page.screenshot({ path });
      t.pass();
    });
