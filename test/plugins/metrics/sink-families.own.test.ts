// The READMEs of the sinks graphite and otlp list the metrics about the sinks themselves.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { familyRows } from '../../helpers/families.js';
import { freePort } from '../../helpers/free-port.js';
import { tableRows } from '../../helpers/markdown.js';
import { startOtlpReceiver, status } from '../../helpers/otlp-receiver.js';
import { ReceivedLines, startTcpDaemon } from '../../helpers/statsd-daemon.js';
import { until } from '../../helpers/until.js';

const readme = (name: string): string =>
  readFileSync(new URL(`../../../../plugins/metrics/${name}/README.md`, import.meta.url), 'utf8');

/** Reads /metrics until each family of a sink has a series. */
async function metricsWith(url: string, families: readonly string[]): Promise<string> {
  let text = '';
  await until(async () => {
    text = await (await fetch(`${url}/metrics`)).text();
    return families.every((family) => new RegExp(`^${family}(?:_count)?\\{`, 'm').test(text));
  });
  return text;
}

test('the README of graphite lists its metrics', async (t) => {
  const port = await freePort();
  // A queue of 100 bytes drops values, so that there is a series of dropped_total.
  const options = { address: `127.0.0.1:${port}`, writeInterval: '20ms', maxQueuedBytes: 100 };
  const { url } = await startAgent(t, {
    'metrics.provider': 'prometheus',
    plugins: [{ plugin: 'graphite', options }],
  });
  const rows = tableRows(readme('graphite'), 'What it exposes');
  const families = rows.map(([name = '']) => name.replaceAll('`', ''));
  await metricsWith(url, ['fabric_ops_agent_graphite_dropped_total']);
  await startTcpDaemon(t, new ReceivedLines(), { port });
  const text = await metricsWith(url, families);
  t.deepEqual(
    rows,
    familyRows(text, (name) => name.startsWith('fabric_ops_agent_graphite_')),
  );
});

test('the README of otlp lists its metrics', async (t) => {
  const { endpoint } = await startOtlpReceiver(t, (response, index) =>
    status(index === 0 ? 503 : 400)(response, index),
  );
  const { url } = await startAgent(t, {
    'metrics.provider': 'prometheus',
    plugins: [{ plugin: 'otlp', options: { endpoint, writeInterval: '20ms' } }],
  });
  const rows = tableRows(readme('otlp'), 'What it exposes');
  const text = await metricsWith(
    url,
    rows.map(([name = '']) => name.replaceAll('`', '')),
  );
  t.deepEqual(
    rows,
    familyRows(text, (name) => name.startsWith('fabric_ops_agent_otlp_')),
  );
});
