// A scrape of 10,000 series, compared with prom-client: in process, and over HTTP with a server that sends what it renders. CPU times,
// since others use the processors as well.

import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Counter, Registry } from 'prom-client';
import { createAgent, defineSettings, type Agent } from '../../core/index.js';
import { MetricStore } from '../../core/metrics/index.js';
import { render } from '../../plugins/metrics/prometheus/exposition.js';
import { SHARED_FOR } from '../../plugins/metrics/prometheus/shared-renderings.js';
import { median, row, type Row } from './report.js';
import { watchStalls } from './stalls.js';

const SERIES = 10_000;
const FAMILIES = 10;
const ROUNDS = 15;
const WARM_UP = 5;
/** That of the prometheus sink. */
const GZIP_LEVEL = 3;
const ENCODINGS = ['identity', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

const compress = promisify(gzip);

export async function benchMetrics(): Promise<Row[]> {
  const registry = new Registry();
  const rows = [await compareRendering(registry)];
  const agent = await startAgent();
  const server = createServer((request, response) => {
    void respond(registry, request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reference = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const encoding of ENCODINGS) {
    const own = `http://${agent.address}/metrics`;
    rows.push(...(await compareScrapes(own, reference, encoding)));
  }
  server.close();
  await agent.stop();
  return rows;
}

async function respond(
  registry: Registry,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await registry.metrics();
  const isGzipped = request.headers['accept-encoding'] === 'gzip';
  if (isGzipped) response.setHeader('Content-Encoding', 'gzip');
  response.end(isGzipped ? await compress(text, { level: GZIP_LEVEL }) : text);
}

async function startAgent(): Promise<Agent> {
  const settings = {
    'operations.listenAddress': '127.0.0.1:0',
    'logging.spec': 'fatal',
    'metrics.provider': 'prometheus',
  };
  const agent = await createAgent(defineSettings(settings, process.cwd()));
  await agent.start();
  fill((options) => agent.metrics.counter(options));
  return agent;
}

interface Options {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly ('channel' | 'peer')[];
}
type Count = (labels: Readonly<Record<'channel' | 'peer', string>>, value: number) => void;

/** Creates the series of the benchmark. */
function fill(
  create: (options: Options) => { with: (labels: Parameters<Count>[0]) => { inc: (value: number) => void } },
): void {
  for (let family = 0; family < FAMILIES; family += 1) {
    const counter = create({
      name: `fabric_ops_agent_bench_${family}`,
      help: 'A benchmark family.',
      labelNames: ['channel', 'peer'],
    });
    for (let series = 0; series < SERIES / FAMILIES; series += 1)
      counter.with({ channel: `channel-${series % 10}`, peer: `peer${series}.org1.example.com` }).inc(series);
  }
}

/** Fills the registry as well. */
async function compareRendering(registry: Registry): Promise<Row> {
  const store = new MetricStore(SERIES);
  fill((options) => store.counter(options));
  fill((options) => {
    const counter = new Counter({ ...options, registers: [registry] });
    return { with: (labels) => counter.labels(labels) };
  });
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const reference = await cpuOf(() => registry.metrics());
    const measured = await cpuOf(() => render(store, 'text'));
    if (round >= WARM_UP) ratios.push(measured / reference);
  }
  return row('/metrics, 10,000 series: CPU against registry.metrics()', median(ratios), '<=', 0.5, '');
}

async function compareScrapes(own: string, reference: string, encoding: Encoding): Promise<Row[]> {
  const ratios: number[] = [];
  const times: number[] = [];
  let longest = 0;
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Otherwise the response to the scrape before is shared.
    await wait(SHARED_FOR + 10);
    const expected = await cpuOf(() => scrape(reference, encoding));
    const watch = watchStalls();
    const measured = await cpuOf(async () => (bytes = await scrape(own, encoding)));
    const stall = watch();
    if (round < WARM_UP) continue;
    longest = Math.max(longest, stall);
    ratios.push(measured / expected);
    times.push(measured);
  }
  const what = `10,000 series over HTTP${encoding === 'gzip' ? ' with gzip, as Prometheus requests it' : ''}`;
  return [
    row(
      `/metrics, ${what}: CPU against a plain server that sends registry.metrics()`,
      median(ratios),
      '<=',
      1.2,
      `${median(times).toFixed(1)} ms, ${bytes} bytes`,
    ),
    row(`longest stall while ${what} are scraped, in ms`, longest, '<=', 25, ''),
  ];
}

/** Scrapes once and returns the number of bytes. The body is not decompressed: that would measure the client. */
async function scrape(url: string, encoding: Encoding): Promise<number> {
  const request = get(url, { agent: false, headers: { 'Accept-Encoding': encoding } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if ((response.headers['content-encoding'] ?? 'identity') !== encoding)
    throw new Error(`the response is not encoded as ${encoding}`);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

/** The CPU time of some work, in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
