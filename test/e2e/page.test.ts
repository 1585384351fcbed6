// The channel page in a real browser.

import test, { type ExecutionContext } from 'ava';
import type { Browser } from 'playwright-core';
import {
  makeGroup,
  makePolicy,
  readConfigFile,
  readUpdateFile,
  writeConfig,
  type Config,
  type ConfigGroup,
} from '../../translator/channel/index.js';
import { decode } from '../../proto/index.js';
import { addOrganization, editAll, setPolicy, unsignedUpdate } from '../../translator/edit/index.js';
import { makeOrganization } from '../../translator/edit/org.js';
import { review } from '../../translator/review/index.js';
import { readChannelCases } from '../helpers/channel-cases.js';
import { certificateOf } from '../helpers/channel-vectors.js';
import { largeChannel } from '../helpers/large-channel.js';
import { temporaryFolder } from '../helpers/folder.js';
import { BLOCKS } from '../helpers/migration.js';
import { networkBlock } from '../helpers/network-block.js';
import { startProgram, TRANSLATOR } from '../helpers/program.js';
import {
  accessibilityProblems,
  choose,
  chooseFolder,
  openedByOther,
  openPage,
  openTab,
  startBrowser,
  type ChosenFile,
  type Opened,
} from './browser.js';

let browser: Browser;
test.before(async () => {
  browser = await startBrowser();
});
test.after.always(async () => browser.close());

const open = (t: ExecutionContext, options: Parameters<typeof openPage>[2] = {}): Promise<Opened> =>
  openPage(t, browser, options);

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const BLOCK: ChosenFile = { name: 'config_block.pb', buffer: Buffer.from(networkBlock()) };
const { config: CONFIG } = readConfigFile(BLOCK.buffer);
const updateOf = (path: string, rule: string): Buffer =>
  Buffer.from(unsignedUpdate('mychannel', CONFIG, setPolicy(CONFIG, path, rule).config).bytes);
const TAKEOVER: ChosenFile = { name: 'takeover.pb', buffer: updateOf('/Channel/Admins', 'ANY Admins') };
const HARMLESS: ChosenFile = {
  name: 'clerks.pb',
  buffer: updateOf('/Channel/Application/Clerks', 'ANY Readers'),
};

const SILENCE: ChosenFile = { name: 'silence.pb', buffer: updateOf('/Channel/Readers', 'ALL Readers') };
/** The channel of the recorded identities. */
const RECORDED: ChosenFile = {
  name: 'recorded.pb',
  buffer: Buffer.from(readChannelCases().configs.get('app3')!),
};

test('a takeover is at the top of the page, before the harmless update', async (t) => {
  const { page, errors, requests } = await open(t, { viewport: { width: 1100, height: 700 } });
  await choose(page, BLOCK, HARMLESS, TAKEOVER);
  await page.getByRole('heading', { name: 'Review of clerks.pb' }).waitFor();
  t.deepEqual(await page.locator('.verdict').allTextContents(), [
    'Dangerous',
    'Harmless, but signatures are missing; 1 thing cannot be known',
  ]);
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
      const certificate = { name: 'foreign.pem', buffer: certificateOf('Org1/admin') };
      await choose(page, BLOCK, TAKEOVER, SILENCE, certificate);
      for (const tab of ['Review', 'Identities', 'Channel', 'Powers', 'Edit', 'Everything']) {
        await openTab(page, tab);
        if (tab === 'Powers') await page.locator('section[aria-label=powers] td').first().waitFor();
        if (tab === 'Everything') {
          // Only the rows in view exist.
          await page.locator('config-tree').evaluate((tree) => tree.scrollIntoView());
          await page.locator('config-tree .row').nth(2).click();
        }
        t.deepEqual(await accessibilityProblems(page), [], tab);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        t.true(wide <= width, `${tab}: ${wide}`);
      }
    });

test('a file that is no config has an error, and an update alone asks for a block', async (t) => {
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
  await openTab(page, 'Everything');
  await page.locator('config-tree .row').first().waitFor();
  t.is(await page.locator('img').count(), 0);
  t.true((await page.locator('main').textContent())!.includes('<img src=x onerror=alert(1)>'));
  t.false((await page.locator('main').textContent())!.includes('\u202e'));
  t.deepEqual(errors, []);
});

