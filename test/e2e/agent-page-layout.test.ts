// What the page of the agent shows in states that were recorded from real networks, on three screens, light and dark.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { answersOf } from '../../core/status/answer/index.js';
import { largePageState } from '../helpers/large-page-state.js';
import { pageState, STATES, type PageState, type StateName } from '../helpers/page-states.js';
import { lookOf } from './agent-page-look.js';
import { servePage } from './agent-page-server.js';
import { accessibilityProblems, openPage, startBrowser } from './browser.js';

const SCREENS = [
  { width: 390, height: 844 },
  { width: 800, height: 1000 },
  { width: 1400, height: 900 },
] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Most words of the first screen, and the most screens that a page fills: on a phone, and elsewhere. */
const MOST = { words: 130, phone: 2, screens: 1.5 };
async function openState(t: ExecutionContext, name: StateName, options: Parameters<typeof openPage>[2]) {
  const { document, events } = pageState(name);
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  const server = await servePage(t, document, events);
  const opened = await openPage(t, browser, { ...options, url: server.url });
  await opened.page.locator('footer').waitFor();
  return { ...opened, server, document, browser };
}

/** The characters of the states in the title. */
const CHARACTERS = {
  works: '●',
  risk: '◐',
  planned: '⊖',
  stopped: '■',
  silent: '◌',
  unknown: '○',
  stale: '○',
} as const;

/** The recorded states, and those of 40 nodes and 6 channels. */
const LOOKS: readonly (readonly [name: string, state: () => PageState])[] = [
  ...STATES.map((name) => [name, () => pageState(name)] as const),
  ['40 nodes, all fine', () => largePageState()],
  ['40 nodes, 3 do not run', () => largePageState('orderer-killed', 'peer-frozen', 'orderer-killed')],
  ['40 nodes, one channel has stopped', () => largePageState('healthy', 'healthy', 'quorum-lost')],
];

for (const [name, stateOf] of LOOKS)
  test.serial(
    `${name}: the answer is in the first screen, and every node is named, on each screen`,
    async (t) => {
      const { document, events, now } = stateOf();
      const browser = await startBrowser();
      t.teardown(() => browser.close());
      const server = await servePage(t, document, events);
      const { first, others } = answersOf(document, { now });
      const nodes = document.nodes.map((node) => node.name);
      const consenters = document.channels.flatMap((channel) => channel.consenters.map((each) => each.name));
      const ill = document.nodes.filter(({ up }) => !up).map((node) => node.name);
      for (const colorScheme of SCHEMES)
        for (const viewport of SCREENS) {
          const where = `${name}, ${colorScheme}, ${viewport.width}`;
          const options = { url: server.url, viewport, colorScheme, bypassCSP: true, timezoneId: 'UTC' };
          const { page, errors, requests } = await openPage(t, browser, options);
          await page.locator('footer').waitFor();
          const { text, ...look } = await lookOf(page);
          t.log(where, `answer ends at ${look.answerEnd}, height ${look.height}, ${look.words} words`);
          const isPhone = viewport.width < 600;
          t.true(look.answerEnd <= viewport.height, where);
          // The names of 40 nodes are more words.
          if (nodes.length <= 12) t.true(look.words <= MOST.words, `${where}: ${look.words} words`);
          t.true(look.height <= viewport.height * (isPhone ? MOST.phone : MOST.screens), where);
          if (first.cause === undefined) t.true(look.height <= viewport.height * (isPhone ? 1.05 : 1), where);
          t.deepEqual([look.broken, look.sideways, look.small, look.twice], [[], [], [], []], where);
          t.is(
            await page.title(),
            `${CHARACTERS[first.state]} ${first.sentence} – ${document.agent.name ?? document.agent.host ?? ''}`,
            where,
          );
          const answer = (await page.locator('.answer').textContent())!;
          t.true(answer.includes(first.sentence), where);
          t.is(await page.locator('.others > li').count(), Math.min(others.length, 4), where);
          if (first.cause !== undefined) t.true((await page.locator('.steps > li').count()) > 0, where);
          t.deepEqual(
            // With nodes that are fine and not shown, the page says their number.
            [...nodes, ...consenters].filter((each) => !text.includes(each)),
            isPhone ? nodes.filter((each) => !text.includes(each)) : [],
            where,
          );
          const rows = await page.locator('.line.node .name').allInnerTexts();
          t.deepEqual(
            ill.filter((each) => !rows.includes(each)),
            [],
            where,
          );
          t.deepEqual(await accessibilityProblems(page), [], where);
          t.deepEqual([errors, requests.filter((each) => !each.endsWith('/events'))], [[], []], where);
          await page.context().close();
        }
    },
  );

test.serial('with 40 nodes one line shows and hides all nodes that are fine', async (t) => {
  const { document, events } = largePageState('orderer-killed');
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  const { url } = await servePage(t, document, events);
  const { page } = await openPage(t, browser, { url, viewport: SCREENS[0] });
  await page.getByRole('button', { name: '39 more nodes are fine ▾' }).click();
  t.is(await page.locator('.line.node').count(), 40);
  await page.getByRole('button', { name: 'Fewer nodes ▴' }).click();
  t.is(await page.locator('.line.node').count(), 1);
});

for (const [name, number] of [
  ['healthy', 0],
  ['orderer-killed', 1],
  ['quorum-lost', 1],
  ['peer-frozen', 1],
  ['certificate', 1],
] as const)
  test(`${name} is ${number} entries: one for each cause`, (t) => {
    const { document, now } = pageState(name);
    const { first, others } = answersOf(document, { now });
    t.is([first, ...others].filter(({ cause }) => cause !== undefined).length, number);
  });

