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
import { decode, encode } from '../../proto/index.js';
import {
  addOrganization,
  editAll,
  setCapabilities,
  setPolicy,
  unsignedUpdate,
} from '../../translator/edit/index.js';
import { makeOrganization } from '../../translator/edit/org.js';
import { countingFindings, review, headlineOf } from '../../translator/review/index.js';
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
  openPlace,
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
  Buffer.from(unsignedUpdate(CONFIG, setPolicy(CONFIG, path, rule).config, 'mychannel').bytes);
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

test('a takeover is shown first, with who decides before and after it', async (t) => {
  const { page, errors, requests } = await open(t, { viewport: { width: 1400, height: 900 } });
  await choose(page, BLOCK, HARMLESS, TAKEOVER);
  t.deepEqual((await page.locator('.inbox .list button').allTextContents()).map(oneLine), [
    'takeover.pb',
    'clerks.pb',
  ]);
  const verdict = page.locator('.review .verdict');
  t.regex(
    oneLine((await verdict.textContent())!),
    /^Takeover: Channel\/Admins: MAJORITY Admins → ANY Admins OrdererOrg, or Org1MSP and Org2MSP could change the channel without the others$/,
  );
  const box = await verdict.boundingBox();
  t.true(box!.y <= 200, String(box!.y));
  const rows = page.locator('.decides tbody tr');
  t.deepEqual((await rows.allTextContents()).map(oneLine), [
    'the channel Org1MSP and Org2MSP and OrdererOrg OrdererOrg, or Org1MSP and Org2MSP ◀',
  ]);
  t.true((await page.locator('.decides').boundingBox())!.y < 900);
  await page.locator('.inbox button', { hasText: 'clerks.pb' }).click();
  await page.getByText('Nobody gains or loses anything.').waitFor();
  t.is(oneLine((await verdict.textContent())!), 'Harmless: adds the policy Application/Clerks');
  t.is(await page.locator('.mark').count(), 0);
  t.deepEqual([errors, requests], [[], []]);
});

/** Opens the tree of all elements. */
async function openTree(page: Opened['page']): Promise<void> {
  await openPlace(page, 'Channel');
  const tree = page.locator('config-tree');
  if ((await tree.count()) === 0) await page.getByText('Everything: each element with its JSON').click();
  // Only the rows in view exist.
  await tree.evaluate((element) => element.scrollIntoView());
  await page.locator('config-tree .row').first().waitFor();
}

/** Opens the form with a title. */
async function openForm(page: Opened['page'], title: string): Promise<void> {
  await page.locator('input[name=palette]').fill(title);
  await page.locator('.palette button', { hasText: title }).first().click();
}

for (const scheme of ['light', 'dark'] as const)
  for (const width of [360, 1100])
    test(`accessibility: ${scheme}, ${width} pixels`, async (t) => {
      const { page } = await open(t, {
        colorScheme: scheme,
        viewport: { width, height: 800 },
        bypassCSP: true,
      });
      const certificate = { name: 'foreign.pem', buffer: certificateOf('Org1/admin') };
      const check = async (what: string): Promise<void> => {
        t.deepEqual(await accessibilityProblems(page), [], what);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        t.true(wide <= width, `${what}: ${wide}`);
      };
      await check('Start');
      await choose(page, TAKEOVER, { name: 'photo.png', buffer: Buffer.from('not a config') });
      await check('without a block');
      await choose(page, BLOCK, SILENCE, certificate);
      for (const place of ['Review', 'Identities', 'Channel', 'Change']) {
        await openPlace(page, place);
        if (place === 'Channel') await page.locator('section[aria-label=powers] td').first().waitFor();
        await check(place);
      }
      await openTree(page);
      // Also before a row is chosen.
      await check('Everything');
      await page.locator('config-tree .row').nth(2).click();
      await check('Everything, with a chosen row');
    });

test('a file that is no config is a red chip that can be removed, and an update alone asks for a block', async (t) => {
  const { page } = await open(t);
  await choose(page, { name: 'photo.png', buffer: Buffer.from('not a config') });
  const bad = page.locator('.chip.bad');
  t.regex(oneLine((await bad.textContent())!), /^■ photo\.png: .* Remove it, or choose another file/);
  await bad.getByRole('button', { name: /^Remove photo\.png/ }).click();
  await bad.waitFor({ state: 'detached' });
  await choose(page, TAKEOVER);
  t.is(oneLine((await page.locator('.verdict').textContent())!), "Needs the channel's newest block");
  t.deepEqual((await page.locator('.primary').allTextContents()).map(oneLine), ['Add a block']);
});

