// The page of the agent, beside a real peer and a real orderer.

import { hostname } from 'node:os';
import test, { type ExecutionContext } from 'ava';
import type { StatusDocument } from '../../core/status/document.js';
import { servePage } from './agent-page-server.js';
import { accessibilityProblems, openedByOther, openPage, startBrowser } from './browser.js';
import { CheckWarning } from '../../core/contract/index.js';
import { startBeside, stopAgent } from './fabric/agent.js';
import { check, eventually } from './daemon.js';
import { send } from './fabric/endpoint.js';
import { startNetwork } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';
import { createAgent, defineSettings } from '../../core/index.js';
import { startAgent } from '../helpers/agent.js';
import { TestCa } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { QUIET } from '../helpers/quiet-backend.js';

/** The page of an agent in whose state everything that is free text is one text. */
async function startHostileAgent(t: ExecutionContext, text: string): Promise<string> {
  const time = '2026-11-24T10:00:00Z';
  const problem = {
    component: text,
    reason: text,
    severity: 'critical',
    since: time,
    runbook: text,
    steps: [],
  };
  const problems = [
    { ...problem, state: 'failed', component: `channels/${text}` },
    { ...problem, state: 'warning' },
  ];
  const channel = { status: text, consensus: { type: text } };
  const node = {
    name: text,
    kind: text,
    up: false,
    state: text,
    past: [],
    reason: text,
    version: text,
    healthy: false,
    started_at: text,
  };
  const state: Partial<StatusDocument> = {
    time: text,
    agent: {
      version: text,
      started_at: time,
      uptime: 1,
      healthy: false,
      notes: [text],
      found: [],
      running: 0,
      program: text,
    },
    problems,
    checks: [text],
    nodes: [
      {
        ...node,
        failed_checks: [],
        warnings: [],
        restarts_last_hour: 1,
        channels: [],
        log: { source: text, lines: [text] },
      },
    ],
    channels: [
      {
        name: text,
        verdict: text,
        reason: text,
        height: 1,
        blocks: [],
        consenters: [{ name: text, state: text, leader: false }],
        past: [],
        nodes: [{ node: text, kind: text, ...channel }],
      },
    ],
    certificates: [
      { component: text, subject: text, kind: text, path: text, not_after: time },
      { component: text, subject: text, kind: text, path: text, not_after: '2126-11-24T10:00:00Z' },
    ],
    levels: [{ name: text, spec: text, reverts_at: time }],
    plugins: [{ name: text, kind: text, state: text }],
  };
  const events = [{ ...problem, state: text }];
  return (await servePage(t, state, events)).url;
}

test.serial('a killed node is the answer, and a level is raised for a minute and comes back', async (t) => {
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  const network = await startNetwork(t, { orderers: 3 });
  const [peer] = network.peers;
  const [orderer] = network.orderers;
  const agent = await startBeside(t, [peer, orderer]);
  const { page, errors, requests } = await openPage(t, browser, { url: `${agent.url}/` });
  const answer = page.locator('.answer');
  const sentence = answer.locator('h2');

  // The first state can have checks of plugins that are still starting.
  await page.locator('.answer[data-state=works]').waitFor();
  t.is(await sentence.textContent(), `${CHANNEL} works`);

  await page.getByRole('button', { name: /nodes? ▾$/ }).click();
  await page.locator('.line.node .name', { hasText: peer.name }).click();
  const control = page.locator('dialog level-control');
  await control.getByLabel(`Change ${peer.name} to`).selectOption('debug');
  await control.getByRole('button', { name: '1 min', exact: true }).click();
  await control.getByText(/debug, [1-6]?\d (s|min) left/).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.badge', { hasText: 'debug' }).waitFor();
  const { body } = await send(agent, `/nodes/${peer.name}/logspec`);
  t.deepEqual(JSON.parse(body), { spec: 'debug' });

  await orderer.stop('SIGKILL');
  await page.locator('.answer[data-state=risk]', { hasText: 'orderer is down' }).waitFor();
  t.is(await sentence.textContent(), `${CHANNEL} works, but one more failure stops it`);
  t.is(await page.title(), `◐ ${CHANNEL} works, but one more failure stops it – ${hostname()}`);
  await answer.getByText('Start orderer.').waitFor();
  await page.locator('.line.node', { hasText: /^\s*orderer\s+down for/ }).waitFor();
  await answer.getByRole('button', { name: /^orderer refuses connections/ }).click();
  await page.locator('dialog').getByText('connection refused').first().waitFor();
  await page.keyboard.press('Escape');
  await orderer.start();
  await page.locator('.answer[data-state=works]').waitFor();
  await page.getByRole('button', { name: /events ▸$/ }).click();
  await page.locator('dialog .state').getByText('recovered').first().waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'all log levels info ▸' }).waitFor({ timeout: 75_000 });
  t.deepEqual(errors, []);
  const paths = new Set(requests.filter((url) => url.startsWith('http')).map((url) => new URL(url).pathname));
  // A browser that gets no events for a while connects again.
  paths.delete('/events');
  t.deepEqual([...paths], [`/nodes/${peer.name}/logspec`]);

  await stopAgent(agent);
  await page.locator('main.old').waitFor();
  t.is(await sentence.textContent(), 'The agent does not respond');
});

