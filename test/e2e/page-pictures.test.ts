// Pictures of the states of the channel page, on a screen and on a phone, light and dark; and what each of them must have: a short headline,
// the next step in view, no scrolling to the side, and nothing that axe-core finds. They are written to CHANNEL_PICTURES (dist/pictures).

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Browser, Page } from 'playwright-core';
import { readConfigFile, readUpdateFile, writeConfig } from '../../translator/channel/index.js';
import { applyUnsigned, removeOrganization, setFields, unsignedUpdate } from '../../translator/edit/index.js';
import { EXAMPLES, exampleFiles } from '../../translator/page/example.js';
import { temporaryFolder } from '../helpers/folder.js';
import { largeChannel } from '../helpers/large-channel.js';
import { makeCertificate } from '../helpers/made-certificates.js';
import {
  accessibilityProblems,
  choose,
  chooseFolder,
  openPage,
  startBrowser,
  type ChosenFile,
} from './browser.js';

const DIRECTORY = process.env['CHANNEL_PICTURES'] ?? 'dist/pictures';
const WORDS = 12;

let browser: Browser;
let files: ReadonlyMap<string, Buffer>;
test.before(async () => {
  mkdirSync(DIRECTORY, { recursive: true });
  browser = await startBrowser();
  const all = await exampleFiles([...EXAMPLES.keys()]);
  files = new Map(
    await Promise.all(all.map(async ({ path, read }) => [path, Buffer.from((await read()).bytes)] as const)),
  );
});
test.after.always(async () => browser.close());

const file = (name: string): ChosenFile => ({ name, buffer: files.get(name)! });
const block = (): ChosenFile => file('config_block.pb');

function batchUpdate(name: string, messages: string): ChosenFile {
  const { config, channel } = readConfigFile(block().buffer);
  const edited = setFields(config, [{ path: 'orderer.batchSize.maxMessageCount', value: messages }]).config;
  return { name, buffer: Buffer.from(unsignedUpdate(config, edited, channel!).bytes) };
}

