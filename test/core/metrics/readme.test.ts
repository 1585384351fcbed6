// The table of metrics in the documents is what a full agent shows.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { Agent, fetch } from 'undici';
import { startAgent } from '../../helpers/agent.js';
import { Authority } from '../../helpers/certificates.js';
import { familyRows } from '../../helpers/families.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { tableRows } from '../../helpers/markdown.js';

const README = new URL('../../../../core/metrics/README.md', import.meta.url);

/** A sink whose resource fails, so that there is a fault to count. */
const BROKEN = `export default {
  apiVersion: 1, kind: 'metrics', name: 'broken', options: {},
  create: () => ({ route: { path: '/broken', handle: async () => { throw new Error('broken'); } } }),
};`;

test('core/metrics/README.md lists every family of a full agent with its type, labels and meaning', async (t) => {
  const folder = temporaryFolder(t, { 'broken.mjs': BROKEN });
  const authority = new Authority(folder, 'ca');
  const server = authority.issue('agent', 'serverAuth');
  const client = authority.issue('prometheus', 'clientAuth');
  const { agent, url } = await startAgent(t, {
    'metrics.provider': 'prometheus',
    'metrics.maxSeries': 100,
    'vm.endpoint': 'unix:///no-such-folder/docker.sock',
    'logging.spec': 'fatal',
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [authority.cert],
    plugins: [{ plugin: join(folder, 'broken.mjs') }],
  });
  const [ca, cert, key] = [authority.cert, client.cert, client.key].map((file) => readFileSync(file));
  const dispatcher = new Agent({ connect: { ca, cert, key } as never });
  t.teardown(() => dispatcher.close());

  // Every family has a series once something of its kind has happened.
  const family = agent.metrics.counter({ name: 'test_calls', help: 'Of the test.', labelNames: ['user'] });
  for (let user = 0; user <= 100; user += 1) family.with({ user }).inc(user === 0 ? NaN : 1);
  agent.logging.logger('test').fatal('a line of the test');
  t.is((await fetch(`${url}/healthz`, { dispatcher })).status, 503);
  t.is((await fetch(`${url}/broken`, { dispatcher })).status, 500);
  const text = await (await fetch(`${url}/metrics`, { dispatcher })).text();

  t.deepEqual(
    tableRows(readFileSync(README, 'utf8'), 'Families of the agent'),
    familyRows(text, (name) => !/^(process|nodejs|test)_/.test(name)),
  );
});
