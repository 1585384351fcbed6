// Checks the tables of the plugin README: the lines on the wire and the metrics of the sink.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import test from 'ava';
import type { Sample } from '../../../../core/contract/index.js';
import { startAgent } from '../../../helpers/agent.js';
import { familyRows } from '../../../helpers/families.js';
import { tableRows } from '../../../helpers/markdown.js';
import { until } from '../../../helpers/until.js';
import { sentLines } from '../../../helpers/statsd-lines.js';

const README = readFileSync(
  new URL('../../../../../plugins/metrics/statsd/README.md', import.meta.url),
  'utf8',
);

/** The code spans of a cell; the word `empty` stands for an empty string. */
const spans = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]*)`|\bempty\b/g)].map(([, span = '']) => span);

/** The sample of a row: of two name parts the first is the namespace, of three the second is the subsystem. */
function sampleOf(names: readonly string[], labels: readonly string[], value: number): Sample {
  const [namespace = '', subsystem = ''] = names.slice(0, -1);
  return {
    namespace,
    subsystem,
    name: names.at(-1) ?? '',
    labels: Object.fromEntries(labels.map((label, index) => [`l${index + 1}`, label])),
    value,
  };
}

for (const [sample = '', labels = '', value = '', options = '', lines = ''] of tableRows(
  README,
  'On the wire',
)) {
  const kind = sample.split(' ', 1)[0] as 'counter' | 'gauge' | 'timing';
  const how = options === '–' ? 'without options' : `with ${options.replaceAll('`', '')}`;
  test(`${sample.replaceAll('`', '')} of ${value} and labels ${labels} ${how} has the lines of the README`, (t) => {
    const given = Object.fromEntries(spans(options).map((option) => option.split(': ')));
    const all = { prefix: '', tags: 'none', timingUnit: 'milliseconds', ...given } as const;
    const of = sampleOf(spans(sample), spans(labels), Number(value.replaceAll('`', '')));
    const [text] = sentLines(all, (client) => void client[kind](of));
    t.deepEqual(text?.split('\n') ?? [], lines === 'none' ? [] : spans(lines));
  });
}

test('the README lists every metric of the sink itself', async (t) => {
  const udp = createSocket('udp4');
  udp.bind(0, '127.0.0.1');
  // A connection that takes some bytes and is lost.
  const tcp = createServer((connection) => connection.once('data', () => connection.destroy()));
  tcp.listen(0, '127.0.0.1');
  await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
  t.teardown(() => udp.close());
  t.teardown(() => tcp.close());
  const declare = (network: 'udp' | 'tcp', port: number): object => ({
    plugin: 'statsd',
    name: network,
    // Longer lines are dropped, so that fabric_ops_agent_statsd_dropped_total has a series.
    options: { network, address: `127.0.0.1:${port}`, writeInterval: '20ms', maxDatagram: 40 },
  });
  const { url } = await startAgent(t, {
    'metrics.provider': 'prometheus',
    plugins: [declare('udp', udp.address().port), declare('tcp', (tcp.address() as AddressInfo).port)],
  });
  let text = '';
  await until(async () => {
    text = await (await fetch(`${url}/metrics`)).text();
    return ['flushes', 'reconnects', 'sent_bytes'].every((name) =>
      text.includes(`fabric_ops_agent_statsd_${name}_total{`),
    );
  });
  t.deepEqual(
    tableRows(README, 'What it exposes'),
    familyRows(text, (name) => name.startsWith('fabric_ops_agent_statsd_')),
  );
});
