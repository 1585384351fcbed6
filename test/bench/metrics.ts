// A scrape of 10,000 series through HTTP, beside prom-client rendering the same series in process.

import { Counter, Registry } from 'prom-client';
import { createAgent, defineSettings } from '../../core/index.js';
import { median, row, type Row } from './report.js';
import { watchStalls } from './stalls.js';

const SERIES = 10_000;
const FAMILIES = 10;
const ROUNDS = 15;
/** fetch asks for gzip by itself, and compressing is not what is measured. */
const IDENTITY = { 'Accept-Encoding': 'identity' };

export async function benchMetrics(): Promise<Row[]> {
  const settings = {
    'operations.listenAddress': '127.0.0.1:0',
    'logging.spec': 'fatal',
    'metrics.provider': 'prometheus',
  };
  const agent = await createAgent(defineSettings(settings, process.cwd()));
  await agent.start();
  const registry = new Registry();
  for (let family = 0; family < FAMILIES; family += 1) {
    const options = {
      name: `bench_${family}`,
      help: 'A family of the bench.',
      labelNames: ['channel', 'peer'] as const,
    };
    const reference = new Counter({ ...options, registers: [registry] });
    const own = agent.metrics.counter(options);
    for (let series = 0; series < SERIES / FAMILIES; series += 1) {
      const labels = { channel: `channel-${series % 10}`, peer: `peer${series}.org1.example.com` };
      reference.labels(labels).inc(series);
      own.with(labels).inc(series);
    }
  }
  const ratios: number[] = [];
  const times: number[] = [];
  let longest = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const reference = await timed(() => registry.metrics());
    const watch = watchStalls();
    const measured = await timed(async () =>
      (await fetch(`http://${agent.address}/metrics`, { headers: IDENTITY })).text(),
    );
    longest = Math.max(longest, watch());
    // The first rounds warm both up.
    if (round < 3) continue;
    ratios.push(measured / reference);
    times.push(measured);
  }
  await agent.stop();
  return [
    row(
      '/metrics, 10,000 series over HTTP, against registry.metrics()',
      median(ratios),
      '<=',
      1.2,
      `${median(times).toFixed(1)} ms`,
    ),
    row('longest stall while 10,000 series are scraped, in ms', longest, '<=', 25, ''),
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
