// The table of families in the README equals the metrics of an agent with every feature enabled.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { Agent, fetch } from 'undici';
import { startAgent } from '../../helpers/agent.js';
import { TestCa } from '../../helpers/certificates.js';
import { familyRows } from '../../helpers/families.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { tableRows } from '../../helpers/markdown.js';

const README = new URL('../../../../core/metrics/README.md', import.meta.url);

/** A sink whose resource fails, so that there is a plugin fault. */
const BROKEN = `export default {
  apiVersion: 1, kind: 'sink', name: 'broken', options: {},
  create: () => ({ route: { path: '/broken', handle: async () => { throw new Error('broken'); } } }),
};`;

test('core/metrics/README.md lists every family of the agent with its type, labels and help', async (t) => {
  const directory = temporaryFolder(t, { 'broken.mjs': BROKEN });
  const issuer = new TestCa(directory, 'ca');
  const server = issuer.issue('agent', 'serverAuth');
  const client = issuer.issue('prometheus', 'clientAuth');
  const { agent, url } = await startAgent(t, {
    'metrics.provider': 'prometheus',
    'metrics.maxSeries': 100,
    'vm.endpoint': 'unix:///no-such-directory/docker.sock',
    'logging.spec': 'fatal',
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [issuer.cert],
    plugins: [{ plugin: join(directory, 'broken.mjs') }],
  });
  const [ca, cert, key] = [issuer.cert, client.cert, client.key].map((file) => readFileSync(file));
  const dispatcher = new Agent({ connect: { ca, cert, key } as never });
  t.teardown(() => dispatcher.close());

  // A family has a series after the first event that it counts.
  const family = agent.metrics.counter({ name: 'test_calls', help: 'A test family.', labelNames: ['user'] });
  for (let user = 0; user <= 100; user += 1) family.with({ user }).inc(user === 0 ? NaN : 1);
  agent.logging.logger('test').fatal('a test message');
  t.is((await fetch(`${url}/healthz`, { dispatcher })).status, 503);
  t.is((await fetch(`${url}/broken`, { dispatcher })).status, 500);
  const text = await (await fetch(`${url}/metrics`, { dispatcher })).text();

  t.deepEqual(
    tableRows(readFileSync(README, 'utf8'), 'Families of the agent'),
    familyRows(text, (name) => !/^fabric_ops_agent_(process|nodejs|test)_/.test(name), {
      // They need a node, an engine and a silence.
      fabric_ops_agent_channel_state: ['channel', 'state'],
      fabric_ops_agent_docker_engine_info: ['component', 'version'],
      fabric_ops_agent_silence_end_timestamp_seconds: ['channel', 'id', 'node'],
    }),
  );
});
