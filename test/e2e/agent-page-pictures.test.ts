// All states of the page of the agent on a wide screen and on a phone, light and dark. Each state has a headline of at most 12 words with a
// verb, its next step is on the first screen, nothing scrolls sideways, and axe finds nothing. With `PICTURES=DIRECTORY` the pictures are
// written there: `PICTURES=/tmp/pictures node dist/test/e2e/run.js e2e/agent-page-pictures.test.js`; with `REWRITE_SAMPLES=1` those of
// core/page/README.md are made again.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { answersOf } from '../../core/status/answer/index.js';
import type { StatusDocument } from '../../core/status/document.js';
import { largePageState } from '../helpers/large-page-state.js';
import { pageState, STATES, type PageState, type StateName } from '../helpers/page-states.js';
import { servePage } from './agent-page-server.js';
import { accessibilityProblems, openPage, startBrowser } from './browser.js';

const DIRECTORY = process.env['PICTURES'];
const SCREENS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
const SCHEMES = ['light', 'dark'] as const;
const MOST_WORDS = 12;
/** The verbs of headlines. */
const VERB =
  /\b(?:works?|has|have|is|are|was|were|does|do|expires?|expired|monitors|orders?|run|runs|refuses?|fails?|cannot|logs?|serves|waits?|knows?|Waiting)\b/;

/** A recorded state with changes. */
const changed = (
  name: StateName,
  changes: (document: StatusDocument) => Partial<StatusDocument>,
): PageState => {
  const state = pageState(name);
  return { ...state, document: { ...state.document, ...changes(state.document) } };
};

/** Three consenters that run and agree on no leader. */
const noLeader = (): PageState =>
  changed('quorum-lost', ({ channels, nodes, problems }) => ({
    nodes: nodes.map((node) =>
      node.kind === 'peer' ? node : { ...node, up: true, state: 'up', healthy: true },
    ),
    channels: channels.map((channel) => ({
      ...channel,
      reason: '3 of 3 consenters know no leader',
      consenters: channel.consenters.map((each) => ({
        ...each,
        state: 'electing',
        outage: undefined,
        leader: false,
      })),
    })),
    problems: problems.filter(({ kind }) => kind === 'channel'),
  }));

/** The planned work of one node, and the failure of another one. */
const plannedAndIncident = (): PageState => {
  const { silences } = pageState('planned').document;
  return changed('peer-killed', () => ({ silences }));
};

/** All states; `undefined`: before the first document. */
const PICTURES: readonly (readonly [name: string, state: () => PageState])[] = [
  ...STATES.map((name) => [name, () => pageState(name)] as const),
  ['no-leader', noLeader],
  ['planned-and-incident', plannedAndIncident],
  [
    'first-seconds',
    () =>
      changed('healthy', ({ checks, nodes }) => ({
        unchecked: checks,
        channels: [],
        nodes: nodes.map((node) => ({ ...node, up: false, state: 'unknown', healthy: false, channels: [] })),
      })),
  ],
  ['40-nodes', () => largePageState()],
  ['40-nodes-incident', () => largePageState('healthy', 'healthy', 'quorum-lost')],
];

for (const [name, stateOf] of PICTURES)
  test.serial(`the picture of ${name}: a headline, the next step, no scrolling sideways`, async (t) => {
    t.timeout(300_000);
    const { document, events, now } = stateOf();
    const { first } = answersOf(document, { now });
    // The exact time of an expiry is in parentheses.
    t.true(first.sentence.replace(/ \(.*\)$/, '').split(/\s+/).length <= MOST_WORDS, first.sentence);
    t.regex(first.sentence, first.planned === undefined ? VERB : /^Planned: /);
    const browser = await startBrowser();
    t.teardown(() => browser.close());
    const server = await servePage(t, document, events);
    for (const viewport of SCREENS)
      for (const colorScheme of SCHEMES) {
        const where = `${name}-${viewport.width}-${colorScheme}`;
        const options = { url: server.url, viewport, colorScheme, bypassCSP: true, timezoneId: 'UTC' };
        const { page, errors } = await openPage(t, browser, options);
        await page.locator('footer').waitFor();
        t.is(await page.locator('.answer h2').innerText(), first.sentence, where);
        if (first.steps.length > 0) {
          const box = await page.locator('.steps > li').first().boundingBox();
          t.true(box !== null && box.y + Math.min(box.height, 40) <= viewport.height, where);
        }
        t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), where);
        t.deepEqual(await accessibilityProblems(page), [], where);
        t.deepEqual(errors, [], where);
        if (DIRECTORY !== undefined) {
          mkdirSync(DIRECTORY, { recursive: true });
          await page.screenshot({ path: join(DIRECTORY, `${where}.png`), fullPage: true });
        }
        await page.context().close();
      }
  });

test.serial('the pictures of a lost agent and of the page without JavaScript', async (t) => {
  t.timeout(300_000);
  const { document, now } = pageState('quorum-lost');
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  for (const viewport of SCREENS)
    for (const colorScheme of SCHEMES) {
      const server = await servePage(t, document);
      const take = async (
        name: string,
        page: Awaited<ReturnType<typeof openPage>>['page'],
      ): Promise<void> => {
        const where = `${name}-${viewport.width}-${colorScheme}`;
        if (DIRECTORY === undefined) return;
        mkdirSync(DIRECTORY, { recursive: true });
        await page.screenshot({ path: join(DIRECTORY, `${where}.png`), fullPage: true });
      };
      const options = { url: server.url, viewport, colorScheme, timezoneId: 'UTC', bypassCSP: true };
      const plain = await openPage(t, browser, { ...options, javaScriptEnabled: false });
      await plain.page.locator('h2', { hasText: answersOf(document, { now }).first.sentence }).waitFor();
      await take('no-javascript', plain.page);
      await plain.page.context().close();
      const direct = await openPage(t, browser, { ...options, url: `${server.url}?plain` });
      t.deepEqual(await accessibilityProblems(direct.page), []);
      t.true(await direct.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'));
      await direct.page.context().close();
      const { page } = await openPage(t, browser, options);
      await page.locator('footer').waitFor();
      server.stop();
      await page.locator('main.old').waitFor();
      await take('lost', page);
      t.deepEqual(await accessibilityProblems(page), []);
      await page.context().close();
    }
});

if (process.env['REWRITE_SAMPLES'] === '1')
  for (const colorScheme of SCHEMES)
    test.serial(`the picture of the README: ${colorScheme}`, async (t) => {
      const { document, events } = pageState('quorum-lost');
      const browser = await startBrowser();
      t.teardown(() => browser.close());
      const { url } = await servePage(t, document, events);
      const viewport = { width: 1000, height: 660 };
      const { page } = await openPage(t, browser, { url, viewport, colorScheme, timezoneId: 'UTC' });
      await page.locator('footer').waitFor();
      const path = colorScheme === 'light' ? 'core/page/page.png' : 'core/page/page-dark.png';
      await page.screenshot({ path });
      t.pass();
    });