/** A folder with the files of an MSP. */
function folderOf(t: ExecutionContext, contents: Readonly<Record<string, Buffer>>): string {
  const folder = join(temporaryFolder(t), 'msp');
  for (const [path, bytes] of Object.entries(contents)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

const admin = (t: ExecutionContext): string =>
  folderOf(t, {
    'signcerts/cert.pem': files.get('msp/signcerts/cert.pem')!,
    'keystore/key.pem': files.get('msp/keystore/key.pem')!,
  });

/** The channel of the example before Org1 joined it, and the update with which it joins. */
function joining(): readonly ChosenFile[] {
  const { config, channel } = readConfigFile(block().buffer);
  const without = removeOrganization(config, 'Org1').config;
  return [
    { name: 'config.pb', buffer: Buffer.from(writeConfig(without)) },
    { name: 'add-org1.pb', buffer: Buffer.from(unsignedUpdate(without, config, channel!).bytes) },
  ];
}

/** The channel of the example with three organisations. */
function three(): ChosenFile {
  const { config, channel } = readConfigFile(block().buffer);
  const added = applyUnsigned(config, readUpdateFile(files.get('add-org3.pb')!), channel!);
  return { name: 'config.pb', buffer: Buffer.from(writeConfig(added)) };
}

const withAdmin =
  (...chosen: readonly (() => ChosenFile)[]) =>
  async (t: ExecutionContext, page: Page): Promise<void> => {
    await choose(page, block(), ...chosen.map((each) => each()));
    await chooseFolder(page, admin(t));
    await page.locator('.gains, .nobody, [data-state=stopped]').first().waitFor();
  };

const showsChannel = async (page: Page): Promise<void> => {
  await page.locator('section[aria-label=powers] td').first().waitFor();
  await page.locator('summary', { hasText: /\d\s+certificates/ }).waitFor();
};

/** The name of a state, its headline, its next step, and how to get there. */
type State = readonly [
  name: string,
  headline: RegExp,
  step: string,
  open: (t: ExecutionContext, page: Page) => Promise<void>,
];

const STATES: readonly State[] = [
  ['start', /^See what an update does to a channel before you sign it\.$/, 'Choose files', async () => {}],
  [
    'harmless',
    /^Harmless: 10 → 50 messages a block$/,
    'Choose your MSP folder to sign',
    async (_, page) => choose(page, block(), batchUpdate('batch.pb', '50')),
  ],
  ['addition', /^Adds organisation Org3$/, 'Sign as Org1 admin', withAdmin(() => file('add-org3.pb'))],
  ['removal', /^Removes organisation Org2$/, 'Sign as Org1 admin', withAdmin(() => file('remove-org2.pb'))],
  ['takeover', /^Takeover: /, 'Do not sign', withAdmin(() => file('takeover.pb'))],
  [
    'refused',
    /^Orderers would refuse it$/,
    'Send it back to its author',
    withAdmin(() => batchUpdate('refused.pb', '0')),
  ],
  [
    'conflict',
    /^Only one of batch\.pb and batch20\.pb can be accepted$/,
    'Either this or batch20.pb',
    withAdmin(
      () => batchUpdate('batch.pb', '50'),
      () => batchUpdate('batch20.pb', '20'),
    ),
  ],
  [
    'inbox',
    /^Takeover: /,
    'Do not sign',
    withAdmin(
      () => file('add-org3.pb'),
      () => file('takeover.pb'),
      () => file('remove-org2.pb'),
      () => batchUpdate('batch.pb', '50'),
      () => batchUpdate('refused.pb', '0'),
    ),
  ],
  [
    'nothing-to-do',
    /^Harmless: 10 → 50 messages a block$/,
    'Nothing for you to do',
    withAdmin(() => batchUpdate('batch.pb', '50')),
  ],
  [
    'dropped-msp',
    /^mychannel · block 0$/,
    'Add Org4MSP…',
    async (t, page) => {
      await choose(page, block());
      const { pem } = makeCertificate({ commonName: 'ca.org4.example.com' });
      await chooseFolder(page, folderOf(t, { 'cacerts/ca.pem': pem }));
      await showsChannel(page);
    },
  ],
  [
    'stranger',
    /^Adds organisation Org1$/,
    'With this update you will be an admin of Org1',
    async (t, page) => {
      await choose(page, ...joining());
      await chooseFolder(page, admin(t));
      await page.locator('.gains, .nobody').first().waitFor();
    },
  ],
  [
    'channel-of-3',
    /^mychannel$|^a channel$/,
    'Change something…',
    async (_, page) => {
      await choose(page, three());
      await showsChannel(page);
    },
  ],
  [
    'channel-of-250',
    /^a channel$/,
    'Change something…',
    async (_, page) => {
      await choose(page, { name: 'large.pb', buffer: Buffer.from(largeChannel(250, 1).config) });
      await showsChannel(page);
    },
  ],
  [
    'review-of-250',
    /./,
    'Choose your MSP folder to sign',
    async (_, page) => {
      const { config, envelope } = largeChannel(250, 1);
      await choose(
        page,
        { name: 'large.pb', buffer: Buffer.from(config) },
        { name: 'update.pb', buffer: Buffer.from(envelope) },
      );
      await page.locator('.gains, .nobody, [data-state=stopped]').first().waitFor();
    },
  ],
];

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  for (const [name, headline, step, open] of STATES)
    test.serial(
      `${name} at ${width} pixels: a short headline, the next step in view, nothing beside the screen`,
      async (t) => {
        const { page, errors, requests } = await openPage(t, browser, {
          viewport: { width, height },
          bypassCSP: true,
        });
        await open(t, page);
        const verdict = page
          .locator('.verdict > span:first-child, h2.verdict:not(:has(> span)), .lead-line, h1')
          .filter({ visible: true });
        const texts = (await verdict.allTextContents()).map(oneLine);
        const found = texts.find((each) => headline.test(each));
        t.not(found, undefined, texts.join('\n'));
        t.true(found!.split(' ').length <= WORDS, found);
        const next = page.getByText(step, { exact: true }).filter({ visible: true }).first();
        const box = await next.boundingBox();
        t.true(box!.y >= 0 && box!.y + box!.height <= height, `${name}: ${box?.y}`);
        t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, name);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          // Colours of buttons change slowly.
          await page.evaluate(
            `new Promise(requestAnimationFrame).then(() => Promise.all(document.querySelector('channel-page').shadowRoot.getAnimations({ subtree: true }).map(({ finished }) => finished)))`,
          );
          t.deepEqual(await accessibilityProblems(page), [], colorScheme);
          await page.screenshot({ path: join(DIRECTORY, `${name}-${width}-${colorScheme}.png`) });
        }
        t.deepEqual([errors, requests], [[], []]);
      },
    );
