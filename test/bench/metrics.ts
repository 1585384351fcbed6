// A scrape of 10,000 series over HTTP, compared with prom-client rendering the same series in process.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Counter, Registry } from 'prom-client';
import { createAgent, defineSettings } from '../../core/index.js';
import { median, row, type Row } from './report.js';
import { watchStalls } from './stalls.js';

const SERIES = 10_000;
const FAMILIES = 10;
const ROUNDS = 15;
const ENCODINGS = ['identity', 'gzip'] as const;

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
      name: `fabric_ops_agent_bench_${family}`,
      help: 'A benchmark family.',
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
  const rows = [];
  for (const encoding of ENCODINGS)
    rows.push(...(await compare(`http://${agent.address}/metrics`, encoding, registry)));
  await agent.stop();
  return rows;
}

async function compare(
  url: string,
  encoding: (typeof ENCODINGS)[number],
  registry: Registry,
): Promise<Row[]> {
  const ratios: number[] = [];
  const times: number[] = [];
  let longest = 0;
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const reference = await timed(() => registry.metrics());
    const watch = watchStalls();
    const measured = await timed(async () => (bytes = await scrape(url, encoding)));
    longest = Math.max(longest, watch());
    // The first rounds are warm-up.
    if (round < 3) continue;
    ratios.push(measured / reference);
    times.push(measured);
  }
  const what = `10,000 series over HTTP${encoding === 'gzip' ? ' with gzip, as Prometheus requests it' : ''}`;
  return [
    row(
      `/metrics, ${what}, against registry.metrics()`,
      median(ratios),
      '<=',
      1.2,
      `${median(times).toFixed(1)} ms, ${bytes} bytes`,
    ),
    row(`longest stall while ${what} are scraped, in ms`, longest, '<=', 25, ''),
  ];
}

/** Scrapes once and returns the number of bytes. The body is not decompressed: that would measure the client. */
async function scrape(url: string, encoding: string): Promise<number> {
  const request = get(url, { agent: false, headers: { 'Accept-Encoding': encoding } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if ((response.headers['content-encoding'] ?? 'identity') !== encoding)
    throw new Error(`the response is not encoded as ${encoding}`);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