test.serial(
  'without a node the page shows the command that monitors one, and which checks run',
  async (t) => {
    const browser = await startBrowser();
    t.teardown(() => browser.close());
    const { url, agent } = await startAgent(t);
    for (const name of ['queue', 'disk']) agent.health.register(name, () => undefined);
    const { page, errors } = await openPage(t, browser, { url: `${url}/` });
    await page.getByText('This agent monitors no node yet').waitFor();
    t.regex(
      (await page.locator('.steps code').first().textContent())!,
      // Nodes of other tests may run on this host.
      /^npx fabric-ops-agent (?:start --node \S+\.yaml|nodes --write fabric-nodes && .*)$/,
    );
    t.is(await page.title(), `○ This agent monitors no node yet – ${hostname()}`);
    t.is(await page.locator('.answer').getAttribute('data-state'), 'unknown');
    t.is(await page.locator('.line').count(), 0);
    await page.getByRole('button', { name: '2 checks run ▸' }).click();
    await page.locator('dialog').getByText('disk, queue').waitFor();
    t.deepEqual(errors, []);
  },
);

test.serial(
  'a page of another site that opens the page of the agent has no access to its window',
  async (t) => {
    const browser = await startBrowser();
    t.teardown(() => browser.close());
    const { url } = await startAgent(t);
    t.deepEqual(await openedByOther(t, browser, `${url}/`), { hasOpener: false, opener: 'no window' });
  },
);

test.serial('a plugin that has not started yet is listed until it has', async (t) => {
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'fleet.js': `export default { apiVersion: 1, kind: 'checker', name: 'fleet', options: {},
      create: () => ({ start: () => new Promise((resolve) => (globalThis.startFleet = resolve)), check: () => undefined }) };`,
  });
  const agent = await createAgent(
    defineSettings(
      { 'operations.listenAddress': '127.0.0.1:0', plugins: [{ plugin: `${folder}/fleet.js` }, QUIET[0]] },
      folder,
    ),
  );
  t.teardown(() => agent.stop());
  const started = agent.start();
  await eventually(async () => check(agent.address !== undefined, 'it does not listen'));
  const options = { url: `http://${agent.address}/`, bypassCSP: true };
  const { page, errors } = await openPage(t, browser, options);
  const starting = page.getByRole('button', { name: '1 plugin has not started yet ▸' });
  await starting.click();
  await page
    .locator('dialog dd', { hasText: /^fleet$/ })
    .first()
    .waitFor();
  t.deepEqual(await accessibilityProblems(page), []);
  await page.keyboard.press('Escape');
  (globalThis as { startFleet?: () => void }).startFleet?.();
  await started;
  await starting.waitFor({ state: 'detached' });
  t.deepEqual(errors, []);
});

for (const scheme of ['light', 'dark'] as const)
  for (const width of [360, 1100])
    test.serial(`accessibility, and text that is never markup: ${scheme}, ${width} pixels`, async (t) => {
      const browser = await startBrowser();
      t.teardown(() => browser.close());
      const name = 'https://<b>x</b>\u202e.test';
      const { url, agent } = await startAgent(t, { 'health.interval': '200ms' });
      agent.health.register('queue', () => {
        throw new Error(`<img src=x onerror=alert(1)> ${name}`);
      });
      agent.health.register('orderer1/participation', () => {
        throw new CheckWarning('the orderer has been onboarding for 12 minutes, at height 7; '.repeat(20));
      });
      const { page, errors } = await openPage(t, browser, {
        url: `${url}/`,
        colorScheme: scheme,
        viewport: { width, height: 800 },
        bypassCSP: true,
      });
      await page.locator('.answer', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
      await page.locator('.others').getByText('orderer1/participation').waitFor();
      t.is(await page.locator('img').count(), 0);
      t.false((await page.locator('main').textContent())!.includes('\u202e'));
      t.deepEqual(await accessibilityProblems(page), []);
      t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width);
      await page.getByRole('button', { name: '2 events ▸' }).click();
      await page.locator('dialog .state', { hasText: 'warning' }).waitFor();
      t.deepEqual(await accessibilityProblems(page), []);
      t.deepEqual(errors, []);
    });

for (const width of [360, 1100])
  test.serial(`texts of 20,000 characters are wrapped and cut: ${width} pixels`, async (t) => {
    const browser = await startBrowser();
    t.teardown(() => browser.close());
    const url = await startHostileAgent(t, 'x'.repeat(20_000));
    const { page, errors } = await openPage(t, browser, { url, viewport: { width, height: 800 } });
    await page.locator('footer').waitFor();
    const widthOf = (): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');
    const wide = await widthOf();
    t.true(wide <= width, `${wide} pixels`);
    for (const each of await page.locator('main button.name, footer button.link').all()) {
      await each.click();
      const dialog = page.locator('dialog');
      await dialog.getByRole('button', { name: 'Close' }).waitFor();
      const [scroll, client] = await dialog.evaluate((found) => [found.scrollWidth, found.clientWidth]);
      t.true(scroll! <= client!, await each.innerText());
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    const text = await page.locator('main').textContent();
    t.deepEqual([/x{2500}…/.test(text!), /x{2501}/.test(text!)], [true, false]);
    t.true((await page.title()).length < 3000);
    t.deepEqual(errors, []);
  });

test.serial('with TLS the page needs a client certificate, as every resource', async (t) => {
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  const ca = new TestCa(temporaryFolder(t), 'ca');
  const server = ca.issue('agent', 'serverAuth');
  const operator = ca.issue('operator', 'clientAuth');
  const { url } = await startAgent(t, {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
  });
  const anonymous = await openPage(t, browser, { url: `${url}/`, ignoreHTTPSErrors: true });
  t.is(await anonymous.page.locator('agent-page').count(), 0);
  const { page, errors } = await openPage(t, browser, {
    url: `${url}/`,
    ignoreHTTPSErrors: true,
    clientCertificates: [{ origin: url, certPath: operator.cert, keyPath: operator.key }],
  });
  await page.getByText('This agent monitors no node yet').waitFor();
  t.deepEqual(errors, []);
});