/** The application with another group; versions stay. */
const withApplication = (change: (group: ConfigGroup) => ConfigGroup): Config => {
  const groups = new Map(CONFIG.channelGroup.groups);
  groups.set('Application', change(groups.get('Application')!));
  return { ...CONFIG, channelGroup: makeGroup({ ...CONFIG.channelGroup, groups }) };
};

const envelopeOf = (config: Config): Buffer => Buffer.from(unsignedUpdate('mychannel', CONFIG, config).bytes);

/** Many harmless policies before a dangerous one. */
const hidden = editAll(CONFIG, [
  ...Array.from(
    { length: 130 },
    (_, index) => (config: Config) => setPolicy(config, `/Channel/Application/A${index}`, 'ANY Readers'),
  ),
  (config) => setPolicy(config, '/Channel/Orderer/Admins', 'ANY Readers'),
]).config;
const policies = (group: ConfigGroup): ConfigGroup['policies'] => group.policies;
const named = withApplication((group) =>
  makeGroup({
    ...group,
    policies: new Map(policies(group)).set('x\u202ey; BatchSize added', policies(group).get('Admins')!),
  }),
);
const modPolicy = withApplication((group) =>
  makeGroup({
    ...group,
    policies: new Map(policies(group)).set(
      'Clerks',
      makePolicy({ ...policies(group).get('Admins')!, modPolicy: '/Channel/Application/Readers' }),
    ),
  }),
);

test('facts that cannot be known are next to the verdict, and the verdict is not green', async (t) => {
  const { page, errors } = await open(t, { viewport: { width: 1100, height: 700 } });
  await choose(page, BLOCK, HARMLESS);
  const shown = page.locator('section[aria-label^="review of"]');
  const { unknown } = await review(readUpdateFile(HARMLESS.buffer), readConfigFile(BLOCK.buffer), {
    now: new Date(),
  });
  t.true(unknown.length > 0);
  t.deepEqual((await shown.locator('.unknown li').allTextContents()).map(oneLine), unknown.map(oneLine));
  const verdict = await shown.locator('.verdict').boundingBox();
  const box = await shown.locator('.unknown').boundingBox();
  t.true(box!.y - (verdict!.y + verdict!.height) < 50);
  t.is(await page.locator('.verdict.good').count(), 0);
  t.deepEqual(errors, []);
});

test('a danger names the actors and the services that they lose, above the changes', async (t) => {
  const { page } = await open(t);
  await choose(page, BLOCK, SILENCE);
  const findings = page.locator('section[aria-label^="review of"] .finding:not(.unknown)');
  t.regex(oneLine((await findings.first().textContent())!), /^danger: .* of Org1MSP.* cannot read blocks/);
  const box = await findings.first().boundingBox();
  const changes = await page.getByRole('heading', { name: 'Changes' }).boundingBox();
  const unknown = await page.locator('section[aria-label^="review of"] .unknown').boundingBox();
  t.true(box!.y < unknown!.y && unknown!.y < changes!.y);
  await page.getByText(/^1 thing cannot be known: see below$/).waitFor();
});

