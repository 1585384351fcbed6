// The page of the agent, beside a real peer and a real orderer.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { StatusDocument } from '../../core/status/document.js';
import { accessibilityProblems, openedByOther, openPage, startBrowser } from './browser.js';
import { CheckWarning } from '../../core/contract/index.js';
import { startBeside, stopAgent } from './fabric/agent.js';
import { check, eventually } from './daemon.js';
import { send } from './fabric/endpoint.js';
import { startNetwork } from './fabric/network.js';
import { createAgent, defineSettings } from '../../core/index.js';
import { startAgent } from '../helpers/agent.js';
import { TestCa } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { QUIET } from '../helpers/quiet-backend.js';

/** The size of the picture in the README. `REWRITE_SAMPLES=1` makes it again. */
const PICTURE = { width: 900, height: 1225 };

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
    agent: { version: text, started_at: time, uptime: 1, healthy: false, notes: [text], found: [] },
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
  const server = createServer(({ url }, response) => {
    if (url !== '/events') {
      response.setHeader('Content-Type', 'text/html').end(readFileSync('dist/page/agent.html'));
      return;
    }
    response.setHeader('Content-Type', 'text/event-stream');
    response.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`);
    response.write(`id: 1\nevent: event\ndata: ${JSON.stringify({ ...problem, state: text })}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.serial(
  'a killed node turns the page red, and a level is raised for a minute and comes back',
  async (t) => {
    const browser = await startBrowser();
    t.teardown(() => browser.close());
    const network = await startNetwork(t, { orderers: 3 });
    const [peer] = network.peers;
    const [orderer] = network.orderers;
    const agent = await startBeside(t, [peer, orderer]);
    const { page, errors, requests } = await openPage(t, browser, {
      url: `${agent.url}/`,
      viewport: PICTURE,
    });
    const verdict = page.locator('.verdict');

    await page
      .locator('section[aria-label=channels] tr', { hasText: /etcdraft, (leader|follower)/ })
      .waitFor();
    // The first state can have checks of plugins that are still starting.
    await verdict.getByText(/healthy|warning/).waitFor();

    await page.getByLabel(`level of ${peer.name}`).selectOption('debug');
    const lever = page.locator('agent-levels form', { hasText: peer.name });
    await lever.getByRole('button', { name: 'Set' }).click();
    await lever.getByText(/debug, for [1-6]?\d s/).waitFor();
    const { body } = await send(agent, `/nodes/${peer.name}/logspec`);
    t.deepEqual(JSON.parse(body), { spec: 'debug' });

    await orderer.stop('SIGKILL');
    await verdict.getByText('orderer is down').waitFor();
    t.is(await page.locator('.headline.bad').count(), 1);
    t.is(await page.title(), 'orderer is down – Fabric nodes');
    await page.locator('section[aria-label=problems] .finding.danger').first().waitFor();
    await page.getByText('What to do: FabricNodeDown').first().click();
    t.true((await page.locator('details[open] .runbook').first().textContent())!.length > 100);
    if (process.env.REWRITE_SAMPLES === '1') {
      await page.locator('section[aria-label=problems]').getByText('orderers serve this peer').waitFor();
      await page.screenshot({ path: 'core/page/page.png', clip: { x: 0, y: 0, ...PICTURE } });
    }
    await orderer.start();
    await page.locator('section[aria-label=events]').getByText('recovered').first().waitFor();
    await page.locator('.headline:not(.bad)').waitFor();

    await lever.getByText('info', { exact: true }).first().waitFor({ timeout: 75_000 });
    t.deepEqual(errors, []);
    const paths = new Set(requests.map((url) => new URL(url).pathname));
    // A browser that gets no events for a while connects again.
    paths.delete('/events');
    t.deepEqual([...paths], [`/nodes/${peer.name}/logspec`]);

    await stopAgent(agent);
    await verdict
      .getByText(/^The agent has been unreachable since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
      .waitFor();
  },
);

test.serial('without a node the page is neutral, and says the next step and which checks run', async (t) => {
  const browser = await startBrowser();
  t.teardown(() => browser.close());
  const { url, agent } = await startAgent(t);
  for (const name of ['queue', 'disk']) agent.health.register(name, () => undefined);
  const { page, errors } = await openPage(t, browser, { url: `${url}/` });
  const nodes = page.locator('section[aria-label=nodes]');
  await nodes.getByText('Start it with --beside /path/core.yaml').waitFor();
  await nodes.getByText('Checks that run: disk, queue').waitFor();
  t.is(await page.locator('.verdict').textContent(), 'No node is configured');
  t.is(await page.title(), 'No node is configured – Fabric nodes');
  t.is(await page.locator('.headline.good, .headline.bad, .headline.warn').count(), 0);
  const colours = await page.evaluate<readonly [string, string]>(
    `(() => {
      const { shadowRoot } = document.querySelector('agent-page');
      const of = (selector) => getComputedStyle(shadowRoot.querySelector(selector));
      return [of('.headline').borderTopColor, of('.verdict').color];
    })()`,
  );
  t.deepEqual(colours, ['rgb(208, 215, 222)', 'rgb(27, 31, 36)']);
  t.deepEqual(errors, []);
});

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
    'fleet.js': `export default { apiVersion: 1, kind: 'health', name: 'fleet', options: {},
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
  const { page, errors } = await openPage(t, browser, { url: `http://${agent.address}/` });
  await page.locator('.headline.warn').getByText('1 plugin is starting').waitFor();
  const row = page.locator('section[aria-label=plugins] tbody tr');
  t.deepEqual(await row.locator('td').allTextContents(), ['fleet', 'health', 'starting']);
  t.deepEqual(await accessibilityProblems(page), []);
  (globalThis as { startFleet?: () => void }).startFleet?.();
  await started;
  await page.locator('.verdict').getByText('No node is configured').waitFor();
  t.is(await row.count(), 0);
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
      await page.getByText('1 check fails').waitFor();
      await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
      t.is(await page.locator('img').count(), 0);
      t.false((await page.locator('main').textContent())!.includes('\u202e'));
      t.deepEqual(await accessibilityProblems(page), []);
      t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width);
      await page.locator('section[aria-label=events] .state').getByText('warning').waitFor();
      const lines = await page.evaluate<readonly number[]>(
        `[...document.querySelector('agent-page').shadowRoot.querySelectorAll('section[aria-label=events] .state')].map((each) => each.getClientRects().length)`,
      );
      t.deepEqual(lines, [1, 1], 'no state is broken into lines');
      t.deepEqual(errors, []);
    });

for (const width of [360, 1100])
  test.serial(`texts of 20,000 characters are wrapped and cut: ${width} pixels`, async (t) => {
    const browser = await startBrowser();
    t.teardown(() => browser.close());
    const url = await startHostileAgent(t, 'x'.repeat(20_000));
    const { page, errors } = await openPage(t, browser, { url, viewport: { width, height: 800 } });
    await page.locator('section[aria-label=events] tbody tr').waitFor();
    for (const each of await page.locator('summary').all()) await each.click();
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    t.true(wide <= width, `${wide} pixels`);
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
  await page.getByText('No node is configured').waitFor();
  t.deepEqual(errors, []);
});