test('names are text, never markup', async (t) => {
  const { page, errors } = await open(t);
  const name = '<img src=x onerror=alert(1)>\u202e';
  const channelGroup = structuredClone(CONFIG.channelGroup);
  const application = channelGroup.groups.get('Application')!;
  (application.groups as Map<string, unknown>).set(name, application.groups.get('Org1MSP'));
  const hostile = Buffer.from(writeConfig({ ...CONFIG, channelGroup }));
  await choose(page, { name: `${name}.pb`, buffer: hostile });
  await openTree(page);
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

const envelopeOf = (config: Config): Buffer => Buffer.from(unsignedUpdate(CONFIG, config, 'mychannel').bytes);

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

test('facts that cannot be known are in one folded line, and a verdict with such facts of its own is not green', async (t) => {
  const { page, errors } = await open(t);
  const capabilities = {
    name: 'capabilities.pb',
    buffer: Buffer.from(
      unsignedUpdate(CONFIG, setCapabilities(CONFIG, 'channel', ['V3_0']).config, 'mychannel').bytes,
    ),
  };
  await choose(page, BLOCK, HARMLESS);
  const basis = page.locator('.basis');
  t.is(oneLine((await basis.locator('summary').textContent())!), 'Reviewed against block 0');
  await page.locator('.verdict .state-works').waitFor();
  await choose(page, capabilities);
  await page.locator('.inbox button', { hasText: 'capabilities.pb' }).click();
  t.regex(oneLine((await basis.locator('summary').textContent())!), /cannot be known$/);
  const { unknown } = await review(readUpdateFile(capabilities.buffer), readConfigFile(BLOCK.buffer), {
    now: new Date(),
  });
  t.deepEqual((await basis.locator('li').allTextContents()).map(oneLine), unknown.map(oneLine));
  t.is(await page.locator('.review .verdict .state-works').count(), 0);
  t.deepEqual(errors, []);
});

test('a danger names the actors and the services that they lose, above the changes', async (t) => {
  const { page, errors } = await open(t);
  await choose(page, BLOCK, SILENCE);
  const verdict = page.locator('.review .verdict');
  t.regex(
    oneLine((await verdict.textContent())!),
    /^Dangerous: .*Peers of 2 organisations, .* cannot read blocks, because they do not satisfy Channel\/Readers/,
  );
  const lost = page.locator('.gains li', { has: page.locator('.lost') }).first();
  await lost.waitFor();
  t.regex(oneLine((await lost.textContent())!), /^− peers of .*Org1MSP.* lose: .*read blocks/);
  const box = await lost.boundingBox();
  const changes = await page.getByRole('heading', { name: 'Changes' }).boundingBox();
  t.true(box!.y < changes!.y);
  // The reverse update gives the services back.
  const silent = setPolicy(CONFIG, '/Channel/Readers', 'ALL Readers').config;
  const back = await open(t);
  const readers = setPolicy(silent, '/Channel/Readers', 'ANY Readers').config;
  await choose(
    back.page,
    { name: 'silent.pb', buffer: Buffer.from(writeConfig(silent)) },
    { name: 'back.pb', buffer: Buffer.from(unsignedUpdate(silent, readers, 'mychannel').bytes) },
  );
  await back.page.locator('.gains li', { hasText: 'read blocks' }).first().waitFor();
  t.is(await back.page.locator('.gains .lost').count(), 0);
  t.deepEqual(errors, []);
});

test('250 organisations: few columns and few elements in the document, in the order of people, and a search', async (t) => {
  const { page, errors } = await open(t);
  await choose(page, { name: 'large.pb', buffer: Buffer.from(largeChannel(250, 1).config) });
  const section = page.locator('section[aria-label=powers]');
  await section.locator('tbody tr').first().waitFor();
  t.deepEqual(await section.locator('table').first().locator('thead th').allTextContents(), [
    'service',
    'Org1, Org2, Org3 and 247 more',
    'OrdererOrg',
  ]);
  const organizations = page.locator('.names button');
  t.deepEqual((await organizations.allTextContents()).map(oneLine), [
    'OrdererOrg orderer',
    ...Array.from({ length: 7 }, (_, index) => `Org${index + 1}`),
    'and 243 more',
  ]);
  await page.getByRole('button', { name: 'and 243 more' }).click();
  t.is(await organizations.count(), 251);
  await page.locator('dl.facts').getByLabel('Search').fill('Org249');
  await page.locator('.names button', { hasText: 'Org249' }).click();
  await page
    .getByRole('region', { name: 'organisation Application/Org249' })
    .getByText('MSP Org249MSP')
    .waitFor();
  const elements = await page.evaluate<number>(
    `(() => { const count = (root) => [...root.querySelectorAll('*')].reduce((sum, each) => sum + 1 + (each.shadowRoot === null ? 0 : count(each.shadowRoot)), 0); return count(document); })()`,
  );
  t.true(elements <= 1500, String(elements));
  t.true((await page.evaluate<number>('document.documentElement.scrollHeight')) <= 3 * 800);
  t.deepEqual(errors, []);
});

test('a dropped certificate is explained on the channel, with solutions', async (t) => {
  const { page, errors, requests } = await open(t);
  await choose(page, { name: 'admin.pem', buffer: certificateOf('Org1/admin') });
  await page.getByText("Needs the channel's newest block").waitFor();
  await choose(page, RECORDED, { name: 'foreign.pem', buffer: certificateOf('Org1/foreign') });
  t.deepEqual((await page.locator('.card .verdict').allTextContents()).map(oneLine), ['Valid', 'Not valid']);
  const admin = page.getByRole('region', { name: 'identity in admin.pem' });
  const text = oneLine((await admin.textContent())!);
  for (const part of ['/Channel/Application/Org1', 'chain', 'admin', 'May', '/Channel/Readers'])
    t.true(text.includes(part), part);
  const foreign = page.getByRole('region', { name: 'identity in foreign.pem' });
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
    for (const more of await page.locator('article summary').all()) await more.click();
    const text = oneLine((await page.locator('main').textContent())!);
    t.true(expected.findings.length > 0);
    const { word, shortly, matters } = headlineOf(expected);
    for (const each of [...(word === 'refused' ? [] : [`${word}: ${shortly}`]), matters])
      t.true(text.toLowerCase().includes(oneLine(each).toLowerCase()), each);
    const isTakeover = word === 'takeover';
    for (const each of countingFindings(expected).filter(({ severity }) => severity !== 'unsigned'))
      if (!(isTakeover && each.id === 'policy-weakened'))
        t.true(text.toLowerCase().includes(oneLine(each.text).toLowerCase()), each.text);
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
    await page.locator('.chip', { hasText: 'block.pb' }).waitFor();
  }
  await page.getByTitle('config block 0').waitFor();
  t.is(await page.locator('.chip.bad').count(), 0);
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
  t.is(await page.locator('.chip.bad').count(), 13);
  await page.getByText('1988 more files that cannot be used').waitFor();
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
  await page.getByText(/certificates, the first ends .*; 1 need attention/).click();
  const first = page.locator('.unreadable tbody tr').first();
  t.regex(oneLine((await first.textContent())!), /^this config Broken CA /);
  await openTree(page);
  await page.locator('config-tree').getByLabel('Search').fill('Broken/MSP');
  await page.locator('config-tree .row').first().click();
  await page.getByText(/value\.config\.root_certs\.0: a certificate that cannot be read/).waitFor();
  t.deepEqual(errors, []);
});

test('edits stay while other tabs are shown, and are done again on a newer block', async (t) => {
  const { page, errors } = await open(t);
  await choose(page, { name: 'b0.pb', buffer: Buffer.from(BLOCKS[0]!) });
  await openPlace(page, 'Change');
  await openForm(page, 'Time until a block is cut');
  await page.getByLabel('value', { exact: true }).fill('9s');
  await page.getByRole('button', { name: 'Apply' }).click();
  await openForm(page, 'Set capabilities');
  await page.getByRole('textbox', { name: 'capabilities' }).fill('V3_0');
  await page.getByRole('button', { name: 'Apply' }).click();
  await openTree(page);
  await page.locator('config-tree').getByLabel('Search').fill('BatchTimeout');
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

/** The block of the channel with a policy that anybody of an organisation satisfies, which no orderer has made. */
function forgedBlock(number: bigint): ChosenFile {
  const json = JSON.parse(decode('common.Block', BLOCK.buffer)) as ForgedBlock;
  json.header.number = String(number);
  json.data.data[0]!.payload.data.config.channel_group.policies.Admins!.policy.value.rule = 'ANY';
  return {
    name: `forged${number}.block`,
    buffer: Buffer.from(encode('common.Block', JSON.stringify(json))),
  };
}

interface ForgedBlock {
  readonly header: { number: string };
  readonly data: {
    readonly data: readonly {
      readonly payload: { readonly data: { readonly config: { readonly channel_group: ForgedGroup } } };
    }[];
  };
}

interface ForgedGroup {
  readonly policies: Readonly<Record<string, { policy: { value: { rule: string } } }>>;
}

test('two different blocks of one number: the page names both and reviews nothing until one is removed', async (t) => {
  const { page, errors } = await open(t);
  await choose(page, BLOCK, TAKEOVER, forgedBlock(0n));
  const start = page.locator('section.start h2');
  t.is(
    oneLine((await start.textContent())!),
    'Nothing is reviewed config_block.pb and forged0.block are different versions of block 0: remove the one that is not of the channel',
  );
  t.is(await page.locator('article').count(), 0);
  t.deepEqual(await accessibilityProblems(page), []);
  await page.locator('.chip', { hasText: 'forged0.block' }).getByRole('button').click();
  await page.locator('article[data-state=stopped]').waitFor();
  t.deepEqual(errors, []);
});

test('a forged newer block is not used: the headline of the review and each other part of the page say so', async (t) => {
  const { page, errors } = await open(t);
  await choose(page, BLOCK, TAKEOVER, HARMLESS, forgedBlock(1n));
  const note =
    'forged1.block is not used, because it does not continue block 0: its data do not match the hash in its header; if you trust it, remove config_block.pb';
  const headline = page.locator('article h2.verdict').first();
  const text = oneLine((await headline.textContent())!);
  t.regex(text, /takeover: /i);
  t.true(text.endsWith(`Reviewed against block 0: ${note}`), text);
  t.is(await page.locator('.inbox .state-works').count(), 0);
  await openPlace(page, 'Channel');
  t.is(oneLine((await page.getByLabel('configs that are not used').textContent())!), note);
  t.deepEqual(await accessibilityProblems(page), []);
  t.deepEqual(errors, []);
});

test('conflicting updates are shown side by side', async (t) => {
  const { page } = await open(t);
  const other = { name: 'other.pb', buffer: updateOf('/Channel/Admins', 'ALL Admins') };
  await choose(page, BLOCK, TAKEOVER, other);
  const conflict = page.locator('section[aria-label=conflicts]');
  await conflict
    .getByRole('heading', { name: 'Only one of takeover.pb and other.pb can be accepted' })
    .waitFor();
  // The first of the place: before the list of updates, and before the buttons for signatures.
  t.is(await page.locator('section[aria-label=conflicts] + .review').count(), 1);
  t.deepEqual((await page.locator('.inbox .list button .dim').allTextContents()).map(oneLine).toSorted(), [
    'conflicts with other.pb',
    'conflicts with takeover.pb',
  ]);
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
  const heading = page.getByRole('heading', { level: 1 });
  t.is(oneLine((await heading.textContent())!), 'mychannel · block 0');
});

test('the arrows move in the tree, and the chosen element has its JSON and its jq path', async (t) => {
  const { page } = await open(t);
  await choose(page, BLOCK);
  await openTree(page);
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
  await openTree(page);
  await page.locator('config-tree').getByLabel('Search').fill('/Channel/Application/Org1MSP/MSP');
  await page.locator('config-tree .row').first().click();
  await page.getByText(/^value\.config\.root_certs\.0: CN=ca\.mill/).waitFor();
  await page.locator('config-tree').getByLabel('Search').fill('BatchTimeout');
  await page.locator('config-tree .row').first().click();
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  await page.getByLabel('value', { exact: true }).fill('{"timeout": "7s"}');
  await page.getByText('/Channel/Orderer/BatchTimeout').first().waitFor();
  await page.locator('channel-editor ins').getByText('7s').waitFor();
  await page.getByLabel('value', { exact: true }).fill('{"timeout": ');
  await page.locator('channel-editor .message .state-stopped').waitFor();
  t.true(await page.getByRole('button', { name: 'Apply' }).isDisabled());
  t.deepEqual(errors, []);
});

test('250 organisations: the tree has few rows in the document, and its search is complete', async (t) => {
  const { page, errors } = await open(t);
  const { config } = largeChannel(250, 1);
  await choose(page, { name: 'large.pb', buffer: Buffer.from(config) });
  await openTree(page);
  const tree = page.locator('config-tree .tree');
  await tree.scrollIntoViewIfNeeded();
  await page.locator('config-tree .row').first().waitFor();
  t.true((await page.locator('config-tree .row').count()) < 100);
  await tree.focus();
  for (const [key, name] of [
    ['End', /Writers$/],
    ['ArrowUp', /Readers$/],
    ['Home', /Channel$/],
  ] as const) {
    await page.keyboard.press(key);
    const selected = page.locator('config-tree .row[aria-selected=true]');
    await selected.locator('.name', { hasText: name }).waitFor();
    const [row, box] = [(await selected.boundingBox())!, (await tree.boundingBox())!];
    t.true(row.y >= box.y && row.y + row.height <= box.y + box.height, key);
  }
  await page.locator('config-tree').getByLabel('Search').fill('Org249');
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
  await page.getByRole('heading', { name: 'mychannel · block 0' }).waitFor();
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