test('the matrix of powers marks lost and gained services, also in words', async (t) => {
  const { page, errors } = await open(t);
  await choose(page, BLOCK, SILENCE);
  await page.getByRole('button', { name: 'Who can do what with it' }).click();
  const section = page.locator('section[aria-label=powers]');
  const row = section.locator('tbody tr', { has: page.getByText('read blocks', { exact: true }) });
  await row.waitFor();
  t.regex(oneLine((await row.textContent())!), /− peers lose it/);
  t.regex(
    oneLine((await section.locator('.powers-summary').textContent())!),
    /^− The update takes something from .*Org1MSP/,
  );
  await section.getByLabel('with the update').selectOption('none: the channel as it is');
  await section.locator('td .lost').first().waitFor({ state: 'detached' });
  t.regex(oneLine((await row.textContent())!), /peers/);
  t.is(await section.locator('.powers-summary').count(), 0);
  // The reverse update gives the services back.
  const silent = setPolicy(CONFIG, '/Channel/Readers', 'ALL Readers').config;
  const back = await open(t);
  await choose(
    back.page,
    { name: 'silent.pb', buffer: Buffer.from(writeConfig(silent)) },
    {
      name: 'back.pb',
      buffer: Buffer.from(
        unsignedUpdate('mychannel', silent, setPolicy(silent, '/Channel/Readers', 'ANY Readers').config)
          .bytes,
      ),
    },
  );
  await openTab(back.page, 'Powers');
  await back.page.locator('td .gained', { hasText: '+ peers get it' }).first().waitFor();
  await back.page.getByText(/^\+ The update gives something to /).waitFor();
  t.is(await back.page.locator('td .lost').count(), 0);
  t.deepEqual(errors, []);
});

test('the powers of a takeover show who can change the channel before and after it', async (t) => {
  const { page } = await open(t);
  await choose(page, BLOCK, TAKEOVER);
  await page.getByRole('button', { name: 'Who can do what with it' }).click();
  const rows = page.locator('section[aria-label=powers] .control tr');
  await rows.first().waitFor();
  const changed = (await rows.allTextContents()).map(oneLine).filter((row) => /^[-+]/.test(row));
  t.deepEqual(changed, [
    '- Org1MSP and Org2MSP and OrdererMSP /Channel',
    '+ OrdererMSP, or Org1MSP and Org2MSP /Channel',
  ]);
});

test('250 organisations: the matrix of powers has few columns, and finds each organisation', async (t) => {
  const { page, errors } = await open(t);
  await choose(page, { name: 'large.pb', buffer: Buffer.from(largeChannel(250, 1).config) });
  await openTab(page, 'Powers');
  const section = page.locator('section[aria-label=powers]');
  await section.locator('tbody tr').first().waitFor();
  t.deepEqual(await section.locator('th').allTextContents(), [
    'service',
    'Org1, Org10, Org100 and 247 more',
    'OrdererOrg',
  ]);
  await section.getByLabel('Search an organisation').fill('Org249');
  await section.getByRole('columnheader', { name: 'Org249, ' }).waitFor();
  t.is(await section.locator('th').count(), 2);
  t.deepEqual(errors, []);
});

test('a dropped certificate is explained on the channel, with solutions', async (t) => {
  const { page, errors, requests } = await open(t);
  await choose(page, { name: 'admin.pem', buffer: certificateOf('Org1/admin') });
  await page.getByText('Add the newest config block of the channel').waitFor();
  await choose(page, RECORDED, { name: 'foreign.pem', buffer: certificateOf('Org1/foreign') });
  t.deepEqual(await page.locator('.verdict').allTextContents(), ['Valid', 'Not valid']);
  const admin = page.locator('section', {
    has: page.getByRole('heading', { name: 'Identity in admin.pem' }),
  });
  const text = oneLine((await admin.textContent())!);
  for (const part of ['/Channel/Application/Org1', 'chain', 'admin', 'May', '/Channel/Readers'])
    t.true(text.includes(part), part);
  const foreign = page.locator('section', {
    has: page.getByRole('heading', { name: 'Identity in foreign.pem' }),
  });
  t.regex(oneLine((await foreign.locator('.finding').first().textContent())!), /with another key.*to do: /);
  t.deepEqual([errors, requests], [[], []]);
});

for (const [what, config] of [
  ['a weaker policy behind 130 new ones', hidden],
  ['a new policy with another mod_policy', modPolicy],
  ['a name that turns the text around', named],
] as const)
  test(`the page has all words of the review: ${what}`, async (t) => {
    const buffer = envelopeOf(config);
    const expected = await review(readUpdateFile(buffer), readConfigFile(BLOCK.buffer), { now: new Date() });
    const { page } = await open(t);
    await choose(page, BLOCK, { name: 'attack.pb', buffer });
    const text = oneLine((await page.locator('main').textContent())!);
    t.true(expected.findings.length > 0);
    for (const each of expected.findings.filter(({ severity }) => severity !== 'unsigned'))
      t.true(text.includes(oneLine(each.text)), each.text);
    for (const { words } of expected.elements)
      for (const each of words) t.true(text.includes(oneLine(each)), each);
    t.false(text.includes('\u202e'));
  });