for (const viewport of SCREENS)
  for (const colorScheme of SCHEMES)
    test.serial(
      `a stopped agent on ${viewport.width} pixels, ${colorScheme}: the answer has a step and fits`,
      async (t) => {
        const options = { viewport, colorScheme, bypassCSP: true };
        const { page, server } = await openState(t, 'quorum-lost', options);
        server.stop();
        await page.locator('main.old').waitFor();
        const { answerEnd, height, words, broken, sideways, small, twice } = await lookOf(page);
        t.true(answerEnd <= viewport.height);
        t.true(height <= viewport.height);
        t.true(words <= MOST.words);
        t.deepEqual([broken, sideways, small, twice], [[], [], [], []]);
        t.is(await page.locator('.steps > li').count(), 1);
        t.deepEqual(await accessibilityProblems(page), []);
      },
    );

test.serial('each state has an icon of its own', async (t) => {
  const { page, server } = await openState(t, 'healthy', { viewport: SCREENS[2] });
  const icons = new Set<string | null>();
  const names = ['healthy', 'certificate', 'quorum-lost', 'starved'] as const;
  for (const name of names) {
    const { document, now } = pageState(name);
    server.send(document);
    await page.locator('.answer h2', { hasText: answersOf(document, { now }).first.sentence }).waitFor();
    icons.add(await page.locator('link[rel=icon]').getAttribute('href'));
  }
  t.is(icons.size, names.length);
});

test.serial(
  'when the agent stops, nothing is green or can be changed, and only an age changes',
  async (t) => {
    const { page, server } = await openState(t, 'level-raised', { viewport: SCREENS[2] });
    const title = await page.title();
    const icon = (): Promise<string | null> => page.locator('link[rel=icon]').getAttribute('href');
    const before = await icon();
    t.regex(title, /^● ch1 works – host7$/);
    await page.getByRole('button', { name: 'End debug now' }).waitFor();
    await page.locator('.line.node .name', { hasText: 'orderer1' }).click();
    const control = page.locator('dialog level-control');
    await control.getByRole('button', { name: '10 min' }).waitFor();

    server.stop();
    await page.locator('main.old').waitFor({ timeout: 3000 });
    t.is(await control.locator('button:not([disabled])').count(), 0);
    await page.keyboard.press('Escape');
    t.is(await page.title(), '○ The agent does not respond – host7');
    t.not(await icon(), before);
    t.is(await page.getByRole('button', { name: 'End debug now' }).count(), 0);
    t.is(await page.locator('.steps code').textContent(), 'systemctl status fabric-ops-agent');
    const green = await page.evaluate<readonly string[]>(`(() => {
    const all = [...document.querySelector('agent-page').shadowRoot.querySelectorAll('main *')];
    const isGreen = (each) => ['color', 'fill', 'borderLeftColor'].some((name) => getComputedStyle(each)[name] === 'rgb(17, 99, 41)');
    return all.filter(isGreen).map((each) => each.outerHTML);
  })()`);
    t.deepEqual(green, []);
    const texts = async (): Promise<readonly string[]> =>
      (await page.locator('main').innerText()).split('\n').filter((line) => line.trim() !== '');
    await page.locator('.age').waitFor();
    const one = await texts();
    await page.locator('.age', { hasNotText: one.find((line) => line.startsWith('for '))! }).waitFor();
    const two = await texts();
    t.deepEqual(
      two.filter((line, index) => line !== one[index]).map((line) => line.replace(/\d+/, 'N')),
      ['for N s'],
    );
  },
);

test.serial(
  'a row opens the details of a node, and Escape closes them and gives the focus back',
  async (t) => {
    const { page, errors } = await openState(t, 'orderer-killed', { viewport: SCREENS[2], bypassCSP: true });
    const row = page.locator('.line.node .name', { hasText: 'orderer3' });
    await row.focus();
    await page.keyboard.press('Enter');
    const dialog = page.locator('dialog[open]');
    await dialog.getByRole('heading', { name: 'orderer3' }).waitFor();
    for (const each of ['Log', 'Checks', 'Log level', 'Certificates', 'Events'])
      t.is(await dialog.getByRole('heading', { name: each, exact: true }).count(), 1, each);
    t.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    t.true(await row.evaluate((element) => element.matches(':focus')));
    await page.getByRole('button', { name: /checks fail because of it ▸$/ }).click();
    await dialog.getByText('orderer3/consensus').waitFor();
    t.deepEqual(errors, []);
  },
);

for (const [target, name] of [
  ['certificates', /certificates/],
  ['levels', /levels/],
  ['events', /events?/],
  ['agent', /^agent/],
  ['ch1', /^ch1$/],
  ['cause', /If neither starts/],
] as const)
  test.serial(`the drawer of ${target} has no accessibility problem`, async (t) => {
    const { page, errors } = await openState(t, 'quorum-lost', { viewport: SCREENS[0], bypassCSP: true });
    await page.getByRole('button', { name }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    t.deepEqual(await accessibilityProblems(page), []);
    const [scroll, width] = await dialog.evaluate((each) => [each.scrollWidth, each.clientWidth]);
    t.true(scroll! <= width!);
    t.deepEqual(errors, []);
  });

test('the page is at most 36 KB compressed', (t) => {
  t.true(gzipSync(readFileSync('dist/page/agent.html'), { level: 9 }).length <= 36_000);
});