test('a dropped file is read, and a file with the same name replaces it', async (t) => {
  const { page } = await open(t);
  for (const content of ['not a config', BLOCK.buffer.toString('base64')]) {
    await page.evaluate(`{
      const text = ${JSON.stringify(content)};
      const bytes = text.includes(' ') ? new TextEncoder().encode(text) : Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], 'block.pb'));
      document.querySelector('channel-page').dispatchEvent(new DragEvent('drop', { dataTransfer }));
    }`);
    await page.locator('.drop', { hasText: 'block.pb:' }).waitFor();
  }
  await page.getByText('block.pb: config block 0').waitFor();
  t.is(await page.locator('.drop strong').count(), 0);
});

test('a folder of 2,003 files: the page counts the files that it has not read', async (t) => {
  const folder = temporaryFolder(
    t,
    Object.fromEntries(Array.from({ length: 2003 }, (_, index) => [`${index}.txt`, 'not a config'])),
  );
  const { page, errors } = await open(t);
  await chooseFolder(page, folder);
  const message = page.locator('.message').first();
  t.is(await message.textContent(), '3 of 2003 files were not read: the page reads at most 2000 at a time');
  t.is(await page.locator('.drop strong').count(), 2000);
  t.deepEqual(errors, []);
});

test('a certificate that cannot be read comes first, and does not prevent the rest', async (t) => {
  const { page, errors } = await open(t);
  const nothing = { intermediates: [], admins: [], revocationLists: [], tlsRoots: [], tlsIntermediates: [] };
  const roots = [Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')];
  const files = { ...nothing, roots, units: [], nodeOus: undefined };
  const { config } = addOrganization(CONFIG, {
    section: 'Application',
    name: 'Broken',
    group: makeOrganization('Application', 'BrokenMSP', files),
  });
  await choose(page, { name: 'config.pb', buffer: Buffer.from(writeConfig(config)) });
  const first = page.locator('.unreadable tbody tr').first();
  t.regex(oneLine((await first.textContent())!), /^config\.pb Broken CA /);
  await openTab(page, 'Everything');
  await page.getByLabel('Search').fill('Broken/MSP');
  await page.locator('config-tree .row').first().click();
  await page.getByText(/value\.config\.root_certs\.0: a certificate that cannot be read/).waitFor();
  t.deepEqual(errors, []);
});

test('edits stay while other tabs are shown, and are done again on a newer block', async (t) => {
  const { page, errors } = await open(t);
  await choose(page, { name: 'b0.pb', buffer: Buffer.from(BLOCKS[0]!) });
  await openTab(page, 'Edit');
  await page.getByLabel('Change').selectOption('Set a field');
  await page.getByLabel('path').fill('orderer.batchTimeout');
  await page.getByLabel('value', { exact: true }).fill('9s');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByLabel('Change').selectOption('Set capabilities');
  await page.getByRole('textbox', { name: 'capabilities' }).fill('V3_0');
  await page.getByRole('button', { name: 'Apply' }).click();
  await openTab(page, 'Everything');
  await page.getByLabel('Search').fill('BatchTimeout');
  await page.locator('config-tree .row').first().click();
  // The tree shows the block; the editor starts with the edited value.
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  t.is(await page.getByLabel('value', { exact: true }).inputValue(), '{\n  "timeout": "9s"\n}');
  // Block 1 has the capability already.
  await choose(page, { name: 'b1.pb', buffer: Buffer.from(BLOCKS[1]!) });
  const steps = page.locator('channel-editor .steps li');
  await steps.getByText('/Channel/Orderer/BatchTimeout timeout').waitFor();
  t.is(await steps.count(), 1);
  t.regex(
    oneLine((await page.locator('channel-editor [role=alert]').textContent())!),
    /^\/Channel\/Capabilities: V2_0 -> V3_0.*: not possible with the new block: /,
  );
  t.deepEqual(errors, []);
});

test('conflicting updates are shown side by side', async (t) => {
  const { page } = await open(t);
  const other = { name: 'other.pb', buffer: updateOf('/Channel/Admins', 'ALL Admins') };
  await choose(page, BLOCK, TAKEOVER, other);
  const conflict = page.locator('section[aria-label=conflicts]');
  await conflict.getByRole('heading', { name: 'takeover.pb and other.pb conflict' }).waitFor();
  t.is(
    oneLine((await conflict.locator('tbody tr').textContent())!),
    '/Channel/Admins MAJORITY Admins (2 of Application, Orderer) → ANY Admins (1 of Application, Orderer) MAJORITY Admins (2 of Application, Orderer) → ALL Admins (2 of Application, Orderer)',
  );
});

test('JSON of configtxlator is a config as well', async (t) => {
  const { page } = await open(t);
  await choose(page, {
    name: 'config_block.json',
    buffer: Buffer.from(decode('common.Block', BLOCK.buffer)),
  });
  const heading = page.getByRole('heading', { level: 2 });
  t.is(oneLine((await heading.textContent())!), 'Channel mychannel, block 0, sequence 0');
});

test('the arrows move in the tree, and the chosen element has its JSON and its jq path', async (t) => {
  const { page } = await open(t);
  await choose(page, BLOCK);
  await openTab(page, 'Everything');
  await page.locator('config-tree .row').first().waitFor();
  await page.locator('config-tree .tree').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  const selected = page.locator('config-tree .row[aria-selected=true] .name');
  t.is(oneLine((await selected.textContent())!), '▾ Channel');
  await page.keyboard.press('ArrowLeft');
  t.is(await page.locator('config-tree .row').count(), 1);
  await page.keyboard.press('ArrowRight');
  for (let index = 0; index < 2; index++) await page.keyboard.press('ArrowDown');
  t.is(oneLine((await selected.textContent())!), '· Capabilities');
  const code = page.locator('config-tree section code').first();
  t.is(await code.textContent(), '.channel_group.values.Capabilities');
  t.regex((await page.locator('config-tree pre').textContent())!, /"V2_0": \{\}/);
});

test('an element is edited as JSON, and its bytes are readable', async (t) => {
  const { page, errors } = await open(t);
  await choose(page, BLOCK);
  await openTab(page, 'Everything');
  await page.getByLabel('Search').fill('/Channel/Application/Org1MSP/MSP');
  await page.locator('config-tree .row').first().click();
  await page.getByText(/^value\.config\.root_certs\.0: CN=ca\.mill/).waitFor();
  await page.getByLabel('Search').fill('BatchTimeout');
  await page.locator('config-tree .row').first().click();
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  await page.getByLabel('value', { exact: true }).fill('{"timeout": "7s"}');
  await page.getByText('/Channel/Orderer/BatchTimeout').first().waitFor();
  await page.locator('channel-editor ins').getByText('7s').waitFor();
  await page.getByLabel('value', { exact: true }).fill('{"timeout": ');
  await page.locator('channel-editor .message strong').waitFor();
  t.true(await page.getByRole('button', { name: 'Apply' }).isDisabled());
  t.deepEqual(errors, []);
});

test('250 organisations: the tree has few rows in the document, and its search is complete', async (t) => {
  const { page, errors } = await open(t);
  const { config } = largeChannel(250, 1);
  await choose(page, { name: 'large.pb', buffer: Buffer.from(config) });
  await openTab(page, 'Everything');
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

test('a page of another site that opens the channel page has no access to its window', async (t) => {
  const start = ['start', '--hostname', '127.0.0.1', '--port', '0'];
  const program = startProgram(t, start, { program: TRANSLATOR });
  const [, address = ''] = await program.line(/Serving HTTP requests on (\S+)/);
  t.deepEqual(await openedByOther(t, browser, `http://${address}/`), {
    hasOpener: false,
    opener: 'no window',
  });
});
